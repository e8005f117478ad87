import TimeMaps

/// The instants around a time that are cheap to seek to.
public struct SeekNeighbours: Hashable, Sendable {
    /// The last at or before the time; nil if there is none.
    public let before: RationalTime?
    /// The first at or after the time; nil if there is none.
    public let after: RationalTime?

    /// The instants around a time.
    public init(before: RationalTime?, after: RationalTime?) {
        self.before = before
        self.after = after
    }
}

/// Where a seek can land cheaply: at key pictures, which need no picture before them.
public struct SeekPoints: Sendable {
    /// The neighbours of a time.
    let neighbours: @Sendable (RationalTime) async throws -> SeekNeighbours

    /// No time is cheaper than another: seeks land exactly.
    public static let anywhere = SeekPoints { _ in SeekNeighbours(before: nil, after: nil) }

    /// The times of key pictures, each later than the one before. A lookup is O(log n).
    ///
    /// - Throws: ``PlaybackError`` when they don't rise.
    public init(keyPictures times: [RationalTime]) throws(PlaybackError) {
        for (time, next) in zip(times, times.dropFirst()) where time >= next {
            throw PlaybackError(
                .unsorted, "the key picture at \(next.seconds) s follows that at \(time.seconds) s")
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

    /// Neighbours found on demand, in a file's index for example. The task in which it looks is
    /// cancelled when another seek overtakes it.
    public init(
        neighbours: @escaping @Sendable (RationalTime) async throws -> SeekNeighbours
    ) {
        self.neighbours = neighbours
    }
}

/// How a seek ended.
public enum SeekOutcome: Hashable, Sendable {
    /// Playback went to this time of the media.
    case landed(at: RationalTime)
    /// A later seek began before this one landed, which thus moved nothing.
    case overtaken
}

/// A time to seek to, and how far from it is near enough.
///
/// ```
///      before         after
///   [───────────┼───────────]
///   ◆ ─ ─ ─ ─ ─ target ─ ─ ◆     ◆ key pictures: both are cheap, the nearer one is taken
/// ```
struct SeekWindow {
    let target: RationalTime
    private let before: RationalTime
    private let after: RationalTime
    private let duration: RationalTime

    /// - Parameter target: outside of the media it stands for the nearest end.
    /// - Throws: ``PlaybackError`` when a tolerance is negative.
    init(
        target: RationalTime, before: RationalTime, after: RationalTime, duration: RationalTime
    ) throws(PlaybackError) {
        guard before >= .zero, after >= .zero else {
            throw PlaybackError(.tolerance, "a seek can't be off by less than nothing")
        }
        self.target = min(max(target, .zero), duration)
        self.before = before
        self.after = after
        self.duration = duration
    }

    /// Whether only the target itself is near enough.
    var isExact: Bool {
        before == .zero && after == .zero
    }

    /// Where to land: at the nearest cheap instant inside of the tolerance, the earlier one of two
    /// as near, else at the target. Neighbours outside of the media or on the wrong side don't
    /// count.
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

    /// An instant near enough to the target.
    private struct Candidate {
        let time: RationalTime
        /// From the target, in ticks of both timescales multiplied: 94 bits, as media is short.
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
