/// How the brightness of a whole frame differs from that of an earlier one: in a fade, where a camera adapts to the light, or
/// under a lamp that flickers.
///
/// A patch is compared by the differences of its samples, so motion is found only between frames that are equally bright.
struct ExposureChange: Sendable {
    /// The later frame's samples are about `gain` times the earlier one's, and `offset` more, in steps of 10 bits.
    let gain: Float
    let offset: Float

    /// A change by less than this isn't worth it, and by more it is a flash, in steps of 10 bits on average.
    private static let sizes: ClosedRange<Float> = 4...96
    private static let gains: ClosedRange<Float> = 0.25...4
    /// It must explain all of what differs but this share: what comes into view changes the mean as well.
    private static let mostRemaining: Float = 0.6
    /// How far the scene may have moved meanwhile, in samples of the coarsest level.
    private static let reach = 3

    /// Nil where the frames are equally bright, or differ in other ways.
    init?(from earlier: LumaPyramid, to later: LumaPyramid) {
        guard let a = earlier.levels.last?.samples, let b = later.levels.last?.samples,
            min(a.width, a.height) > 2 * Self.reach
        else {
            return nil
        }
        let (before, after) = (Distribution(a), Distribution(b))
        guard before.deviation > 4, after.deviation > 4 else {
            return nil
        }
        gain = after.deviation / before.deviation
        offset = after.mean - gain * before.mean
        guard Self.gains.contains(gain), Self.sizes.contains(size(in: a)) else {
            return nil
        }
        let plain = Self.remainder(a, b) { $0 }
        let explained = Self.remainder(a, b) { [gain, offset] in gain * $0 + offset }
        guard explained < Self.mostRemaining * plain else {
            return nil
        }
    }

    /// The later frame as bright as the earlier one is.
    func undone(in later: LumaPyramid, _ bands: Bands) -> LumaPyramid {
        let copy = LumaPyramid(like: later)
        let scale = Int32((4096 / gain).rounded())
        let shift = Int32((-offset * 4096 / gain).rounded()) + 2048
        for (from, to) in zip(later.levels, copy.levels) {
            bands.run(rows: from.height, of: 64) { rows in
                for y in rows {
                    let (samples, target) = (from.row(y), to.row(y))
                    for x in 0..<from.width {
                        let value = (Int32(samples[x]) &* scale &+ shift) &>> 12
                        target[x] = Int16(truncatingIfNeeded: min(max(value, 0), 1023))
                    }
                    to.extend(row: y)
                }
            }
        }
        return copy
    }

    /// By how much samples change on average.
    private func size(in plane: PlaneSamples<Int16>) -> Float {
        var sum: Float = 0
        for y in 0..<plane.height {
            for x in 0..<plane.width {
                let sample = Float(plane.row(y)[x])
                sum += abs((gain - 1) * sample + offset)
            }
        }
        return sum / Float(plane.width * plane.height)
    }

    /// By how much each sample of a frame and those beside it differ from the most alike place near by in the other, in sum.
    private static func remainder(
        _ a: PlaneSamples<Int16>, _ b: PlaneSamples<Int16>, _ change: (Float) -> Float
    ) -> Float {
        let changed = (0..<a.height).map { y in
            (0..<a.width).map { x in change(Float(a.row(y)[x])) }
        }
        var sum: Float = 0
        for y in 1..<a.height - 1 {
            for x in 1..<a.width - 1 {
                var least = Float.infinity
                for down in max(-reach, 1 - y)...min(reach, a.height - 2 - y) {
                    for right in max(-reach, 1 - x)...min(reach, a.width - 2 - x) {
                        var difference: Float = 0
                        for row in -1...1 {
                            for column in -1...1 {
                                difference += abs(
                                    changed[y + row][x + column]
                                        - Float(b.row(y + down + row)[x + right + column]))
                            }
                        }
                        least = min(least, difference)
                    }
                }
                sum += least
            }
        }
        return sum
    }
}

/// Mean and standard deviation of a plane's samples.
private struct Distribution {
    let mean: Float
    let deviation: Float

    init(_ plane: PlaneSamples<Int16>) {
        var (sum, squares) = (0, 0)
        for y in 0..<plane.height {
            for x in 0..<plane.width {
                let sample = Int(plane.row(y)[x])
                sum += sample
                squares += sample * sample
            }
        }
        let count = Double(plane.width * plane.height)
        let mean = Double(sum) / count
        self.mean = Float(mean)
        deviation = Float(max(Double(squares) / count - mean * mean, 0).squareRoot())
    }
}
