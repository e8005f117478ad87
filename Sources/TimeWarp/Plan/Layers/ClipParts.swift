import Media
import TimeMaps

extension Clip {
    /// The parts of the output through which the clip plays, each with the fades that are going on in it.
    ///
    /// - Parameter keepsSpeed: whether the clip's map doesn't count.
    /// - Throws: ``CompositionError`` if the fades overlap.
    func parts(
        for purpose: DissolveLane.Purpose, keepsSpeed: Bool
    ) throws -> [Flattening.Part] {
        guard let clip = keepsSpeed ? unretimed : self else {
            return []
        }
        let (map, range) = (clip.map, clip.range)
        let lasts = try map.duration.onFineTicks
        guard let blending else {
            return [
                Flattening.Part(
                    range: try TimeRange(start: .zero, duration: lasts), map: map,
                    start: range.start)
            ]
        }
        let (begin, played) = (
            blending.start, try TimeRange(start: blending.start, duration: lasts)
        )
        // From output time to that of the segment, which the clip may be a part of.
        let clock = Envelope.Clock(
            map: begin == .zero ? nil : .identity(lasts), outputStart: 0,
            trackStart: begin.seconds)
        return try blending.items(for: purpose).compactMap { item in
            guard let both = item.range.intersection(played) else {
                return nil
            }
            let shown = try TimeRange(
                start: both.start.difference(begin), duration: both.duration)
            let window = try map.window(from: shown.start, to: shown.end)
            return Flattening.Part(
                range: shown, map: window.map, start: try range.start.sum(window.sourceStart),
                envelopes: [Envelope(item, clock, group: 0)].compactMap { $0 })
        }
    }

    /// The fades and the gain of the clip's sound.
    var soundEnvelopes: [Envelope] {
        get throws {
            blending == nil
                ? [] : try parts(for: .sound, keepsSpeed: false).flatMap(\.envelopes)
        }
    }
}

extension ClipBlending {
    /// The segment on a track of its own, where its fades are.
    fileprivate func items(for purpose: DissolveLane.Purpose) throws -> [DissolveLane.Item] {
        let segment = try Segment(
            PlacedClip("the clip", range: TimeRange(start: .zero, end: duration)),
            blending: blending)
        return try DissolveLane.lanes(of: Track(segments: [segment]), for: purpose)
            .flatMap(\.items)
    }
}
