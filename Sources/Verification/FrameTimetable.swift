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
    /// Frames that should be there and aren't, and frames that are there and shouldn't be.
    let missing: Absence
    let extra: Absence
    /// Seconds between frames of a fixed rate.
    let secondsPerFrame: Double?
    /// Frames of a fixed rate show what belongs so many seconds after they come.
    let offset: Double

    /// So many frames, and the output seconds of the first.
    struct Absence {
        private(set) var count = 0
        private(set) var first: Double?

        mutating func add(_ seconds: Double, count: Int = 1) {
            guard count > 0 else {
                return
            }
            first = first ?? seconds
            self.count += count
        }
    }

    /// Times are kept to a millisecond by some containers, and to 1/90000 s by most.
    static let tolerance = 0.0011

    /// Of a fixed rate: frame k is shown at k / rate.
    ///
    /// - Parameters:
    ///   - times: of the output's pictures, up to `end`.
    ///   - firstTurn: output seconds at which the first picture comes.
    ///   - end: output seconds from which on nothing is told.
    init(_ times: PictureTimes, rate: FrameRate, map: TimeMap, firstTurn: Double, end: Double) {
        let perSecond = rate.framesPerSecond
        secondsPerFrame = 1 / perSecond
        offset = map.gridOffset(firstTurn: firstTurn, rate)
        let all = Int64((min(map.outputDuration, end) * perSecond).rounded())
        let count = end < map.outputDuration ? all : max(1, all)
        let begins = ((firstTurn - offset) * perSecond - 1e-6).rounded(.up)
        let first = max(0, min(Int64(begins), count - 1))
        var entries: [Entry] = []
        var missing = Absence()
        var extra = Absence()
        var next = first
        for frame in 0..<times.count {
            let shown = times.start(of: frame).seconds
            guard shown < end else {
                break
            }
            let tick = Int64(nearest: shown * perSecond)
            guard tick >= next, tick < count else {
                extra.add(shown)
                continue
            }
            missing.add(Double(next) / perSecond, count: Int(tick - next))
            let seconds = Double(tick) / perSecond
            entries.append(Entry(frame: frame, seconds: seconds, error: shown - seconds))
            next = tick + 1
        }
        missing.add(Double(next) / perSecond, count: Int(max(0, count - next)))
        self.entries = entries
        self.missing = missing
        self.extra = extra
        expectedCount = Int(count - first)
    }

    /// Of a variable rate: every turn of a picture comes at its retimed time.
    ///
    /// - Parameter end: output seconds from which on nothing is told.
    init(_ times: PictureTimes, turns all: [Double], end: Double) {
        secondsPerFrame = nil
        offset = 0
        let turns = Array(all.prefix { $0 < end })
        var entries: [Entry] = []
        var missing = Absence()
        var extra = Absence()
        var collided = 0
        var place = 0
        for frame in 0..<times.count {
            let shown = times.start(of: frame).seconds
            guard shown < end else {
                break
            }
            while place + 1 < turns.count,
                abs(turns[place + 1] - shown) <= abs(turns[place] - shown)
            {
                // Of two on one tick the earlier is dropped.
                if turns[place + 1] - turns[place] < Self.tolerance {
                    collided += 1
                } else {
                    missing.add(turns[place])
                }
                place += 1
            }
            let reach = max(
                Self.tolerance, 0.45 * Self.distance(from: place, to: place + 1, turns))
            guard place < turns.count, abs(turns[place] - shown) <= reach else {
                extra.add(shown)
                continue
            }
            entries.append(
                Entry(frame: frame, seconds: turns[place], error: shown - turns[place]))
            place += 1
        }
        if place < turns.count {
            missing.add(turns[place], count: turns.count - place)
        }
        self.entries = entries
        self.missing = missing
        self.extra = extra
        expectedCount = turns.count - collided
    }

    private static func distance(from place: Int, to other: Int, _ turns: [Double]) -> Double {
        other < turns.count ? turns[other] - turns[place] : 0
    }
}
