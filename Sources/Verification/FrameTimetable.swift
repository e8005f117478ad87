import Media
import TimeMaps

/// The frames that an output should have and their times, from the map alone, and which of the output's
/// frames is which of them.
struct FrameTimetable {
    /// A frame of the output, and the time at which it should be shown.
    struct Entry {
        /// The number of the output frame, in presentation order.
        let frame: Int
        /// The time at which it should be shown, in output seconds.
        let seconds: Double
        /// Actual minus expected time, in seconds.
        let error: Double
    }
    let entries: [Entry]
    let expectedCount: Int
    /// Frames that the output should have and doesn't.
    let missing: Absence
    /// Frames that the output has and shouldn't.
    let extra: Absence
    /// Seconds between frames of a fixed rate; nil for a variable rate.
    let secondsPerFrame: Double?
    /// Whether presentations fell on one tick of the container, so that either of them may be shown.
    let hasCollisions: Bool
    /// How many seconds after a frame's time its content is taken from the map, for a fixed rate.
    let offset: Double

    /// A number of frames, and the output seconds of the first.
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

    /// The largest error of a frame's time, in seconds. Some containers store times in milliseconds, most in
    /// 1/90000 s.
    static let tolerance = 0.0011

    /// The timetable of a fixed rate: frame k is shown at k / rate, or where the video begins between two of those, as much
    /// later as it does. Either is right; the output shows which it is.
    ///
    /// - Parameters:
    ///   - times: the times of the output's frames.
    ///   - rate: the output's frame rate.
    ///   - map: the map that the output should follow.
    ///   - firstFrame: the first frame of the output that can be decoded.
    ///   - firstPresentation: output seconds at which the first presentation of a source frame starts.
    ///   - end: output seconds from which on nothing is known.
    init(
        _ times: FrameTimes, from firstFrame: Int = 0, rate: FrameRate, map: TimeMap,
        firstPresentation: Double, end: Double
    ) {
        let perSecond = rate.framesPerSecond
        let begun = times.count > firstFrame ? times.start(of: firstFrame).seconds : 0
        let late = map.gridOffset(firstPresentation: firstPresentation, rate)
        let isLate =
            Self.distance(of: begun - late, toTicksOf: perSecond)
            < Self.distance(of: begun, toTicksOf: perSecond)
        let offset = isLate ? late : 0
        let all = Int64((min(map.outputDuration, end) * perSecond).rounded())
        let count = end < map.outputDuration ? all : max(1, all)
        let begins = ((firstPresentation - offset) * perSecond - 1e-6).rounded(.up)
        let first = max(0, min(Int64(begins), count - 1))
        self.init(
            times, firstFrame..<times.count, rate: rate, ticks: first..<count, offset: 0,
            begin: offset, end: end)
    }

    private static func distance(of seconds: Double, toTicksOf perSecond: Double) -> Double {
        abs(seconds * perSecond - (seconds * perSecond).rounded())
    }

    /// The timetable of some ticks of a fixed rate.
    ///
    /// - Parameters:
    ///   - frames: the output's frames that lie there.
    ///   - ticks: the ticks at which frames are expected.
    ///   - offset: see ``offset``.
    ///   - begin: output seconds of tick 0.
    ///   - end: output seconds from which on nothing is known.
    init(
        _ times: FrameTimes, _ frames: Range<Int>, rate: FrameRate, ticks: Range<Int64>,
        offset: Double, begin: Double = 0, end: Double = .infinity
    ) {
        let perSecond = rate.framesPerSecond
        let count = ticks.upperBound
        secondsPerFrame = 1 / perSecond
        self.offset = offset
        var entries: [Entry] = []
        var missing = Absence()
        var extra = Absence()
        var next = ticks.lowerBound
        for frame in frames {
            let shown = times.start(of: frame).seconds
            guard shown < end else {
                break
            }
            let tick = Int64(nearest: (shown - begin) * perSecond)
            guard tick >= next, tick < count else {
                extra.add(shown)
                continue
            }
            missing.add(Double(next) / perSecond, count: Int(tick - next))
            let seconds = begin + Double(tick) / perSecond
            entries.append(Entry(frame: frame, seconds: seconds, error: shown - seconds))
            next = tick + 1
        }
        missing.add(Double(next) / perSecond, count: Int(max(0, count - next)))
        self.entries = entries
        self.missing = missing
        self.extra = extra
        hasCollisions = false
        expectedCount = ticks.count
    }

    /// The timetable of a variable rate: each presentation of a source frame starts at its retimed time.
    ///
    /// - Parameters:
    ///   - times: the times of the output's frames.
    ///   - firstFrame: the first frame of the output that can be decoded.
    ///   - all: the output seconds at which presentations start, in order.
    ///   - end: output seconds from which on nothing is known.
    init(_ times: FrameTimes, from firstFrame: Int = 0, starts all: [Double], end: Double) {
        self.init(times, firstFrame..<times.count, starts: all, offset: 0, end: end)
    }

    /// The same for some of the output's frames.
    ///
    /// - Parameter offset: see ``offset``.
    init(
        _ times: FrameTimes, _ frames: Range<Int>, starts all: [Double], offset: Double,
        end: Double = .infinity
    ) {
        secondsPerFrame = nil
        self.offset = offset
        let starts = Array(all.prefix { $0 < end })
        var entries: [Entry] = []
        var missing = Absence()
        var extra = Absence()
        var collided = 0
        var place = 0
        for frame in frames {
            let shown = times.start(of: frame).seconds
            guard shown < end else {
                break
            }
            let following =
                frame + 1 < frames.upperBound ? times.start(of: frame + 1).seconds : .infinity
            while place + 1 < starts.count,
                Self.isShown(starts[place + 1], at: shown, not: following)
                    || abs(starts[place + 1] - shown) <= abs(starts[place] - shown)
            {
                // If two presentations fall on one tick, the renderer drops the earlier one.
                if starts[place + 1] - starts[place] < Self.tolerance {
                    collided += 1
                } else {
                    missing.add(starts[place])
                }
                place += 1
            }
            let reach = max(
                Self.tolerance, 0.45 * Self.distance(from: place, to: place + 1, starts))
            guard place < starts.count, abs(starts[place] - shown) <= reach else {
                extra.add(shown)
                continue
            }
            entries.append(
                Entry(frame: frame, seconds: starts[place], error: shown - starts[place]))
            place += 1
        }
        if place < starts.count {
            missing.add(starts[place], count: starts.count - place)
        }
        self.entries = entries
        self.missing = missing
        self.extra = extra
        hasCollisions = collided > 0
        expectedCount = starts.count - collided
    }

    /// Whether a presentation begins so near to an output frame, and nearer than to the next one, that it is the one
    /// that is shown there.
    private static func isShown(_ start: Double, at shown: Double, not following: Double) -> Bool {
        abs(start - shown) < min(tolerance / 2, abs(start - following))
    }

    private static func distance(from place: Int, to other: Int, _ starts: [Double]) -> Double {
        other < starts.count ? starts[other] - starts[place] : 0
    }
}
