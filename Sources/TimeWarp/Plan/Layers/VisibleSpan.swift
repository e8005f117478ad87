import TimeMaps

/// A part of the output in which the same clips are seen, or nothing.
struct VisibleSpan {
    /// A clip, and the part of it that is seen, counted from its start.
    struct Layer {
        let clip: ResolvedClip
        let window: TimeRange
    }

    /// In output time.
    let range: TimeRange
    /// What is seen, from the lowest; none for black. All but the lowest are seen through, and the lowest may be.
    let layers: [Layer]

    /// The clip that is seen alone; nil for black, and where clips are seen through.
    var clip: ResolvedClip? {
        guard layers.count == 1, let only = layers.first?.clip, !only.isSeenThrough else {
            return nil
        }
        return only
    }

    /// What is seen of layers: upper ones cover lower ones, unless they are seen through. The result has no gaps.
    ///
    /// ```
    ///  upper  ······┌──B──┐·········
    ///  lower  ┌──A──┴─────┴──A──┐···
    ///  seen   │A    │B    │A    │ black
    /// ```
    /// - Parameter layers: from the lowest; all of their clips have video.
    static func covering(
        _ layers: [[ResolvedClip]], until end: RationalTime
    ) throws -> [VisibleSpan] {
        var spans: [VisibleSpan] = []
        // From the top track down: ranges that are still open are filled from the next track.
        var open = [Open(range: try TimeRange(start: .zero, end: end), above: [])]
        for shown in layers.reversed() {
            var left: [Open] = []
            for part in open {
                var place = part.range.start
                for clip in shown[Self.firstIndex(in: shown, endingAfter: part.range.start)...] {
                    guard let both = clip.range.intersection(part.range) else {
                        break
                    }
                    if place < both.start {
                        left.append(try part.between(place, both.start))
                    }
                    let seen = Open(range: both, above: [clip] + part.above)
                    if clip.isSeenThrough {
                        left.append(seen)
                    } else {
                        spans.append(try VisibleSpan(seen))
                    }
                    place = both.end
                }
                if place < part.range.end {
                    left.append(try part.between(place, part.range.end))
                }
            }
            open = left
        }
        spans += try open.map(VisibleSpan.init)
        return spans.sorted { $0.range.start < $1.range.start }
    }

    /// A range that isn't covered yet.
    private struct Open {
        let range: TimeRange
        /// The clips that are seen through, from the lowest.
        let above: [ResolvedClip]

        func between(_ start: RationalTime, _ end: RationalTime) throws -> Open {
            Open(range: try TimeRange(start: start, end: end), above: above)
        }
    }

    private init(_ part: Open) throws {
        range = part.range
        layers = try part.above.map { clip in
            let start = try part.range.start.difference(clip.range.start)
            return Layer(
                clip: clip, window: try TimeRange(start: start, duration: part.range.duration))
        }
    }

    private static func firstIndex(
        in clips: [ResolvedClip], endingAfter time: RationalTime
    ) -> Int {
        clips.indices.partitionPoint { clips[$0].range.end > time }
    }
}
