/// The engine, held to a map: it counts what comes out and bends the ratio so that nothing adds up.
struct TimedPitchEngine {
    private let engine: PitchEngine
    private let lag: PitchEngineLag
    private let firstRatio: Double
    /// Engine output that comes before the first sample of the map.
    private var leadLeft: Int
    private var producedCount: Int64 = 0
    /// Output samples that the engine is behind, on average over its last steps.
    private var owed = 0.0

    /// - Parameters:
    ///   - firstRatio: output samples for an input sample at the start.
    ///   - ratios: all that will be asked for.
    init(sampleRate: Int, channelCount: Int, firstRatio: Double, ratios: ClosedRange<Double>) {
        self.firstRatio = firstRatio
        engine = PitchEngine(
            sampleRate: sampleRate, channelCount: channelCount, timeRatio: firstRatio)
        lag = PitchEngineLag(sampleRate: sampleRate, covering: ratios)
        let timing = PitchEngineTiming.at(sampleRate: sampleRate, timeRatio: firstRatio)
        leadLeft = max(0, Int(timing.lead.rounded()))
    }

    /// Samples from before the start that it wants first.
    var padding: Int { engine.padding }

    /// Takes what comes before the start.
    mutating func start(with padding: [[Float]]) {
        var nothing = [[Float]](repeating: [], count: padding.count)
        stretch(padding, timeRatio: firstRatio, into: &nothing)
    }

    /// The map's own ratio where the engine is working now, bent towards what it owes.
    mutating func timeRatio(at steps: StretchSteps) -> Double {
        let (due, ratio) = steps.outputPosition(ofInput: Double(steps.fedCount) - lag.inputSamples)
        guard steps.fedCount > 4 * engine.padding, ratio != 1 else {
            // The engine's first windows tell nothing yet, and at 1 it keeps up by itself.
            return ratio
        }
        // The engine takes steps of its own, and always looks at the ratio at the same place in
        // them: the mean over some tells what the last value doesn't.
        owed += (due - lag.outputSamples(at: ratio) - Double(producedCount) - owed) / 16
        // Made good within about ten of the engine's windows, so that it doesn't swing.
        let bent = ratio + owed / (10 * max(lag.inputSamples, 512))
        return min(max(bent, ratio / 2), ratio * 2)
    }

    /// Stretches samples, one array a channel, and appends what comes out of them.
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
