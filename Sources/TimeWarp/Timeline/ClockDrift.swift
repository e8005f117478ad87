import Foundation

/// How far two clocks are apart, in the words that people use for it.
public struct ClockDrift: Hashable, Sendable, Codable {
    /// Output seconds for every source second.
    public let ratio: Double

    /// A drift by output seconds for every source second; above 0.
    public init(ratio: Double) {
        self.ratio = ratio
    }

    /// How much longer it becomes, in millionths.
    public var partsPerMillion: Double { (ratio - 1) * 1e6 }
    /// How much longer an hour becomes, in milliseconds.
    public var millisecondsPerHour: Double { (ratio - 1) * 3_600_000 }
    /// What that does to the pitch of sound that follows it, in hundredths of a semitone.
    public var cents: Double { -1200 * log2(ratio) }

    /// Clocks of recorders differ by some tens of millionths, bad ones by a few hundred.
    static let largestOfClocks = 500.0

    /// What else makes one recording longer than another: rates that were taken for each other.
    private static let mistakes: [(ratio: Double, name: String)] = [
        (1001.0 / 1000, "1000/1001, as between 24 and 23.976 or 30 and 29.97 frames/s"),
        (25.0 / 24, "24/25, as between film and PAL"),
        (25 * 1001.0 / 24_000, "23.976/25, as between NTSC film and PAL"),
        (48_000.0 / 44_100, "44.1/48, a sample rate taken for another"),
        (96_000.0 / 48_000, "48/96, a sample rate taken for another"),
    ]

    /// The known mistake that has this ratio, or its inverse.
    var knownMistake: String? {
        Self.mistakes.first { mistake in
            [mistake.ratio, 1 / mistake.ratio].contains { abs(ratio / $0 - 1) < 60e-6 }
        }?.name
    }
}

extension ClockDrift: CustomStringConvertible {
    /// The drift as people read it.
    public var description: String {
        func number(_ value: Double, _ digits: Int) -> String {
            String(format: "%+.\(digits)f", locale: nil, value)
        }
        return String(format: "ratio %.9f", locale: nil, ratio)
            + ", \(number(partsPerMillion, 1)) ppm, \(number(millisecondsPerHour, 1)) ms an hour, "
            + "\(number(cents, 3)) cents"
    }
}
