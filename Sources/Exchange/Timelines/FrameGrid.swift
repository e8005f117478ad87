import Media
import TimeMaps
import TimeWarp

/// Times as numbers of frames at one rate, as most exchange formats have them.
struct FrameGrid: Hashable {
    let rate: FrameRate

    /// The grid for a composition whose rate isn't known.
    static let usual = FrameGrid(FrameRate(known: 30))

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
    ///
    /// - Throws: ``CompositionError`` if it is further from 0 than times of projects are.
    func time(_ frames: Double) throws -> RationalTime {
        guard abs(frames / rate.framesPerSecond) <= ReaderBounds.furthestTime else {
            throw CompositionError(.malformed, "a time of \(frames) frames is impossible")
        }
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
        guard let fields = Self.fields(ofTimecode: text), fields[3] < timecodeRate else {
            return nil
        }
        let (hours, minutes, seconds, frames) = (fields[0], fields[1], fields[2], fields[3])
        let base = timecodeRate
        let allMinutes = hours * 60 + minutes
        let number = (allMinutes * 60 + seconds) * base + frames
        guard canDrop, dropping || text.contains(";") else {
            return number
        }
        return number - base / 15 * (allMinutes - allMinutes / 10)
    }

    /// Hours, minutes, seconds and frames of a timecode at any rate; nil if it isn't one.
    static func fields(ofTimecode text: some StringProtocol) -> [Int64]? {
        let parts = text.split(omittingEmptySubsequences: false) { ":;.".contains($0) }
        let fields = parts.compactMap { Int64($0) }
        guard parts.count == 4, fields.count == 4, fields.allSatisfy({ $0 >= 0 }), fields[0] < 100,
            fields[1] < 60, fields[2] < 60
        else {
            return nil
        }
        return fields
    }
}
