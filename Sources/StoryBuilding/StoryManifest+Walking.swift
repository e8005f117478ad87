import Foundation
import Media
import Stories

extension StoryManifest {
    /// The manifest for walking through a story: that of a built story, or an approximate one for a story file.
    ///
    /// Media files that exist are opened for their durations. For missing ones, the durations are guessed from
    /// the events.
    ///
    /// - Parameter path: a story file, or the `story.json` of a built story.
    /// - Throws: `MediaError` if the file can't be read, ``StoryFileError`` or ``StoryError`` if its story isn't valid.
    public init(forWalking path: String) throws {
        let isBuilt = (path as NSString).lastPathComponent == "story.json"
        if isBuilt, let data = FileManager.default.contents(atPath: path),
            let manifest = try? StoryManifest(json: data)
        {
            self = manifest
            return
        }
        let project = try StoryProject(contentsOfFile: path)
        self = try .outline(of: project.story, media: project.media)
    }

    /// The total duration of all segments in seconds.
    public var duration: Double {
        segments.values.reduce(0) { $0 + $1.duration }
    }
}
