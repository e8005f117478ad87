import Documents
import Foundation

/// A story file that was read: the story, and the position of each of its values in the text.
///
/// ```json
/// { "timewarp": "story/1", "title": "The locked room", "start": "prologue",
///   "variables": { "courage": 0 },
///   "segments": {
///     "prologue": { "media": "intro.mp4", "range": ["0", "12.5"], "then": "door" },
///     "door": { "media": "door.mp4", "warp": { "curve": "triangle", "factor": 2 },
///       "events": [ { "at": "4", "do": "showControls" }, { "at": "8", "do": "decide" } ],
///       "choices": [ { "label": "Open it", "key": "o", "goto": "hall",
///                      "set": { "courage": "courage + 1" } },
///                    { "label": "Walk away", "goto": "garden", "when": "courage < 2" } ],
///       "default": "garden" } } }
/// ```
/// A time is a number of seconds or a text such as `"1:30.5"`, and counts in the media file's own time. A
/// segment's `timeMap` is a list of points as in a time map file.
public struct StoryFile: Sendable {
    /// The story in the file.
    public let story: Story
    let document: JSONDocument

    /// Reads a story file of at most 16 MiB with at most 100 000 segments. O(n).
    ///
    /// - Throws: ``StoryError`` with every problem in the file, each with its path, line and column.
    public init(json: Data) throws(StoryError) {
        document = try StoryError.reading { () throws(DocumentError) in
            try JSONDocument(json, kind: "story file", largest: StoryLimits.largestFile)
        }
        story = try StoryReader.story(in: document)
    }

    /// The position of the value at a path. For a missing value it is the position of the object or list that
    /// should contain it; for an object or list inside an object, it is the position of its key.
    public func position(of path: DocumentPath) -> TextPosition { document.position(of: path) }
}

extension Story {
    /// Reads a story file of at most 16 MiB with at most 100 000 segments. Use ``StoryFile`` if positions in
    /// the text are needed later.
    ///
    /// - Throws: ``StoryError`` with every problem in the file, each with its path, line and column.
    public init(json: Data) throws(StoryError) {
        self = try StoryFile(json: json).story
    }
}
