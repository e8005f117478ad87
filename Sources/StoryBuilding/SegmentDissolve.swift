import Media
import Stories
import TimeMaps
import TimeWarp

/// The frames in which a segment dissolves with the one that was left for it.
///
/// ```
///  before  ──────────────┤· · · · · ·┐            goes on as in its media file, and is left at its end
///  after                 ├───────────┼─────────
///                        0        lasting
/// ```
struct SegmentDissolve {
    let before: PlannedSegment
    let after: PlannedSegment
    let lasting: RationalTime

    /// What is seen, for as long as the dissolve lasts.
    func video() throws -> Composition {
        try composition(.video, after.composition.format, lead: .zero, tail: .zero)
    }

    /// What is heard, with some sound before and after it.
    func sound(
        _ format: Composition.Format, lead: RationalTime, tail: RationalTime
    ) throws -> Composition {
        try composition(.sound, format, lead: lead, tail: tail)
    }

    private func composition(
        _ content: Track.Content, _ format: Composition.Format, lead: RationalTime,
        tail: RationalTime
    ) throws -> Composition {
        // Pictures that come in cover those below, while sounds are added: one of them must go out.
        let leaving = try Track(
            carries: content,
            segments: [
                leavingSegment(from: lead, fadingOut: content == .sound ? lasting : .zero)
            ])
        var coming = Track(carries: content)
        if lead > .zero {
            try coming.append(.gap(lasting: lead))
        }
        let shown = try after.video(until: lasting.sum(tail)).tracks.flatMap(\.segments)
        for (index, segment) in shown.enumerated() {
            var segment = segment
            segment.blending = Blending(dissolve: index == 0 ? lasting : .zero)
            try coming.append(segment)
        }
        return Composition(format: format, tracks: [leaving, coming])
    }

    /// The segment that is left, from some time before its end until the dissolve has ended. Beyond its media file the last
    /// frame is held.
    private func leavingSegment(
        from lead: RationalTime, fadingOut: RationalTime
    ) throws -> Segment {
        // A map is only known around its own output, so the window begins inside.
        let inside = max(lead, before.frameDuration)
        let part = try before.map.window(
            from: before.duration.difference(inside), to: before.duration.sum(lasting))
        let lasts = try inside.sum(lasting)
        let window = try TimeRange(start: inside.difference(lead), end: lasts)
        let start = before.rangeStart.seconds + part.sourceStart.seconds
        let asset = before.asset
        let last = max(0, asset.duration.seconds - before.frameDuration.seconds / 2)
        let outline = part.map.outline(within: before.frameDuration.seconds / 8)
        let places = outline.source.map { min(max(0, start + $0), last) }
        let first = try RationalTime(fine: places.min() ?? 0)
        let end = try RationalTime(fine: places.max() ?? 0)
        guard first < end else {
            let range = try TimeRange(start: first, end: asset.duration)
            let still = try PlacedClip(asset.path, range: range, retiming: .frozen(at: first))
            return try Segment(
                still, lasting: window.duration, blending: Blending(fadeOut: fadingOut))
        }
        let points = try zip(outline.output, places).map { output, place in
            TimeAnchor(
                source: try RationalTime(fine: place).difference(first),
                output: output == outline.output.last ? lasts : try RationalTime(fine: output))
        }
        return try Segment(
            PlacedClip(
                asset.path, range: TimeRange(start: first, end: end),
                retiming: .timeMap(TimeMapDocument(points: points)), window: window),
            blending: Blending(fadeOut: fadingOut))
    }
}
