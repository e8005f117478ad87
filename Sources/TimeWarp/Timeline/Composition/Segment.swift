import TimeMaps

/// A part of a track: a clip or a gap.
public struct Segment: Hashable, Sendable {
    /// The clip; nil in a gap.
    public let clip: PlacedClip?
    /// The duration on the track; above 0.
    public let duration: RationalTime
    /// The markers of the clip's asset, sorted. A gap has none.
    public var markers: [Marker] {
        didSet {
            markers = clip == nil ? [] : markers.sorted()
        }
    }

    /// How the clip comes in and goes out, and how loud it is. A gap has none.
    public var blending: Blending {
        didSet {
            blending = clip == nil ? .none : blending
        }
    }

    /// A clip on a track.
    ///
    /// - Parameters:
    ///   - duration: the duration of the clip's window on the track; nil takes the duration that the retiming
    ///     gives.
    ///   - markers: instants or ranges of the clip's asset, in any order.
    ///   - blending: how the clip comes in and goes out, and how loud it is.
    /// - Throws: ``CompositionError`` if the duration isn't above 0, or the clip would play more than 1000
    ///   times faster or slower than its retiming makes it.
    public init(
        _ clip: PlacedClip, lasting duration: RationalTime? = nil, markers: [Marker] = [],
        blending: Blending = .none
    ) throws {
        let lasts = duration ?? clip.window.duration
        guard lasts > .zero else {
            throw CompositionError.invalid(
                "a clip can't last \(lasts.secondsText) s; that must be above 0")
        }
        let factor = lasts.seconds / clip.window.duration.seconds
        guard clip.retiming.isFrozen || TimeMap.allows(scale: factor) else {
            throw CompositionError.invalid(
                "\(clip.window.duration.secondsText) s can't become \(lasts.secondsText) s: that is a "
                    + "time scale of \(factor), outside 1/1000 to 1000")
        }
        self.init(clip, lasts, markers.sorted(), blending)
    }

    /// A gap, in which nothing plays.
    ///
    /// - Throws: ``CompositionError`` if the duration isn't above 0.
    public static func gap(lasting duration: RationalTime) throws -> Segment {
        guard duration > .zero else {
            throw CompositionError.invalid(
                "a gap can't last \(duration.secondsText) s; it must be above 0")
        }
        return Segment(nil, duration, [])
    }

    private init(
        _ clip: PlacedClip?, _ duration: RationalTime, _ markers: [Marker],
        _ blending: Blending = .none
    ) {
        self.clip = clip
        self.duration = duration
        self.markers = markers
        self.blending = blending
    }

    /// Whether the segment is a gap.
    public var isGap: Bool { clip == nil }
}

// MARK: - Time

extension Segment {
    /// The map from output time, 0 to ``duration``, to source time, which counts from the start of the clip's
    /// range. The map is exactly as long as the segment, and its lines are exact wherever the speed is
    /// constant.
    ///
    /// - Parameter frameDuration: the asset's frame duration in seconds, for the limits on what a curve may do
    ///   within one frame; nil takes a thousandth of the range.
    /// - Throws: ``CurveError`` if the retiming exceeds those limits, ``CompositionError`` for a gap, which has
    ///   no map.
    /// - Complexity: that of integrating the curve; O(points) for a time map.
    public func timeMap(frameDuration: Double? = nil) throws -> TimeMap {
        guard let clip else {
            throw CompositionError.invalid("nothing plays in a gap, so it has no time map")
        }
        let source = clip.range.duration
        switch clip.retiming {
        case .frozen(let instant):
            let place = try instant.difference(clip.range.start)
            return try line(from: place, to: place, of: source)
        case .uniform:
            return try line(from: clip.window.start, to: clip.window.end, of: source)
        case .reversed:
            return try line(
                from: source.difference(clip.window.start),
                to: source.difference(clip.window.end), of: source)
        case .curve, .timeMap, .thereAndBack:
            let whole = try clip.retiming.map(
                of: clip.range, frameDuration: frameDuration, lasting: clip.retimedDuration)
            guard !clip.isWhole || whole.exactOutputDuration != duration else {
                return whole
            }
            let window = try line(
                from: clip.window.start, to: clip.window.end, of: clip.retimedDuration)
            return try whole.composed(after: window)
        }
    }

    private func line(
        from start: RationalTime, to end: RationalTime, of source: RationalTime
    ) throws -> TimeMap {
        try TimeMap(
            pieces: [.init(ExactLine(.zero, duration, from: start, to: end))],
            sourceDuration: source)
    }
}

// MARK: - Cutting and joining

extension Segment {
    /// The same segment with another clip.
    func playing(_ clip: PlacedClip) -> Segment {
        Segment(clip, duration, markers, blending)
    }

    /// This segment with the first frame of its media held all the time; nil for a gap.
    func holdingFirstFrame() throws -> Segment? {
        guard let clip else {
            return nil
        }
        let held = try PlacedClip(
            clip.media, range: TimeRange(start: .zero, duration: .seconds(1)),
            retiming: .frozen(at: .zero), name: clip.name)
        return playing(held)
    }

