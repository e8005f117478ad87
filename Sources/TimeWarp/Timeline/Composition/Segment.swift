import TimeMaps

/// A stretch of a track: a clip that plays, or a gap.
public struct Segment: Hashable, Sendable {
    /// What plays; nil in a gap.
    public let clip: PlacedClip?
    /// How long it lasts on the track; above 0.
    public let duration: RationalTime
    /// Instants of the clip's asset, in order; a gap has none.
    public var markers: [Marker] {
        didSet {
            markers = clip == nil ? [] : markers.sorted()
        }
    }

    /// A clip on a track.
    ///
    /// - Parameter duration: what its window lasts on the track; nil plays it as the retiming made
    ///   it.
    /// - Throws: ``CompositionError`` when the duration isn't above 0, or the clip would play more
    ///   than 1000 times faster or slower than its retiming made it.
    public init(
        _ clip: PlacedClip, lasting duration: RationalTime? = nil, markers: [Marker] = []
    ) throws {
        let lasts = duration ?? clip.window.duration
        guard lasts > .zero else {
            throw CompositionError.invalid(
                "a clip can't last \(lasts.seconds) s on a track; it must be above 0")
        }
        let factor = lasts.seconds / clip.window.duration.seconds
        guard clip.retiming.isFrozen || TimeMap.allows(scale: factor) else {
            throw CompositionError.invalid(
                "\(clip.window.duration.seconds) s can't become \(lasts.seconds) s: that is a "
                    + "time scale of \(factor), outside 1/1000 to 1000")
        }
        self.init(clip, lasts, markers.sorted())
    }

    /// Nothing, for a while.
    ///
    /// - Throws: ``CompositionError`` when the duration isn't above 0.
    public static func gap(lasting duration: RationalTime) throws -> Segment {
        guard duration > .zero else {
            throw CompositionError.invalid(
                "a gap can't last \(duration.seconds) s; it must be above 0")
        }
        return Segment(nil, duration, [])
    }

    private init(_ clip: PlacedClip?, _ duration: RationalTime, _ markers: [Marker]) {
        self.clip = clip
        self.duration = duration
        self.markers = markers
    }

    /// Whether nothing plays.
    public var isGap: Bool { clip == nil }
}

// MARK: - Time

extension Segment {
    /// Output time, 0 to ``duration``, to source time counted from the start of the clip's range;
    /// exactly as long as the segment, and exact lines wherever the retiming is straight.
    ///
    /// - Parameter frameDuration: seconds between the asset's frames, for the rules on what a curve
    ///   may do within one; nil takes a thousandth of the range.
    /// - Throws: ``CurveError`` when the retiming breaks those rules, ``CompositionError`` for a
    ///   gap, which has no map.
    /// - Complexity: that of integrating the curve; O(points) of a time map.
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
        case .curve, .timeMap:
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
    /// This segment lasting longer or shorter. Its markers stay at their instants of the asset.
    ///
    /// - Throws: ``CompositionError`` when the duration is no possible one.
    func lasting(_ duration: RationalTime) throws -> Segment {
        guard let clip else {
            return try .gap(lasting: duration)
        }
        return try Segment(clip, lasting: duration, markers: markers)
    }

    /// Both sides of a cut, which play on as before. A marker goes to the side that shows its
    /// instant first, and to the first if none does.
    ///
    /// The cut lies at `place` exactly; where that instant of the retimed clip has no exact form,
    /// it is taken to the nearest half nanosecond.
    ///
    /// - Parameter place: from the segment's start, inside of it.
    func split(at place: RationalTime) throws -> (Segment, Segment) {
        let rest = try duration - place
        guard let clip else {
            return (try .gap(lasting: place), try .gap(lasting: rest))
        }
        let windows = try windows(of: clip, cutAt: place)
        let first = try Segment(clip.windowed(windows.0), lasting: place)
        let second = try Segment(clip.windowed(windows.1), lasting: rest)
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
                "a cut \(place.seconds) s into a segment of \(duration.seconds) s leaves less of "
                    + "the clip than can be counted")
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

    /// This segment and the next as one; nil unless they continue each other exactly.
    func joined(with next: Segment) -> Segment? {
        guard let both = try? duration + next.duration else {
            return nil
        }
        guard let clip, let other = next.clip else {
            return self.isGap && next.isGap ? Segment(nil, both, []) : nil
        }
        guard clip.isContinued(by: other) else {
            return nil
        }
        guard !clip.retiming.isFrozen else {
            return Segment(clip, both, (markers + next.markers).sorted())
        }
        guard
            let speed = ExactFraction(duration).times(ExactFraction(other.window.duration)),
            let same = ExactFraction(next.duration).times(ExactFraction(clip.window.duration)),
            speed.minus(same)?.top == 0,
            let window = try? TimeRange(start: clip.window.start, end: other.window.end)
        else {
            return nil
        }
        return Segment(clip.windowed(window), both, (markers + next.markers).sorted())
    }
}
