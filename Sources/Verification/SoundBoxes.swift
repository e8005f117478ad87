import Foundation
import Media
import TimeMaps
import TimeWarp

/// Reduces sound to few values per second. Each value, a box, is the mean of its part of the sound, or the
/// loudness there. The boxes of two recordings of one event agree, whatever their sample rates and however
/// they were resampled.
///
/// ```
/// output    ├──────┼──────┼──────┤       boxes of equal length
/// source    ├────┼──┼──────────┤         the parts of the source that they play
/// ```
struct SoundBoxes {
    /// What a box contains.
    enum Measure {
        /// The mean of the samples.
        case mean
        /// The loudness: the fourth root of the energy of the differences between samples.
        case loudness
    }

    let measure: Measure

    /// The boxes between the given edges.
    ///
    /// - Parameter edges: positions in samples of the sound, in any order; one more than there are boxes.
    /// - Returns: one array of boxes per channel.
    func boxes(between edges: [Double], of sound: inout SourceSound) throws -> [[Float]] {
        let low = Int64((edges.min() ?? 0).rounded(.down)) - 1
        let high = Int64((edges.max() ?? 0).rounded(.up)) + 2
        try sound.load(low..<high)
        let window = sound.window
        return window.withChannels { channels in
            channels.map { samples in
                let sums = sums(samples, from: window.start, low..<high)
                let means = zip(edges, edges.dropFirst()).map { from, to in
                    mean(sums, from: from - Double(low), to: to - Double(low))
                }
                return measure == .mean ? means.map { Float($0) } : loudness(means)
            }
        }
    }

    /// Loudness from energies. They are smoothed over 30 ms, because the pulses of a voice aren't changes of its loudness
    /// and don't come at the source's instants when its pitch is kept; and compressed, so that quiet sounds count, too.
    private func loudness(_ energies: [Double]) -> [Float] {
        let reach = Self.smoothing.count / 2
        return energies.indices.map { place in
            var sum = 0.0
            for (offset, weight) in Self.smoothing.enumerated() {
                let near = min(max(place + offset - reach, 0), energies.count - 1)
                sum += energies[near] * weight
            }
            return Float(max(0, sum).squareRoot().squareRoot())
        }
    }

    /// The weights of neighbouring boxes: a Hann window.
    private static let smoothing = (0..<15).map { (1 - cos(2 * .pi * (Double($0) + 1) / 16)) / 16 }

    /// Running sums over a span, which may reach beyond the sound into silence.
    private func sums(
        _ samples: UnsafeBufferPointer<Float>, from start: Int64, _ span: Range<Int64>
    ) -> [Double] {
        var sums = [0.0]
        sums.reserveCapacity(span.count + 1)
        var total = 0.0
        var before = 0.0
        for place in span {
            let index = place - start
            let inside = index >= 0 && index < Int64(samples.count)
            let value = inside ? Double(samples[Int(index)]) : 0
            switch measure {
            case .mean: total += value
            case .loudness: total += (value - before) * (value - before)
            }
            before = value
            sums.append(total)
        }
        return sums
    }

    private func mean(_ sums: [Double], from: Double, to: Double) -> Double {
        guard abs(to - from) > 1e-6 else {
            // A freeze is silent.
            return 0
        }
        return (value(sums, at: to) - value(sums, at: from)) / (to - from)
    }

    private func value(_ sums: [Double], at place: Double) -> Double {
        let index = min(max(Int(place), 0), sums.count - 2)
        return sums[index] + (place - Double(index)) * (sums[index + 1] - sums[index])
    }
}
