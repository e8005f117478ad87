/// A straight line of a time map between exact instants: one constant speed, or a freeze.
public struct ExactLine: Hashable, Sendable {
    /// Where the line begins, in output time.
    public let outputStart: RationalTime
    /// Where the line ends, in output time; later than ``outputStart``.
    public let outputEnd: RationalTime
    /// The source time at ``outputStart``.
    public let sourceStart: RationalTime
    /// The source time at ``outputEnd``: earlier than ``sourceStart`` to play backwards, equal to freeze.
    public let sourceEnd: RationalTime

    /// A line from `sourceStart` at `outputStart` to `sourceEnd` at `outputEnd`, which must be later than
    /// `outputStart`.
    public init(
        _ outputStart: RationalTime, _ outputEnd: RationalTime, from sourceStart: RationalTime,
        to sourceEnd: RationalTime
    ) {
        precondition(outputStart < outputEnd, "a piece of a time map must last longer than 0 s")
        self.outputStart = outputStart
        self.outputEnd = outputEnd
        self.sourceStart = sourceStart
        self.sourceEnd = sourceEnd
    }

    /// The output time, in whole ticks, at which source time `x` is shown. `x` is clamped to the line. Nil
    /// when the integers don't fit in 128 bits, or when the line is a freeze.
    ///
    /// - Throws: ``TimeError`` when the number of ticks doesn't fit in 64 bits.
    package func outputTime(
        of x: RationalTime, timescale: Int32, rounding: RoundingRule
    ) throws(TimeError) -> RationalTime? {
        guard let ticks = outputPlace(of: x)?.times(ExactFraction(timescale)) else {
            return nil
        }
        return try RationalTime(
            exactly: rounding.divide(ticks.top, by: ticks.bottom), over: Int128(timescale))
    }

    /// The exact output time at which source time `x` is shown. `x` is clamped to the line. Nil when the
    /// result doesn't fit in a ``RationalTime``, or when the line is a freeze.
    package func outputTime(of x: RationalTime) -> RationalTime? {
        outputPlace(of: x)?.time
    }

    /// The exact source time at output time `y`, which is clamped to the line; nil when the result doesn't fit
    /// in a ``RationalTime``.
    package func sourceTime(at y: RationalTime) -> RationalTime? {
        Self.place(of: y, from: (outputStart, outputEnd), to: (sourceStart, sourceEnd))?.time
    }

    /// The exact source time at output time `y` if the line continued before its start and after its end; nil
    /// when the result doesn't fit in a ``RationalTime``.
    func extrapolated(at y: RationalTime) -> RationalTime? {
        let (start, goal) = (ExactFraction(outputStart), ExactFraction(sourceStart))
        guard let way = ExactFraction(y).minus(start),
            let width = ExactFraction(outputEnd).minus(start)?.reciprocal,
            let height = ExactFraction(sourceEnd).minus(goal)
        else {
            return nil
        }
        return width.times(height)?.times(way)?.plus(goal)?.time
    }

    /// This line applied after `inner`, whose source time is this line's output time; nil when the result
    /// doesn't fit in ``RationalTime``.
    func composed(after inner: ExactLine) -> ExactLine? {
        guard let start = sourceTime(at: inner.sourceStart),
            let end = sourceTime(at: inner.sourceEnd)
        else {
            return nil
        }
        return ExactLine(inner.outputStart, inner.outputEnd, from: start, to: end)
    }

    private func outputPlace(of x: RationalTime) -> ExactFraction? {
        Self.place(of: x, from: (sourceStart, sourceEnd), to: (outputStart, outputEnd))
    }

    /// to.0 + (time − from.0)·(to.1 − to.0)/(from.1 − from.0)
    private static func place(
        of time: RationalTime, from: (RationalTime, RationalTime),
        to: (RationalTime, RationalTime)
    ) -> ExactFraction? {
        let inside = min(max(time, min(from.0, from.1)), max(from.0, from.1))
        let (start, goal) = (ExactFraction(from.0), ExactFraction(to.0))
        guard let way = ExactFraction(inside).minus(start),
            let width = ExactFraction(from.1).minus(start)?.reciprocal,
            let height = ExactFraction(to.1).minus(goal)
        else {
            return nil
        }
        return width.times(height)?.times(way)?.plus(goal)
    }
}
