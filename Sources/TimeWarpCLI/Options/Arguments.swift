import ArgumentParser
import Foundation
import Media
import TimeMaps
import TimeWarp

/// A length of time: `90`, `90s`, `1:30`, `00:01:30.250`, `1500ms`, `2700/25`.
struct DurationArgument: ExpressibleByArgument {
    let time: RationalTime

    init?(argument: String) {
        guard let time = try? RationalTime(parsing: argument) else {
            return nil
        }
        self.time = time
    }
}

/// A length of time with a sign: `+1s`, `-250ms`.
struct SignedDurationArgument: ExpressibleByArgument {
    let time: RationalTime

    init?(argument: String) {
        guard let time = try? RationalTime(parsingSigned: argument) else {
            return nil
        }
        self.time = time
    }
}

/// A part of the input: `START..END`, either left out for the clip's own.
struct RangeArgument: ExpressibleByArgument {
    let start: RationalTime?
    let end: RationalTime?

    init?(argument: String) {
        guard let dots = argument.range(of: "..") else {
            return nil
        }
        let texts = [argument[..<dots.lowerBound], argument[dots.upperBound...]]
        let times = texts.map { text in
            text.isEmpty ? nil : try? RationalTime(parsing: String(text))
        }
        guard zip(texts, times).allSatisfy({ $0.isEmpty || $1 != nil }) else {
            return nil
        }
        (start, end) = (times[0], times[1])
    }

    func timeRange(of asset: Asset) throws -> TimeRange {
        let start = start ?? .zero
        let end = min(end ?? asset.duration, asset.duration)
        guard start < end else {
            throw MediaError(
                .noUsableStream, file: asset.path,
                reason: "it lasts \(asset.duration.seconds) s, and the range from "
                    + "\(start.seconds) s to \(end.seconds) s holds nothing of it",
                remedy: "Choose a --range inside the clip")
        }
        return try TimeRange(start: start, end: end)
    }
}

/// Which frames come out: a rate, `source`, or `any`.
struct OutputRate: ExpressibleByArgument {
    let rate: RenderSettings.OutputRate

    var defaultValueDescription: String {
        switch rate {
        case .source: "source"
        case .any: "any"
        case .fixed(let rate): rate.description
        }
    }

    /// The rates of television, which people write as decimals.
    private static let familiar: [String: FrameRate] = [
        "23.976": FrameRate(24_000, over: 1001), "23.98": FrameRate(24_000, over: 1001),
        "29.97": FrameRate(30_000, over: 1001), "47.952": FrameRate(48_000, over: 1001),
        "59.94": FrameRate(60_000, over: 1001), "119.88": FrameRate(120_000, over: 1001),
    ]

    init?(argument: String) {
        switch argument {
        case "source":
            rate = .source
        case "any":
            rate = .any
        default:
            guard let fixed = Self.familiar[argument] ?? Self.parse(argument) else {
                return nil
            }
            rate = .fixed(fixed)
        }
    }

    private static func parse(_ text: String) -> FrameRate? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            return DecimalFraction(text).flatMap(frameRate)
        }
        guard let numerator = Int64(parts[0]), let denominator = Int64(parts[1]) else {
            return nil
        }
        return frameRate(DecimalFraction(numerator, over: denominator))
    }

    private static func frameRate(_ fraction: DecimalFraction) -> FrameRate? {
        guard let numerator = Int32(exactly: fraction.numerator), numerator > 0,
            let denominator = Int32(exactly: fraction.denominator), denominator > 0,
            (0.01...10_000).contains(Double(numerator) / Double(denominator))
        else {
            return nil
        }
        return FrameRate(numerator, over: denominator)
    }
}

/// A number as it was written, exactly: `1.5` is 3/2.
struct DecimalFraction: ExpressibleByArgument {
    let numerator: Int64
    let denominator: Int64

    init(_ numerator: Int64, over denominator: Int64) {
        self.numerator = numerator
        self.denominator = denominator
    }

    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? String(parts[1]) : ""
        guard decimals.count <= 12, decimals.allSatisfy(\.isNumber),
            let digits = Int64(parts[0] + decimals)
        else {
            return nil
        }
        var numerator = digits
        var denominator = (0..<decimals.count).reduce(Int64(1)) { power, _ in power * 10 }
        for factor: Int64 in [2, 5] {
            while denominator % factor == 0 && numerator % factor == 0 {
                numerator /= factor
                denominator /= factor
            }
        }
        self.init(numerator, over: denominator)
    }

    /// `3/2` and `1.5` alike.
    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let numerator = Int64(parts[0]), let denominator = Int64(parts[1]),
            denominator > 0
        {
            self.init(numerator, over: denominator)
            return
        }
        self.init(argument)
    }

    var value: Double {
        Double(numerator) / Double(denominator)
    }
}

/// An amount of memory: `256MiB`, `1GiB`, `500MB`, `100000000`.
struct ByteCount: ExpressibleByArgument {
    let bytes: Int

    private static let units: [(ending: String, factor: Double)] = [
        ("kib", 0x1p10), ("mib", 0x1p20), ("gib", 0x1p30), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9),
        ("k", 0x1p10), ("m", 0x1p20), ("g", 0x1p30), ("b", 1),
    ]

    init?(argument: String) {
        let text = argument.lowercased().filter { $0 != " " }
        let unit = Self.units.first { text.hasSuffix($0.ending) }
        let digits = text.dropLast(unit?.ending.count ?? 0)
        guard let number = Double(digits), number >= 0, number * (unit?.factor ?? 1) < 1e15 else {
            return nil
        }
        bytes = Int(number * (unit?.factor ?? 1))
    }
}

/// Bits a second: `128k`, `1.5M`, `96000`.
struct BitRate: ExpressibleByArgument {
    let bitsPerSecond: Int

    init?(argument: String) {
        let scales: [Character: Double] = ["k": 1e3, "K": 1e3, "m": 1e6, "M": 1e6]
        let scale = argument.last.flatMap { scales[$0] }
        let digits = scale == nil ? argument : String(argument.dropLast())
        guard let number = Double(digits), number * (scale ?? 1) >= 1000,
            number * (scale ?? 1) <= 1e8
        else {
            return nil
        }
        bitsPerSecond = Int(number * (scale ?? 1))
    }
}

/// A picture codec, or none: packets as they are.
enum VideoCodecArgument: ExpressibleByArgument {
    case codec(VideoCodec)
    case copy

    init?(argument: String) {
        guard argument != "copy" else {
            self = .copy
            return
        }
        guard let codec = VideoCodec(rawValue: argument) else {
            return nil
        }
        self = .codec(codec)
    }

    static var allValueStrings: [String] { VideoCodec.allCases.map(\.rawValue) + ["copy"] }
}

extension AudioCodec: ExpressibleByArgument {}
extension Interpolation: ExpressibleByArgument {}
extension RenderSettings.Sound: ExpressibleByArgument {}

/// What people may ask for between frames; not all of it is there yet.
enum FramesArgument: String, ExpressibleByArgument, CaseIterable {
    case hold, blend, motion
}
