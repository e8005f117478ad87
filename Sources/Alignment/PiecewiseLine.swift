import Foundation
import Media

/// A time measured in both recordings.
struct TimePair: Hashable {
    /// The time in the recording, in seconds.
    let time: Double
    /// Reference time minus recording time, in seconds.
    let lag: Double
}

/// A continuous line of straight pieces through measured pairs, with as few pieces as possible.
///
/// The pieces are found by dynamic programming over all ways to divide the sequence of pairs. Each piece is
/// fitted by least squares and has a price (Bellman & Roth 1969; the price follows the Bayesian information
/// criterion). Where two neighbouring pieces cross between their pairs, the crossing is the knot. Where they
/// don't, there was a jump, which becomes a short steep piece.
struct PiecewiseLine {
    /// The ends of the pieces: at least two knots, increasing in time.
    let knots: [TimePair]
    /// The pairs to which the pieces were fitted, without outliers.
    let kept: [TimePair]
    /// The slope of one least-squares line through all kept pairs, in seconds of lag per second.
    let overallSlope: Double

    /// Fits `pairs`, which must be in order of time. `noise` is the smallest standard deviation to assume for a
    /// pair, in seconds. Nil when fewer than three pairs are consistent.
    ///
    /// O(n²) for n pairs.
    init?(_ pairs: [TimePair], noise: Double, mostPieces: Int) {
        let kept = Self.withoutOutliers(pairs, noise: noise)
        guard kept.count >= 3 else { return nil }
        let deviation = Self.deviation(of: kept, noise: noise)
        let sums = LineSums(kept)
        var price = 20 + 8 * log(Double(kept.count))
        var knots: [TimePair]
        repeat {
            let cuts = Self.cuts(sums, count: kept.count, deviation: deviation, price: price)
            knots = Self.knots(kept, cuts: cuts, sums: sums)
            price *= 2
        } while knots.count > mostPieces + 1
        self.kept = kept
        self.knots = knots
        overallSlope = sums.line(0..<kept.count).slope
    }

    /// A piece that is steeper than this, as a change of lag per second, is a jump: clocks don't differ so much.
    static let steepest = 0.004

    /// The pieces in order.
    var pieces: [Piece] { zip(knots, knots.dropFirst()).map(Piece.init) }

    /// The lag at `time`. The first and the last piece continue beyond their ends.
    func lag(at time: Double) -> Double { piece(at: time).lag(at: time) }

    /// Whether `time` lies within a jump.
    func isJump(at time: Double) -> Bool { abs(piece(at: time).slope) > Self.steepest }

    private func piece(at time: Double) -> Piece {
        let next = knots.dropFirst().firstIndex { time < $0.time } ?? knots.count - 1
        return Piece(start: knots[next - 1], end: knots[next])
    }

    /// A straight piece between two knots.
    struct Piece {
        let start: TimePair
        let end: TimePair

        /// The change of lag per second.
        var slope: Double { (end.lag - start.lag) / (end.time - start.time) }

        func lag(at time: Double) -> Double { start.lag + slope * (time - start.time) }

        /// How far `time` is from the piece, in seconds; 0 within it.
        func distance(to time: Double) -> Double { max(start.time - time, time - end.time, 0) }
    }
}

extension PiecewiseLine {
    /// The pairs without those that fit neither the pairs before nor those after them.
    private static func withoutOutliers(_ pairs: [TimePair], noise: Double) -> [TimePair] {
        var kept = pairs
        for _ in 0..<3 {
            let distances = kept.indices.map { distance(of: $0, in: kept) }
            guard !distances.isEmpty else { break }
            let bar = 6 * deviation(ofMedian: distances.median, noise: noise)
            let before = kept.count
            kept = zip(kept, distances).filter { $1 <= bar }.map(\.0)
            if kept.count == before { break }
        }
        return kept
    }

    /// The standard deviation of pairs around a line with few knots, from the median distance of each pair
    /// from the line between its neighbours.
    private static func deviation(of pairs: [TimePair], noise: Double) -> Double {
        let distances = pairs.indices.dropFirst().dropLast().map { index in
            let (before, pair, after) = (pairs[index - 1], pairs[index], pairs[index + 1])
            let share = (pair.time - before.time) / (after.time - before.time)
            let between = before.lag + share * (after.lag - before.lag)
            let spread = 1 + share * share + (1 - share) * (1 - share)
            return abs(pair.lag - between) / spread.squareRoot()
        }
        return deviation(ofMedian: distances.isEmpty ? 0 : distances.median, noise: noise)
    }

    /// A standard deviation from a median of distances: the factor for the normal distribution is 1.4826.
    private static func deviation(ofMedian median: Double, noise: Double) -> Double {
        max(noise, min(1.4826 * median, 20 * noise))
    }

    /// How far a pair lies from a line through its neighbours on one side: the smallest such distance for two,
    /// three and five neighbours on either side. Among five there may be outliers, and beyond two there may be
    /// a jump.
    private static func distance(of index: Int, in pairs: [TimePair]) -> Double {
        let sides = [2, 3, 5].flatMap { reach in
            [
                pairs[max(index - reach, 0)..<index],
                pairs[(index + 1)..<min(index + reach + 1, pairs.count)],
            ]
        }
        var usable = sides.filter { $0.count >= 2 }
        if usable.isEmpty { usable = [sides[0] + sides[1]].filter { $0.count >= 2 } }
        return usable.map { distance(of: pairs[index], from: $0) }.min() ?? .infinity
    }

