import Media
import TimeMaps

extension AssetClip {
    /// The output time at which an instant of the asset is presented, to the nearest microsecond.
    func outputInstant(of assetTime: RationalTime) throws -> RationalTime {
        let sourceTime = try assetTime - range.start
        return try map.outputTime(of: sourceTime, timescale: 1_000_000, rounding: .nearest)
    }

    static func microsecond(nearest seconds: Double) throws -> RationalTime {
        try RationalTime(seconds: seconds, timescale: 1_000_000)
    }

    /// The output ranges, in seconds, in which a part of the asset is presented. For a part without duration,
    /// the ranges are empty and lie where its instant is presented.
    func shownRanges(of start: RationalTime, to end: RationalTime) throws -> [Range<Double>] {
        let from = start.relative(to: range.start).seconds
        let to = end.relative(to: range.start).seconds
        guard to > from else {
            return map.outputTimes(of: from).map { $0..<$0 }
        }
        return map.outputRanges(from: from, to: to)
    }

    /// When chapters of the asset are presented, in output time: each once for each time that it is.
    func presented(
        _ chapters: [Asset.Chapter]
    ) -> [(chapter: Asset.Chapter, range: TimeRange)] {
        chapters.flatMap { chapter in
            let ranges = (try? shownRanges(of: chapter.range.start, to: chapter.range.end)) ?? []
            return ranges.compactMap { range -> (chapter: Asset.Chapter, range: TimeRange)? in
                guard let start = try? Self.microsecond(nearest: range.lowerBound),
                    let end = try? Self.microsecond(nearest: range.upperBound),
                    let range = try? TimeRange(start: start, end: end)
                else {
                    return nil
                }
                return (chapter, range)
            }
        }
    }
}
