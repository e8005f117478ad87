import Foundation
import Synchronization

/// The delays of the pitch engine at a constant ratio, measured on the engine itself.
///
/// The engine works in windows and hands out samples when they are ready, not when they are due. So after F
/// input samples, the output so far belongs to an earlier position of the input. How much earlier depends on
/// the ratio, the sample rate and the version of the library. It is measured with some clicks.
struct PitchEngineTiming: Sendable {
    /// How many output samples to drop so that the first remaining one belongs to the first input sample after
    /// the padding.
    let lead: Double
    /// After F input samples at a ratio r, there are r·F − lag output samples after the dropped ones.
    let lag: Double

    private struct Key: Hashable {
        let sampleRate: Int
        let timeRatio: Double
    }
    private static let known = Mutex<[Key: PitchEngineTiming]>([:])

    /// The delays at a ratio. Measuring takes some hundredths of a second the first time; the results are kept.
    static func at(sampleRate: Int, timeRatio: Double) -> PitchEngineTiming {
        let key = Key(sampleRate: sampleRate, timeRatio: timeRatio)
        if let timing = known.withLock({ $0[key] }) {
            return timing
        }
        let timing = PitchEngineTiming(measuring: sampleRate, timeRatio: timeRatio)
        known.withLock { $0[key] = timing }
        return timing
    }

    private init(measuring sampleRate: Int, timeRatio: Double) {
        let clicks = ClickTrack(sampleRate: sampleRate, timeRatio: timeRatio)
        let engine = PitchEngine(sampleRate: sampleRate, channelCount: 1, timeRatio: timeRatio)
        var output: [Float] = []
        var distances: [Double] = []
        let block = 256
        var fed = -engine.padding
        while fed < clicks.sampleCount {
            let samples = clicks.samples(from: fed, count: block)
            engine.stretch([samples], timeRatio: timeRatio) { output += $0[0] }
            fed += block
            if fed > clicks.sampleCount / 3 {
                distances.append(timeRatio * Double(fed) - Double(output.count))
            }
        }
        lead = clicks.delay(in: output)
        lag = distances.reduce(0, +) / Double(distances.count) + lead
    }
}

/// The engine's lag at all ratios that a map needs.
struct PitchEngineLag: Sendable {
    private static let ratios = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16]
    /// Between these two ratios the engine's steps are of one kind, and the lag is a straight line.
    private static let straight = (low: 0.75, high: 1.5)

    /// The part of the lag that is a constant number of input samples.
    let inputSamples: Double
    /// The rest of the lag, in output samples, at some ratios.
    private let rest: [(ratio: Double, outputSamples: Double)]

    init(sampleRate: Int, covering range: ClosedRange<Double>) {
        func lag(_ ratio: Double) -> Double {
            PitchEngineTiming.at(sampleRate: sampleRate, timeRatio: ratio).lag
        }
        let (low, high) = Self.straight
        let slope = max(0, (lag(high) - lag(low)) / (high - low))
        inputSamples = slope
        let first = Self.ratios.lastIndex { $0 <= range.lowerBound } ?? 0
        let last = Self.ratios.firstIndex { $0 >= range.upperBound } ?? Self.ratios.count - 1
        rest = Self.ratios[first...max(first, last)].map { ($0, lag($0) - slope * $0) }
    }

    /// The rest of the lag at any ratio, in output samples, interpolated linearly between the measured ratios.
    func outputSamples(at ratio: Double) -> Double {
        guard let above = rest.firstIndex(where: { $0.ratio >= ratio }) else {
            return rest[rest.count - 1].outputSamples
        }
        guard above > 0 else {
            return rest[0].outputSamples
        }
        let (a, b) = (rest[above - 1], rest[above])
        let share = (ratio - a.ratio) / (b.ratio - a.ratio)
        return a.outputSamples + (b.outputSamples - a.outputSamples) * share
    }
}

/// Clicks at positions that differ relative to the engine's steps.
private struct ClickTrack {
    let sampleCount: Int
    private let sampleRate: Double
    private let timeRatio: Double
    private let spacing: Double
    private let places: [Int]

    init(sampleRate: Int, timeRatio: Double) {
        self.sampleRate = Double(sampleRate)
        self.timeRatio = timeRatio
        // They are so far apart that they don't overlap when the sound is shortened.
        let spacing = 0.16 * Double(sampleRate) / min(1, timeRatio)
        self.spacing = spacing
        places = [1, 2.07, 3.21, 4.14].map { Int(spacing * $0) }
        sampleCount = Int(spacing * 5)
    }

    func samples(from first: Int, count: Int) -> [Float] {
        (first..<first + count).map { index in
            let nearest = places.map { abs(index - $0) }.min() ?? index
            let distance = Double(nearest) / sampleRate
            guard distance < 0.002 else {
                return hiss(at: index)
            }
            return Float(0.8 * exp(-distance * 2000) * cos(2 * .pi * 2000 * distance))
        }
    }

    /// Noise at −80 dB. After digital silence the engine starts anew, which doesn't happen with recordings.
    private func hiss(at index: Int) -> Float {
        var bits = UInt64(bitPattern: Int64(index)) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 31)) &* 0xBF58_476D_1CE4_E5B9
        return Float(Int64(bitPattern: bits) >> 40) / Float(1 << 23) * 1e-4
    }

    /// How many samples later the clicks come than the ratio alone would put them: the mean without the
    /// earliest and the latest.
    func delay(in output: [Float]) -> Double {
        let delays = places.map { place in
            let expected = Double(place) * timeRatio
            let low = min(output.count, max(0, Int(expected)))
            // The engine's delay is less than half the distance to the next click.
            let high = min(output.count, Int(expected + spacing * timeRatio / 2))
            return centre(of: output, in: low..<max(low, high)) - expected
        }.sorted()
        return (delays[1] + delays[2]) / 2
    }

    /// The centre of the loudest part, weighted with the square of the energy, within 5 ms around the loudest
    /// sample (more at ratios above 1).
    private func centre(of output: [Float], in range: Range<Int>) -> Double {
        guard let loudest = range.max(by: { abs(output[$0]) < abs(output[$1]) }) else {
            return Double(range.lowerBound)
        }
        let reach = Int(0.005 * sampleRate * max(1, timeRatio))
        var weight = 0.0
        var moment = 0.0
        for index in max(0, loudest - reach)..<min(output.count, loudest + reach) {
            let energy = Double(output[index] * output[index])
            weight += energy * energy
            moment += energy * energy * Double(index)
        }
        return weight > 0 ? moment / weight : Double(loudest)
    }
}
