import CLibAV
import TimeMaps

/// Finds out whether frame times lie on the grid of a constant frame rate, to within the rounding of the container.
/// Places of the grid that have no frame are holes, in which a player repeats the frame before.
///
/// ```
///  constant, with two holes   |  |  |        |  |  |
///  variable                   |  |    | |  |       |
/// ```
struct FrameCadence {
    /// The times in ticks, in increasing order.
    private let stamps: [Int64]
    private let tickSeconds: Double
    /// The times are rounded to this many ticks.
    private var rounding = 1.0

    /// In a grid whose interval is less than this many times the rounding, any times would fit if they could be rounded: there
    /// they must be exact, as where a tick is a frame.
    private static let leastRounded = 8.0
    /// The least share of a grid's places that have a frame. Frames that are sparser are uneven.
    private static let leastFilled = 0.9
    /// A grid of more frames a second than any camera makes is a coincidence.
    private static let highestRate = 1000.0

    private init?(_ stamps: [Int64], tickSeconds: Double) {
        let sorted = stamps.sorted()
        guard let first = sorted.first, let last = sorted.last, first < last,
            Double(last) - Double(first) < 1e15, tickSeconds > 0
        else {
            return nil
        }
        self.stamps = sorted.map { $0 - first }
        self.tickSeconds = tickSeconds
    }

    /// The times as exact as their ticks; and if all are whole milliseconds, as exact as these: a file that was made from
    /// one with coarser times may have shorter ticks.
    private static func readings(
        of stamps: [Int64], tickSeconds: Double, areExact: Bool
    ) -> [FrameCadence] {
        guard var exact = FrameCadence(stamps, tickSeconds: tickSeconds) else {
            return []
        }
        guard !areExact else {
            exact.rounding = 0
            return [exact]
        }
        let millisecond = 0.001 / tickSeconds
        let areMilliseconds =
            millisecond > 2
            && exact.stamps.allSatisfy {
                let count = Double($0) / millisecond
                return abs(count - count.rounded()) * millisecond <= 1
            }
        var coarse = exact
        coarse.rounding = millisecond
        return areMilliseconds ? [exact, coarse] : [exact]
    }

    /// The cadence of frame times.
    ///
    /// - Parameters:
    ///   - stamps: in ticks, in any order.
    ///   - lengths: how long the frames are said to be, in ticks, where their times aren't known.
    ///   - format: its frame rates are tried first.
    ///   - areExact: whether the ticks are no rounding, as those of GIF's delays.
    /// - Complexity: O(n log n).
    static func cadence(
        of stamps: [Int64]?, lengths: [Int64], tickSeconds: Double, _ format: VideoFormat,
        areExact: Bool = false
    ) -> VideoFormat.Cadence {
        guard let stamps else {
            return film(ofLengths: lengths, tickSeconds).map { .telecined(film: $0) } ?? .unknown
        }
        let readings = readings(of: stamps, tickSeconds: tickSeconds, areExact: areExact)
        // Two times always have a grid.
        guard stamps.count > 2, let exact = readings.first else {
            return .unknown
        }
        if let rate = readings.lazy.compactMap({ $0.rate(stated: format) }).first {
            return .constant(rate)
        }
        return film(ofLengths: exact.steps, tickSeconds).map { .telecined(film: $0) } ?? .variable
    }

    /// The rate of film whose frames last three and two fields in turn; nil if they don't.
    ///
    /// ```
    /// fields  aaabbcccdd    film frames A, B, C and D in the time of five interlaced frames
    /// ```
    private static func film(ofLengths lengths: [Int64], _ tickSeconds: Double) -> FrameRate? {
        // In coarser ticks anything may look like that.
        guard lengths.count >= 8, tickSeconds < 0.005 else {
            return nil
        }
        let seconds = lengths.map { Double($0) * tickSeconds }
        let fields = seconds.reduce(0) { $0 + ($1 * 60).rounded() }
        let field = seconds.reduce(0, +) / max(1, fields)
        let tolerance = 1.05 * max(tickSeconds, 0.001)
        let counts = [2.0, 3].map { count in
            seconds.count { abs($0 - count * field) < tolerance }
        }
        guard counts.allSatisfy({ Double($0) >= 0.45 * Double(lengths.count) }) else {
            return nil
        }
        return [FrameRate(known: 24_000, over: 1001), FrameRate(known: 24)].first {
            abs(2.5 * field * $0.framesPerSecond - 1) < 0.0005
        }
    }

