import Documents
import Foundation
import Media
import TimeMaps

/// The format of a composition in an edit file.
package struct FileFormat: Codable, Sendable {
    package let format: Composition.Format

    private enum Key: String, CodingKey {
        case size, rate, sampleRate, channels, crossfade
    }

    /// A format that isn't described by its properties.
    private enum Name: String, Codable, CaseIterable {
        case source, packets
    }

    package init(_ format: Composition.Format) {
        self.format = format
    }

    package init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(Name.self) {
            format = name == .source ? .asSource : .packets
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        let crossfade = try container.decodeIfPresent(FileTime.self, forKey: .crossfade)
        let sampleRate = try container.decodeIfPresent(Int.self, forKey: .sampleRate)
        if let sampleRate, !(1...10_000_000).contains(sampleRate) {
            throw container.wrong(
                .sampleRate, "\(sampleRate) samples a second can't be rendered")
        }
        format = Composition.Format(
            size: try Self.size(container), frameRate: try Self.rate(container),
            sampleRate: sampleRate,
            channels: try container.decodeIfPresent(String.self, forKey: .channels),
            crossfade: crossfade?.time ?? Composition.Format.usualCrossfade)
    }

    private static func size(
        _ container: KeyedDecodingContainer<Key>
    ) throws -> Composition.Size? {
        guard let size = try container.decodeIfPresent([Int].self, forKey: .size) else {
            return nil
        }
        guard size.count == 2, size.allSatisfy((1...65_535).contains) else {
            throw container.wrong(.size, "it holds a width and a height, 1 to 65535 pixels each")
        }
        return Composition.Size(known: size[0], height: size[1])
    }

    private static func rate(
        _ container: KeyedDecodingContainer<Key>
    ) throws -> FrameRate? {
        guard let text = try container.decodeIfPresent(RateText.self, forKey: .rate)?.text else {
            return nil
        }
        if let meant = FrameRate(rounded: text) {
            throw container.wrong(
                .rate,
                "\(text) is a rounded rate; write \(meant.numerator)/\(meant.denominator)")
        }
        guard let time = try? RationalTime(parsing: text).multiplied(by: 1, over: 1),
            let numerator = Int32(exactly: time.value), numerator > 0
        else {
            throw container.wrong(
                .rate, "\"\(text)\" is not a frame rate; write 25 or 30000/1001")
        }
        return FrameRate(known: numerator, over: time.timescale)
    }

    package func encode(to encoder: any Encoder) throws {
        switch format {
        case .conformed(let format): try Self.encode(format, to: encoder)
        case .asSource: try Self.encode(.source, to: encoder)
        case .packets: try Self.encode(.packets, to: encoder)
        }
    }

    private static func encode(_ name: Name, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    private static func encode(_ format: Composition.Conformed, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(
            format.size.map { [$0.width, $0.height] }, forKey: .size)
        try container.encodeIfPresent(
            format.frameRate.map(RenderSettings.OutputRate.fixed), forKey: .rate)
        try container.encodeIfPresent(format.sampleRate, forKey: .sampleRate)
        try container.encodeIfPresent(format.channels, forKey: .channels)
        try container.encode(FileTime(time: format.crossfade), forKey: .crossfade)
    }
}

/// A frame rate in a file as text: a number of frames a second, or a text.
struct RateText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let number = try? container.decode(Double.self)
        text =
            try number.map { $0 == $0.rounded() && abs($0) < 1e9 ? "\(Int($0))" : "\($0)" }
            ?? container.decode(String.self)
    }
}
