import TimeMaps

/// Edits of all tracks at once. Markers, dissolves and gains move along with their segments. If one of these methods
/// throws, the composition is unchanged.
extension Composition {
    /// Inserts a gap into every track that reaches beyond its start. A segment there is cut.
    ///
    /// - Throws: ``CompositionError`` if the range is empty or starts outside of the composition, ``TimeError`` if a time
    ///   can't be represented.
    /// - Complexity: O(segments).
    public mutating func insertEmpty(_ range: TimeRange) throws {
        try requireInside(range.start, range.start)
        try editTracks { track in
            if range.start < track.duration {
                try track.insertEmpty(range)
            }
        }
    }

    /// Removes a range from all tracks. What follows moves earlier, so that no gap remains.
    ///
    /// - Throws: ``CompositionError`` if the range is empty or reaches outside of the composition, ``TimeError`` if a time
    ///   can't be represented.
    /// - Complexity: O(segments).
    public mutating func remove(_ range: TimeRange) throws {
        try requireInside(range.start, range.end)
        try editTracks { track in
            let end = min(range.end, track.duration)
            if range.start < end {
                try track.remove(TimeRange(start: range.start, end: end))
            }
        }
    }

    /// Makes a range of all tracks uniformly longer or shorter. The tracks stay in step: a cut at the same instant of two
    /// tracks is at the same instant afterwards.
    ///
    /// - Throws: as ``Track/scale(_:to:)``; ``CompositionError`` if the range reaches outside of the composition.
    /// - Complexity: O(segments).
    public mutating func scale(_ range: TimeRange, to duration: RationalTime) throws {
        try requireInside(range.start, range.end)
        try editTracks { track in
            let end = track.duration
            guard range.start < end else {
                return
            }
            let endsInGap = track.segments.last?.isGap == true
            // Scaled as a whole, so that its times are rounded as those of the other tracks.
            try track.pad(until: range.end)
            try track.scale(range, to: duration)
            if end < range.end, !endsInGap {
                try track.removeLastGap()
            }
        }
    }

    /// Plays another composition after this one; see ``insert(_:at:)-(Composition,_)``.
    public mutating func append(_ other: Composition) throws {
        try insert(other, at: duration)
    }

    /// Inserts another composition at an instant. What follows moves later, on all tracks.
    ///
    /// Each of its tracks goes onto the lowest track that carries the same and is above those of its lower tracks; where
    /// there is none, a new track is made on top. The format stays this composition's, and paths of files are taken as
    /// they are.
    ///
    /// - Throws: ``CompositionError`` if the instant is outside of the composition or the other one is empty,
    ///   ``TimeError`` if a time can't be represented.
    /// - Complexity: O(segments).
    public mutating func insert(_ other: Composition, at time: RationalTime) throws {
        var result = self
        if time < duration {
            try result.insertEmpty(TimeRange(start: time, duration: other.duration))
        } else {
            try requireInside(time, time)
        }
        var next = 0
        for track in other.tracks {
            let found = result.tracks[next...].firstIndex { $0.carries == track.carries }
            let index = found ?? result.tracks.count
            if found == nil {
                result.tracks.append(Track(name: track.name, carries: track.carries))
            }
            try result.tracks[index].fill(with: track, at: time)
            next = index + 1
        }
        self = result
    }

    private mutating func editTracks(_ change: (inout Track) throws -> Void) throws {
        tracks = try tracks.map { track in
            var track = track
            try change(&track)
            return track
        }
    }

    private func requireInside(_ start: RationalTime, _ end: RationalTime) throws {
        guard start >= .zero, end <= duration else {
            throw CompositionError.outside(
                "\(start.secondsText) s to \(end.secondsText) s reaches outside of the composition, which lasts "
                    + "\(duration.secondsText) s")
        }
    }
}

extension Track {
    /// Appends a gap until an instant, unless the track reaches it.
    fileprivate mutating func pad(until time: RationalTime) throws {
        if duration < time {
            try append(.gap(lasting: time - duration))
        }
    }

    fileprivate mutating func removeLastGap() throws {
        if segments.last?.isGap == true {
            try replaceSegments(Array(segments.dropLast()))
        }
    }

    /// Puts the segments of another track where this track has a gap that is long enough, or after its end.
    fileprivate mutating func fill(with other: Track, at time: RationalTime) throws {
        try pad(until: time)
        guard time < duration else {
            try replaceSegments(segments + other.segments)
            return
        }
        let gap = try TimeRange(start: time, duration: other.duration)
        try remove(gap)
        let (before, after) = try cut(at: time)
        try replaceSegments(before + other.segments + after)
    }
}
