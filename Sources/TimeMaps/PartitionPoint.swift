extension Range<Int> {
    /// The first place at which something holds that holds for all places after it; the end, if it
    /// never does. O(log n).
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
