import Media
import TimeMaps

/// The time maps of a composition's segments. Each is computed only once, although the video, every audio track and
/// the subtitles of a segment need it: a curve has to be integrated for it.
final class SegmentMaps {
    private var known: [Segment: TimeMap] = [:]

    /// - Throws: as ``Segment/timeMap(frameDuration:)``.
    func map(of segment: Segment, in asset: Asset) throws -> TimeMap {
        if let map = known[segment] {
            return map
        }
        let map = try segment.timeMap(frameDuration: Clip.frameDuration(of: asset))
        known[segment] = map
        return map
    }
}