    /// The distance from the line with the median slope and the median height (the Theil–Sen estimator).
    private static func distance(of pair: TimePair, from others: ArraySlice<TimePair>) -> Double {
        var slopes: [Double] = []
        for (index, first) in others.enumerated() {
            for second in others.dropFirst(index + 1) {
                slopes.append((second.lag - first.lag) / (second.time - first.time))
            }
        }
        let slope = slopes.median
        let height = others.map { $0.lag - slope * ($0.time - pair.time) }.median
        return abs(pair.lag - height)
    }

    /// The index of the first pair of each piece except the first piece.
    private static func cuts(
        _ sums: LineSums, count: Int, deviation: Double, price: Double
    ) -> [Int] {
        // Pairs per piece.
        let least = 3
        var costs = [Double](repeating: .infinity, count: count + 1)
        var starts = [Int](repeating: 0, count: count + 1)
        costs[0] = 0
        let scale = 1 / (deviation * deviation)
        for end in least...count {
            for start in 0...(end - least) where costs[start] < .infinity {
                let cost = costs[start] + sums.line(start..<end).squares * scale + price
                guard cost < costs[end] else { continue }
                costs[end] = cost
                starts[end] = start
            }
        }
        var cuts: [Int] = []
        var end = starts[count]
        while end > 0 {
            cuts.append(end)
            end = starts[end]
        }
        return cuts.reversed()
    }

    private static func knots(
        _ pairs: [TimePair], cuts: [Int], sums: LineSums
    ) -> [TimePair] {
        let bounds = [0] + cuts + [pairs.count]
        let lines = zip(bounds, bounds.dropFirst()).map { sums.line($0..<$1) }
        let first = pairs[0].time
        var knots = [TimePair(time: first, lag: lines[0].lag(at: first))]
        for (index, cut) in cuts.enumerated() {
            let (before, after) = (lines[index], lines[index + 1])
            let (left, right) = (pairs[cut - 1].time, pairs[cut].time)
            let crossing = before.crossing(with: after) ?? .infinity
            let reach = right - left
            // A window that contains the knot may have been assigned to either side.
            let isNear = crossing > left - reach && crossing < right + reach
            if isNear, crossing > knots[knots.count - 1].time {
                knots.append(TimePair(time: crossing, lag: before.lag(at: crossing)))
            } else {
                let last = knots[knots.count - 1].time
                knots += jump(between: left, and: right, before, after)
                    .map { TimePair(time: max($0.time, last.nextUp), lag: $0.lag) }
            }
        }
        let last = pairs[pairs.count - 1].time
        knots.append(TimePair(time: last, lag: lines[lines.count - 1].lag(at: last)))
        return knots
    }
}

extension PiecewiseLine {
    /// The ends of the steep piece of a jump from one line to the next. If the lag falls, the piece is longer
    /// than the fall, so that reference time doesn't run backwards.
    private static func jump(
        between left: Double, and right: Double, _ before: LineSums.Line, _ after: LineSums.Line
    ) -> [TimePair] {
        let middle = (left + right) / 2
        let fall = before.lag(at: middle) - after.lag(at: middle)
        let half = max((right - left) / 2, 0.6 * fall)
        return [
            TimePair(time: middle - half, lag: before.lag(at: middle - half)),
            TimePair(time: middle + half, lag: after.lag(at: middle + half)),
        ]
    }
}

/// Running sums over a sequence of pairs, with which fitting a line to any range of them is O(1).
private struct LineSums {
    struct Line {
        let slope: Double
        let time: Double
        let lag: Double
        /// The sum of the squared distances.
        let squares: Double

        func lag(at time: Double) -> Double { lag + slope * (time - self.time) }

        /// The time at which two lines cross; nil when they are parallel.
        func crossing(with other: Line) -> Double? {
            guard slope != other.slope else { return nil }
            return (other.lag(at: 0) - lag(at: 0)) / (slope - other.slope)
        }
    }

    private let origin: TimePair
    private var rows: [(t: Double, y: Double, tt: Double, ty: Double, yy: Double)]

    init(_ pairs: [TimePair]) {
        // An origin near the middle, because squares of large times would lose the microseconds.
        let origin = pairs[pairs.count / 2]
        self.origin = origin
        rows = [(0, 0, 0, 0, 0)]
        rows.reserveCapacity(pairs.count + 1)
        for pair in pairs {
            let (t, y) = (pair.time - origin.time, pair.lag - origin.lag)
            let last = rows[rows.count - 1]
            rows.append(
                (last.t + t, last.y + y, last.tt + t * t, last.ty + t * y, last.yy + y * y))
        }
    }

    /// The least-squares line through the pairs of `range`, at least two.
    func line(_ range: Range<Int>) -> Line {
        let (a, b) = (rows[range.lowerBound], rows[range.upperBound])
        let count = Double(range.count)
        let (t, y) = ((b.t - a.t) / count, (b.y - a.y) / count)
        let tt = b.tt - a.tt - count * t * t
        let ty = b.ty - a.ty - count * t * y
        let yy = b.yy - a.yy - count * y * y
        let slope = tt > 0 ? ty / tt : 0
        return Line(
            slope: slope, time: t + origin.time, lag: y + origin.lag,
            squares: max(yy - slope * ty, 0))
    }
}
