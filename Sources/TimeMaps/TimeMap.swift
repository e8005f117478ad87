/// A time remapping: for every instant of the output, the instant of the source that is seen and heard then.
///
/// ```
///  source x │        ╱‾‾‾‾         rising: plays; level: freezes; falling: plays backwards
///           │      ╱      ╲
///           │   ╱           ╲
///           └────────────────── output y
/// ```
/// A map is a sorted list of pieces over output time, without gaps. Both times are in seconds from the
/// start of the clip's range. Instants less than a nanosecond apart may count as one.
public struct TimeMap: Sendable {
    /// The pieces in order of output time; each starts where the one before ends.
    public let pieces: [Piece]
    /// How long the source lasts, in seconds.
    public let sourceDuration: Double
    /// How long the output lasts, in seconds.
    public let outputDuration: Double
    /// How long the output lasts, exactly; nil where that isn't known exactly.
    public let exactOutputDuration: RationalTime?
    /// Sentences about what the user may not expect, such as where the time scale was negative.
    public let warnings: [String]
    /// Whether the source always moves forward, perhaps with skips: it never freezes and never plays backwards.
    public let isRising: Bool

    /// The longest allowed output, in seconds: over 300 years. A longer one is taken for a typing error.
    public static let longestOutput = 1e10

    /// A map from pieces in order of output time.
    ///
    /// - Throws: ``CurveError`` when the pieces don't start at output time 0, leave a gap of more than a
    ///   nanosecond, last 0 s, lie more than a microsecond outside of the source, or last longer than
    ///   ``longestOutput``.
    /// - Complexity: O(n) pieces.
    public init(
        pieces: [Piece], sourceDuration: RationalTime
    ) throws(CurveError) {
        try self.init(
            pieces, sourceDuration: sourceDuration.seconds,
            exactOutputDuration: pieces.last?.exact?.outputEnd, warnings: [])
    }

    init(
        _ pieces: [Piece], sourceDuration: Double, exactOutputDuration: RationalTime?,
        warnings: [String]
    ) throws(CurveError) {
        guard let first = pieces.first, let last = pieces.last, first.outputStart == 0 else {
            throw CurveError(.malformed, "a time map must start at output time 0")
        }
        for (piece, next) in zip(pieces, pieces.dropFirst())
        where abs(piece.outputEnd - next.outputStart) > Tolerance.instant {
            throw CurveError(
                .malformed, value: piece.outputEnd,
                "the time map has a gap at output time \(piece.outputEnd) s")
        }
        for piece in pieces {
            let reach = max(piece.sourceStart, piece.sourceEnd)
            guard piece.outputEnd > piece.outputStart,
                min(piece.sourceStart, piece.sourceEnd) > -Tolerance.stated,
                reach <= sourceDuration + Tolerance.stated
            else {
                throw CurveError(
                    .malformed, sourceTime: reach,
                    "a piece of the time map lasts 0 s, or lies outside of the source")
            }
        }
        let lasts = exactOutputDuration?.seconds ?? last.outputEnd
        try Self.requireCountable(lasts)
        self.pieces = pieces
        self.sourceDuration = sourceDuration
        self.exactOutputDuration = exactOutputDuration
        self.warnings = warnings
        outputDuration = lasts
        let rises = pieces.allSatisfy { $0.sourceEnd > $0.sourceStart }
        isRising =
            rises
            && zip(pieces, pieces.dropFirst()).allSatisfy {
                $0.sourceEnd <= $1.sourceStart + Tolerance.instant
            }
    }

    /// - Throws: ``CurveError`` above ``longestOutput``.
    static func requireCountable(_ seconds: Double) throws(CurveError) {
        guard seconds <= longestOutput else {
            throw CurveError(
                .invalidParameter, value: seconds,
                "the output would last \(seconds) s; \(longestOutput) s is the most")
        }
    }

    /// The map that changes nothing. The duration must be above 0.
    public static func identity(_ duration: RationalTime) -> TimeMap {
        TimeMap(line: ExactLine(.zero, duration, from: .zero, to: duration))
    }

    /// The map that plays the whole source backwards. The duration must be above 0.
    public static func reversed(_ duration: RationalTime) -> TimeMap {
        TimeMap(line: ExactLine(.zero, duration, from: duration, to: .zero))
    }

    /// The map that plays the whole source at one constant speed, so that it lasts exactly `output`.
    ///
    /// - Throws: ``CurveError`` when a duration isn't above 0, when the speed is outside of 1/1000 to 1000, or
    ///   when the output lasts longer than ``longestOutput``.
    public static func uniform(
        from source: RationalTime, to output: RationalTime
    ) throws(CurveError) -> TimeMap {
        guard source > .zero, output > .zero else {
            throw CurveError(
                .invalidParameter, value: output.seconds,
                "\(source.secondsText) s can't become \(output.secondsText) s; both must be above 0"
            )
        }
        let factor = output.seconds / source.seconds
        guard allows(scale: factor) else {
            throw CurveError(
                factor > 1 ? .tooSlow : .tooFast, value: factor,
                "a time scale of \(factor) is outside of 1/1000 to 1000")
        }
        try requireCountable(output.seconds)
        return TimeMap(line: ExactLine(.zero, output, from: .zero, to: source))
    }

