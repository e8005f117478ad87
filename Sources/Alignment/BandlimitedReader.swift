import Foundation
import TimeMaps

/// Resamples a sound to another rate and to fractional positions, with a low-pass filter below 4 kHz.
///
/// Each value is a sum of the samples around it, weighted by a sinc with a Kaiser window of eight zero
/// crossings on each side. The weights come from a table of 256 phases. The nearest phase is at most 1/512
/// of a sample off, which is 0.25 µs at the lowest sample rate.
package struct BandlimitedReader {
    /// Values per second, before a slope is applied.
    package static let rate = 8000.0

    private static let phases = 256
    private static let cutoff = 3400.0
    private static let crossings = 8.0

    private let sampleRate: Double
    /// The number of samples on each side of the middle.
    private let half: Int
    private let taps: Int
    private let table: [Float]

    package init(sampleRate: Double) {
        self.sampleRate = sampleRate
        let reach = Self.crossings / (2 * Self.cutoff) * sampleRate
        let half = Int(reach.rounded(.up))
        // The inner loop needs a multiple of four.
        let taps = (2 * half + 1 + 3) / 4 * 4
        var table = [Float](repeating: 0, count: Self.phases * taps)
        for phase in 0..<Self.phases {
            let fraction = Double(phase) / Double(Self.phases) - 0.5
            for tap in 0..<taps {
                let distance = Double(tap - half) - fraction
                table[phase * taps + tap] = Self.weight(distance, reach: reach, sampleRate)
            }
        }
        self.half = half
        self.taps = taps
        self.table = table
    }

    /// How many samples from the sound's start must have been read for a value at `time`.
    package func samplesNeeded(for time: Double) -> Int {
        Int((time * sampleRate).rounded()) + taps
    }

    /// Writes `count` values that are `step` seconds apart, with value number `origin` at `time` seconds.
    /// `stream` must have been read far enough.
    package func read(
        _ stream: SoundStream, around time: Double, origin: Int, step: Double, count: Int,
        into values: UnsafeMutablePointer<Float>
    ) {
        let first = (time - Double(origin) * step) * sampleRate
        let pace = step * sampleRate
        let start = Int(first.rounded(.down)) - half - 1
        let length = Int((Double(count) * pace).rounded(.up)) + taps + 4
        let (phases, half, taps) = (Self.phases, half, taps)
        stream.withSamples(from: start, count: length) { samples in
            table.withUnsafeBufferPointer { table in
                guard let weights = table.baseAddress else { return }
                for index in 0..<count {
                    let place = first - Double(start) + Double(index) * pace
                    // The nearest whole sample lies within half a sample, so phases go from −½ to ½.
                    let steps = Int((place + 0.5) * Double(phases) + 0.5)
                    let whole = steps / phases
                    let row = weights + (steps - whole * phases) * taps
                    values[index] = Self.sum(samples + (whole - half), row, taps)
                }
            }
        }
    }

    @inline(__always)
    private static func sum(
        _ samples: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ count: Int
    ) -> Float {
        var (a, b, c, d): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var tap = 0
        while tap < count {
            a += samples[tap] * weights[tap]
            b += samples[tap + 1] * weights[tap + 1]
            c += samples[tap + 2] * weights[tap + 2]
            d += samples[tap + 3] * weights[tap + 3]
            tap += 4
        }
        return (a + b) + (c + d)
    }

    private static func weight(_ distance: Double, reach: Double, _ sampleRate: Double) -> Float {
        guard abs(distance) < reach else { return 0 }
        let turn = 2 * cutoff / sampleRate
        let phase = Double.pi * distance * turn
        let sinc = abs(phase) < 1e-9 ? 1 : sin(phase) / phase
        let across = distance / reach
        return Float(turn * sinc * besselI0(6 * (1 - across * across).squareRoot()) / besselI0(6))
    }
}
