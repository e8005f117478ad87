import TimeMaps

/// The multiples of an interval inside of the media. Its ends don't belong to it: starting,
/// stopping and looping tell those.
struct MediaGrid {
    private let interval: RationalTime
    private let duration: RationalTime

    init(_ interval: RationalTime, within duration: RationalTime) {
        self.interval = interval
        self.duration = duration
    }

    /// The first multiple that playback meets beyond a position; nil if an end comes first.
    func next(after position: RationalTime, _ direction: PlaybackDirection) -> RationalTime? {
        switch direction {
        case .forwards: inside(below(position) + 1)
        case .backwards: inside(above(position) - 1)
        }
    }

    /// The last multiple that was met on the way between two positions that differ.
    func newest(from: RationalTime, to: RationalTime) -> RationalTime? {
        guard from < to else {
            let number = max(above(to), 1)
            return number < above(from) ? inside(number) : nil
        }
        let number = min(below(to), above(duration) - 1)
        return number > below(from) ? inside(number) : nil
    }

    /// The number of the last multiple at or before a position.
    private func below(_ position: RationalTime) -> Int128 {
        let (ticks, interval) = ratio(position)
        return ticks / interval
    }

    /// The number of the first multiple at or after a position.
    private func above(_ position: RationalTime) -> Int128 {
        let (ticks, interval) = ratio(position)
        return (ticks + interval - 1) / interval
    }

    private func ratio(_ position: RationalTime) -> (ticks: Int128, interval: Int128) {
        (
            Int128(position.value) * Int128(interval.timescale),
            Int128(interval.value) * Int128(position.timescale)
        )
    }

    private func inside(_ number: Int128) -> RationalTime? {
        // A product that doesn't fit lies far beyond any media.
        guard let value = Int64(exactly: number * Int128(interval.value)) else {
            return nil
        }
        let time = RationalTime(value, over: interval.timescale)
        return .zero < time && time < duration ? time : nil
    }
}

/// Instants that rise.
extension [RationalTime] {
    /// The first that playback meets beyond a position. O(log n).
    func next(after position: RationalTime, _ direction: PlaybackDirection) -> RationalTime? {
        switch direction {
        case .forwards:
            let place = indices.partitionPoint { self[$0] > position }
            return place < count ? self[place] : nil
        case .backwards:
            let place = indices.partitionPoint { self[$0] >= position }
            return place > 0 ? self[place - 1] : nil
        }
    }

    /// Those in (from, to], or backwards in [to, from), in the order of the way. O(log n), and
    /// what it answers.
    func traversed(from: RationalTime, to: RationalTime) -> [RationalTime] {
        guard from < to else {
            let first = indices.partitionPoint { self[$0] >= to }
            let end = indices.partitionPoint { self[$0] >= from }
            return self[first..<end].reversed()
        }
        let first = indices.partitionPoint { self[$0] > from }
        let end = indices.partitionPoint { self[$0] > to }
        return Array(self[first..<end])
    }

    /// The one at a time, as it is written in the list. O(log n).
    func instant(at time: RationalTime) -> RationalTime? {
        let place = indices.partitionPoint { self[$0] >= time }
        return place < count && self[place] == time ? self[place] : nil
    }
}
