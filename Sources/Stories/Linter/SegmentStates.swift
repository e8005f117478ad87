/// The values that the variables may have when a segment is entered: every combination while those
/// are few, then an interval for each variable.
enum SegmentStates {
    case combinations(Set<[Double]>)
    case intervals([Interval])

    /// More combinations than this become intervals.
    static let mostCombinations = 16

    static let none = SegmentStates.combinations([])

    var isEmpty: Bool {
        guard case .combinations(let all) = self else {
            return false
        }
        return all.isEmpty
    }

    /// An interval for each variable that holds all; nil where there is nothing to hold.
    var hull: [Interval]? {
        switch self {
        case .intervals(let intervals): return intervals
        case .combinations(let all):
            return all.reduce(nil) { hull, values in
                let points = values.map { Interval($0) }
                return hull.map { zip($0, points).map { $0.joined($1) } } ?? points
            }
        }
    }
}

/// How bounds that keep growing are let go, so that an endless counter comes to an end: to the next
/// number that the story mentions, at last to infinity.
struct Widening {
    private let thresholds: [Double]

    init(numbers: some Sequence<Double>) {
        thresholds = Array(Set(numbers.filter(\.isFinite)).sorted().prefix(64))
    }

    func widened(_ old: Interval, towards new: Interval) -> Interval {
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
