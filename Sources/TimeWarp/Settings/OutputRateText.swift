import Media
import TimeMaps

extension RenderSettings.OutputRate {
    /// Reads a rate: `source`, `any`, a number, or a fraction such as `30000/1001`. It is nil for anything
    /// else.
    public init?(parsing text: String) {
        switch text {
        case "source":
            self = .source
        case "any":
            self = .any
        default:
            guard
                let rate = FrameRate(rounded: text)
                    ?? DecimalFraction(parsing: text).flatMap(FrameRate.init)
            else {
                return nil
            }
            self = .fixed(rate)
        }
    }

    /// The rate as text that ``init(parsing:)`` reads.
    public var text: String {
        switch self {
        case .source: "source"
        case .any: "any"
        case .fixed(let rate): rate.description
        }
    }
}

extension FrameRate {
    /// The exact frame rates that people mean by rounded ones: 1000/1001 of a whole number.
    package static let rounded: [(text: String, rate: FrameRate)] = [
        ("23.976", FrameRate(known: 24_000, over: 1001)),
        ("23.98", FrameRate(known: 24_000, over: 1001)),
        ("29.97", FrameRate(known: 30_000, over: 1001)),
        ("47.952", FrameRate(known: 48_000, over: 1001)),
        ("47.95", FrameRate(known: 48_000, over: 1001)),
        ("59.94", FrameRate(known: 60_000, over: 1001)),
        ("119.88", FrameRate(known: 120_000, over: 1001)),
    ]

    /// The exact rate that is meant by a rounded one, such as `29.97`; nil for any other text.
    init?(rounded text: String) {
        guard let rate = Self.rounded.first(where: { $0.text == text })?.rate else {
            return nil
        }
        self = rate
    }

    /// Nil unless the fraction is a possible frame rate, 0.01 to 10000 frames a second.
    fileprivate init?(_ fraction: DecimalFraction) {
        guard let numerator = Int32(exactly: fraction.numerator), numerator > 0,
            let denominator = Int32(exactly: fraction.denominator), denominator > 0,
            (0.01...10_000).contains(fraction.value)
        else {
            return nil
        }
        self.init(known: numerator, over: denominator)
    }
}

/// An exact number, as a fraction: `1.5` is 3/2.
public struct DecimalFraction: Hashable, Sendable {
    /// The numerator, which carries the sign.
    public let numerator: Int64
    /// The denominator; above 0.
    public let denominator: Int64

    private init(_ numerator: Int64, over denominator: Int64) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Reads a fraction such as `3/2` or a decimal number such as `1.5`. It is nil for anything else.
    public init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            self.init(decimal: text)
            return
        }
        guard let numerator = Int64(parts[0]), let denominator = Int64(parts[1]), denominator > 0
        else {
            return nil
        }
        let common = Int64(gcd(Int128(numerator), Int128(denominator)))
        self.init(numerator / common, over: denominator / common)
    }

    /// A number, rounded to nine decimals; nil if it is too large.
    package init?(rounding number: Double) {
        guard abs(number) < 1e9 else {
            return nil
        }
        self.init(Int64((number * 1e9).rounded()), decimals: 9)
    }

    private init?(decimal text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? String(parts[1]) : ""
        guard decimals.count <= 12, decimals.allSatisfy(\.isNumber),
            let digits = Int64(parts[0] + decimals)
        else {
            return nil
        }
        self.init(digits, decimals: decimals.count)
    }

    /// A decimal number, of which the last digits are behind the point.
    private init(_ digits: Int64, decimals: Int) {
        var numerator = digits
        var denominator = (0..<decimals).reduce(Int64(1)) { power, _ in power * 10 }
        for factor: Int64 in [2, 5] {
            while denominator % factor == 0 && numerator % factor == 0 {
                numerator /= factor
                denominator /= factor
            }
        }
        self.init(numerator, over: denominator)
    }

    /// The number as a text that ``init(parsing:)`` reads: a decimal number where nine decimals are exact.
    package var text: String {
        let (billionths, rest) = (Int128(numerator) * 1_000_000_000)
            .quotientAndRemainder(dividingBy: Int128(denominator))
        return rest == 0
            ? decimalText(ofBillionths: billionths) : "\(numerator)/\(denominator)"
    }

    /// The number as the nearest `Double`.
    public var value: Double {
        Double(numerator) / Double(denominator)
    }
}
