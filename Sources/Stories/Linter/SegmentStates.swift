/// The values that the variables may have when a segment is entered: every combination while there are few,
/// otherwise an interval for each variable.
enum SegmentStates {
    case combinations(Set<[Double]>)
    case intervals([PossibleValues])

    /// The largest number of combinations; if there are more, they become intervals.
    static let mostCombinations = 16

    static let none = SegmentStates.combinations([])

    var isEmpty: Bool {
        guard case .combinations(let all) = self else {
            return false
        }
        return all.isEmpty
    }

    /// For each variable, the smallest interval that contains all its values; nil if there are no values.
    var hull: [PossibleValues]? {
        switch self {
        case .intervals(let intervals): return intervals
        case .combinations(let all):
            return all.reduce(nil) { hull, values in
                let points = values.map { PossibleValues($0) }
                return hull.map { zip($0, points).map { $0.joined($1) } } ?? points
            }
        }
    }
}

/// Widens intervals that keep growing, so that the analysis of an endless counter ends: first to the next
/// number that the story mentions, finally to infinity.
struct Widening {
    private let thresholds: [Double]

    init(numbers: some Sequence<Double>) {
        thresholds = Array(Set(numbers.filter(\.isFinite)).sorted().prefix(64))
    }

    func widened(_ old: PossibleValues, towards new: PossibleValues) -> PossibleValues {
        var result = old
        if new.low < old.low {
            result.low = thresholds.last { $0 <= new.low } ?? -.infinity
        }
        if new.high > old.high {
            result.high = thresholds.first { $0 >= new.high } ?? .infinity
        }
        return result
    }
}
