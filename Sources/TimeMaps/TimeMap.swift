/// For every instant of the output, the instant of the source that is seen and heard there.
///
/// ```
///  source x │        ╱‾‾‾‾         rising: plays; flat: freezes; falling: plays backwards
///           │      ╱      ╲
///           │   ╱           ╲
///           └────────────────── output y
/// ```
/// A map is a sorted list of pieces over output time, without gaps. Both times are seconds from
/// the start of the clip's range; instants less than a nanosecond apart may count as one.
public struct TimeMap: Sendable {
    /// In order of output time, each starting where the one before ends.
    public let pieces: [Piece]
    /// How much of the source there is, in seconds.
    public let sourceDuration: Double
    /// How long the output lasts, in seconds.
    public let outputDuration: Double
    /// The same exactly, where it is known exactly.
    public let exactOutputDuration: RationalTime?
    /// What is remarkable about the map, such as where the time scale was negative.
    public let warnings: [String]
    /// Whether it only ever plays forward, perhaps skipping: no freeze, nothing backwards.
    public let isRising: Bool

    /// The longest output in seconds: 300 years and more; beyond it is a slip of the finger.
    public static let longestOutput = 1e10

    /// A map from pieces.
    ///
    /// - Throws: ``CurveError`` when they leave gaps in the output, last no time, or leave the
    ///   source.
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
            throw CurveError(.malformed, "a time map starts at output time 0")
        }
        for (piece, next) in zip(pieces, pieces.dropFirst())
        where abs(piece.outputEnd - next.outputStart) > 1e-9 {
            throw CurveError(
                .malformed, value: piece.outputEnd,
                "the time map has a gap at output time \(piece.outputEnd) s")
        }
        for piece in pieces {
            let reach = max(piece.sourceStart, piece.sourceEnd)
            guard piece.outputEnd > piece.outputStart,
                min(piece.sourceStart, piece.sourceEnd) > -1e-6,
                reach <= sourceDuration + 1e-6
            else {
                throw CurveError(
                    .malformed, sourceTime: reach,
                    "a piece of the time map lasts no time, or leaves the source")
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
            && zip(pieces, pieces.dropFirst()).allSatisfy { $0.sourceEnd <= $1.sourceStart + 1e-9 }
    }

    /// - Throws: ``CurveError`` above ``longestOutput``.
    static func requireCountable(_ seconds: Double) throws(CurveError) {
        guard seconds <= longestOutput else {
            throw CurveError(
                .invalidParameter, value: seconds,
                "the output would last \(seconds) s; \(longestOutput) s is the most")
        }
    }

    /// Nothing changes.
    public static func identity(_ duration: RationalTime) -> TimeMap {
        TimeMap(line: ExactLine(.zero, duration, from: .zero, to: duration))
    }

    /// The source played backwards.
    public static func reversed(_ duration: RationalTime) -> TimeMap {
        TimeMap(line: ExactLine(.zero, duration, from: duration, to: .zero))
    }

    /// The source uniformly slower or faster, exactly.
    ///
    /// - Throws: ``CurveError`` when a duration isn't positive, the speed is outside 1/1000 to
    ///   1000, or the output lasts longer than ``longestOutput``.
    public static func uniform(
        from source: RationalTime, to output: RationalTime
    ) throws(CurveError) -> TimeMap {
        guard source > .zero, output > .zero else {
            throw CurveError(
                .invalidParameter, value: output.seconds,
                "\(source.seconds) s can't become \(output.seconds) s; both must be above 0")
        }
        let factor = output.seconds / source.seconds
        guard (0.000_999...1000.001).contains(factor) else {
            throw CurveError(
                factor > 1 ? .tooSlow : .tooFast, value: factor,
                "a time scale of \(factor) is outside 1/1000 to 1000")
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

// MARK: - Asking

extension TimeMap {
    /// What is seen and heard at output time `y`, clamped to the map's ends. O(log n).
    public func sourceTime(at y: Double) -> Double {
        pieces[pieceIndex(atOutput: y)].position(at: y).source
    }

    /// Source seconds for every output second at `y`; negative plays backwards. O(log n).
    public func speed(at y: Double) -> Double {
        pieces[pieceIndex(atOutput: y)].position(at: y).speed
    }

    /// When source time `x` is first shown; for an instant that is skipped, when what follows it
    /// is. O(log n) for rising maps, else O(n).
    public func outputTime(of x: Double) -> Double {
        firstPiece(showing: x)?.outputTime(of: x) ?? outputDuration
    }

    /// The piece that shows `x` first; nil where none does. Of a rising map the one at or after it.
    private func firstPiece(showing x: Double) -> Piece? {
        guard isRising else {
            // What was composed may show a little more than its pieces' ends say.
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

    /// The tick of the output at which source time `x` is first shown: in integers on linear
    /// pieces, through `Double` on curves, and rounded once.
    ///
    /// - Throws: ``TimeError`` when it doesn't fit.
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

    /// Every instant at which source time `x` is shown, in order; of a freeze its start. O(n).
    public func outputTimes(of x: Double) -> [Double] {
        var times: [Double] = []
        for piece in pieces where piece.isShowing(x) {
            let time = piece.outputTime(of: x)
            if times.last.map({ time - $0 > 1e-9 }) ?? true {
                times.append(time)
            }
        }
        return times
    }

    /// The last instant of the source that is shown or passed, in seconds.
    public var latestSourceTime: Double {
        pieces.reduce(0) { max($0, $1.sourceStart, $1.sourceEnd) }
    }

    /// The speed, where it is the same from start to end.
    public var constantSpeed: Double? {
        guard pieces.count == 1, case .line = pieces[0].shape else {
            return nil
        }
        return pieces[0].slope
    }

    /// The slowest and the fastest speed; without bound where a time scale touches 0.
    public var speedRange: ClosedRange<Double> {
        let speeds = pieces.flatMap { piece in
            (0...16).map { step in
                let share = Double(step) / 16
                let y = piece.outputStart + (piece.outputEnd - piece.outputStart) * share
                return piece.position(at: y).speed
            }
        }
        let low = speeds.min() ?? 1
        return low...max(low, speeds.max() ?? 1)
    }

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
