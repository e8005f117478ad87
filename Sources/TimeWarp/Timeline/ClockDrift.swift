import Foundation

/// How much faster or slower one clock runs than another, in the units that people use for it.
public struct ClockDrift: Hashable, Sendable, Codable {
    /// The number of output seconds for each source second.
    public let ratio: Double

    /// A drift, given as output seconds for each source second.
    ///
    /// - Parameter ratio: above 0.
    public init(ratio: Double) {
        self.ratio = ratio
    }

    /// How much longer the sound becomes, in parts per million (ppm).
    public var partsPerMillion: Double { (ratio - 1) * 1e6 }
    /// How much longer an hour of sound becomes, in milliseconds.
    public var millisecondsPerHour: Double { (ratio - 1) * 3_600_000 }
    /// The resulting change of pitch if the pitch follows the speed, in cents (hundredths of a semitone).
    public var cents: Double { -1200 * log2(ratio) }

    /// The largest plausible drift between two clocks, in ppm. Recorders differ by tens of ppm, bad ones by a
    /// few hundred.
    static let largestOfClocks = 500.0

    /// Other reasons why one recording is longer than another: a frame rate or sample rate was mistaken for
    /// another.
    private static let mistakes: [(ratio: Double, name: String)] = [
        (1001.0 / 1000, "1000/1001, as between 24 and 23.976 or 30 and 29.97 frames/s"),
        (25.0 / 24, "24/25, as between film and PAL"),
        (25 * 1001.0 / 24_000, "23.976/25, as between NTSC film and PAL"),
        (48_000.0 / 44_100, "44.1/48, sample rates that were mistaken for each other"),
        (96_000.0 / 48_000, "48/96, sample rates that were mistaken for each other"),
    ]

    /// The name of the known mistake that has this ratio or its inverse; nil if there is none.
    var knownMistake: String? {
        Self.mistakes.first { mistake in
            [mistake.ratio, 1 / mistake.ratio].contains { abs(ratio / $0 - 1) < 60e-6 }
        }?.name
    }
}

extension ClockDrift: CustomStringConvertible {
    /// The drift in all its units, as text for people.
    public var description: String {
        func number(_ value: Double, _ digits: Int) -> String {
            String(format: "%+.\(digits)f", locale: nil, value)
        }
        return String(format: "ratio %.9f", locale: nil, ratio)
            + ", \(number(partsPerMillion, 1)) ppm, \(number(millisecondsPerHour, 1)) ms an hour, "
            + "\(number(cents, 3)) cents"
    }
}
