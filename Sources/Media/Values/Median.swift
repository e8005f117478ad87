extension ArraySlice<Double> {
    /// The middle value, or the mean of both for an even count; there must be one at least. O(n log n).
    package var median: Double {
        let sorted = sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

extension [Double] {
    /// The middle value, or the mean of both for an even count; there must be one at least. O(n log n).
    package var median: Double { self[...].median }
}
