import TimeMaps

extension RationalTime {
    /// Returns this time minus `origin`: exact where 64 bits allow it, otherwise rounded to the nanosecond.
    ///
    /// Differences of more than 290 years are rounded to the second.
    package func relative(to origin: RationalTime) -> RationalTime {
        guard origin != .zero else {
            return self
        }
        if let exact = try? self - origin {
            return exact
        }
        let difference = seconds - origin.seconds
        // No recording lasts more than 290 years, so whole seconds are exact enough there.
        guard let nanoseconds = Int64(exactly: (difference * 1e9).rounded()) else {
            return RationalTime(Int64(exactly: difference.rounded()) ?? .max, over: 1)
        }
        return RationalTime(nanoseconds, over: 1_000_000_000)
    }
}
