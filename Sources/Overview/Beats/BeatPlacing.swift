/// The exact times of beats: those of the onsets that they lie on, and between these at equal distances.
struct BeatPlacing {
    /// The times in seconds, in order.
    private(set) var times: [Double]

    /// A beat lies on an onset that is this near, in seconds.
    private static let near = 0.025
    /// How long a sound has begun when its frame is strongest, in seconds.
    private static let delay = 0.008
    /// The largest share of a beat by which equal distances may differ from what was tracked.
    private static let slack = 0.1

    init(_ frames: [Int], onsets: [Onset]) {
        let tracked = frames.map { Double($0) / OnsetStrength.rate - Self.delay }
        times = tracked
        var next = 0
        var lastAnchor: Int?
        for (place, time) in tracked.enumerated() {
            while next + 1 < onsets.count,
                abs(onsets[next + 1].time - time) <= abs(onsets[next].time - time)
            {
                next += 1
            }
            guard onsets.indices.contains(next), abs(onsets[next].time - time) <= Self.near else {
                continue
            }
            times[place] = onsets[next].time
            if let lastAnchor { spread(from: lastAnchor, to: place, tracked) }
            lastAnchor = place
        }
        times = times.filter { $0 >= 0 && isHeard($0, onsets) }
    }

    /// Whether a beat isn't before the first onset or after the last.
    private func isHeard(_ time: Double, _ onsets: [Onset]) -> Bool {
        guard let first = onsets.first, let last = onsets.last else { return false }
        return time >= first.time - Self.near && time <= last.time + Self.near
    }

    /// Spreads the beats between two that lie on onsets.
    private mutating func spread(from first: Int, to last: Int, _ tracked: [Double]) {
        guard last - first > 1 else { return }
        let step = (times[last] - times[first]) / Double(last - first)
        let even = (first + 1..<last).map { times[first] + Double($0 - first) * step }
        let isEven = zip(even, tracked[first + 1..<last]).allSatisfy {
            abs($0 - $1) <= Self.slack * step
        }
        if isEven { times.replaceSubrange(first + 1..<last, with: even) }
    }
}

extension Beats {
    /// The largest share by which distances of beats differ within a section.
    private static let steady = 0.04
    /// The fewest beats between which a tempo is measured at either side.
    private static let stretch = 8

    /// The parts in which the distance of beats stays: a part ends where the next eight beats are faster or slower
    /// than the last eight.
    static func sections(_ beats: [Double]) -> [Section] {
        var sections: [Section] = []
        var first = 0
        var place = 1
        while place < beats.count {
            let before = max(first, place - stretch)
            let after = min(beats.count - 1, place + stretch)
            let isLong = place - first >= stretch / 2 && after - place >= stretch / 2
            let slow = (beats[place] - beats[before]) / Double(place - before)
            let next = (beats[after] - beats[place]) / Double(max(1, after - place))
            if isLong, abs(next / slow - 1) > steady, isSharpest(beats, place, first) {
                sections.append(section(beats[first...place]))
                first = place
            }
            place += 1
        }
        if beats.count - first > 1 { sections.append(section(beats[first...])) }
        return sections
    }

    /// Whether the beat before `place` is as far away as those before it, and the next one isn't.
    private static func isSharpest(_ beats: [Double], _ place: Int, _ first: Int) -> Bool {
        let usual =
            (beats[place] - beats[max(first, place - stretch)])
            / Double(min(stretch, place - first))
        return abs((beats[place + 1] - beats[place]) / usual - 1) > steady
            && abs((beats[place] - beats[place - 1]) / usual - 1) <= steady
    }

    private static func section(_ beats: ArraySlice<Double>) -> Section {
        let (start, end) = (beats.first ?? 0, beats.last ?? 0)
        let tempo = 60 * Double(beats.count - 1) / (end - start)
        return Section(start: start, end: end, tempo: (tempo * 100).rounded() / 100)
    }
}
