import Media
import TimeMaps

/// A retimed range of a file, and the part of the result that is used.
///
/// ```
///  asset       ──────[ range ──────────)────────
///                       │ retiming
///  retimed     [────────────────)               0 … retimedDuration
///                   [ window )
///  on a track        [──────────────)           the segment's duration: uniformly longer
/// ```
/// Cutting a segment cuts the window and keeps the range and the retiming: a curve keeps its shape, and the
/// parts, put one after the other, play as the whole did.
public struct PlacedClip: Hashable, Sendable {
    /// The media file, with its path as it was given.
    public let media: String
    /// The clip's name for people; nil for the file's name.
    public let name: String?
    /// The range that is retimed, in asset time.
    public let range: TimeRange
    /// How the range is retimed.
    public let retiming: Retiming
    /// The part of the retimed clip's output that is used; for a freeze frame always all of it.
    public let window: TimeRange
    /// The duration of the whole retimed clip; for a freeze frame, the duration of the range.
    public let retimedDuration: RationalTime

    /// A retimed range of a file, or a window of it.
    ///
    /// - Parameters:
    ///   - media: the file's path; not empty. The file isn't opened.
    ///   - range: in asset time; its duration must be above 0. It must start at 0 or later, unless only sound is carried,
    ///     which is silent outside of its file.
    ///   - content: what the clip's track carries.
    ///   - retiming: how the range is retimed.
    ///   - window: in the retimed clip's output time; nil for all of it.
    ///   - name: a name for people; nil for the file's name.
    /// - Throws: ``CurveError`` if the retiming isn't possible for this range, ``CompositionError`` if the
    ///   path, the range or the window is empty, or the range or the window reaches outside, ``TimeError`` if a
    ///   time can't be represented.
    /// - Complexity: that of integrating the curve; O(points) for a time map.
    public init(
        _ media: String, range: TimeRange, carrying content: Track.Content = .both,
        retiming: Retiming = .uniform, window: TimeRange? = nil, name: String? = nil
    ) throws {
        guard !media.isEmpty else {
            throw CompositionError.invalid("a clip needs a file, and its path is empty")
        }
        guard range.start >= .zero || content == .sound, range.duration > .zero else {
            throw CompositionError.invalid(
                "the range \(range.start.secondsText) s to \(range.end.secondsText) s is not a range of "
                    + "a file: it must start at 0 or later and end after its start")
        }
        let lasts = try retiming.duration(of: range)
        let all = try TimeRange(start: .zero, duration: lasts)
        let window = retiming.isFrozen ? all : window ?? all
        guard window.start >= .zero, window.end <= lasts, window.duration > .zero else {
            throw CompositionError.invalid(
                "the window \(window.start.secondsText) s to \(window.end.secondsText) s is not a part "
                    + "of the retimed clip, which lasts \(lasts.secondsText) s")
        }
        self.init(media, name, range, retiming, window, lasts)
    }

    /// Sets the properties without checking them again.
    private init(
        _ media: String, _ name: String?, _ range: TimeRange, _ retiming: Retiming,
        _ window: TimeRange, _ retimedDuration: RationalTime
    ) {
        self.media = media
        self.name = name.flatMap { $0.isEmpty || $0 == Self.fileName(of: media) ? nil : $0 }
        self.range = range
        self.retiming = retiming
        self.window = window
        self.retimedDuration = retimedDuration
    }

    /// The last component of a path.
    package static func fileName(of media: String) -> String {
        let isOfWindows = MediaPath.isAbsolute(media) && !media.hasPrefix("/")
        let parts = media.split { $0 == "/" || isOfWindows && $0 == "\\" }
        return String(parts.last ?? media[...])
    }

    /// Whether the window is the whole retimed clip.
    public var isWhole: Bool { window.duration == retimedDuration }

    /// The same clip with another window, which must be inside the retimed clip.
    func windowed(_ window: TimeRange) -> PlacedClip {
        retiming.isFrozen
            ? self : PlacedClip(media, name, range, retiming, window, retimedDuration)
    }

    /// The same clip of another file.
    func playing(_ media: String) -> PlacedClip {
        PlacedClip(media, name, range, retiming, window, retimedDuration)
    }

    /// Whether `next` is the same clip and begins where this one ends.
    func isContinued(by next: PlacedClip) -> Bool {
        media == next.media && name == next.name && range == next.range
            && retiming == next.retiming
            && (retiming.isFrozen || window.end == next.window.start)
    }
}
