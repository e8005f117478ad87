/// The median: the middle number, or the mean of the middle two; nil without numbers.
public func median(_ numbers: [Double]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    let sorted = numbers.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// The difference between two numbers as a share of the second; nil where the second is 0.
public func relativeDifference(_ number: Double, from other: Double) -> Double? {
    other == 0 ? nil : number / other - 1
}
