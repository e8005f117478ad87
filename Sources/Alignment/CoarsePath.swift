import Foundation

/// The best sequence of chunk matches that are consistent with each other: times increase in both sounds at
/// nearly the same rate.
struct CoarsePath {
    /// The matches of the best sequence, in order of time.
    let matches: [ChunkMatch]
    /// The sum of the matches' strengths above ``bar``, minus the price of jumps.
    let score: Double
    /// How strong the best other places of these chunks are, relative to the chosen ones, both measured
    /// above ``bar``: 1 is a tie. The median over all chunks.
    let rivalry: Double

    /// The strength that chance alone reaches in some thousand places. Weaker matches mean nothing.
    private static let bar = 3.3
    /// How far two clocks may differ, per second, with a margin for the coarse features.
    private static let slope = 0.0035
    /// How far a lag may differ because of the coarse features, in seconds.
    private static let grain = 0.03
    /// The cost of a jump in the score. It is worth it only if enough chunks agree after the jump.
    private static let jumpPrice = 6.0
    /// In seconds.
    private static let longestJump = 5.0

    /// The best sequence through `candidates`. O(n²).
    init(_ candidates: [ChunkMatch]) {
        let nodes = candidates.filter { $0.strength > Self.bar }
            .sorted { ($0.shorterTime, $0.longerTime) < ($1.shorterTime, $1.longerTime) }
        var scores = nodes.map { $0.strength - Self.bar }
        var previous = [Int](repeating: -1, count: nodes.count)
        for index in nodes.indices {
            var best = 0.0
            for earlier in 0..<index {
                guard let price = Self.price(from: nodes[earlier], to: nodes[index]),
                    scores[earlier] - price > best
                else { continue }
                best = scores[earlier] - price
                previous[index] = earlier
            }
            scores[index] += best
        }
        var row: [ChunkMatch] = []
        let last = scores.indices.max { scores[$0] < scores[$1] }
        var index = last ?? -1
        while index >= 0 {
            row.append(nodes[index])
            index = previous[index]
        }
        matches = row.reversed()
        score = last.map { scores[$0] } ?? 0
        rivalry = Self.rivalry(of: matches, among: candidates)
    }

    /// The cost of going from one match to a later one; nil if they contradict each other.
    private static func price(from first: ChunkMatch, to second: ChunkMatch) -> Double? {
        let apart = second.shorterTime - first.shorterTime
        guard apart > 0, second.longerTime > first.longerTime else { return nil }
        let change = abs(second.lag - first.lag)
        if change <= slope * apart + grain { return 0 }
        return change <= longestJump ? jumpPrice : nil
    }

    private static func rivalry(of row: [ChunkMatch], among all: [ChunkMatch]) -> Double {
        let shares = row.map { taken in
            let others = all.filter {
                $0.chunk == taken.chunk && abs($0.longerTime - taken.longerTime) > 0.5
            }
            let rival = others.map(\.strength).max() ?? 0
            return max(rival - bar, 0) / (taken.strength - bar)
        }
        return shares.isEmpty ? 0 : shares.sorted()[shares.count / 2]
    }
}
