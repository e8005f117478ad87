import Foundation
import TimeMaps

/// Retimes sound along a time map and keeps its pitch.
///
/// It goes through the map in short steps of output time. For each step the engine gets the source samples for
/// that time and stretches them to the step's length. The number of samples that the engine has produced is
/// compared with the number that is due, and the ratio is corrected. So errors don't accumulate, and the output
/// has exactly the right number of samples.
///
/// ```
///  speed            what the engine gets
///  0                the same place again and again; the result is silenced
///  below 1/16       overlapping grains: parts are repeated, at a speed of 1/16
///  1/16 to 4        every sample once
///  0.98 to 1.02     every sample once, unchanged; now and then a crossfade to a matching waveform
///  above 4          grains with gaps between them, at a speed of 4
///  negative         the same, read backwards
/// ```
struct PitchKeepingRetimer: AudioRetimer {
    private let retiming: AudioRetiming
    private var steps: StretchSteps
    private var head: GrainHead
    /// Nil if the whole map is so near to normal speed that the engine would change nothing.
    private var engine: TimedPitchEngine?
    private var mute: FreezeMute
    /// Samples that are made and not yet returned, for each channel.
    private var ready: [[Float]]
    private var takenCount: Int64 = 0

    init(_ retiming: AudioRetiming, source: SourceSound) {
        self.retiming = retiming
        steps = StretchSteps(retiming)
        let ratios = steps.ratios
        engine =
            ratios == 1...1
            ? nil
            : TimedPitchEngine(
                sampleRate: Int(retiming.outputRate), channelCount: retiming.channelCount,
                firstRatio: 1 / steps.firstPace, ratios: ratios)
        head = GrainHead(retiming, source: source)
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
            let preroll = try head.readPreroll(count: engine?.padding ?? 0)
            engine?.start(with: preroll)
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
        let ratio = engine?.timeRatio(at: steps) ?? 1
        let samples = try head.read(steps.next(from: head))
        guard engine == nil else {
            engine?.stretch(samples, timeRatio: ratio, into: &ready)
            return
        }
        for (channel, part) in samples.enumerated() {
            ready[channel] += part
        }
    }
}

/// Fades the sound out where the map is frozen, and in again afterwards.
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
