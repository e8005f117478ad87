import TimeMaps
import TimeWarp

extension ExchangeTimeline {
    /// The composition that the timeline says.
    ///
    /// Clips that overlap go to tracks of their own. A clip that can't be one here becomes a gap, with a note.
    ///
    /// - Complexity: O(n log n) in the number of clips.
    func composition(_ notes: inout TimelineNotes) throws -> Composition {
        try requireFewTracks()
        guard tracks.reduce(0, { $0 + $1.clips.count }) <= Composition.mostSegments else {
            throw CompositionError(
                .unsupported, "the timeline holds more than \(Composition.mostSegments) items")
        }
        let frame = (format.frameRate ?? FrameGrid.usual.rate).frameDuration
        var result: [Track] = []
        for track in tracks {
            for lane in try track.dissolved(format.frameRate).lanes() {
                do {
                    result.append(try lane.track(frame, &notes))
                } catch is TimeError {
                    // Sums of such fractions don't fit, as those of clips at odd speeds in containers.
                    result.append(try lane.inFineTicks().track(frame, &notes))
                }
            }
        }
        return Composition(name: name, format: format, tracks: result)
    }

    /// Makes one track of a video track and an audio track that play the same, and drops audio tracks that repeat another:
    /// some formats have one track for each channel of a file.
    ///
    /// - Complexity: O(n log n) in the number of clips.
    mutating func joinVideoAndSound() {
        for index in tracks.indices {
            tracks[index].clips.sort { $0.start < $1.start }
        }
        var known: Set<ExchangeTrack.Showing> = []
        let sounds = tracks.filter {
            $0.carries == .sound && known.insert(.init($0, withGain: true)).inserted
        }
        var partners = Dictionary(
            sounds.enumerated().map { (ExchangeTrack.Showing($0.element), $0.offset) },
            uniquingKeysWith: { first, _ in first })
        var taken: Set<Int> = []
        var joined = tracks.filter { $0.carries != .sound }
        for index in joined.indices where joined[index].carries == .video {
            guard let partner = partners.removeValue(forKey: .init(joined[index])) else {
                continue
            }
            taken.insert(partner)
            joined[index].carries = .both
            for (number, heard) in sounds[partner].clips.map(\.clip).enumerated() {
                joined[index].clips[number].clip.blending.gain = heard.blending.gain
                joined[index].clips[number].clip.addMarkers(heard.markers)
            }
        }
        let rest = sounds.indices.filter { !taken.contains($0) }.map { sounds[$0] }
        tracks = joined + rest
        // Here a composition has its tracks in one order; files have video before sound.
        let numbers = tracks.compactMap(\.number)
        let isOurs =
            Set(numbers).count == tracks.count
            && [joined, rest].map { $0.compactMap(\.number) }.allSatisfy { $0 == $0.sorted() }
        if isOurs {
            tracks = zip(numbers, tracks).sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

extension ExchangeTrack {
    /// The track with its transitions as the clips' own dissolves and fades, which are around the middle of the
    /// transition: the cut is moved there, and both clips go on along their lines.
    ///
    /// - Parameter rate: the frame rate, if it is known: the cut is at a whole frame then.
    fileprivate func dissolved(_ rate: FrameRate?) throws -> ExchangeTrack {
        let grid = rate.map(FrameGrid.init)
        var result = self
        result.clips.sort { $0.start < $1.start }
        result.transitions = []
        for range in transitions where range.duration > .zero {
            try result.dissolve(range, grid)
        }
        return result
    }

    private mutating func dissolve(_ range: TimeRange, _ grid: FrameGrid?) throws {
        let exact = try range.start.sum(range.duration.multiplied(by: 1, over: 2))
        // The last clip that starts before the middle may be either of the two.
        let next = clips.indices.partitionPoint { clips[$0].start > range.end }
        var (outgoing, incoming): (Int?, Int?)
        for index in max(0, next - 3)..<next {
            let (start, end) = (clips[index].start, try clips[index].end)
            if clips[index].goesOut, start == range.start {
                outgoing = index
            } else if start >= range.start, start < range.end {
                incoming = incoming ?? index
            } else if start < range.start, end >= range.start, end <= range.end,
                outgoing.map({ !clips[$0].goesOut }) ?? true
            {
                outgoing = index
            }
        }
        try dissolve(
            outgoing, incoming, over: range, at: grid?.wholeFrames(before: exact) ?? exact)
    }

    /// Lets two clips dissolve, or fades one where there is no other. Both go on along their lines.
    ///
    /// - Parameter middle: where the cut will be.
    /// - Returns: false if there is no clip, or one that is shorter than its half.
    @discardableResult
    mutating func dissolve(
        _ outgoing: Int?, _ incoming: Int?, over range: TimeRange, at middle: RationalTime
    ) throws -> Bool {
        if let outgoing, let incoming {
            let (before, after) = (clips[outgoing], clips[incoming])
            // A clip that is shorter than its half of the dissolve stays as it is.
            guard before.start < middle, try middle < after.end else {
                return false
            }
            clips[outgoing] = try before.placed(from: before.start, to: middle)
            clips[incoming] = try after.placed(from: middle, to: after.end)
            clips[incoming].clip.blending.dissolve = range.duration
        } else if let outgoing {
            let placed = clips[outgoing]
            let end = max(range.end, try placed.end)
            clips[outgoing] = try placed.placed(from: placed.start, to: end)
            clips[outgoing].clip.blending.fadeOut = try end.difference(range.start)
        } else if let incoming {
            let placed = clips[incoming]
            let start = max(.zero, min(range.start, placed.start))
            clips[incoming] = try placed.placed(from: start, to: placed.end)
            clips[incoming].clip.blending.dissolve = try range.end.difference(start)
        }
        return outgoing != nil || incoming != nil
    }

    /// Makes one clip of neighbours of which the second simply goes on where the first ends, at the ends of dissolves: some
    /// formats cut clips there.
    mutating func joinContinued() throws {
        clips.sort { $0.start < $1.start }
        let places = Set(transitions.flatMap { [$0.start, $0.end] })
        var joined: [Placed] = []
        for placed in clips {
            if places.contains(placed.start), let last = joined.last,
                try last.end == placed.start,
                let both = try last.clip.continued(by: placed.clip)
            {
                joined[joined.count - 1].clip = both
            } else {
                joined.append(placed)
            }
        }
        clips = joined
    }

    /// The track as one or more without overlaps.
    ///
    /// - Throws: ``CompositionError`` if too many clips overlap.
    fileprivate func lanes() throws -> [ExchangeTrack] {
        let empty = ExchangeTrack(name: name, carries: carries, length: length)
        var lanes = number != nil || length > .zero ? [empty] : []
        var ends = lanes.map { _ in RationalTime.zero }
        for placed in clips {
            if let lane = ends.firstIndex(where: { $0 <= placed.start }) {
                lanes[lane].clips.append(placed)
                ends[lane] = try placed.end
                continue
            }
            guard lanes.count < ReaderBounds.mostTracks else {
                throw CompositionError(
                    .unsupported, "more than \(ReaderBounds.mostTracks) clips overlap")
            }
            lanes.append(ExchangeTrack(name: name, carries: carries, clips: [placed]))
            ends.append(try placed.end)
        }
        return lanes
    }

    /// The track with its cuts at the nearest ``RationalTime/fineTick``. Clips go on along their lines.
    fileprivate func inFineTicks() throws -> ExchangeTrack {
        func fine(_ time: RationalTime) throws -> RationalTime {
            try RationalTime(rounded: ExactFraction(time), ticks: RationalTime.fineTick)
        }
        var rounded = self
        rounded.length = try fine(length)
        rounded.clips = try clips.compactMap { placed in
            let (start, end) = try (fine(placed.start), fine(placed.end))
            return start < end ? try placed.placed(from: start, to: end) : nil
        }
        return rounded
    }

    fileprivate func track(
        _ frame: RationalTime, _ notes: inout TimelineNotes
    ) throws -> Track {
        var track = Track(name: name, carries: carries)
        for placed in clips {
            let gap = try placed.start.difference(track.duration)
            if gap > .zero {
                try track.append(.gap(lasting: gap))
            }
            let segment: Segment
            do {
                segment = try placed.clip.segment(frame)
            } catch let error
                where error is CompositionError || error is CurveError || error is TimeError
            {
                notes.add("\(placed.clip.title) became a gap: \(error).")
                continue
            }
            try track.append(segment)
        }
        let rest = try length.difference(track.duration)
        if rest > .zero {
            try track.append(.gap(lasting: rest))
        }
        return track
    }
}

extension TimelineClip {
    /// The clip for a note: its name, or that of its file.
    var title: String { "The clip \"\(name ?? PlacedClip.fileName(of: media))\"" }
}

extension TimelineClip {
    /// This clip and the next as one; nil unless the next simply goes on.
    fileprivate func continued(by next: TimelineClip) throws -> TimelineClip? {
        guard media == next.media, name == next.name,
            abs(ends.last.seconds - next.ends.first.seconds) < Self.unnoticed,
            let blending = try blending.continued(by: next.blending, after: duration)
        else {
            return nil
        }
        let later = try next.points.dropFirst().map {
            TimeAnchor(source: $0.source, output: try duration.sum($0.output))
        }
        let isStraight =
            abs(try source(at: later[0].output).seconds - later[0].source.seconds) < Self.unnoticed
        var both = self
        both.blending = blending
        try both.setPoints((isStraight ? points.dropLast() : points[...]) + later)
        both.addMarkers(next.markers)
        return both
    }

    /// Some formats round source times, in seconds.
    static let unnoticed = 1e-6
}

extension Blending {
    /// The blending of a clip that is followed by its own continuation; nil unless the two fit together.
    fileprivate func continued(
        by next: Blending, after duration: RationalTime
    ) throws -> Blending? {
        guard fadeOut == .zero, next.dissolve == .zero else {
            return nil
        }
        var both = self
        both.fadeOut = next.fadeOut
        let keyframes = [gain.keyframes, next.gain.keyframes]
        if keyframes.contains(where: { $0.count > 1 }) {
            let later = try keyframes[1].map {
                (at: try duration.sum($0.at), decibels: $0.decibels)
            }
            both.gain = try Gain(
                keyframes[0].filter { $0.at < duration }.map { (at: $0.at, decibels: $0.decibels) }
                    + later)
        } else if next.gain != gain {
            return nil
        }
        return both
    }
}
