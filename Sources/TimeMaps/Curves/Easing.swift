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

    /// An easing without its numbers, as it is written.
    private enum Name: String, CaseIterable {
        case linear, smooth, hold, bezier

        /// What people call it.
        var title: String {
            switch self {
            case .linear, .smooth, .hold: rawValue.capitalized
            case .bezier: "Bézier"
            }
        }

        /// How it is written with its numbers.
        var form: String {
            switch self {
            case .linear, .smooth, .hold: rawValue
            case .bezier: "bezier(x1,y1,x2,y2) with x1 and x2 from 0 to 1"
            }
        }
    }

    /// All easings, as they are written without numbers, and what people call them.
    package static let titles = Name.allCases.map { (name: $0.rawValue, title: $0.title) }

    /// How all easings are written: a list for messages and help.
    package static var forms: String {
        let forms = Name.allCases.map(\.form)
        return forms.dropLast().joined(separator: ", ") + ", or " + (forms.last ?? "")
    }

    private var name: Name {
        switch self {
        case .linear: .linear
        case .smooth: .smooth
        case .hold: .hold
        case .bezier: .bezier
        }
    }

    private var numbers: [Double] {
        switch self {
        case .linear, .smooth, .hold: []
        case .bezier(let x1, let y1, let x2, let y2): [x1, y1, x2, y2]
        }
    }

    /// Reads the name of an easing, followed by its numbers if it has any: `smooth`, `bezier(0.3,0,0.7,1)`.
    ///
    /// - Throws: ``CurveError`` when the text is no easing, or when x1 or x2 lies outside of [0,1].
    public init(parsing text: String) throws(CurveError) {
        let parts = text.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = Name(rawValue: String(parts[0])),
            let numbers = Self.numbers(parts.count > 1 ? parts[1] : nil)
        else {
            throw Self.malformed(text)
        }
        switch (name, numbers.count) {
        case (.linear, 0): self = .linear
        case (.smooth, 0): self = .smooth
        case (.hold, 0): self = .hold
        case (.bezier, 4) where [numbers[0], numbers[2]].allSatisfy((0...1).contains):
            self = .bezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
        case (.linear, _), (.smooth, _), (.hold, _), (.bezier, _): throw Self.malformed(text)
        }
    }

    /// The numbers between the brackets; none without brackets, nil if they aren't numbers.
    private static func numbers(_ text: Substring?) -> [Double]? {
        guard let text else {
            return []
        }
        let words = text.dropLast().split(separator: ",", omittingEmptySubsequences: false)
        let numbers = words.compactMap { Double($0.filter { $0 != " " }) }.filter(\.isFinite)
        return text.hasSuffix(")") && numbers.count == words.count ? numbers : nil
    }

    private static func malformed(_ text: String) -> CurveError {
        CurveError(.malformed, "\"\(text)\" is not an easing; write \(forms)")
    }

    /// The easing in the form that ``init(parsing:)`` reads.
    public var description: String {
        let list = numbers.map { "\($0)" }.joined(separator: ",")
        return numbers.isEmpty ? name.rawValue : "\(name.rawValue)(\(list))"
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

    /// One coordinate of the curve at parameter p, by those of its two handles.
    static func bezier(_ a: Double, _ b: Double, _ p: Double) -> Double {
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
