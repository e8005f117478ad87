import Foundation

/// Approximates a curve by keyframes: where its speed starts or stops changing, at its turning points, and between these
/// where one Bézier curve can't follow it.
///
/// Each piece keeps the curve's slopes at both ends, so that smooth curves stay smooth, and takes the curve's time, so
/// that the output keeps its length.
package struct KeyframeFit {
    private typealias Sample = EasingFit.Sample

    /// A corner of the curve: the index of its sample, and the slopes of the speed on both sides.
    private struct Corner {
        let index: Int
        var before: Double
        var after: Double
    }

    /// What lies between two keyframes, by the indexes of their samples.
    private struct Piece {
        let from: Int
        let to: Int
        var easing = Easing.linear
        var isFlat = false
    }

    private var samples: [Sample]
    private let isOverOutput: Bool
    /// That of the speeds.
    private let range: Double
    /// How often a piece may be divided in two.
    private var divisions = 3

    /// The largest number of corners: more would be hard to edit by hand.
    private static let mostCorners = 24
    /// The largest change of speed on a plateau, as a share of the range.
    private static let plateauChange = 1e-7
    /// The smallest change of speed at a turning point, as a share of the range.
    private static let turnChange = 0.02
    /// The shortest plateau, as a share of the clip.
    private static let shortestPlateau = 0.03
    /// How far a piece may deviate from its easing, as a share of the range.
    private static let tolerance = 0.03
    /// How much two slopes at a corner of a smooth curve may differ, as a share of the steepest.
    private static let kink = 0.1
    /// A slope by which the speed would change less over the whole clip, as a share of the range, is none.
    private static let levelSlope = 0.01
    /// Speeds change within this distance where the curve jumps and isn't constant before.
    private static let jump = 1e-3

    /// Finds keyframes that follow speeds.
    ///
    /// - Parameters:
    ///   - speeds: at places on [0,1], which never fall; where the curve jumps, there are two at the same place. Speeds that
    ///     aren't finite are left out.
    ///   - isOverOutput: whether places are shares of the output, not of the source.
    /// - Returns: keyframes at shares, rounded to what people want to read: a thousandth of a percent, and six digits of a
    ///   speed. They are at most 24, or a few more where no easing follows the curve from one to the next.
    /// - Complexity: O(n) for n samples, and some thousand easings that are tried for a piece.
    package static func keyframes(
        through speeds: [(place: Double, speed: Double)], isOverOutput: Bool
    ) -> [Keyframe] {
        let samples = speeds.filter { $0.speed.isFinite }.map {
            Sample(place: $0.place, speed: $0.speed)
        }
        let least = samples.map(\.speed).min() ?? 1
        let range = (samples.map(\.speed).max() ?? 1) - least
        let first = samples.first?.speed ?? 1
        guard samples.count >= 2, range >= 1e-3 * abs(first) else {
            return [0, 1].map { Keyframe(.share($0), speed: rounded(first)) }
        }
        var fit = KeyframeFit(samples: samples, isOverOutput: isOverOutput, range: range)
        return fit.keyframes()
    }

    private init(samples: [Sample], isOverOutput: Bool, range: Double) {
        (self.samples, self.isOverOutput, self.range) = (samples, isOverOutput, range)
    }

    private mutating func keyframes() -> [Keyframe] {
        let all = corners()
        let kept = thinned(all)
        if kept.count < all.count {
            divisions = 0
        }
        let corners = withSlopes(kept)
        refine(corners)
        let pieces = zip(corners, corners.dropFirst()).flatMap {
            self.pieces(from: $0, to: $1, divisions)
        }
        return keyframes(of: pieces)
    }

    private static func rounded(_ speed: Double) -> Double {
        guard abs(speed) > 1e-9 else {
            return 0
        }
        let power = pow(10, 5 - floor(log10(abs(speed))))
        return (speed * power).rounded() / power
    }

    /// The keyframes of consecutive pieces. A jump of the speed is a hold before it, or is spread a little.
    private func keyframes(of pieces: [Piece]) -> [Keyframe] {
        var found: [Keyframe] = []
        var latest = 0.0
        func add(_ place: Double, _ speed: Double, _ easing: Easing) {
            latest = place
            found.append(
                Keyframe(
                    .share((place * 1e5).rounded() / 1e5), speed: Self.rounded(speed),
                    easing: easing))
        }
        for (number, piece) in pieces.enumerated() {
            let start = samples[piece.from]
            let isJump =
                samples[piece.to].place - start.place < Self.jump && number + 1 < pieces.count
            if !isJump {
                add(start.place, start.speed, piece.easing)
            } else if !found.isEmpty, pieces[number - 1].isFlat {
                found[found.count - 1].easing = .hold
            } else if start.place - Self.jump > latest {
                add(start.place - Self.jump, start.speed, .linear)
            }
        }
        add(1, samples[samples.count - 1].speed, .smooth)
        return found
    }

    /// The indexes of both ends, of the plateaus' edges, and of the turning points and jumps between these.
    private func corners() -> [Int] {
        let edges =
            [0] + plateaus().flatMap { [$0.lowerBound, $0.upperBound] } + [samples.count - 1]
        var corners = Set(edges)
        for (from, to) in zip(edges, edges.dropFirst()) {
            corners.formUnion(turns(from, to))
        }
        for index in samples.indices.dropFirst() where isJump(index - 1, index) {
            corners.formUnion([index - 1, index])
        }
        return corners.sorted()
    }

    /// Whether the curve jumps between two samples that follow each other.
    private func isJump(_ first: Int, _ second: Int) -> Bool {
        abs(samples[second].place - samples[first].place) < Self.jump / 10
            && abs(samples[second].speed - samples[first].speed) > Self.turnChange * range
    }

    private func plateaus() -> [ClosedRange<Int>] {
        var found: [ClosedRange<Int>] = []
        var from = 0
        while from < samples.count {
            var to = from
            while to + 1 < samples.count,
                abs(samples[to + 1].speed - samples[from].speed) <= Self.plateauChange * range
            {
                to += 1
            }
            if samples[to].place - samples[from].place >= Self.shortestPlateau {
                found.append(from...to)
            }
            from = to + 1
        }
        return found
    }

    /// Maxima and minima, but no small waves.
    private func turns(_ from: Int, _ to: Int) -> [Int] {
        enum Way { case unknown, up, down }
        let least = Self.turnChange * range
        var found: [Int] = []
        var (high, low, way) = (from, from, Way.unknown)
        guard from <= to else {
            return []
        }
        for index in from...to {
            let speed = samples[index].speed
            if speed > samples[high].speed {
                high = index
            }
            if speed < samples[low].speed {
                low = index
            }
            if way != .down, samples[high].speed - speed > least {
                if high != from {
                    found.append(high)
                }
                (way, low, high) = (.down, index, index)
            } else if way != .up, speed - samples[low].speed > least {
                if low != from {
                    found.append(low)
                }
                (way, low, high) = (.up, index, index)
            }
        }
        return found
    }

    /// Leaves out the corners whose speeds differ least from their neighbours'.
    private func thinned(_ corners: [Int]) -> [Int] {
        var kept = corners
        func gain(_ place: Int) -> Double {
            let (before, here, after) = (
                samples[kept[place - 1]].speed, samples[kept[place]].speed,
                samples[kept[place + 1]].speed
            )
            return max(abs(here - before), abs(here - after))
        }
        while kept.count > Self.mostCorners {
            let inner = 1..<(kept.count - 1)
            kept.remove(at: inner.min { gain($0) < gain($1) } ?? 1)
        }
        return kept
    }

    /// The corners with the curve's slopes: equal on both sides where it is smooth, 0 at a smooth turn.
    private func withSlopes(_ indexes: [Int]) -> [Corner] {
        func level(_ slope: Double) -> Double { abs(slope) < Self.levelSlope * range ? 0 : slope }
        var corners = indexes.map {
            Corner(
                index: $0, before: level(slope(at: $0, -1)), after: level(slope(at: $0, 1)))
        }
        // Where all corners are level, rounding must not make kinks.
        let steepest = corners.reduce(range) { max($0, abs($1.before), abs($1.after)) }
        for place in corners.indices.dropFirst().dropLast() {
            let corner = corners[place]
            guard abs(corner.before - corner.after) <= Self.kink * steepest,
                !isJump(corner.index - 1, corner.index), !isJump(corner.index, corner.index + 1)
            else {
                continue
            }
            let speed = samples[corner.index].speed
            let before = samples[corner.index - 1].speed - speed
            let after = samples[corner.index + 1].speed - speed
            // Next to a plateau, rounding doesn't matter.
            let isTurn =
                before * after >= 0 || min(abs(before), abs(after)) <= Self.plateauChange * range
            let slope = isTurn ? 0 : (corner.before + corner.after) / 2
            (corners[place].before, corners[place].after) = (slope, slope)
        }
        return corners
    }

    /// Moves the samples at smooth turning points to the vertex of the parabola through them.
    private mutating func refine(_ corners: [Corner]) {
        for corner in corners.dropFirst().dropLast() where corner.before == 0 && corner.after == 0 {
            let (a, b, c) = (
                samples[corner.index - 1], samples[corner.index], samples[corner.index + 1]
            )
            guard !isJump(corner.index - 1, corner.index), !isJump(corner.index, corner.index + 1),
                a.place < b.place, b.place < c.place
            else {
                continue
            }
            let first = (b.speed - a.speed) / (b.place - a.place)
            let second = (c.speed - b.speed) / (c.place - b.place)
            let bend = (second - first) / (c.place - a.place)
            let place = bend == 0 ? b.place : (a.place + b.place) / 2 - first / (2 * bend)
            if first * second < 0, place > a.place, place < c.place {
                samples[corner.index] = Sample(
                    place: place,
                    speed: b.speed + (place - b.place) * (first + (place - a.place) * bend))
            }
        }
    }

    /// The slope at a sample, from the parabola through it and two others on one side.
    ///
    /// - Parameter way: 1 for those after it, -1 for those before.
    private func slope(at index: Int, _ way: Int) -> Double {
        guard samples.indices.contains(index + way), !isJump(index, index + way) else {
            return 0
        }
        let (a, b) = (samples[index], samples[index + way])
        guard b.place != a.place else {
            return 0
        }
        let first = (b.speed - a.speed) / (b.place - a.place)
        guard samples.indices.contains(index + 2 * way), !isJump(index + way, index + 2 * way),
            samples[index + 2 * way].place != b.place
        else {
            return first
        }
        let c = samples[index + 2 * way]
        let second = (c.speed - b.speed) / (c.place - b.place)
        return first + (a.place - b.place) * (second - first) / (c.place - a.place)
    }

    /// One piece from a corner to the next; two or more where one easing can't follow the curve.
    private func pieces(from: Corner, to: Corner, _ divisions: Int) -> [Piece] {
        let slice = samples[from.index...to.index]
        let start = samples[from.index].speed
        let isFlat = slice.allSatisfy { abs($0.speed - start) <= Self.plateauChange * range }
        let rise = abs(samples[to.index].speed - start)
        // Between equal speeds a line is near enough: larger turns are corners.
        guard rise > Self.plateauChange * range, slice.count >= 4 else {
            return [Piece(from: from.index, to: to.index, isFlat: isFlat)]
        }
        let fit = EasingFit(slice, slopes: (from.after, to.before), isOverOutput: isOverOutput)
        guard fit.worst * rise > Self.tolerance * range, divisions > 0 else {
            return [Piece(from: from.index, to: to.index, easing: Easing(fit.handles))]
        }
        let index = from.index + min(slice.count - 2, max(1, fit.worstIndex))
        let slope = (slope(at: index, -1) + slope(at: index, 1)) / 2
        let middle = Corner(index: index, before: slope, after: slope)
        return pieces(from: from, to: middle, divisions - 1)
            + pieces(from: middle, to: to, divisions - 1)
    }
}

extension Easing {
    /// The easing with given handles, rounded to five digits. The usual ones have names.
    fileprivate init(_ handles: EasingFit.Handles) {
        let numbers = [handles.x1, handles.y1, handles.x2, handles.y2]
        func isNear(_ others: [Double]) -> Bool {
            zip(numbers, others).allSatisfy { abs($0 - $1) < 2e-3 }
        }
        if isNear([1 / 3, 0, 2 / 3, 1]) {
            self = .smooth
        } else if isNear([1 / 3, 1 / 3, 2 / 3, 2 / 3]) {
            self = .linear
        } else {
            // Adding 0 makes 0 of -0.
            func rounded(_ number: Double) -> Double { (number * 1e5).rounded() / 1e5 + 0 }
            self = .bezier(
                x1: rounded(min(1, max(0, handles.x1))), y1: rounded(handles.y1),
                x2: rounded(min(1, max(0, handles.x2))), y2: rounded(handles.y2))
        }
    }
}
