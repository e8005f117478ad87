import CRubberBand

/// An engine that stretches sound in time and keeps its pitch, as it comes, in blocks.
///
/// Rubber Band's finer engine (R3) with its short window: its events lie nearer to where they
/// belong than those of the two others, and it keeps up with twenty times real time in stereo.
/// Used on one thread. Memory doesn't grow.
final class PitchEngine {
    /// Output seconds an input second that the engine does well. Beyond it drops parts of the
    /// sound, or takes them apart.
    static let timeRatios = 0.25...16.0
    /// Samples that may be given at a time.
    static let largestBlock = 4096

    /// Silence, or what came before, to be given ahead of the first sample that matters.
    let padding: Int
    private let state: RubberBandState
    private let inputs: [UnsafeMutablePointer<Float>]
    private let outputs: [UnsafeMutablePointer<Float>]

    init(sampleRate: Int, channelCount: Int, timeRatio: Double) {
        var options = [
            RubberBandOptionProcessRealTime, RubberBandOptionEngineFiner,
            RubberBandOptionWindowShort, RubberBandOptionThreadingNever,
        ]
        if channelCount == 2 {
            // Keeps the places of sources between left and right.
            options.append(RubberBandOptionChannelsTogether)
        }
        let bits = options.reduce(0) { $0 | Int32(bitPattern: UInt32($1.rawValue)) }
        state = rubberband_new(
            UInt32(sampleRate), UInt32(channelCount), bits, timeRatio, 1)
        rubberband_set_max_process_size(state, UInt32(Self.largestBlock))
        padding = Int(rubberband_get_preferred_start_pad(state))
        let planes = { (0..<channelCount).map { _ in Self.plane() } }
        inputs = planes()
        outputs = planes()
    }

    deinit {
        rubberband_delete(state)
        for plane in inputs + outputs {
            plane.deallocate()
        }
    }

    private static func plane() -> UnsafeMutablePointer<Float> {
        let plane = UnsafeMutablePointer<Float>.allocate(capacity: largestBlock)
        plane.initialize(repeating: 0, count: largestBlock)
        return plane
    }

    /// Stretches the next samples, one array a channel.
    ///
    /// - Parameters:
    ///   - timeRatio: output samples for every input sample, from here on.
    ///   - emit: takes what has come out, one buffer a channel, valid during the call.
    /// - Returns: how many samples have come out.
    @discardableResult
    func stretch(
        _ samples: [[Float]], timeRatio: Double,
        _ emit: ([UnsafeBufferPointer<Float>]) -> Void
    ) -> Int {
        let count = samples[0].count
        precondition(count <= Self.largestBlock, "blocks are short")
        for (plane, channel) in zip(inputs, samples) {
            channel.withUnsafeBufferPointer { plane.update(from: $0.baseAddress!, count: count) }
        }
        rubberband_set_time_ratio(state, timeRatio)
        let pointers: [UnsafePointer<Float>?] = inputs.map { UnsafePointer($0) }
        rubberband_process(state, pointers, UInt32(count), 0)
        return retrieve(emit)
    }

    private func retrieve(_ emit: ([UnsafeBufferPointer<Float>]) -> Void) -> Int {
        let pointers: [UnsafeMutablePointer<Float>?] = outputs.map { $0 }
        var total = 0
        while true {
            let available = Int(rubberband_available(state))
            guard available > 0 else {
                return total
            }
            let count = Int(
                rubberband_retrieve(state, pointers, UInt32(min(available, Self.largestBlock))))
            guard count > 0 else {
                return total
            }
            emit(outputs.map { UnsafeBufferPointer(start: $0, count: count) })
            total += count
        }
    }
}
