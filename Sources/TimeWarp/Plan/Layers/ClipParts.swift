import Media
import TimeMaps

extension ClipBlending {
    /// A part of the clip in which the same fades are going on.
    struct Part {
        /// In output time.
        let range: TimeRange
        let envelopes: [Envelope]
    }

    /// The parts of an output that lasts so long, in order.
    ///
    /// - Throws: ``CompositionError`` if the fades overlap.
    func parts(for purpose: DissolveLane.Purpose, lasting output: RationalTime) throws -> [Part] {
        let segment = try Segment(
            PlacedClip("the clip", range: TimeRange(start: .zero, end: duration)),
            blending: blending)
        let track = try Track(segments: [segment])
        let clock = Envelope.Clock(
            map: start == .zero ? nil : .identity(output), outputStart: 0,
            trackStart: start.seconds)
        let played = try TimeRange(start: start, duration: output)
        return try DissolveLane.lanes(of: track, for: purpose).flatMap(\.items).compactMap { item in
            guard let range = item.range.intersection(played) else {
                return nil
            }
            return Part(
                range: try TimeRange(
                    start: range.start.difference(start), duration: range.duration),
                envelopes: [Envelope(item, clock, group: 0)].compactMap { $0 })
        }
    }
}

extension Clip {
    /// The parts of the output through which the clip plays, each with the fades that are going on in it.
    ///
    /// - Parameter keepsSpeed: whether the clip's map doesn't count.
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
        return try blending.parts(for: purpose, lasting: lasts).map { part in
            let window = try map.window(from: part.range.start, to: part.range.end)
            return Flattening.Part(
                range: part.range, map: window.map,
                start: try range.start.sum(window.sourceStart), envelopes: part.envelopes)
        }
    }

    /// The fades and the gain of the clip's sound.
    var soundEnvelopes: [Envelope] {
        get throws {
            try blending?.parts(for: .sound, lasting: map.duration.onFineTicks)
                .flatMap(\.envelopes) ?? []
        }
    }
}
