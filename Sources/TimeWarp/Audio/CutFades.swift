import Foundation
import TimeMaps

/// Takes the click off the places where a map jumps: sound falls to nothing before, and rises after.
///
/// ```
///  gain 1 ───╲ ╱───
///       0     V        2 ms down, 2 ms up
/// ```
struct CutFades {
    private static let seconds = 0.002
    /// A jump shorter than this is none: a tenth of a millisecond.
    private static let shortestJump = 1e-4

    /// Output samples at which the source jumps, rising.
    private let cuts: [Double]
    private let reach: Double

    init(_ map: TimeMap, rate: Double) {
        cuts = zip(map.pieces, map.pieces.dropFirst()).compactMap { piece, next in
            abs(next.sourceStart - piece.sourceEnd) > Self.shortestJump
                ? next.outputStart * rate : nil
        }
        reach = Self.seconds * rate
    }

    /// The first output sample at or after the next cut behind a sample; nil after the last.
    func nextCut(after sample: Int64) -> Int64? {
        let place = cuts.indices.partitionPoint { cuts[$0].rounded(.up) > Double(sample) }
        return place < cuts.count ? Int64(cuts[place].rounded(.up)) : nil
    }

    /// Fades what lies near a cut.
    ///
    /// - Parameter first: the output sample that the channels begin with.
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
