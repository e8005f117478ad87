import Foundation
import Media
import Stories

extension StoryManifest {
    /// The manifest of a story file as it would be built, or of one that was: for walks.
    ///
    /// Its media are opened where they are there; of those that aren't, lengths are guessed from events.
    ///
    /// - Throws: ``StoryError``, `MediaError` when the file can't be read.
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

    /// Seconds of all its segments.
    public var duration: Double {
        segments.values.reduce(0) { $0 + $1.duration }
    }
}
