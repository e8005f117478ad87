import Documents
import Foundation
import TimeMaps

/// How long a clip of an edit file lasts, where that isn't as long as its retiming makes it.
package enum FileLength: Hashable, Sendable {
    case duration(RationalTime)
    /// How long the way there lasts, and the way back, of a clip that is played there and back.
    case oneWay(RationalTime)
    /// Seconds on the track for each second of the retimed clip.
    case scale(DecimalFraction)
    /// Seconds of the retimed clip for each second on the track.
    case speed(DecimalFraction)
    /// By how much it is longer, with its sign.
    case longerBy(RationalTime)

    /// The duration on the track of what lasts as long as `retimed` after its retiming.
    ///
    /// - Throws: `TimeError` if it can't be represented.
    func duration(of retimed: RationalTime) throws -> RationalTime {
        switch self {
        case .duration(let duration): duration
        case .oneWay(let duration): try duration.sum(duration)
        case .scale(let scale):
            try retimed.multiplied(by: scale.numerator, over: scale.denominator)
        case .speed(let speed):
            try retimed.multiplied(by: speed.denominator, over: speed.numerator)
        case .longerBy(let time): try retimed.sum(time)
        }
    }
}

/// The keys of a clip's length.
private enum Key: String, CodingKey, CaseIterable {
    case duration, oneWay, scale, speed, longerBy
}

extension FileLength {
    /// The length that a clip states; nil if it states none.
    static func stated(in decoder: any Decoder) throws -> FileLength? {
        let container = try decoder.container(keyedBy: Key.self)
        let given = Key.allCases.filter(container.contains)
        guard given.count <= 1 else {
            throw CompositionError(
                .malformed,
                "\"\(given[0].rawValue)\" and \"\(given[1].rawValue)\" exclude each other")
        }
        guard let key = given.first else {
            return nil
        }
        switch key {
        case .duration: return .duration(try container.decode(FileTime.self, forKey: key).time)
        case .oneWay: return .oneWay(try container.decode(FileTime.self, forKey: key).time)
        case .scale: return .scale(try container.decode(FileFactor.self, forKey: key).factor)
        case .speed: return .speed(try container.decode(FileFactor.self, forKey: key).factor)
        case .longerBy:
            return .longerBy(try container.decode(SignedFileTime.self, forKey: key).time)
        }
    }

    /// The key under which it is written.
    var key: String {
        let key: Key =
            switch self {
            case .duration: .duration
            case .oneWay: .oneWay
            case .scale: .scale
            case .speed: .speed
            case .longerBy: .longerBy
            }
        return key.rawValue
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .duration(let time):
            try container.encode(FileTime(time: time), forKey: .duration)
        case .oneWay(let time): try container.encode(FileTime(time: time), forKey: .oneWay)
        case .scale(let factor): try container.encode(FileFactor(factor: factor), forKey: .scale)
        case .speed(let factor): try container.encode(FileFactor(factor: factor), forKey: .speed)
        case .longerBy(let time):
            try container.encode(SignedFileTime(time: time), forKey: .longerBy)
        }
    }
}

/// A factor above 0: a number, or a text such as `1001/1000`.
private struct FileFactor: Codable, TextOrNumber {
    let factor: DecimalFraction

    init(factor: DecimalFraction) {
        self.factor = factor
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let number = try? container.decode(Double.self)
        let factor =
            try number.map(DecimalFraction.init(rounding:))
            ?? DecimalFraction(parsing: container.decode(String.self))
        guard let factor, factor.numerator > 0 else {
            throw CompositionError(
                .malformed, "a factor is a number or a fraction above 0, such as 1.5 or \"3/2\"")
        }
        self.factor = factor
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if DecimalFraction(rounding: factor.value) == factor {
            try container.encode(factor.value)
        } else {
            try container.encode(factor.text)
        }
    }
}
