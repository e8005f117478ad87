import TimeMaps

/// A part of the output in which one clip is seen, or nothing.
struct VisibleStretch {
    /// In output time.
    let range: TimeRange
    /// The clip that is seen; nil for black.
    let clip: FlatClip?
    /// The part of the clip that is seen, counted from its start.
    let window: TimeRange

    /// What is seen of layers: upper ones cover lower ones. The result has no gaps.
    ///
    /// ```
    ///  upper  ······┌──B──┐·········
    ///  lower  ┌──A──┴─────┴──A──┐···
    ///  seen   │A    │B    │A    │ black
    /// ```
    /// - Parameter layers: from the lowest; a clip without video covers nothing.
    static func covering(
        _ layers: [[FlatClip]], until end: RationalTime
    ) throws -> [VisibleStretch] {
        var stretches: [VisibleStretch] = []
        // From the top track down: ranges that are still open are filled from the next track.
        var open = [try TimeRange(start: .zero, end: end)]
        for layer in layers.reversed() {
            let shown = layer.filter { $0.video != nil }
            var left: [TimeRange] = []
            for range in open {
                var place = range.start
                for clip in shown[Self.firstIndex(in: shown, endingAfter: range.start)...] {
                    guard let both = clip.range.intersection(range) else {
                        break
                    }
                    if place < both.start {
                        left.append(try TimeRange(start: place, end: both.start))
                    }
                    stretches.append(try VisibleStretch(both, of: clip))
                    place = both.end
                }
                if place < range.end {
                    left.append(try TimeRange(start: place, end: range.end))
                }
            }
            open = left
        }
        stretches += open.map { VisibleStretch(range: $0, clip: nil, window: $0) }
        return stretches.sorted { $0.range.start < $1.range.start }
    }

    private init(range: TimeRange, clip: FlatClip?, window: TimeRange) {
        self.range = range
        self.clip = clip
        self.window = window
    }

    private init(_ range: TimeRange, of clip: FlatClip) throws {
        let start = try range.start.difference(clip.range.start)
        self.init(
            range: range, clip: clip,
            window: try TimeRange(start: start, duration: range.duration))
    }

    private static func firstIndex(
        in clips: [FlatClip], endingAfter time: RationalTime
    ) -> Int {
        clips.indices.partitionPoint { clips[$0].range.end > time }
    }
}
