import TimeMaps

/// A part of a composition in which one segment is seen, or nothing.
struct VisibleStretch {
    /// The range in composition time.
    let range: TimeRange
    /// The segment that is seen; nil for black.
    let segment: Segment?
    /// The part of the segment that is seen, in the segment's time.
    let window: TimeRange

    /// Flattens the video tracks: upper ones cover lower ones. The result has no gaps.
    ///
    /// ```
    ///  upper  ······┌──B──┐·········
    ///  lower  ┌──A──┴─────┴──A──┐···
    ///  seen   │A    │B    │A    │ black
    /// ```
    /// - Parameter hasVideo: whether a file has video. A file without video covers nothing.
    static func flattening(
        _ composition: Composition, hasVideo: (_ media: String) throws -> Bool
    ) throws -> [VisibleStretch] {
        let end = composition.duration
        var stretches: [VisibleStretch] = []
        // From the top track down: ranges that are still open are filled from the next track.
        var open = [try TimeRange(start: .zero, end: end)]
        for track in composition.tracks.reversed() where track.carries != .sound {
            let shown = try track.placed.filter { placed in
                try placed.segment.clip.map { try hasVideo($0.media) } ?? false
            }
            var left: [TimeRange] = []
            for range in open {
                var place = range.start
                for placed in shown[Self.firstIndex(in: shown, endingAfter: range.start)...] {
                    guard let both = placed.range.intersection(range) else {
                        break
                    }
                    if place < both.start {
                        left.append(try TimeRange(start: place, end: both.start))
                    }
                    stretches.append(try VisibleStretch(both, of: placed))
                    place = both.end
                }
                if place < range.end {
                    left.append(try TimeRange(start: place, end: range.end))
                }
            }
            open = left
        }
        stretches += open.map { VisibleStretch(range: $0, segment: nil, window: $0) }
        return stretches.sorted { $0.range.start < $1.range.start }
    }

    private init(range: TimeRange, segment: Segment?, window: TimeRange) {
        self.range = range
        self.segment = segment
        self.window = window
    }

    private init(_ range: TimeRange, of placed: Track.Placed) throws {
        let start = try range.start - placed.range.start
        self.init(
            range: range, segment: placed.segment,
            window: try TimeRange(start: start, duration: range.duration))
    }

    private static func firstIndex(
        in placed: [Track.Placed], endingAfter time: RationalTime
    ) -> Int {
        placed.indices.partitionPoint { placed[$0].range.end > time }
    }
}
