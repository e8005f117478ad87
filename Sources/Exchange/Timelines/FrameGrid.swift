import Media
import TimeMaps

/// Times as numbers of frames at one rate, as most exchange formats have them.
struct FrameGrid: Hashable {
    let rate: FrameRate

    /// The grid for a composition whose rate isn't known.
    static let usual = FrameGrid(FrameRate(30))

    init(_ rate: FrameRate) {
        self.rate = rate
    }

    /// The nearest number of frames.
    func frames(_ time: RationalTime) -> Int64 {
        let count = ExactFraction(time).times(
            ExactFraction(RationalTime(Int64(rate.numerator), over: rate.denominator)))
        guard let count else {
            return Int64((time.seconds * rate.framesPerSecond).rounded())
        }
        let rounded = RoundingRule.nearest.divide(count.top, by: count.bottom)
        return Int64(clamping: rounded)
    }

    /// The time of a number of frames.
    func time(_ frames: Int64) throws -> RationalTime {
        try rate.frameDuration.multiplied(by: frames, over: 1)
    }

    /// The time of a number of frames that need not be whole.
    func time(_ frames: Double) throws -> RationalTime {
        if let whole = Int64(exactly: frames) {
            return try time(whole)
        }
        return try RationalTime(fine: frames / rate.framesPerSecond)
    }

    /// The time of the last whole frame up to a time.
    func wholeFrames(before time: RationalTime) throws -> RationalTime {
        let count = frames(time)
        let near = try self.time(count)
        return near <= time ? near : try self.time(count - 1)
    }

    /// Whether a time is a whole number of frames.
    func holds(_ time: RationalTime) -> Bool {
        (try? self.time(frames(time))) == time
    }

    // MARK: - Timecode

    /// The whole number of frames that a second of timecode has: 30 for 29.97.
    var timecodeRate: Int64 { Int64(rate.framesPerSecond.rounded(.up)) }

    /// Whether the rate is one that drop-frame timecode exists for.
    var canDrop: Bool { rate.denominator == 1001 && timecodeRate % 30 == 0 }

    /// A timecode such as `01:00:00:00`, or `01:00:00;00` with dropped frame numbers.
    func timecode(_ frames: Int64, dropping: Bool = false) -> String {
        let base = timecodeRate
        var number = frames
        if dropping {
            let dropped = base / 15
            let (tens, rest) = frames.quotientAndRemainder(dividingBy: base * 600 - dropped * 9)
            number += dropped * 9 * tens
            if rest >= base * 60 {
                number += dropped * ((rest - base * 60) / (base * 60 - dropped) + 1)
            }
        }
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let seconds = number / base
        return two(seconds / 3600) + ":" + two(seconds / 60 % 60) + ":" + two(seconds % 60)
            + (dropping ? ";" : ":") + two(number % base)
    }

    /// The number of frames of a timecode; nil if it isn't one. With `;` before the frames, or where `dropping` says so,
    /// frame numbers are dropped.
    func frames(timecode text: some StringProtocol, dropping: Bool = false) -> Int64? {
        let fields = text.split(omittingEmptySubsequences: false) { ":;.".contains($0) }
            .map { Int64($0) }
        guard fields.count == 4, let hours = fields[0], let minutes = fields[1],
            let seconds = fields[2], let frames = fields[3], (0..<100).contains(hours),
            (0..<60).contains(minutes), (0..<60).contains(seconds),
            (0..<timecodeRate).contains(frames)
        else {
            return nil
        }
        let base = timecodeRate
        let allMinutes = hours * 60 + minutes
        let number = (allMinutes * 60 + seconds) * base + frames
        guard canDrop, dropping || text.contains(";") else {
            return number
        }
        return number - base / 15 * (allMinutes - allMinutes / 10)
    }
}
