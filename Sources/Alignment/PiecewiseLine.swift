import Foundation

/// A place measured in both recordings.
struct TimePair: Hashable {
    /// Recording seconds.
    let time: Double
    /// Reference seconds less recording seconds.
    let lag: Double
}

/// A continuous line of straight pieces through measured places, with as few pieces as they ask
/// for.
///
/// Pieces are found by dynamic programming over all ways to cut the row of places, each piece
/// fitted by least squares and paid for (Bellman & Roth 1969; the price follows the Bayesian
/// information criterion). Where two neighbours cross between their places, the crossing is the
/// break; where they don't, there was a jump, drawn as a short steep piece.
struct PiecewiseLine {
    /// Where pieces begin and end; at least two, rising in time.
    let knots: [TimePair]
    /// The places that the pieces go through; outliers are not among them.
    let kept: [TimePair]
    /// The least-squares line through all kept places: lag per second of time.
    let overallSlope: Double

    /// Fits `pairs`, in order of time. `noise` is the least standard deviation to expect of a
    /// place, in seconds. `nil` when fewer than three places agree.
    ///
    /// O(n²) for n places.
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

    /// Steeper than clocks differ, as a change of lag per second: such a piece is a jump.
    static let steepest = 0.004

    /// The pieces in order.
    var pieces: [Piece] { zip(knots, knots.dropFirst()).map(Piece.init) }

    /// The lag at `time`; the outer pieces go on beyond their ends.
    func lag(at time: Double) -> Double { piece(at: time).lag(at: time) }

    /// Whether `time` lies within a jump.
    func isJump(at time: Double) -> Bool { abs(piece(at: time).slope) > Self.steepest }

    private func piece(at time: Double) -> Piece {
        let next = knots.dropFirst().firstIndex { time < $0.time } ?? knots.count - 1
        return Piece(start: knots[next - 1], end: knots[next])
    }

    /// A straight stretch.
    struct Piece {
        let start: TimePair
        let end: TimePair

        /// The change of lag per second.
        var slope: Double { (end.lag - start.lag) / (end.time - start.time) }

        func lag(at time: Double) -> Double { start.lag + slope * (time - start.time) }

        /// How far `time` is from the stretch, 0 within.
        func distance(to time: Double) -> Double { max(start.time - time, time - end.time, 0) }
    }
}

extension PiecewiseLine {
    /// Drops places that fit neither the places before nor those after them.
    private static func withoutOutliers(_ pairs: [TimePair], noise: Double) -> [TimePair] {
        var kept = pairs
        for _ in 0..<3 {
            let distances = kept.indices.map { distance(of: $0, in: kept) }
            guard !distances.isEmpty else { break }
            let bar = 6 * deviation(ofMedian: median(distances), noise: noise)
            let before = kept.count
            kept = zip(kept, distances).filter { $1 <= bar }.map(\.0)
            if kept.count == before { break }
        }
        return kept
    }

    /// The standard deviation of places that a line of few breaks goes through, by the middle
    /// distance of each from the line between its neighbours.
    private static func deviation(of pairs: [TimePair], noise: Double) -> Double {
        let distances = pairs.indices.dropFirst().dropLast().map { index in
            let (before, pair, after) = (pairs[index - 1], pairs[index], pairs[index + 1])
            let share = (pair.time - before.time) / (after.time - before.time)
            let between = before.lag + share * (after.lag - before.lag)
            let spread = 1 + share * share + (1 - share) * (1 - share)
            return abs(pair.lag - between) / spread.squareRoot()
        }
        return deviation(ofMedian: distances.isEmpty ? 0 : median(distances), noise: noise)
    }

    /// 1.4826 makes the median of distances a standard deviation.
    private static func deviation(ofMedian median: Double, noise: Double) -> Double {
        max(noise, min(1.4826 * median, 20 * noise))
    }

    /// How far a place lies from the line through its neighbours on the one or the other side:
    /// two, three or five of them, for there may be outliers among five, or a jump behind two.
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

    /// The distance from the line of middle slope and middle height (Theil and Sen).
    private static func distance(of pair: TimePair, from others: ArraySlice<TimePair>) -> Double {
        var slopes: [Double] = []
        for (index, first) in others.enumerated() {
            for second in others.dropFirst(index + 1) {
                slopes.append((second.lag - first.lag) / (second.time - first.time))
            }
        }
        let slope = median(slopes)
        let height = median(others.map { $0.lag - slope * ($0.time - pair.time) })
        return abs(pair.lag - height)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let half = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
    }

    /// The first place of each piece but the first one.
    private static func cuts(
        _ sums: LineSums, count: Int, deviation: Double, price: Double
    ) -> [Int] {
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
            // A window that the break goes through may have gone to either side.
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
    /// The ends of the steep piece from one line to the next. Where the lag falls, the piece lasts
    /// longer than the fall, so that time doesn't run backwards in the reference.
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

/// Sums over a row of places, so that the line through any stretch of it costs O(1).
private struct LineSums {
    struct Line {
        let slope: Double
        let time: Double
        let lag: Double
        /// The sum of squared distances.
        let squares: Double

        func lag(at time: Double) -> Double { lag + slope * (time - self.time) }

        /// Where two lines cross, `nil` when they are parallel.
        func crossing(with other: Line) -> Double? {
            guard slope != other.slope else { return nil }
            return (other.lag(at: 0) - lag(at: 0)) / (slope - other.slope)
        }
    }

    private let origin: TimePair
    private var rows: [(t: Double, y: Double, tt: Double, ty: Double, yy: Double)]

    init(_ pairs: [TimePair]) {
        // Near the middle, so that squares of long times don't swallow microseconds.
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

    /// The least-squares line through the places of `range`, at least two.
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
