import TimeMaps

/// The multiples of an interval that lie strictly between the start and the end of the media. Both ends are
/// left out because observers hear of them when playback starts, stops or loops there.
struct MediaGrid {
    private let interval: RationalTime
    private let duration: RationalTime

    init(_ interval: RationalTime, within duration: RationalTime) {
        self.interval = interval
        self.duration = duration
    }

    /// The first multiple that playback reaches after a position; nil if it reaches an end of the media first.
    func next(after position: RationalTime, _ direction: PlaybackDirection) -> RationalTime? {
        switch direction {
        case .forwards: inside(below(position) + 1)
        case .backwards: inside(above(position) - 1)
        }
    }

    /// The last multiple that playback reached on the way between two different positions.
    func newest(from: RationalTime, to: RationalTime) -> RationalTime? {
        guard from < to else {
            let number = max(above(to), 1)
            return number < above(from) ? inside(number) : nil
        }
        let number = min(below(to), above(duration) - 1)
        return number > below(from) ? inside(number) : nil
    }

    /// The index of the last multiple at or before a position.
    private func below(_ position: RationalTime) -> Int128 {
        let (ticks, interval) = ratio(position)
        return ticks / interval
    }

    /// The index of the first multiple at or after a position.
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
        // A product that overflows lies far beyond the end of any media.
        guard let value = Int64(exactly: number * Int128(interval.value)) else {
            return nil
        }
        let time = RationalTime(value, over: interval.timescale)
        return .zero < time && time < duration ? time : nil
    }
}

/// These functions need a list in increasing order.
extension [RationalTime] {
    /// The first instant that playback reaches after a position. O(log n).
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

    /// The instants in (from, to], or in [to, from) if playback runs backwards, in the order in which playback
    /// reaches them. O(log n + number of instants found).
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

    /// The instant that equals `time`, with the timescale it has in the list. O(log n).
    func instant(at time: RationalTime) -> RationalTime? {
        let place = indices.partitionPoint { self[$0] >= time }
        return place < count && self[place] == time ? self[place] : nil
    }
}