    /// This segment with another duration. Its markers stay at their instants of the asset, and its fades and keyframes
    /// are scaled.
    ///
    /// - Throws: ``CompositionError`` if the duration isn't possible.
    func lasting(_ duration: RationalTime) throws -> Segment {
        guard let clip else {
            return try .gap(lasting: duration)
        }
        return try Segment(
            clip, lasting: duration, markers: markers,
            blending: blending.scaled(by: duration, over: self.duration))
    }

    /// This segment with more of its retimed clip at both sides, as far as there is more.
    ///
    /// - Parameters:
    ///   - head: how much earlier it begins at most.
    ///   - tail: how much later it ends at most.
    /// - Returns: the segment, and how much earlier it begins.
    func widened(
        before head: RationalTime, after tail: RationalTime
    ) throws -> (segment: Segment, head: RationalTime) {
        guard let clip, !clip.retiming.isFrozen else {
            return (self, .zero)
        }
        let window = clip.window
        let first = min(window.start, try head.scaled(by: window.duration, over: duration))
        let last = min(
            try clip.retimedDuration.difference(window.end),
            try tail.scaled(by: window.duration, over: duration))
        let added = try first.scaled(by: duration, over: window.duration)
        let wider = try TimeRange(
            start: window.start.difference(first), end: window.end.sum(last))
        let longer = try added.sum(duration).sum(
            last.scaled(by: duration, over: window.duration))
        return (Segment(clip.windowed(wider), longer, [], blending), added)
    }

    /// The two segments on both sides of a cut. They play as before. A marker goes to the side that presents
    /// its instant first, and to the first side if none does.
    ///
    /// The cut is exactly at `place`. If the instant of the retimed clip at the cut can't be represented
    /// exactly, it is rounded to the nearest half nanosecond.
    ///
    /// - Parameter place: counts from the segment's start; it must be inside of the segment.
    func split(at place: RationalTime) throws -> (Segment, Segment) {
        let rest = try duration - place
        guard let clip else {
            return (try .gap(lasting: place), try .gap(lasting: rest))
        }
        let windows = try windows(of: clip, cutAt: place)
        let parts = try blending.split(at: place)
        let first = try Segment(clip.windowed(windows.0), lasting: place, blending: parts.0)
        let second = try Segment(clip.windowed(windows.1), lasting: rest, blending: parts.1)
        return try shared(markers, by: first, second)
    }

    private func windows(
        of clip: PlacedClip, cutAt place: RationalTime
    ) throws -> (TimeRange, TimeRange) {
        let window = clip.window
        let cut = ExactFraction(place).scaled(by: window.duration, over: duration)?
            .plus(ExactFraction(window.start))
        if let exact = cut?.time, let first = try? TimeRange(start: window.start, end: exact),
            let second = try? TimeRange(start: exact, end: window.end)
        {
            return (first, second)
        }
        let ticks = RationalTime.commonTick(window.start, window.end) ?? RationalTime.fineTick
        let near = try RationalTime(rounded: cut, ticks: ticks)
        guard clip.retiming.isFrozen || (window.start < near && near < window.end) else {
            throw CompositionError.invalid(
                "a cut \(place.secondsText) s into a segment of \(duration.secondsText) s leaves a part "
                    + "of the clip that is too short to be represented")
        }
        return (
            try TimeRange(start: window.start, end: near),
            try TimeRange(start: near, end: window.end)
        )
    }

    private func shared(
        _ markers: [Marker], by first: Segment, _ second: Segment
    ) throws -> (Segment, Segment) {
        guard !markers.isEmpty else {
            return (first, second)
        }
        let (early, late) = (try SegmentTiming(first), try SegmentTiming(second))
        var (first, second) = (first, second)
        for marker in markers {
            let isLate =
                try early.firstShowing(of: marker.at) == nil
                && late.firstShowing(of: marker.at) != nil
            if isLate {
                second.markers.append(marker)
            } else {
                first.markers.append(marker)
            }
        }
        return (first, second)
    }

    /// This segment and the next as one; nil unless the next continues this one exactly.
    func joined(with next: Segment) -> Segment? {
        guard let both = try? duration + next.duration else {
            return nil
        }
        guard let clip, let other = next.clip else {
            return self.isGap && next.isGap ? Segment(nil, both, []) : nil
        }
        guard clip.isContinued(by: other),
            let blending = blending.joined(with: next.blending, after: duration)
        else {
            return nil
        }
        guard !clip.retiming.isFrozen else {
            return Segment(clip, both, (markers + next.markers).sorted(), blending)
        }
        guard
            let speed = ExactFraction(duration).times(ExactFraction(other.window.duration)),
            let same = ExactFraction(next.duration).times(ExactFraction(clip.window.duration)),
            speed.minus(same)?.top == 0,
            let window = try? TimeRange(start: clip.window.start, end: other.window.end)
        else {
            return nil
        }
        return Segment(clip.windowed(window), both, (markers + next.markers).sorted(), blending)
    }
}
