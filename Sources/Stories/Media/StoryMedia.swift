import TimeMaps

/// What is known of the files that a story names; asked for by their paths as they are written.
///
/// Stories open no media themselves: whoever can says here what it found.
public struct StoryMedia: Sendable {
    /// What is known of a media file.
    public enum Facts: Hashable, Sendable {
        /// Nobody looked; nothing is said about it.
        case unknown
        /// - Parameter frameDuration: seconds between pictures, where there is a picture.
        case usable(duration: RationalTime, frameDuration: Double?)
        /// There is no such file.
        case missing
        /// It is there and can't be used; the reason.
        case damaged(String)
    }

    /// Of a media file.
    public var facts: @Sendable (_ path: String) -> Facts
    /// The map of a segment whose time map is a file; nil where nobody looked. It throws where the
    /// file can't be used, with an error that says why.
    public var timeMap: @Sendable (_ path: String, _ segment: Story.Segment) throws -> TimeMap?
    /// Why a captions file can't be used; nil where it can, or nobody looked.
    public var captionsTrouble: @Sendable (_ path: String) -> String?

    /// What is known, from functions that answer by path as it is written in the story.
    public init(
        facts: @escaping @Sendable (_ path: String) -> Facts,
        timeMap: @escaping @Sendable (_ path: String, _ segment: Story.Segment) throws -> TimeMap? =
            { _, _ in nil },
        captionsTrouble: @escaping @Sendable (_ path: String) -> String? = { _ in nil }
    ) {
        self.facts = facts
        self.timeMap = timeMap
        self.captionsTrouble = captionsTrouble
    }

    /// Nothing is known.
    public static let unknown = StoryMedia(facts: { _ in .unknown })
}
