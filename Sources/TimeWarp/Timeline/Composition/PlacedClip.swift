import Media
import TimeMaps

/// A range of a file, retimed, and which part of the result is used.
///
/// ```
///  asset       ──────[ range ──────────)────────
///                       │ retiming
///  retimed     [────────────────)               0 … retimedDuration
///                   [ window )
///  on a track        [──────────────)           the segment's duration: uniformly longer
/// ```
/// Cutting a segment cuts the window, and leaves range and retiming as they are: a curve keeps its
/// shape, and the parts put side by side play as the whole did.
public struct PlacedClip: Hashable, Sendable {
    /// The file, as its path was written.
    public let media: String
    /// What people call it; nil for the file's own name.
    public let name: String?
    /// The part that the retiming is made for, in asset time.
    public let range: TimeRange
    /// How the range is retimed.
    public let retiming: Retiming
    /// The part that is used of the retimed clip's output; of a freeze always all.
    public let window: TimeRange
    /// How long all of the retimed clip lasts; of a freeze, as long as the range.
    public let retimedDuration: RationalTime

    /// - Parameters:
    ///   - range: in asset time; starts at 0 or later and lasts some time.
    ///   - window: in the retimed clip's output; nil for all of it.
    /// - Throws: ``CurveError`` when the retiming is no valid one for this range,
    ///   ``CompositionError`` when range or window are empty or outside, ``TimeError``.
    /// - Complexity: that of integrating the curve; O(points) of a time map.
    public init(
        _ media: String, range: TimeRange, retiming: Retiming = .uniform,
        window: TimeRange? = nil, name: String? = nil
    ) throws {
        guard !media.isEmpty else {
            throw CompositionError.invalid("a clip needs a file, and its path is empty")
        }
        guard range.start >= .zero, range.duration > .zero else {
            throw CompositionError.invalid(
                "the range \(range.start.seconds) s to \(range.end.seconds) s is no part of a "
                    + "file; it starts at 0 or later and ends after it starts")
        }
        let lasts = try retiming.duration(of: range)
        let all = try TimeRange(start: .zero, duration: lasts)
        let window = retiming.isFrozen ? all : window ?? all
        guard window.start >= .zero, window.end <= lasts, window.duration > .zero else {
            throw CompositionError.invalid(
                "the window \(window.start.seconds) s to \(window.end.seconds) s is no part of "
                    + "the retimed clip, which lasts \(lasts.seconds) s")
        }
        self.init(media, name, range, retiming, window, lasts)
    }

    /// A clip of an asset that is open already, or of the part of it that `range` names.
    ///
    /// - Throws: as ``init(_:range:retiming:window:name:)``.
    public init(
        _ asset: Asset, range: TimeRange? = nil, retiming: Retiming = .uniform,
        window: TimeRange? = nil, name: String? = nil
    ) throws {
        try self.init(
            asset.path, range: try range ?? TimeRange(start: .zero, end: asset.duration),
            retiming: retiming, window: window, name: name)
    }

    /// Without asking again whether it all fits.
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

    /// The last part of a path.
    static func fileName(of media: String) -> String {
        String(media.split(separator: "/").last ?? media[...])
    }

    /// Whether the window is all of the retimed clip.
    public var isWhole: Bool { window.duration == retimedDuration }

    /// The same clip through another window, which lies in the retimed clip.
    func windowed(_ window: TimeRange) -> PlacedClip {
        retiming.isFrozen
            ? self : PlacedClip(media, name, range, retiming, window, retimedDuration)
    }

    /// Whether `next` is the same clip and begins where this one ends.
    func isContinued(by next: PlacedClip) -> Bool {
        media == next.media && name == next.name && range == next.range
            && retiming == next.retiming
            && (retiming.isFrozen || window.end == next.window.start)
    }
}
