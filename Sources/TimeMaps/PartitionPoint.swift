extension Range<Int> {
    /// The first index for which `holds` is true, by bisection; the range's end if there is none. Once `holds`
    /// is true, it must be true for all later indices. O(log n).
    package func partitionPoint(where holds: (Int) -> Bool) -> Int {
        var low = lowerBound
        var high = upperBound
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
