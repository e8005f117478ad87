import ArgumentParser
import Foundation
import Media
import TimeMaps
import TimeWarp

/// A duration: `90`, `90s`, `1:30`, `00:01:30.250`, `1500ms`, `2700/25`.
struct DurationArgument: ExpressibleByArgument {
    let time: RationalTime

    init?(argument: String) {
        guard let time = try? RationalTime(parsing: argument) else {
            return nil
        }
        self.time = time
    }
}

/// A duration with a sign: `+1s`, `-250ms`.
struct SignedDurationArgument: ExpressibleByArgument {
    let time: RationalTime

    init?(argument: String) {
        guard let time = try? RationalTime(parsingSigned: argument) else {
            return nil
        }
        self.time = time
    }
}

/// A part of the input: `START..END`. Without START or END the part begins or ends where the clip does.
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

    func timeRange(of source: MediaSource) throws -> TimeRange {
        let range = try source.part(from: start, to: end)
        if let end, end > range.end {
            Message.note(
                "\(source.path): the range ends at \(end.secondsText) s, the clip at "
                    + "\(range.end.secondsText) s")
        }
        return range
    }
}

/// The frame rate of the output: a number, `source`, or `any`.
extension RenderSettings.OutputRate: ExpressibleByArgument {
    /// The rate as it is written on the command line.
    public var defaultValueDescription: String { text }

    /// Reads a rate from the command line; nil if the text isn't a rate.
    public init?(argument: String) {
        self.init(parsing: argument)
    }
}

/// A frame rate: a number, such as `24` or `24000/1001`.
extension FrameRate: ExpressibleByArgument {
    /// Reads a rate from the command line; nil if the text isn't a rate.
    public init?(argument: String) {
        guard case .fixed(let rate)? = RenderSettings.OutputRate(parsing: argument) else {
            return nil
        }
        self = rate
    }
}

/// A number is given as a fraction (`3/2`), as a decimal (`1.5`), as a multiple (`2x`) or as a percentage (`150%`).
extension DecimalFraction: ExpressibleByArgument {
    /// Reads a number from the command line; nil if the text isn't a number.
    public init?(argument: String) {
        guard let unit = argument.last, let parts: Int64 = ["x": 1, "×": 1, "%": 100][unit] else {
            self.init(parsing: argument)
            return
        }
        guard let number = DecimalFraction(parsing: String(argument.dropLast())) else {
            return nil
        }
        let (denominator, isTooLarge) = number.denominator.multipliedReportingOverflow(by: parts)
        guard !isTooLarge else {
            return nil
        }
        self.init(parsing: "\(number.numerator)/\(denominator)")
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

/// A bit rate in bits per second: `128k`, `1.5M`, `96000`.
struct BitRate: ExpressibleByArgument {
    let bitsPerSecond: Int

    init?(argument: String) {
        let scales: [Character: Double] = ["k": 1e3, "K": 1e3, "m": 1e6, "M": 1e6]
        let scale = argument.last.flatMap { scales[$0] }
        let digits = scale == nil ? argument : String(argument.dropLast())
        guard let number = Double(digits), number * (scale ?? 1) >= 1000,
            number * (scale ?? 1) <= 1e10
        else {
            return nil
        }
        bitsPerSecond = Int(number * (scale ?? 1))
    }
}

/// A video codec, or `copy`: packets are written as they are, without encoding.
enum VideoCodecArgument: ExpressibleByArgument, Equatable {
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

/// The name of a pixel format.
struct PixelFormatArgument: ExpressibleByArgument {
    let format: PixelFormat

    init?(argument: String) {
        guard let format = PixelFormat(named: argument) else {
            return nil
        }
        self.format = format
    }
}

extension AudioCodec: ExpressibleByArgument {}
extension Container: ExpressibleByArgument {}
extension Interpolation: ExpressibleByArgument {}
extension RenderSettings.FrameSynthesis: ExpressibleByArgument {}
extension RenderSettings.AudioMode: ExpressibleByArgument {}
extension RenderSettings.FreezeSound: ExpressibleByArgument {}
extension RenderSettings.PitchTune: ExpressibleByArgument {}
