import TimeMaps

/// Facts about the files that a story names. They are looked up by their paths as they stand in the story.
///
/// The story module opens no media files. A caller that can open them provides these functions.
public struct StoryMedia: Sendable {
    /// The facts about one media file.
    public enum Facts: Hashable, Sendable {
        /// The file wasn't examined, so nothing is reported about it.
        case unknown
        /// The file can be used.
        ///
        /// - Parameters:
        ///   - duration: how long the file lasts.
        ///   - frameDuration: seconds from one frame to the next; nil if there is no video.
        case usable(duration: RationalTime, frameDuration: Double?)
        /// The file doesn't exist.
        case missing
        /// The file exists but can't be used, for the given reason.
        case damaged(String)
    }

    /// Returns the facts about a media file.
    public var facts: @Sendable (_ path: String) -> Facts
    /// Returns the time map of a segment whose time map is in a file; nil if the file wasn't examined. It
    /// throws an error that says why if the file can't be used.
    public var timeMap: @Sendable (_ path: String, _ segment: Story.Segment) throws -> TimeMap?
    /// Returns why a captions file can't be used; nil if it can be used or wasn't examined.
    public var captionsTrouble: @Sendable (_ path: String) -> String?
    /// Returns the texts of a strings file; nil if the file wasn't examined. It throws an error that says why if the file
    /// can't be used, ``StoryError`` for what is wrong in it.
    public var strings: @Sendable (_ path: String) throws -> PlayerStrings?

    /// Facts from functions that look them up. They may be called from any thread.
    public init(
        facts: @escaping @Sendable (_ path: String) -> Facts,
        timeMap: @escaping @Sendable (_ path: String, _ segment: Story.Segment) throws -> TimeMap? =
            { _, _ in nil },
        captionsTrouble: @escaping @Sendable (_ path: String) -> String? = { _ in nil },
        strings: @escaping @Sendable (_ path: String) throws -> PlayerStrings? = { _ in nil }
    ) {
        self.facts = facts
        self.timeMap = timeMap
        self.captionsTrouble = captionsTrouble
        self.strings = strings
    }

    /// Nothing is known about any file.
    public static let unknown = StoryMedia(facts: { _ in .unknown })
}
