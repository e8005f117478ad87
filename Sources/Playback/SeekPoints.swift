import TimeMaps

/// The seek points nearest to a time.
public struct SeekNeighbours: Hashable, Sendable {
    /// The last seek point at or before the time; nil if there is none.
    public let before: RationalTime?
    /// The first seek point at or after the time; nil if there is none.
    public let after: RationalTime?

    /// The neighbours of a time, in media time.
    public init(before: RationalTime?, after: RationalTime?) {
        self.before = before
        self.after = after
    }
}

/// The times to which a seek is cheap: keyframes, which can be decoded without the frames before them.
public struct SeekPoints: Sendable {
    /// Looks up the neighbours of a time.
    let neighbours: @Sendable (RationalTime) async throws -> SeekNeighbours

    /// Every time is equally cheap, so seeks land exactly.
    public static let anywhere = SeekPoints { _ in SeekNeighbours(before: nil, after: nil) }

    /// Keyframe times in increasing order. A lookup is O(log n).
    ///
    /// - Throws: ``PlaybackError`` if a time isn't later than the one before it.
    public init(keyframes times: [RationalTime]) throws(PlaybackError) {
        for (time, next) in zip(times, times.dropFirst()) where time >= next {
            throw PlaybackError(
                .unsorted,
                "the keyframe at \(next.secondsText) s follows the one at \(time.secondsText) s")
        }
        self.init { time in
            if let here = times.instant(at: time) {
                return SeekNeighbours(before: here, after: here)
            }
            return SeekNeighbours(
                before: times.next(after: time, .backwards),
                after: times.next(after: time, .forwards))
        }
    }

    /// Seek points that are looked up when needed, in a file's index for example. The task that runs the lookup
    /// is cancelled when another seek replaces it.
    public init(
        neighbours: @escaping @Sendable (RationalTime) async throws -> SeekNeighbours
    ) {
        self.neighbours = neighbours
    }
}

/// How a seek ended.
public enum SeekOutcome: Hashable, Sendable {
    /// Playback moved to this media time.
    case landed(at: RationalTime)
    /// A later seek began before this one landed, so this one moved nothing.
    case overtaken
}

/// The target of a seek and its tolerance.
///
/// ```
///      before         after
///   [───────────┼───────────]
///   ◆ ─ ─ ─ ─ ─ target ─ ─ ◆     ◆ keyframes: both are cheap, the nearer one is taken
/// ```
struct SeekWindow {
    let target: RationalTime
    private let before: RationalTime
    private let after: RationalTime
    private let duration: RationalTime

    /// - Parameter target: media time; a time outside of the media is replaced by the nearest end.
    /// - Throws: ``PlaybackError`` if a tolerance is negative.
    init(
        target: RationalTime, before: RationalTime, after: RationalTime, duration: RationalTime
    ) throws(PlaybackError) {
        guard before >= .zero, after >= .zero else {
            throw PlaybackError(.tolerance, "a seek's tolerance can't be negative")
        }
        self.target = min(max(target, .zero), duration)
        self.before = before
        self.after = after
        self.duration = duration
    }

    /// Whether the tolerance is zero on both sides.
    var isExact: Bool {
        before == .zero && after == .zero
    }

    /// Where to land: at the nearest seek point within the tolerance (the earlier one if two are equally near),
    /// otherwise at the target. Neighbours outside of the media or on the wrong side are ignored.
    func landing(_ neighbours: SeekNeighbours) -> RationalTime {
        let earlier = neighbours.before.flatMap {
            $0 >= .zero && $0 <= target ? Candidate($0, from: target, within: before) : nil
        }
        let later = neighbours.after.flatMap {
            $0 >= target && $0 <= duration ? Candidate($0, from: target, within: after) : nil
        }
        guard let earlier else {
            return later?.time ?? target
        }
        guard let later, later.isNearer(than: earlier) else {
            return earlier.time
        }
        return later.time
    }

    /// A seek point within the tolerance.
    private struct Candidate {
        let time: RationalTime
        /// The distance from the target, in units of 1/(product of both timescales) s. It has at most 94 bits,
        /// because media lasts at most 2³¹ s.
        private let distance: Int128

        init?(_ time: RationalTime, from target: RationalTime, within tolerance: RationalTime) {
            let a = Int128(time.value) * Int128(target.timescale)
            let b = Int128(target.value) * Int128(time.timescale)
            let scale = Int128(target.timescale) * Int128(time.timescale)
            distance = Int128((a - b).magnitude)
            guard distance * Int128(tolerance.timescale) <= Int128(tolerance.value) * scale else {
                return nil
            }
            self.time = time
        }

        func isNearer(than other: Candidate) -> Bool {
            distance * Int128(other.time.timescale) < other.distance * Int128(time.timescale)
        }
    }
}
