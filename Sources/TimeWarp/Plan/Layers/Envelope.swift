import Foundation
import Media
import TimeMaps

/// How opaque and how loud a clip is over time: the fades and the gain of its segment, or of a segment around it.
package struct Envelope: Sendable {
    /// Tells the segment's part of the output from others: clips within one nested composition have the same.
    let group: Int
    private let fades: [DissolveLane.Fade]
    private let gain: Gain
    /// The track time at which the segment begins, from which the gain counts, in seconds.
    private let segmentStart: Double
    private let clock: Clock

    /// From output time to track time, in seconds.
    struct Clock: Sendable {
        /// Nil if the two are the same.
        let map: TimeMap?
        /// The output time at which the map begins, and the track time at which its source begins.
        let outputStart: Double
        let trackStart: Double

        func trackTime(at output: Double) -> Double {
            map.map { $0.sourceTime(at: output - outputStart) + trackStart } ?? output
        }
    }

    /// Nil if the item is neither faded nor made louder or softer.
    init?(_ item: DissolveLane.Item, _ clock: Clock, group: Int) {
        guard let segment = item.segment, !item.fades.isEmpty || segment.blending.gain != .unity
        else {
            return nil
        }
        self.group = group
        self.clock = clock
        fades = item.fades
        gain = segment.blending.gain
        segmentStart = item.segmentStart.seconds
    }

    /// Whether what lies below is seen.
    var isSeenThrough: Bool { fades.contains(where: \.isSeen) }

    /// From 0 to 1, at an output time in seconds.
    func opacity(at output: Double) -> Double {
        guard isSeenThrough else {
            return 1
        }
        let time = clock.trackTime(at: output)
        return fades.lazy.filter(\.isSeen).map { $0.value(at: time) }.reduce(1, *)
    }

    /// What samples are multiplied by, at an output time in seconds. In a dissolve the sum of the two powers is even, so
    /// that two clips that have nothing in common stay as loud as they are.
    func loudness(at output: Double) -> Double {
        let time = clock.trackTime(at: output)
        let faded = fades.map { sin(.pi / 2 * $0.value(at: time)) }.reduce(1, *)
        return faded * gain.factor(at: time - segmentStart)
    }
}

extension [Envelope] {
    func loudness(at output: Double) -> Double {
        map { $0.loudness(at: output) }.reduce(1, *)
    }

    /// Multiplies samples by the loudness, which is computed every 32 samples and linear between.
    ///
    /// - Parameters:
    ///   - channels: one array of samples for each channel.
    ///   - first: the index of their first sample in the output.
    ///   - rate: samples a second.
    func apply(to channels: inout [[Float]], first: Int64, rate: Double) {
        guard !isEmpty, let count = channels.first?.count else {
            return
        }
        let step = 32
        // Steps lie at multiples of their length in the output, so that results don't depend on how it is cut.
        var knot = first - first % Int64(step)
        var here = loudness(at: Double(knot) / rate)
        while knot < first + Int64(count) {
            let next = knot + Int64(step)
            let there = loudness(at: Double(next) / rate)
            for sample in Swift.max(knot, first)..<Swift.min(next, first + Int64(count)) {
                let share = Double(sample - knot) / Double(step)
                let factor = Float(here + share * (there - here))
                for channel in channels.indices {
                    channels[channel][Int(sample - first)] *= factor
                }
            }
            (knot, here) = (next, there)
        }
    }
}

/// How much each of several frames that lie over each other counts in what is seen.
enum Opacities {
    /// The weights of layers from the lowest, at an output time in seconds. What is left to 1 is black.
    ///
    /// Clips of one group are laid over each other first, and the result over what lies below. So a nested composition
    /// fades as a whole.
    static func weights(of layers: [[Envelope]], at output: Double) -> [Double] {
        weights(of: layers[...], at: output, depth: 0)
    }

    private static func weights(
        of layers: ArraySlice<[Envelope]>, at output: Double, depth: Int
    ) -> [Double] {
        var weights: [Double] = []
        var rest = layers
        while let first = rest.first {
            guard depth < first.count else {
                // An opaque frame hides all below it.
                weights = weights.map { _ in 0 } + [1]
                rest = rest.dropFirst()
                continue
            }
            let group = rest.prefix { depth < $0.count && $0[depth].group == first[depth].group }
            let inner = Self.weights(of: group, at: output, depth: depth + 1)
            let opacity = first[depth].opacity(at: output)
            let covered = opacity * inner.reduce(0, +)
            weights = weights.map { $0 * (1 - covered) } + inner.map { $0 * opacity }
            rest = rest.dropFirst(group.count)
        }
        return weights
    }
}
