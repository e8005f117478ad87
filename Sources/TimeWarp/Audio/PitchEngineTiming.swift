import Foundation
import Synchronization

/// When the engine's output comes at a steady ratio, measured on the engine itself.
///
/// An engine that works in windows hands out samples when they are ready, not when they are due:
/// after F samples of input, what has come out so far belongs to an earlier place of the input, and
/// how much earlier depends on the ratio, the sample rate and the version of the library. A few
/// clicks through the engine tell.
struct PitchEngineTiming: Sendable {
    /// Output samples to drop so that the first one left belongs to the first input sample after
    /// the padding.
    let lead: Double
    /// How far the output behind the lead has come when the engine has been given F samples, at a
    /// ratio r: to r·F − lag.
    let lag: Double

    private struct Key: Hashable {
        let sampleRate: Int
        let timeRatio: Double
    }
    private static let known = Mutex<[Key: PitchEngineTiming]>([:])

    /// What a ratio gives. Takes some hundredths of a second the first time.
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

/// The engine's lag at all ratios that a map may ask for.
struct PitchEngineLag: Sendable {
    private static let ratios = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16]
    /// Between these two the engine's steps are of one kind, and the lag is a straight line.
    private static let straight = (low: 0.75, high: 1.5)

    /// The part of the lag that is a piece of input, in samples.
    let inputSamples: Double
    /// The rest of the lag at some ratios, in output samples.
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

    /// The part of the lag that is a piece of output, in samples; straight between what was
    /// measured.
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

/// Clicks at places that fall differently into an engine's steps.
private struct ClickTrack {
    let sampleCount: Int
    private let sampleRate: Double
    private let timeRatio: Double
    private let spacing: Double
    private let places: [Int]

    init(sampleRate: Int, timeRatio: Double) {
        self.sampleRate = Double(sampleRate)
        self.timeRatio = timeRatio
        // So far apart that they don't run into each other when they are pushed together.
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

    /// At −80 dB. Out of perfect silence the engine starts anew, which no recording makes it do.
    private func hiss(at index: Int) -> Float {
        var bits = UInt64(bitPattern: Int64(index)) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 31)) &* 0xBF58_476D_1CE4_E5B9
        return Float(Int64(bitPattern: bits) >> 40) / Float(1 << 23) * 1e-4
    }

    /// By how many samples the clicks come later than the ratio alone would put them, without the
    /// earliest and the latest of them.
    func delay(in output: [Float]) -> Double {
        let delays = places.map { place in
            let expected = Double(place) * timeRatio
            let low = min(output.count, max(0, Int(expected)))
            // An engine is late by less than half the distance to the next click.
            let high = min(output.count, Int(expected + spacing * timeRatio / 2))
            return centre(of: output, in: low..<max(low, high)) - expected
        }.sorted()
        return (delays[1] + delays[2]) / 2
    }

    /// The centre of the loudest part: of energy squared, around the loudest five milliseconds.
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
