/// A straight line of a time map between exact instants.
public struct ExactLine: Hashable, Sendable {
    /// Where it begins, in output time.
    public let outputStart: RationalTime
    /// Where it ends, in output time; later than ``outputStart``.
    public let outputEnd: RationalTime
    /// What is shown at ``outputStart``, in source time.
    public let sourceStart: RationalTime
    /// What is reached at ``outputEnd``, in source time.
    public let sourceEnd: RationalTime

    /// From `sourceStart` at `outputStart` to `sourceEnd` at `outputEnd`, which comes later.
    public init(
        _ outputStart: RationalTime, _ outputEnd: RationalTime, from sourceStart: RationalTime,
        to sourceEnd: RationalTime
    ) {
        precondition(outputStart < outputEnd, "a piece of a time map lasts some time")
        self.outputStart = outputStart
        self.outputEnd = outputEnd
        self.sourceStart = sourceStart
        self.sourceEnd = sourceEnd
    }

    /// When `x`, clamped to the line, is shown, in whole ticks; nil where the integers would grow
    /// past 128 bits, or nothing moves.
    package func outputTime(
        of x: RationalTime, timescale: Int32, rounding: RoundingRule
    ) throws(TimeError) -> RationalTime? {
        guard let ticks = outputPlace(of: x)?.times(ExactFraction(timescale)) else {
            return nil
        }
        return try RationalTime(
            exactly: rounding.divide(ticks.top, by: ticks.bottom), over: Int128(timescale))
    }

    /// When `x`, clamped to the line, is shown; nil where that is no 64 over 32 bits, or nothing
    /// moves.
    package func outputTime(of x: RationalTime) -> RationalTime? {
        outputPlace(of: x)?.time
    }

    /// What is shown at `y`, clamped to the line; nil where that is no 64 over 32 bits.
    package func sourceTime(at y: RationalTime) -> RationalTime? {
        Self.place(of: y, from: (outputStart, outputEnd), to: (sourceStart, sourceEnd))?.time
    }

    /// What would be shown at `y` if the line went on before its start and after its end; nil where that
    /// is no 64 over 32 bits.
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

    /// This line after another; nil where that is no 64 over 32 bits.
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