    /// The differences of times that follow each other, in ticks.
    private var steps: [Int64] { zip(stamps, stamps.dropFirst()).map { $1 - $0 } }

    /// What frame times are rounded to, in seconds; a tick if that can't be told, and 0 if they are exact.
    static func rounding(
        of stamps: [Int64], tickSeconds: Double, areExact: Bool = false
    ) -> Double {
        let readings = readings(of: stamps, tickSeconds: tickSeconds, areExact: areExact)
        for reading in readings {
            if let interval = reading.evenInterval {
                return reading.isRounded(interval) ? reading.rounding * tickSeconds : 0
            }
        }
        return (readings.last?.rounding ?? 1) * tickSeconds
    }

    /// The constant rate that all times fit, one that the file states if possible; nil if there is none.
    private func rate(stated format: VideoFormat) -> FrameRate? {
        for rate in [format.nominalRate, format.frameRate].compactMap({ $0 }) {
            let interval = 1 / (rate.framesPerSecond * tickSeconds)
            if let found = grid(near: interval), isWithinError(interval, of: found) {
                return rate
            }
        }
        return evenInterval.flatMap(rate(of:))
    }

    /// The interval of the grid on which all times lie, in ticks; nil if there is none.
    private var evenInterval: Double? {
        let steps = steps.sorted()
        return [steps[steps.count / 2], steps[0]].lazy.compactMap { grid(near: Double($0)) }.first
    }

    /// The interval of a grid that has all times, in ticks; nil if there is none near the first guess.
    private func grid(near guess: Double) -> Double? {
        guard guess >= 1, 1 / (guess * tickSeconds) <= Self.highestRate * 1.001 else {
            return nil
        }
        // The interval becomes more exact with every frame, so that long holes are counted right.
        var interval = guess
        var places: [Double] = [0]
        places.reserveCapacity(stamps.count)
        for (before, stamp) in zip(stamps, stamps.dropFirst()) {
            let place = places[places.count - 1] + (Double(stamp - before) / interval).rounded()
            guard place > places[places.count - 1] else {
                return nil
            }
            places.append(place)
            if place >= 8 {
                interval = Double(stamp) / place
            }
        }
        guard Double(places.count) >= Self.leastFilled * (places[places.count - 1] + 1) else {
            return nil
        }
        let misses = zip(stamps, places).map { Double($0) - $1 * interval }
        let spread = (misses.max() ?? 0) - (misses.min() ?? 0)
        return spread <= tolerance(of: interval) ? interval : nil
    }

    /// How far times may be from a grid, in ticks: each may be rounded up or down.
    private func tolerance(of interval: Double) -> Double {
        isRounded(interval) ? max(2.02 * rounding, 1e-6) : 1e-6
    }

    /// Whether times on a grid may be rounded.
    private func isRounded(_ interval: Double) -> Bool {
        interval >= Self.leastRounded * rounding
    }

    /// Whether two intervals, in ticks, are one as far as the times can tell.
    private func isWithinError(_ one: Double, of other: Double) -> Bool {
        abs(one - other) * Double(stamps[stamps.count - 1]) / other <= tolerance(of: other)
    }

    /// A frame rate as a fraction: the simplest of those that are in use, if one fits.
    private func rate(of interval: Double) -> FrameRate? {
        let measured = 1 / (interval * tickSeconds)
        let whole = Int32(measured.rounded())
        let candidates =
            [(whole, 1), (whole * 1000, 1001), (Int32((measured * 2).rounded()), 2)]
            .filter { $0.0 > 0 }.map { FrameRate(known: $0.0, over: Int32($0.1)) }
        let usual = candidates.first {
            isWithinError(1 / ($0.framesPerSecond * tickSeconds), of: interval)
        }
        return usual ?? FrameRate(av_d2q(measured, 100_000))
    }
}
