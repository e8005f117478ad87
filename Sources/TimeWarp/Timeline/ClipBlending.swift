import TimeMaps

/// The fades and the gain of the segment that a clip plays, or plays a part of.
struct ClipBlending: Sendable {
    let blending: Blending
    /// How long the segment lasts.
    let duration: RationalTime
    /// Where the clip begins in the segment.
    let start: RationalTime

    /// Nil if the segment plays as it is.
    init?(_ segment: Segment) {
        guard segment.blending != .none else {
            return nil
        }
        self.init(segment.blending, lasting: segment.duration, from: .zero)
    }

    private init(_ blending: Blending, lasting duration: RationalTime, from start: RationalTime) {
        self.blending = blending
        self.duration = duration
        self.start = start
    }

    /// Whether video and sound change over time at an end.
    var fades: Bool { blending.fades }

    /// That of a part of the clip.
    func part(from time: RationalTime) throws -> ClipBlending {
        ClipBlending(blending, lasting: duration, from: try start.sum(time))
    }
}
