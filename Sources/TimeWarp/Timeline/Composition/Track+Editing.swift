import TimeMaps

/// Every change is made whole or, where it throws, not at all.
extension Track {
    /// Cuts at an instant: what lies there becomes two segments that play on as before.
    ///
    /// At the ends of a segment, and in a gap, there is nothing to cut.
    ///
    /// - Throws: ``CompositionError`` outside of the track, ``TimeError``.
    /// - Complexity: O(n).
    public mutating func split(at time: RationalTime) throws {
        let sides = try cut(at: time)
        try replaceSegments(sides.before + sides.after)
    }

    /// Puts a range of a file, played as it is, at an instant: what lies there is cut, and what
    /// follows moves on.
    ///
    /// ```
    ///  ├── A ──────┤├ B ┤            ├ A ┤├ new ┤├ A ──┤├ B ┤
    ///       ▲ new
    /// ```
    /// - Throws: ``CompositionError`` outside of the track, or when the range is no part of a file;
    ///   ``TimeError``.
    /// - Complexity: O(n).
    public mutating func insert(
        _ range: TimeRange, of media: String, at time: RationalTime
    ) throws {
        try insert(Segment(PlacedClip(media, range: range)), at: time)
    }

    /// Puts a segment at an instant, which may be the track's end: what lies there is cut, and what
    /// follows moves on.
    ///
    /// - Throws: ``CompositionError`` outside of the track, ``TimeError``.
    /// - Complexity: O(n).
    public mutating func insert(_ segment: Segment, at time: RationalTime) throws {
        let sides = try cut(at: time)
        try replaceSegments(sides.before + [segment] + sides.after)
    }

    /// Opens a gap: what lies at the range's start is cut, and what follows moves to its end.
    ///
    /// - Throws: ``CompositionError`` when it lasts no time or starts outside of the track;
    ///   ``TimeError``.
    /// - Complexity: O(n).
    public mutating func insertEmpty(_ range: TimeRange) throws {
        try insert(.gap(lasting: range.duration), at: range.start)
    }

    /// Takes a range out, and closes up.
    ///
    /// - Throws: ``CompositionError`` when it lasts no time or reaches outside of the track;
    ///   ``TimeError``.
    /// - Complexity: O(n).
    public mutating func remove(_ range: TimeRange) throws {
        let parts = try cut(around: range)
        try replaceSegments(parts.before + parts.after)
    }

    /// Makes a range last longer or shorter, uniformly, in everything that it holds; what follows
    /// moves along, and so do markers.
    ///
    /// The range lasts `duration` exactly. Where segments meet inside of it is taken to the nearest
    /// half nanosecond, in ticks that usual times are whole numbers of and so keep exactly.
    ///
    /// - Throws: ``CompositionError`` when the range or the duration lasts no time, the range
    ///   reaches outside of the track, or something would play more than 1000 times faster or
    ///   slower; ``TimeError``.
    /// - Complexity: O(n).
    public mutating func scale(_ range: TimeRange, to duration: RationalTime) throws {
        guard duration > .zero else {
            throw CompositionError.invalid(
                "a range can't be scaled to \(duration.seconds) s; that must be above 0")
        }
        let parts = try cut(around: range)
        let inside = try Track(segments: parts.inside)
        // An odd cut would be exact here, and leave no room for what comes next.
        let ticks =
            try RationalTime.commonTick(range.start, range.start + duration)
            ?? RationalTime.fineTick
        let scaled = try inside.scaled(to: duration, ticks: ticks)
        try replaceSegments(parts.before + scaled + parts.after)
    }

    /// All segments uniformly longer or shorter, from 0 to `duration` exactly.
    ///
    /// - Parameter ticks: a second, to which they meet.
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

    /// Joins neighbours that continue each other exactly, as the parts of a cut do.
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

    private func cut(at time: RationalTime) throws -> (before: [Segment], after: [Segment]) {
        guard time >= .zero, time <= duration else {
            throw CompositionError.outside(
                "\(time.seconds) s lies outside of the track, which lasts \(duration.seconds) s")
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
                "the range \(range.start.seconds) s to \(range.end.seconds) s reaches outside of "
                    + "the track, which lasts \(duration.seconds) s")
        }
        let end = try cut(at: range.end)
        let rest = try Track(segments: end.before)
        let start = try rest.cut(at: range.start)
        return (start.before, start.after, end.after)
    }
}