    private init(line: ExactLine) {
        pieces = [Piece(line)]
        sourceDuration = max(line.sourceStart, line.sourceEnd).seconds
        outputDuration = line.outputEnd.seconds
        exactOutputDuration = line.outputEnd
        warnings = []
        isRising = line.sourceEnd > line.sourceStart
    }
}

extension TimeMap {
    /// How long the output lasts, exactly where that is known, else rounded to a ``RationalTime/fineTick``.
    package var duration: RationalTime {
        get throws { try exactOutputDuration ?? RationalTime(fine: outputDuration) }
    }
}

// MARK: - Queries

extension TimeMap {
    /// The source time that is seen and heard at output time `y`, both in seconds. `y` is clamped to the
    /// map's ends. O(log n).
    public func sourceTime(at y: Double) -> Double {
        pieces[pieceIndex(atOutput: y)].position(at: y).source
    }

    /// The speed at output time `y`, in source seconds per output second; negative where the map plays
    /// backwards. O(log n).
    public func speed(at y: Double) -> Double {
        pieces[pieceIndex(atOutput: y)].position(at: y).speed
    }

    /// The output time, in seconds, at which source time `x` is first shown. If a rising map skips `x`, it is
    /// when the next source time that isn't skipped is shown; if any other map never shows it, the output's
    /// end. O(log n) for rising maps, otherwise O(n).
    public func outputTime(of x: Double) -> Double {
        firstPiece(showing: x)?.outputTime(of: x) ?? outputDuration
    }

    /// The first piece that shows `x`; nil where none does. For a rising map it is the first piece that ends
    /// after `x`, or the last piece.
    private func firstPiece(showing x: Double) -> Piece? {
        guard isRising else {
            // A composed piece may show slightly more than its ends say, because of rounding.
            return pieces.first { $0.isShowing(x) }
                ?? pieces.first { $0.isShowing(x, within: 1e-8 * max(1, sourceDuration)) }
        }
        var low = 0
        var high = pieces.count - 1
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].sourceEnd > x {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return pieces[low]
    }

    /// The output time at which source time `x` is first shown, rounded once, to a tick of `timescale`. On
    /// exact lines it is computed in integers, on curves with `Double`.
    ///
    /// - Throws: ``TimeError`` when the number of ticks doesn't fit in 64 bits.
    /// - Complexity: O(log n) for rising maps, otherwise O(n).
    public func outputTime(
        of x: RationalTime, timescale: Int32, rounding: RoundingRule
    ) throws(TimeError) -> RationalTime {
        if let piece = firstPiece(showing: x.seconds) {
            return try piece.outputTime(of: x, timescale: timescale, rounding: rounding)
        }
        if let exactOutputDuration {
            return try exactOutputDuration.converted(to: timescale, rounding: rounding)
        }
        return try RationalTime(
            seconds: outputDuration, timescale: timescale, rounding: rounding)
    }

    /// All output times, in seconds and in order, at which source time `x` is shown; for a freeze, its start.
    /// O(n).
    public func outputTimes(of x: Double) -> [Double] {
        var times: [Double] = []
        for piece in pieces where piece.isShowing(x) {
            let time = piece.outputTime(of: x)
            if times.last.map({ time - $0 > Tolerance.instant }) ?? true {
                times.append(time)
            }
        }
        return times
    }

    /// The latest source time that the map reaches, in seconds. O(n).
    public var latestSourceTime: Double {
        pieces.reduce(0) { max($0, $1.sourceStart, $1.sourceEnd) }
    }

    /// The speed if the map is a single straight line, in source seconds per output second; otherwise nil.
    public var constantSpeed: Double? {
        guard pieces.count == 1, case .line = pieces[0].shape else {
            return nil
        }
        return pieces[0].slope
    }

    /// The lowest and the highest speed, from 17 samples of each piece. The highest is infinite at a jump, and
    /// where a time scale touches 0. O(n).
    public var speedRange: ClosedRange<Double> {
        let speeds = pieces.flatMap { piece in
            (0...16).map { step in
                let share = Double(step) / 16
                let y = piece.outputStart + (piece.outputEnd - piece.outputStart) * share
                let speed = piece.position(at: y).speed
                // The slope of an instant in which much is passed over is rounded, even in its sign.
                return abs(speed) < Self.highestSpeed ? speed : .infinity
            }
        }
        let low = speeds.min() ?? 1
        return low...max(low, speeds.max() ?? 1)
    }

    /// What is faster is a jump.
    private static let highestSpeed = 1e9

    /// The index of the piece at output time `y`, which is clamped to the map's ends. O(log n).
    package func pieceIndex(atOutput y: Double) -> Int {
        var low = 0
        var high = pieces.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if pieces[middle].outputStart <= y {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return low
    }
}
