/// A pitch engine that keeps to a time map: it counts output samples and corrects the ratio, so that errors
/// don't accumulate.
struct TimedPitchEngine {
    private let engine: PitchEngine
    private let lag: PitchEngineLag
    private let firstRatio: Double
    /// How much of the engine's output is still to be dropped, because it comes before the map's first sample.
    private var leadLeft: Int
    private var producedCount: Int64 = 0
    /// How many output samples the engine is behind, on average over its last steps.
    private var owed = 0.0

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - firstRatio: output samples for each input sample at the start.
    ///   - ratios: the range of all ratios that will be used.
    init(sampleRate: Int, channelCount: Int, firstRatio: Double, ratios: ClosedRange<Double>) {
        self.firstRatio = firstRatio
        engine = PitchEngine(
            sampleRate: sampleRate, channelCount: channelCount, timeRatio: firstRatio)
        lag = PitchEngineLag(sampleRate: sampleRate, covering: ratios)
        let timing = PitchEngineTiming.at(sampleRate: sampleRate, timeRatio: firstRatio)
        leadLeft = max(0, Int(timing.lead.rounded()))
    }

    /// How many samples from before the start it needs first.
    var padding: Int { engine.padding }

    /// Gives the engine the samples from before the start.
    mutating func start(with padding: [[Float]]) {
        var nothing = [[Float]](repeating: [], count: padding.count)
        stretch(padding, timeRatio: firstRatio, into: &nothing)
    }

    /// The map's ratio at the engine's present position, corrected for the samples that the engine is behind.
    mutating func timeRatio(at steps: StretchSteps) -> Double {
        let (due, ratio) = steps.outputPosition(ofInput: Double(steps.fedCount) - lag.inputSamples)
        guard steps.fedCount > 4 * engine.padding, ratio != 1 else {
            // The engine's first windows say nothing yet, and at a ratio of 1 it doesn't fall behind.
            return ratio
        }
        // The engine works in its own steps and always reads the ratio at the same place of them, so only the
        // mean over several calls is meaningful.
        owed += (due - lag.outputSamples(at: ratio) - Double(producedCount) - owed) / 16
        // Corrected over about ten of the engine's windows, so that the ratio doesn't oscillate.
        let bent = ratio + owed / (10 * max(lag.inputSamples, 512))
        return min(max(bent, ratio / 2), ratio * 2)
    }

    /// Stretches samples, one array for each channel, and appends the output.
    mutating func stretch(
        _ samples: [[Float]], timeRatio: Double, into output: inout [[Float]]
    ) {
        var first = 0
        while first < samples[0].count {
            let end = min(first + PitchEngine.largestBlock, samples[0].count)
            engine.stretch(samples.map { Array($0[first..<end]) }, timeRatio: timeRatio) { planes in
                let dropped = min(leadLeft, planes[0].count)
                leadLeft -= dropped
                for (channel, plane) in planes.enumerated() {
                    output[channel].append(contentsOf: plane.dropFirst(dropped))
                }
                producedCount += Int64(planes[0].count - dropped)
            }
            first = end
        }
    }
}
