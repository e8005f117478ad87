import Media
import TimeMaps

extension Asset {
    /// Throws if a gap between frames or samples lasts a day, or hours in a file of seconds. Holding one frame
    /// for that long is surely not intended, and would take as long to render.
    func requireNoJumps(in range: TimeRange) throws {
        let timed = videoStreams + audioStreams
        // A slide may be presented for hours during a talk.
        let present = timed.map { $0.longestGap?.presentSeconds ?? $0.spanSeconds }.max() ?? 0
        let longest = min(86_400, max(14_400, 1000 * present))
        for stream in timed {
            guard let gap = stream.longestGap, gap.seconds > longest,
                gap.startSeconds < range.end.seconds, gap.endSeconds > range.start.seconds
            else {
                continue
            }
            throw MediaError(
                .damaged, file: path,
                reason:
                    "its times jump: stream \(stream.index) (\(stream.codecName)) has nothing from "
                    + "\(gap.startSeconds) s to \(gap.endSeconds) s",
                remedy: "Choose a part before or after that, by \(.range) or on the timeline")
        }
    }
}

extension Asset.Stream {
    fileprivate var spanSeconds: Double { (end?.seconds ?? 0) - (start?.seconds ?? 0) }
}
