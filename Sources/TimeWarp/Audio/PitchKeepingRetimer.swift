import Foundation
import TimeMaps

/// Retimes sound along the map and keeps its pitch.
///
/// The map is walked in short steps of output time. For each the engine is given the source samples
/// that lie under it, and is told to make as much of them as the step is long. What it has handed
/// out is compared with what it should have by then, and the ratio is bent so that the two meet:
/// nothing adds up, and the length is exact because output samples are counted, not hoped for.
///
/// ```
///  speed            what the engine gets
///  0                the same place again and again; it is silenced there
///  below 1/16       grains that overlap: the place is gone over again, at a sixteenth
///  1/16 to 4        every sample once
///  0.98 to 1.02     the same, passed through unchanged, with a fade to a matching wave now and then
///  above 4          grains with gaps between them, at four times
///  negative         the same, read backwards
/// ```
struct PitchKeepingRetimer: AudioRetimer {
    private let retiming: AudioRetiming
    private var steps: StretchSteps
    private var head: GrainHead
    private let engine: PitchEngine
    private let lag: PitchEngineLag
    private var mute: FreezeMute
    /// What the engine has handed out and nobody has taken.
    private var ready: [[Float]]
    /// Engine output that comes before the first sample of the map.
    private var leadLeft: Int
    private var producedCount: Int64 = 0
    private var takenCount: Int64 = 0
    /// Output samples that the engine is behind, on average over its last steps.
    private var owed = 0.0

    init(_ retiming: AudioRetiming, source: SourceSound) {
        self.retiming = retiming
        let rate = Int(retiming.outputRate)
        steps = StretchSteps(retiming)
        let firstRatio = 1 / steps.firstPace
        engine = PitchEngine(
            sampleRate: rate, channelCount: retiming.channelCount, timeRatio: firstRatio)
        lag = PitchEngineLag(sampleRate: rate, covering: steps.ratios)
        let timing = PitchEngineTiming.at(sampleRate: rate, timeRatio: firstRatio)
        leadLeft = max(0, Int(timing.lead.rounded()))
        head = GrainHead(retiming, source: source, preroll: engine.padding)
        mute = FreezeMute(retiming)
        ready = Array(repeating: [], count: retiming.channelCount)
    }

    var samplesIn: Int64 { head.samplesIn }

    mutating func next(limit: Int) throws -> [[Float]]? {
        let count = Int(min(Int64(limit), retiming.sampleCount - takenCount))
        guard count > 0 else {
            return nil
        }
        if steps.fedCount == 0 {
            try feed(head.readPreroll(), ratio: 1 / steps.firstPace)
        }
        while ready[0].count < count {
            try takeStep()
        }
        var block = ready.map { Array($0[..<count]) }
        for channel in ready.indices {
            ready[channel].removeFirst(count)
        }
        mute.apply(to: &block, from: takenCount)
        takenCount += Int64(count)
        return block
    }

    private mutating func takeStep() throws {
        let ratio = bentRatio()
        let step = steps.next(from: head)
        try feed(head.read(step), ratio: ratio)
    }

    /// The map's own ratio where the engine is working now, bent towards what it owes.
    private mutating func bentRatio() -> Double {
        let (due, ratio) = steps.outputPosition(ofInput: Double(steps.fedCount) - lag.inputSamples)
        guard steps.fedCount > 4 * engine.padding, ratio != 1 else {
            // The engine's first windows tell nothing yet, and at 1 it keeps up by itself.
            return ratio
        }
        // The engine takes steps of its own, and always looks at the ratio at the same place in
        // them: the mean over some tells what the last value doesn't.
        owed += (due - lag.outputSamples(at: ratio) - Double(producedCount) - owed) / 16
        let bent = ratio + owed / (10 * max(lag.inputSamples, 512))
        return min(max(bent, ratio / 2), ratio * 2)
    }

    private mutating func feed(_ samples: [[Float]], ratio: Double) throws {
        var first = 0
        while first < samples[0].count {
            let end = min(first + PitchEngine.largestBlock, samples[0].count)
            engine.stretch(samples.map { Array($0[first..<end]) }, timeRatio: ratio) { planes in
                let dropped = min(leadLeft, planes[0].count)
                leadLeft -= dropped
                for (channel, plane) in planes.enumerated() {
                    ready[channel].append(contentsOf: plane.dropFirst(dropped))
                }
                producedCount += Int64(planes[0].count - dropped)
            }
            first = end
        }
    }
}

/// Fades the sound out where the map stands still, and in again after.
private struct FreezeMute {
    private var cursor: TimeMap.Cursor
    private let hasFreeze: Bool
    private let rate: Double
    private var gain: Float = 1
    private let gainPerSample: Float

    private static let fadeSeconds = 0.01

    init(_ retiming: AudioRetiming) {
        cursor = retiming.map.cursor()
        rate = retiming.outputRate
        hasFreeze = retiming.map.pieces.contains { $0.sourceStart == $0.sourceEnd }
        gainPerSample = Float(1 / (Self.fadeSeconds * rate))
    }

    mutating func apply(to block: inout [[Float]], from first: Int64) {
        guard hasFreeze else {
            return
        }
        for index in block[0].indices {
            let speed = cursor.position(at: Double(first + Int64(index)) / rate).speed
            gain = speed == 0 ? max(0, gain - gainPerSample) : min(1, gain + gainPerSample)
            for channel in block.indices {
                block[channel][index] *= gain
            }
        }
    }
}
