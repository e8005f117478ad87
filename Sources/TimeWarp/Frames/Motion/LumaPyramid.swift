/// The luma of a frame at full size, half, a quarter, and so on: means of 2×2 samples, 10 bits each.
struct LumaPyramid: Sendable {
    /// From the finest level that motion is searched at to the coarsest.
    let levels: [PaddedPlane<Int16>]
    /// How many luma samples of the frame one sample of the finest level covers in each direction: 1 or 2.
    let reduction: Int

    /// Motion is searched at full size in frames of at most this many samples, at half size in larger ones.
    ///
    /// At half size the search takes a quarter of the time, and finds vectors that are as good: a frame of 720p has
    /// as many details there as a small frame has at full size.
    static let mostSamplesAtFullSize = 450_000

    /// The coarsest level has fewer rows or columns than this, about two patches and a half.
    private static let leastSize = 20

    /// Makes room for frames of a size, in luma samples.
    init(width: Int, height: Int) {
        let isLarge = width * height > Self.mostSamplesAtFullSize
        reduction = isLarge ? 2 : 1
        var level = PaddedPlane<Int16>(
            width: (width + reduction - 1) / reduction,
            height: (height + reduction - 1) / reduction)
        var levels = [level]
        while min(level.width, level.height) >= 2 * Self.leastSize {
            level = PaddedPlane<Int16>(
                width: (level.width + 1) / 2, height: (level.height + 1) / 2)
            levels.append(level)
        }
        self.levels = levels
    }

    /// Makes room for one of the same size.
    init(like other: LumaPyramid) {
        levels = other.levels.map { PaddedPlane(width: $0.width, height: $0.height) }
        reduction = other.reduction
    }

    /// Fills all levels.
    ///
    /// - Parameters:
    ///   - luma: of the size the pyramid was made for.
    ///   - depth: how many bits a sample has.
    func fill<Sample>(from luma: PaddedPlane<Sample>, depth: Int, in bands: Bands) {
        bands.run(rows: levels[0].height) { rows in
            if reduction == 1 {
                Self.convert(luma, depth, into: levels[0], rows)
            } else {
                Self.halve(luma, depth, into: levels[0], rows)
            }
        }
        for (finer, coarser) in zip(levels, levels.dropFirst()) {
            bands.run(rows: coarser.height) { Self.halve(finer, 10, into: coarser, $0) }
        }
    }

    private static func convert<Sample>(
        _ luma: PaddedPlane<Sample>, _ depth: Int, into level: PaddedPlane<Int16>,
        _ rows: Range<Int>
    ) {
        for y in rows {
            let (from, to) = (luma.row(y), level.row(y))
            for x in 0..<level.width {
                to[x] = Int16(
                    truncatingIfNeeded: (Int32(truncatingIfNeeded: from[x]) << 8) >> (depth - 2))
            }
            level.extend(row: y)
        }
    }

    /// Writes means of 2×2 samples. At an odd edge they include the border, which repeats the last samples.
    private static func halve<Sample>(
        _ samples: PaddedPlane<Sample>, _ depth: Int, into level: PaddedPlane<Int16>,
        _ rows: Range<Int>
    ) {
        // The sum of four samples has two bits more than a sample.
        let shift = Int32(depth + 2 - 10)
        let half = shift > 0 ? Int32(1) << (shift - 1) : 0
        for y in rows {
            let (a, b, to) = (samples.row(2 * y), samples.row(2 * y + 1), level.row(y))
            for x in 0..<level.width {
                let sum =
                    Int32(truncatingIfNeeded: a[2 * x]) &+ Int32(truncatingIfNeeded: a[2 * x + 1])
                    &+ Int32(truncatingIfNeeded: b[2 * x])
                    &+ Int32(truncatingIfNeeded: b[2 * x + 1])
                to[x] = Int16(truncatingIfNeeded: (sum &+ half) &>> shift)
            }
            level.extend(row: y)
        }
    }
}
