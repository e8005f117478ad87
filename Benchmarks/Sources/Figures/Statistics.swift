/// The middle of the numbers, or of the middle two their mean; nil without numbers.
public func median(_ numbers: [Double]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    let sorted = numbers.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// How far a number is from another, as a share of the other; nil where that is 0.
public func relativeDifference(_ number: Double, from other: Double) -> Double? {
    other == 0 ? nil : number / other - 1
}
