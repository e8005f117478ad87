import Foundation

/// Parses what other programs print.
public enum ProgramOutput {
    /// The packet count of the first stream, as `ffprobe -count_packets -of csv=p=0` prints it.
    public static func packetCount(_ text: String) -> Int? {
        text.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }

    /// The average peak signal-to-noise ratio of luma, from the last line of ffmpeg's `psnr` filter, in
    /// decibels; infinite for equal frames.
    public static func lumaPSNR(_ text: String) -> Double? {
        guard
            let line = text.split(whereSeparator: \.isNewline).last(where: { $0.contains("PSNR") })
        else { return nil }
        return value(of: "y", in: line).flatMap { $0 == "inf" ? .infinity : Double($0) }
    }

    /// What ffmpeg's `volumedetect` filter prints about all channels together.
    public struct Loudness: Equatable, Sendable {
        public let samples: Int
        /// In decibels below full scale.
        public let peak: Double

        public init(samples: Int, peak: Double) {
            self.samples = samples
            self.peak = peak
        }
    }

    public static func loudness(_ text: String) -> Loudness? {
        guard let samples = firstNumber(after: "n_samples:", in: text) else { return nil }
        // For digital silence it prints no peak, or the lowest level that it counts to.
        let peak = firstNumber(after: "max_volume:", in: text) ?? -.infinity
        return Loudness(samples: Int(samples), peak: peak)
    }

    /// The line of an error output to show: the last one that mentions an error, else the last one.
    public static func complaint(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        let telling = lines.last { $0.lowercased().contains("error") } ?? lines.last ?? ""
        return String(telling.prefix(200))
    }

    private static func value(of key: String, in line: Substring) -> Substring? {
        line.split(separator: " ").first { $0.hasPrefix(key + ":") }?.dropFirst(key.count + 1)
    }

    private static func firstNumber(after key: String, in text: String) -> Double? {
        guard let found = text.range(of: key) else { return nil }
        let rest = text[found.upperBound...].drop { $0 == " " }
        return Double(rest.prefix { $0.isNumber || $0 == "-" || $0 == "." })
    }
}
