extension RationalTime {
    /// Ticks a second for times that have no exact form, and for lengths that a curve decides:
    /// 2⁸·3²·5⁶·7², half a nanosecond and a bit.
    ///
    /// Decimals of a microsecond, frames at 24, 25, 30, 50, 60 and 120 a second and all of these
    /// times 1000/1001, ticks of 90 kHz, and samples at 44.1, 48 and 96 kHz are whole numbers of
    /// it. So such times can be added to a curve's length without growing past 32 bits, which
    /// thirds and a power of ten can't.
    package static let fineTick: Int32 = 1_764_000_000

    /// Seconds to the nearest ``fineTick``, in lowest terms.
    package init(fine seconds: Double) throws {
        self = try RationalTime(seconds: seconds, timescale: Self.fineTick)
            .multiplied(by: 1, over: 1)
    }

    /// A fraction: exact where that fits, else in ticks.
    ///
    /// - Parameter fraction: nil if it grew past 128 bits.
    /// - Throws: ``TimeError`` when it doesn't fit at all.
    package init(
        _ fraction: ExactFraction?, ticks: Int32 = fineTick, rounding: RoundingRule = .nearest
    ) throws {
        if let exact = fraction?.time {
            self = exact
            return
        }
        try self.init(rounded: fraction, ticks: ticks, rounding: rounding)
    }

    /// A fraction in ticks.
    package init(
        rounded fraction: ExactFraction?, ticks: Int32, rounding: RoundingRule = .nearest
    ) throws {
        guard let count = fraction?.times(ExactFraction(ticks)) else {
            throw TimeError.malformed("a time in between is too fine to be counted")
        }
        try self.init(
            exactly: rounding.divide(count.top, by: count.bottom), over: Int128(ticks))
    }

    /// The sum: exact where that fits, else to a ``fineTick``.
    package func sum(_ other: RationalTime, rounding: RoundingRule = .nearest) throws
        -> RationalTime
    {
        try RationalTime(
            ExactFraction(self).plus(ExactFraction(other)), rounding: rounding)
    }

    /// The difference: exact where that fits, else to a ``fineTick``.
    package func difference(_ other: RationalTime) throws -> RationalTime {
        try RationalTime(ExactFraction(self).minus(ExactFraction(other)))
    }

    /// As many ticks a second as fit into 32 bits so that both times are whole numbers of them, and
    /// with them all sums and differences; nil where there are none.
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
    /// `self · numerator / denominator`; nil where that grows past 128 bits.
    package func scaled(by numerator: RationalTime, over denominator: RationalTime)
        -> ExactFraction?
    {
        // Nothing to multiply, nothing to overflow.
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
    /// A range whose start and length are taken to the nearest ``RationalTime/fineTick`` where its end
    /// wouldn't fit otherwise.
    ///
    /// - Throws: ``TimeError`` when the duration is negative, or nothing fits.
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
