import TimeMaps

/// A part of the output in which the source plays in one direction, without a jump.
struct PitchRegion {
    /// In output samples.
    var samples: Range<Int>
    /// 1 forward or frozen, −1 backward.
    let direction: Int
    /// Whether it plays at exactly normal speed, so that the source's samples are the output's.
    var isUnit: Bool
    /// Whether its source begins where that of the region before ends.
    let isContinuous: Bool
    /// For how many samples at its end phases are led back to the source's own.
    var homingCount = 0

    /// A speed that differs from 1 by less is normal speed: a tenth of a sample a day.
    private static let exactness = 1e-11
    /// A smaller jump in the source isn't one.
    private static let jumpSeconds = 1e-4

    /// The regions of a map, in order.
    ///
    /// - Parameters:
    ///   - homing: how many samples it takes to lead phases back to the source's own. A shorter part at normal speed is
    ///     treated like the others.
    static func regions(
        of map: TimeMap, rate: Double, sampleCount: Int, homing: Int
    ) -> [PitchRegion] {
        var regions: [PitchRegion] = []
        var sourceEnd: Double?
        for (number, piece) in map.pieces.enumerated() {
            let start = regions.last?.samples.upperBound ?? 0
            let isLast = number == map.pieces.count - 1
            let end =
                isLast ? sampleCount : min(Int((piece.outputEnd * rate).rounded()), sampleCount)
            let direction = piece.sourceEnd < piece.sourceStart ? -1 : 1
            let isContinuous =
                sourceEnd.map { abs($0 - piece.sourceStart) < jumpSeconds } ?? false
            sourceEnd = piece.sourceEnd
            guard end > start else {
                continue
            }
            let region = PitchRegion(
                samples: start..<end, direction: direction,
                isUnit: isNormal(map, piece.outputStart, piece.outputEnd),
                isContinuous: isContinuous && regions.last?.direction == direction)
            regions.append(region)
        }
        return merged(homed(merged(regions), homing))
    }

    private static func isNormal(_ map: TimeMap, _ start: Double, _ end: Double) -> Bool {
        [0.001, 0.3, 0.5, 0.7, 0.999].allSatisfy {
            abs(map.speed(at: start + (end - start) * $0) - 1) < exactness
        }
    }

    /// Parts at normal speed begin later by the time that homing takes, or not at all.
    private static func homed(_ regions: [PitchRegion], _ homing: Int) -> [PitchRegion] {
        var result: [PitchRegion] = []
        for var region in regions {
            if region.isUnit, region.isContinuous, let before = result.last, !before.isUnit {
                if region.samples.count < 4 * homing {
                    region.isUnit = false
                } else {
                    let start = region.samples.lowerBound + homing
                    result[result.count - 1].samples = before.samples.lowerBound..<start
                    result[result.count - 1].homingCount = homing
                    region.samples = start..<region.samples.upperBound
                }
            }
            result.append(region)
        }
        return result
    }

    private static func merged(_ regions: [PitchRegion]) -> [PitchRegion] {
        var result: [PitchRegion] = []
        for region in regions {
            if region.isContinuous, let before = result.last, before.isUnit == region.isUnit,
                before.homingCount == 0
            {
                result[result.count - 1].samples =
                    before.samples.lowerBound..<region.samples.upperBound
                result[result.count - 1].homingCount = region.homingCount
            } else {
                result.append(region)
            }
        }
        return result
    }
}
