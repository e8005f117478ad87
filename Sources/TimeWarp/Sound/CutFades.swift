import Foundation
import TimeMaps

/// Avoids clicks where a time map jumps: the sound fades out before a jump and in after it.
///
/// ```
///  gain 1 ───╲ ╱───
///       0     V        2 ms down, 2 ms up
/// ```
struct CutFades {
    /// For how long sound is faded before and after a jump.
    static let seconds = 0.002
    /// In seconds; shorter jumps aren't faded.
    private static let shortestJump = 1e-4

    /// Positions of jumps in output samples, sorted.
    private let cuts: [Double]
    private let reach: Double

    init(_ map: TimeMap, rate: Double) {
        cuts = zip(map.pieces, map.pieces.dropFirst()).compactMap { piece, next in
            abs(next.sourceStart - piece.sourceEnd) > Self.shortestJump
                ? next.outputStart * rate : nil
        }
        reach = Self.seconds * rate
    }

    /// The first output sample at or after the next jump that follows a sample; nil after the last jump.
    func nextCut(after sample: Int64) -> Int64? {
        let place = cuts.indices.partitionPoint { cuts[$0].rounded(.up) > Double(sample) }
        return place < cuts.count ? Int64(cuts[place].rounded(.up)) : nil
    }

    /// Fades the samples near jumps.
    ///
    /// - Parameters:
    ///   - channels: one array of samples for each channel.
    ///   - first: the index of their first sample in the output.
    func apply(to channels: inout [[Float]], first: Int64) {
        guard let count = channels.first?.count else {
            return
        }
        let low = Double(first) - reach
        let high = Double(first) + Double(count) + reach
        let start = cuts.indices.partitionPoint { cuts[$0] >= low }
        for cut in cuts[start...].prefix(while: { $0 < high }) {
            let from = max(0, Int((cut - reach - Double(first)).rounded(.up)))
            let to = min(count - 1, Int((cut + reach - Double(first)).rounded(.down)))
            for index in stride(from: from, through: to, by: 1) {
                let distance = abs(Double(first) + Double(index) - cut) / reach
                let gain = Float(0.5 - 0.5 * cos(.pi * distance))
                for channel in channels.indices {
                    channels[channel][index] *= gain
                }
            }
        }
    }
}
