extension RationalTime {
    /// The timescale for times that have no exact form and for durations that come from a curve:
    /// 2⁸·3²·5⁶·7² ticks per second, so that one tick is about 0.57 ns.
    ///
    /// Microseconds, frames at 24, 25, 30, 50, 60 and 120 per second and at all of these times
    /// 1000/1001, ticks of 90 kHz, and samples at 44.1, 48 and 96 kHz are whole numbers of such ticks.
    /// So such times can be added to a curve's duration and the timescale still fits in 32 bits. With a
    /// power of ten as the timescale, adding thirds of a second would not fit.
    package static let fineTick: Int32 = 1_764_000_000

    /// Seconds rounded to the nearest ``fineTick``, in lowest terms.
    package init(fine seconds: Double) throws {
        self = try RationalTime(seconds: seconds, timescale: Self.fineTick)
            .multiplied(by: 1, over: 1)
    }

    /// A fraction of seconds: exact where that fits, otherwise rounded to ticks.
    ///
    /// - Parameter fraction: nil if it doesn't fit in 128 bits.
    /// - Throws: ``TimeError`` when `fraction` is nil, or when the ticks don't fit in 64 bits.
    package init(
        _ fraction: ExactFraction?, ticks: Int32 = fineTick, rounding: RoundingRule = .nearest
    ) throws {
        if let exact = fraction?.time {
            self = exact
            return
        }
        try self.init(rounded: fraction, ticks: ticks, rounding: rounding)
    }

    /// A fraction of seconds, rounded to ticks.
    package init(
        rounded fraction: ExactFraction?, ticks: Int32, rounding: RoundingRule = .nearest
    ) throws {
        guard let count = fraction?.times(ExactFraction(ticks)) else {
            throw TimeError.malformed("an intermediate time is too fine a fraction to compute with")
        }
        try self.init(
            exactly: rounding.divide(count.top, by: count.bottom), over: Int128(ticks))
    }

    /// The sum: exact where that fits, otherwise rounded to a ``fineTick``.
    package func sum(_ other: RationalTime, rounding: RoundingRule = .nearest) throws
        -> RationalTime
    {
        try RationalTime(
            ExactFraction(self).plus(ExactFraction(other)), rounding: rounding)
    }

    /// The difference: exact where that fits, otherwise rounded to a ``fineTick``.
    package func difference(_ other: RationalTime) throws -> RationalTime {
        try RationalTime(ExactFraction(self).minus(ExactFraction(other)))
    }

    /// `self · numerator / denominator`: exact where that fits, otherwise rounded to a ``fineTick``.
    package func scaled(
        by numerator: RationalTime, over denominator: RationalTime
    ) throws -> RationalTime {
        try ExactFraction(self).scaled(by: numerator, over: denominator)?.time
            ?? RationalTime(fine: seconds * numerator.seconds / denominator.seconds)
    }

    /// A timescale in which both times, and so all their sums and differences, are whole numbers of ticks:
    /// ``fineTick`` if possible, otherwise the finest one that fits in 32 bits. Nil where there is none.
    package static func commonTick(_ a: RationalTime, _ b: RationalTime) -> Int32? {
        let scales = [a, b].map { time in
            Int128(time.timescale) / gcd(Int128(time.value), Int128(time.timescale))
        }
        let common = scales[0] / gcd(scales[0], scales[1]) * scales[1]
        guard let common = Int32(exactly: common) else {
            return nil
        }
        return fineTick % common == 0 ? fineTick : Int32.max / common * common
    }
}

extension ExactFraction {
    /// `self · numerator / denominator`; nil where that doesn't fit in 128 bits.
    package func scaled(by numerator: RationalTime, over denominator: RationalTime)
        -> ExactFraction?
    {
        // Equal times cancel out, so this case can't overflow.
        guard numerator != denominator else {
            return self
        }
        guard let inverse = ExactFraction(denominator).reciprocal else {
            return nil
        }
        return ExactFraction(numerator).times(inverse)?.times(self)
    }
}

extension TimeRange {
    /// A range from a start and a duration. If the exact end doesn't fit, start and duration are rounded to
    /// the nearest ``RationalTime/fineTick``.
    ///
    /// - Throws: ``TimeError`` when the duration is negative, or when the rounded times don't fit either.
    package init(fittingStart start: RationalTime, duration: RationalTime) throws {
        if let exact = try? TimeRange(start: start, duration: duration) {
            self = exact
            return
        }
        try self.init(
            start: start.converted(to: RationalTime.fineTick, rounding: .nearest),
            duration: duration.converted(to: RationalTime.fineTick, rounding: .nearest))
    }
}
