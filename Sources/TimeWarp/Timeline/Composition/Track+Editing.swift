import TimeMaps

/// If one of these methods throws, the track is unchanged.
extension Track {
    /// Cuts the segment at an instant into two that play as before.
    ///
    /// Nothing changes if the instant is between two segments or in a gap.
    ///
    /// - Throws: ``CompositionError`` if the instant is outside of the track, ``TimeError`` if a time can't be
    ///   represented.
    /// - Complexity: O(n).
    public mutating func split(at time: RationalTime) throws {
        let sides = try cut(at: time)
        try replaceSegments(sides.before + sides.after)
    }

    /// Inserts a range of a file, at normal speed, at an instant. A segment there is cut, and what follows
    /// moves later.
    ///
    /// ```
    ///  ├── A ──────┤├ B ┤            ├ A ┤├ new ┤├ A ──┤├ B ┤
    ///       ▲ new
    /// ```
    /// - Throws: ``CompositionError`` if the instant is outside of the track or the range isn't a range of a
    ///   file, ``TimeError`` if a time can't be represented.
    /// - Complexity: O(n).
    public mutating func insert(
        _ range: TimeRange, of media: String, at time: RationalTime
    ) throws {
        try insert(Segment(PlacedClip(media, range: range)), at: time)
    }

    /// Inserts a segment at an instant, which may be the track's end. A segment there is cut, and what follows
    /// moves later.
    ///
    /// - Throws: ``CompositionError`` if the instant is outside of the track, ``TimeError`` if a time can't be
    ///   represented.
    /// - Complexity: O(n).
    public mutating func insert(_ segment: Segment, at time: RationalTime) throws {
        let sides = try cut(at: time)
        try replaceSegments(sides.before + [segment] + sides.after)
    }

    /// Inserts a gap. A segment at the start of the range is cut, and what follows moves later by the range's
    /// duration.
    ///
    /// - Throws: ``CompositionError`` if the range is empty or starts outside of the track, ``TimeError`` if a
    ///   time can't be represented.
    /// - Complexity: O(n).
    public mutating func insertEmpty(_ range: TimeRange) throws {
        try insert(.gap(lasting: range.duration), at: range.start)
    }

    /// Removes a range. What follows moves earlier, so that no gap remains.
    ///
    /// - Throws: ``CompositionError`` if the range is empty or reaches outside of the track, ``TimeError`` if a
    ///   time can't be represented.
    /// - Complexity: O(n).
    public mutating func remove(_ range: TimeRange) throws {
        let parts = try cut(around: range)
        try replaceSegments(parts.before + parts.after)
    }

    /// Makes a range uniformly longer or shorter, with everything in it. What follows moves along, and so do
    /// markers.
    ///
    /// The range then lasts exactly `duration`. Boundaries of segments inside of it are rounded to the nearest
    /// half nanosecond, in ticks that represent common times exactly.
    ///
    /// - Throws: ``CompositionError`` if the range or the duration is empty, the range reaches outside of the
    ///   track, or a clip would play more than 1000 times faster or slower; ``TimeError`` if a time can't be
    ///   represented.
    /// - Complexity: O(n).
    public mutating func scale(_ range: TimeRange, to duration: RationalTime) throws {
        guard duration > .zero else {
            throw CompositionError.invalid(
                "a range can't be scaled to \(duration.secondsText) s; that must be above 0")
        }
        let parts = try cut(around: range)
        let inside = try Track(segments: parts.inside)
        // Boundaries with odd denominators would be exact, but later sums with them might not be representable.
        let ticks =
            try RationalTime.commonTick(range.start, range.start + duration)
            ?? RationalTime.fineTick
        let scaled = try inside.scaled(to: duration, ticks: ticks)
        try replaceSegments(parts.before + scaled + parts.after)
    }

    /// All segments, uniformly longer or shorter, so that they last exactly `duration`.
    ///
    /// - Parameter ticks: the boundaries of segments are rounded to this number of ticks a second.
    private func scaled(to duration: RationalTime, ticks: Int32) throws -> [Segment] {
        var start = RationalTime.zero
        var scaled: [Segment] = []
        scaled.reserveCapacity(segments.count)
        for (segment, end) in zip(segments, ends) {
            let place = ExactFraction(end).scaled(by: duration, over: self.duration)
            let end =
                try end == self.duration
                ? duration : RationalTime(rounded: place, ticks: ticks).multiplied(by: 1, over: 1)
            scaled.append(try segment.lasting(end - start))
            start = end
        }
        return scaled
    }

    /// Joins neighbouring segments that continue each other exactly, as the parts of a cut segment do.
    ///
    /// - Throws: ``TimeError`` if a time can't be represented.
    ///
    /// - Complexity: O(n).
    public mutating func joinContinuingSegments() throws {
        var joined: [Segment] = []
        for segment in segments {
            if let both = joined.last?.joined(with: segment) {
                joined[joined.count - 1] = both
            } else {
                joined.append(segment)
            }
        }
        try replaceSegments(joined)
    }

    // MARK: - Cutting

    func cut(at time: RationalTime) throws -> (before: [Segment], after: [Segment]) {
        guard time >= .zero, time <= duration else {
            throw CompositionError.outside(
                "\(time.secondsText) s lies outside of the track, which lasts \(duration.secondsText) s"
            )
        }
        guard let index = segmentIndex(at: time) else {
            return (segments, [])
        }
        let start = range(of: index).start
        guard start < time else {
            return (Array(segments[..<index]), Array(segments[index...]))
        }
        let sides = try segments[index].split(at: time - start)
        return (segments[..<index] + [sides.0], [sides.1] + segments[(index + 1)...])
    }

    private func cut(
        around range: TimeRange
    ) throws -> (before: [Segment], inside: [Segment], after: [Segment]) {
        guard range.duration > .zero else {
            throw CompositionError.invalid("a range of 0 s holds nothing")
        }
        guard range.start >= .zero, range.end <= duration else {
            throw CompositionError.outside(
                "the range \(range.start.secondsText) s to \(range.end.secondsText) s reaches outside of "
                    + "the track, which lasts \(duration.secondsText) s")
        }
        let end = try cut(at: range.end)
        let rest = try Track(segments: end.before)
        let start = try rest.cut(at: range.start)
        return (start.before, start.after, end.after)
    }
}
