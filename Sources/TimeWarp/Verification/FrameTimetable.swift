import Media
import TimeMaps

/// Which pictures an output should have, and when, from the map alone; and which of the output's frames
/// is which of them.
struct FrameTimetable {
    /// A frame of the output, and what it should be.
    struct Entry {
        /// Which frame of the output, in the order they are shown.
        let frame: Int
        /// Output seconds at which it should be shown.
        let seconds: Double
        /// Actual minus expected.
        let error: Double
    }
    let entries: [Entry]
    let expectedCount: Int
    /// Output seconds of frames that should be there and aren't.
    let missing: [Double]
    /// Output seconds of frames that are there and shouldn't be.
    let extra: [Double]
    /// Seconds between frames of a fixed rate.
    let secondsPerFrame: Double?

    /// Times are kept to a millisecond by some containers, and to 1/90000 s by most.
    static let tolerance = 0.0011

    /// Of a fixed rate: frame k is shown at k / rate.
    init(_ times: PictureTimes, rate: FrameRate, map: TimeMap, firstPicture: Double) {
        let perSecond = rate.framesPerSecond
        secondsPerFrame = 1 / perSecond
        let count = max(1, Int64((map.outputDuration * perSecond).rounded()))
        let begins = map.isRising ? map.outputTime(of: max(firstPicture, 0)) : 0
        let first = min(max(0, Int64((begins * perSecond - 1e-6).rounded(.up))), count - 1)
        var entries: [Entry] = []
        var missing: [Double] = []
        var extra: [Double] = []
        var next = first
        for frame in 0..<times.count {
            let shown = times.start(of: frame).seconds
            let tick = Int64((shown * perSecond).rounded())
            guard tick >= next, tick < count else {
                extra.append(shown)
                continue
            }
            for left in next..<tick where missing.count < Self.mostListed {
                missing.append(Double(left) / perSecond)
            }
            let seconds = Double(tick) / perSecond
            entries.append(Entry(frame: frame, seconds: seconds, error: shown - seconds))
            next = tick + 1
        }
        for left in next..<max(next, count) where missing.count < Self.mostListed {
            missing.append(Double(left) / perSecond)
        }
        self.entries = entries
        self.missing = missing
        self.extra = extra
        expectedCount = Int(count - first)
    }

    /// Of a variable rate: every turn of a picture comes at its retimed time.
    init(_ times: PictureTimes, turns: [Double]) {
        secondsPerFrame = nil
        var entries: [Entry] = []
        var missing: [Double] = []
        var extra: [Double] = []
        var collided = 0
        var place = 0
        for frame in 0..<times.count {
            let shown = times.start(of: frame).seconds
            while place + 1 < turns.count,
                abs(turns[place + 1] - shown) <= abs(turns[place] - shown)
            {
                // Of two on one tick the earlier is dropped.
                if turns[place + 1] - turns[place] < Self.tolerance {
                    collided += 1
                } else if missing.count < Self.mostListed {
                    missing.append(turns[place])
                }
                place += 1
            }
            let reach = max(
                Self.tolerance, 0.45 * Self.distance(from: place, to: place + 1, turns))
            guard place < turns.count, abs(turns[place] - shown) <= reach else {
                extra.append(shown)
                continue
            }
            entries.append(
                Entry(frame: frame, seconds: turns[place], error: shown - turns[place]))
            place += 1
        }
        missing += turns.dropFirst(place).prefix(Self.mostListed)
        self.entries = entries
        self.missing = missing
        self.extra = extra
        expectedCount = turns.count - collided
    }

    /// More aren't told one by one.
    private static let mostListed = 100_000

    private static func distance(from place: Int, to other: Int, _ turns: [Double]) -> Double {
        other < turns.count ? turns[other] - turns[place] : 0
    }
}
