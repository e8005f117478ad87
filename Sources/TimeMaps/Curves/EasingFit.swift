import Foundation

/// A Bézier easing that follows a piece of a curve.
struct EasingFit {
    /// A place on [0,1] of a curve, and the speed there.
    struct Sample {
        var place: Double
        var speed: Double
    }

    let handles: Handles
    /// How far it is from the piece, as a share of the rise.
    private(set) var worst = Double.infinity
    /// The index of the sample where that is.
    private(set) var worstIndex = 0

    /// In how many steps an easing is looked at, and a handle's length is tried.
    private static let (steps, tries) = (32, 24)

    /// Finds the easing that leaves and arrives with given slopes, takes as long as the piece, and is nearest to it.
    ///
    /// - Parameters:
    ///   - samples: those of the piece, in order. The first and the last speed differ.
    ///   - slopes: those of the speed at both ends.
    ///   - isOverOutput: whether places are shares of the output, not of the source.
    /// - Complexity: about a thousand easings are looked at.
    init(_ samples: ArraySlice<Sample>, slopes: (Double, Double), isOverOutput: Bool) {
        let piece = Piece(samples, isOverOutput: isOverOutput)
        let ends = (Handle(slopes.0 * piece.slope), Handle(slopes.1 * piece.slope))
        var best: (fit: EasingFit, length: Double)?
        func look(_ first: Double, _ second: Double) {
            let fit = EasingFit(Handles(ends, (first, second)), on: piece)
            if fit.worst < best?.fit.worst ?? .infinity {
                best = (fit, first)
            }
        }
        func lookAlong(_ low: Double, _ high: Double) {
            for first in Self.shares.map({ low + (high - low) * $0 }) {
                let seconds =
                    piece.isTimed
                    ? Self.roots(to: ends.1.longest) { second in
                        piece.time(of: Handles(ends, (first, second))) - piece.time
                    } : Self.shares.map { $0 * ends.1.longest }
                for second in seconds {
                    look(first, second)
                }
            }
        }
        lookAlong(0, ends.0.longest)
        if let best, piece.isTimed {
            let step = ends.0.longest / Double(Self.tries)
            lookAlong(max(0, best.length - step), min(ends.0.longest, best.length + step))
        }
        // Maybe no easing with these slopes takes that time: whoever asked divides the piece.
        self =
            best?.fit
            ?? EasingFit(Handles(ends, (ends.0.longest / 3, ends.1.longest / 3)), on: piece)
    }

    private init(_ handles: Handles, on piece: Piece) {
        self.handles = handles
        let path = (0...Self.steps).map { handles.point(at: Double($0) / Double(Self.steps)) }
        var step = 0
        worst = 0
        for (index, share) in piece.shares.enumerated() {
            while step + 2 < path.count, path[step + 1].x < share.x {
                step += 1
            }
            let (a, b) = (path[step], path[step + 1])
            let part = b.x > a.x ? min(1, max(0, (share.x - a.x) / (b.x - a.x))) : 0
            let off = abs(a.y + part * (b.y - a.y) - share.y)
            guard off.isFinite else {
                (worst, worstIndex) = (.infinity, index)
                return
            }
            if off > worst {
                (worst, worstIndex) = (off, index)
            }
        }
    }

    private static let shares = (0...tries).map { Double($0) / Double(tries) }

    /// The places from 0 to `high` where a function is 0.
    private static func roots(to high: Double, _ function: (Double) -> Double) -> [Double] {
        var found: [Double] = []
        var (before, atBefore) = (0.0, function(0))
        for share in shares.dropFirst() {
            let (here, atHere) = (high * share, function(high * share))
            if atBefore * atHere <= 0, atBefore != atHere {
                found.append(root(between: before, here, atLow: atBefore, function))
            }
            (before, atBefore) = (here, atHere)
        }
        return found
    }

    private static func root(
        between low: Double, _ high: Double, atLow: Double, _ function: (Double) -> Double
    ) -> Double {
        var (low, high) = (low, high)
        for _ in 0..<24 {
            let middle = (low + high) / 2
            if function(middle) * atLow > 0 {
                low = middle
            } else {
                high = middle
            }
        }
        return (low + high) / 2
    }

    /// A piece of a curve, as shares of its time and of its rise.
    fileprivate struct Piece {
        let shares: [(x: Double, y: Double)]
        /// What a slope of the speed is multiplied by for one of the shares.
        let slope: Double
        /// Whether it takes a finite time, which an easing can have as well.
        let isTimed: Bool
        private(set) var time = 0.0
        private let start: Double
        private let rise: Double
        private let isOverOutput: Bool

        init(_ samples: ArraySlice<Sample>, isOverOutput: Bool) {
            let (first, last) = (samples[samples.startIndex], samples[samples.endIndex - 1])
            let (span, rise) = (last.place - first.place, last.speed - first.speed)
            shares = samples.map {
                (($0.place - first.place) / span, ($0.speed - first.speed) / rise)
            }
            slope = span / rise
            isTimed = isOverOutput || first.speed * last.speed > 0
            (start, self.rise, self.isOverOutput) = (first.speed, rise, isOverOutput)
            for (a, b) in zip(shares, shares.dropFirst()) {
                time += (b.x - a.x) * (weight(a.y) + 4 * weight((a.y + b.y) / 2) + weight(b.y)) / 6
            }
        }

        /// How much of the other axis goes by: of the source at a speed, or of the output at a scale.
        private func weight(_ y: Double) -> Double {
            let speed = start + y * rise
            return isOverOutput ? speed : 1 / speed
        }

        /// The time of an easing in place of the piece, by Simpson's rule over the curve's parameter.
        func time(of handles: Handles) -> Double {
            var sum = 0.0
            for step in 0...EasingFit.steps {
                let factor = step % EasingFit.steps == 0 ? 1.0 : step.isMultiple(of: 2) ? 2 : 4
                let point = handles.point(at: Double(step) / Double(EasingFit.steps))
                sum += factor * weight(point.y) * point.pace
            }
            return sum / Double(3 * EasingFit.steps)
        }
    }

    /// Where a handle points to.
    fileprivate struct Handle {
        let cosine: Double
        let sine: Double
        /// How long it may be: it stays within the piece's time, and near its speeds.
        let longest: Double

        init(_ slope: Double) {
            let angle = atan2(slope, 1)
            (cosine, sine) = (cos(angle), sin(angle))
            longest = 1 / max(cosine, abs(sine) / 1.5, 1e-9)
        }
    }

    /// The handles of an easing.
    struct Handles {
        let (x1, y1, x2, y2): (Double, Double, Double, Double)

        fileprivate init(_ ends: (Handle, Handle), _ lengths: (Double, Double)) {
            (x1, y1) = (lengths.0 * ends.0.cosine, lengths.0 * ends.0.sine)
            (x2, y2) = (1 - lengths.1 * ends.1.cosine, 1 - lengths.1 * ends.1.sine)
        }

        /// A point of the curve, and how fast x grows with its parameter.
        fileprivate func point(at t: Double) -> (x: Double, y: Double, pace: Double) {
            let r = 1 - t
            return (
                Easing.bezier(x1, x2, t), Easing.bezier(y1, y2, t),
                3 * r * r * x1 + 6 * r * t * (x2 - x1) + 3 * t * t * (1 - x2)
            )
        }
    }
}
