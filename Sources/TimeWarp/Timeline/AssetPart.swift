import Media
import TimeMaps

extension Asset {
    /// The range from one instant of the asset to another, in asset time. A `start` or `end` of nil is that of
    /// the asset.
    ///
    /// - Throws: ``MediaError`` if the range would be empty.
    package func part(from start: RationalTime?, to end: RationalTime?) throws -> TimeRange {
        let start = start ?? .zero
        let end = min(end ?? duration, duration)
        guard start < end else {
            throw MediaError(
                .noUsableStream, file: path,
                reason: "it lasts \(duration.seconds) s, and the range from "
                    + "\(start.seconds) s to \(end.seconds) s holds nothing of it",
                remedy: "Choose a \(.range) inside the clip")
        }
        return try TimeRange(start: start, end: end)
    }
}
