/// A numerically computed integral and an estimate of its error.
public struct QuadratureResult: Hashable, Sendable {
    /// The integral.
    public let value: Double
    /// An estimate of the absolute error, from comparing two rules. The true error is usually much smaller.
    public let errorEstimate: Double
}

/// Integrates a function by adaptive Gauss–Kronrod quadrature. A 15-point Kronrod rule gives the value; the
/// 7-point Gauss rule on some of the same points gives the error estimate.
///
/// The interval with the largest error is halved until the sum of all errors is small enough, as in
/// QUADPACK's QAG (Piessens et al., 1983). The points and weights are also from QUADPACK.
///
/// - Parameters:
///   - low: the lower limit.
///   - high: the upper limit.
///   - breakpoints: places where the function bends or jumps; the function is never evaluated there.
///   - tolerance: the absolute error to reach.
///   - intervalLimit: the largest number of intervals. If it is reached, the error estimate stays above
///     the tolerance.
///   - function: the integrand.
/// - Complexity: O(n²) additions and 15 evaluations per interval, for n intervals.
public func integrate(
    from low: Double, to high: Double, breakpoints: [Double] = [], tolerance: Double = 1e-13,
    intervalLimit: Int = 4096, _ function: (Double) -> Double
) -> QuadratureResult {
    let inner = Set(breakpoints.filter { $0 > low && $0 < high }).sorted()
    var intervals = zip([low] + inner, inner + [high]).map { Panel($0, $1, function) }
    intervals.sort { $0.error < $1.error }
    var error = intervals.reduce(0) { $0 + $1.error }
    while error > tolerance, intervals.count < intervalLimit, let worst = intervals.popLast() {
        let middle = (worst.low + worst.high) / 2
        guard middle > worst.low, middle < worst.high else {
            intervals.append(worst)
            break
        }
        for half in [
            Panel(worst.low, middle, function), Panel(middle, worst.high, function),
        ] {
            let place = intervals.partitioningIndex { $0.error > half.error }
            intervals.insert(half, at: place)
        }
        error = intervals.reduce(0) { $0 + $1.error }
    }
    // Adding the smallest values first keeps rounding errors small.
    let values = intervals.map(\.value).sorted { abs($0) < abs($1) }
    return QuadratureResult(value: values.reduce(0, +), errorEstimate: error)
}

private struct Panel {
    let low: Double
    let high: Double
    let value: Double
    let error: Double

    init(_ low: Double, _ high: Double, _ function: (Double) -> Double) {
        self.low = low
        self.high = high
        let centre = (low + high) / 2
        let half = (high - low) / 2
        let middle = function(centre)
        var kronrod = middle * kronrodWeights[7]
        var gauss = middle * gaussWeights[3]
        for (index, node) in nodes.enumerated() {
            let pair = function(centre - half * node) + function(centre + half * node)
            kronrod += pair * kronrodWeights[index]
            if index % 2 == 1 {
                gauss += pair * gaussWeights[index / 2]
            }
        }
        value = kronrod * half
        error = abs((kronrod - gauss) * half)
    }
}

private let nodes = [
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
    0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
    0.586087235467691130294144838258730, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245,
]

private let kronrodWeights = [
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
    0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
    0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714,
]

private let gaussWeights = [
    0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
    0.381830050505118944950369775488975, 0.417959183673469387755102040816327,
]

extension Array {
    /// The index of the first element for which `belongsAfter` holds. It must also hold for all later ones.
    fileprivate func partitioningIndex(where belongsAfter: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if belongsAfter(self[middle]) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
