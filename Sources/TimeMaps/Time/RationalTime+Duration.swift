extension RationalTime {
    /// A duration of Swift's clocks, to the nearest nanosecond.
    ///
    /// - Throws: ``TimeError`` with the code ``TimeError/Code/overflow`` beyond 292 years, unless it is whole seconds.
    public init(_ duration: Duration) throws(TimeError) {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = RoundingRule.nearest.divide(Int128(attoseconds), by: 1_000_000_000)
        try self.init(
            exactly: Int128(seconds) * 1_000_000_000 + nanoseconds, over: 1_000_000_000)
    }
}

extension Duration {
    /// A time, to the nearest attosecond.
    public init(_ time: RationalTime) {
        let whole = Int128(time.value) * 1_000_000_000_000_000_000
        let attoseconds = RoundingRule.nearest.divide(whole, by: Int128(time.timescale))
        let (seconds, rest) = attoseconds.quotientAndRemainder(
            dividingBy: 1_000_000_000_000_000_000)
        self.init(secondsComponent: Int64(seconds), attosecondsComponent: Int64(rest))
    }
}
