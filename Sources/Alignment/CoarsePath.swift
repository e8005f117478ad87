import Foundation

/// The row of chunk matches that make sense together: times rise in both sounds, at nearly the
/// same pace.
struct CoarsePath {
    /// The matches of the best row, in order of time.
    let matches: [ChunkMatch]
    /// The sum of what the matches stand out by, less the price of jumps.
    let score: Double
    /// How strong the best other places of these chunks are against the ones taken, counted from
    /// what chance alone reaches: 1 is a tie.
    let rivalry: Double

    /// What chance alone reaches in some thousand places; what is below says nothing.
    private static let bar = 3.3
    /// How far two clocks may differ, with something for the coarseness of the features.
    private static let slope = 0.0035
    private static let grain = 0.03
    /// A jump must be paid by chunks that agree after it.
    private static let jumpPrice = 6.0
    private static let longestJump = 5.0

    /// The best row through `candidates`. O(n²).
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

    /// What it costs to go on from one match to another, `nil` if they don't go together.
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
