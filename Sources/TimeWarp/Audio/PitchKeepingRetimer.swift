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
    /// Nil where all of the map is so near to normal speed that the engine would do nothing.
    private var engine: TimedPitchEngine?
    private var mute: FreezeMute
    /// What is made and nobody has taken.
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
