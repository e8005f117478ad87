/// How a value changes from one keyframe to the next.
public enum Easing: Hashable, Sendable, CustomStringConvertible {
    /// Along a straight line.
    case linear
    /// By ``smoothstep(_:)``: the slope is 0 at both keyframes.
    case smooth
    /// The value stays the same until the next keyframe, then jumps.
    case hold
    /// A cubic Bézier curve from (0,0) to (1,1) with two handles, as `cubic-bezier()` in CSS; x1 and x2 must
    /// be in [0,1].
    case bezier(x1: Double, y1: Double, x2: Double, y2: Double)

    /// Reads `linear`, `smooth`, `hold` or `bezier(x1,y1,x2,y2)`.
    ///
    /// - Throws: ``CurveError`` when the text is none of these, or when x1 or x2 lies outside of [0,1].
    public init(parsing text: String) throws(CurveError) {
        switch text {
        case "linear": self = .linear
        case "smooth": self = .smooth
        case "hold": self = .hold
        default:
            guard text.hasPrefix("bezier("), text.hasSuffix(")") else {
                throw Self.malformed(text)
            }
            let numbers = text.dropFirst(7).dropLast()
                .split(separator: ",", omittingEmptySubsequences: false)
                .map { Double($0.filter { $0 != " " }) }
            guard numbers.count == 4, let x1 = numbers[0], let y1 = numbers[1], let x2 = numbers[2],
                let y2 = numbers[3], (0...1).contains(x1), (0...1).contains(x2), y1.isFinite,
                y2.isFinite
            else {
                throw Self.malformed(text)
            }
            self = .bezier(x1: x1, y1: y1, x2: x2, y2: y2)
        }
    }

    private static func malformed(_ text: String) -> CurveError {
        CurveError(
            .malformed,
            "\"\(text)\" is not an easing; write linear, smooth, hold, or bezier(x1,y1,x2,y2) with "
                + "x1 and x2 from 0 to 1")
    }

    /// The easing in the form that ``init(parsing:)`` reads.
    public var description: String {
        switch self {
        case .linear: "linear"
        case .smooth: "smooth"
        case .hold: "hold"
        case .bezier(let x1, let y1, let x2, let y2): "bezier(\(x1),\(y1),\(x2),\(y2))"
        }
    }

    /// How far the value has changed, as a share, after a share of the time in [0,1).
    func share(at time: Double) -> Double {
        switch self {
        case .linear: time
        case .smooth: smoothstep(time)
        case .hold: 0
        case .bezier(let x1, let y1, let x2, let y2):
            Self.bezier(y1, y2, Self.solve(x1, x2, for: time))
        }
    }

    /// One coordinate of the curve at parameter p.
    private static func bezier(_ a: Double, _ b: Double, _ p: Double) -> Double {
        let q = 1 - p
        return 3 * q * q * p * a + 3 * q * p * p * b + p * p * p
    }

    /// The parameter at which x is `time`. x never falls along the curve, so bisection always finds it.
    private static func solve(_ x1: Double, _ x2: Double, for time: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<54 {
            let middle = (low + high) / 2
            if bezier(x1, x2, middle) < time {
                low = middle
            } else {
                high = middle
            }
        }
        return (low + high) / 2
    }
}
