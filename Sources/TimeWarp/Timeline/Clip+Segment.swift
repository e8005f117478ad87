import Media
import TimeMaps

extension Composition {
    /// A timeline of one clip that keeps its source's own format.
    ///
    /// - Parameter content: what is retimed of it: of sound alone, the range may reach outside of its file.
    public init(of clip: Segment, carrying content: Track.Content = .both) throws {
        self.init(format: .asSource, tracks: [try Track(carries: content, segments: [clip])])
    }

    /// A timeline that passes on every packet of a file.
    package init(packetsOf source: MediaSource) throws {
        self.init(format: .packets, tracks: [try Track(segments: [Segment(of: source)])])
    }
}

extension Clip {
    /// What a segment plays of its media, which are open.
    ///
    /// - Throws: ``MediaError`` if the segment's range isn't inside the source; ``CurveError`` or ``CompositionError`` if
    ///   its time map can't be made.
    package init(of source: MediaSource, playing segment: Segment) throws {
        try self.init(of: source, range: segment.clip?.range) { _ in
            try segment.unroundedMap(frameDuration: source.frameDuration)
        }
        blending = ClipBlending(segment)
    }

    /// The sound that a segment plays of a file, outside of which it is silent; of a composition as of any source.
    package init(soundOf source: MediaSource, playing segment: Segment) throws {
        guard let asset = source.asset, let range = segment.clip?.range else {
            try self.init(of: source, playing: segment)
            return
        }
        try self.init(soundOf: asset, range: range) { _ in
            try segment.unroundedMap(frameDuration: source.frameDuration)
        }
        blending = ClipBlending(segment)
    }
}

extension PlacedClip {
    /// A clip of a file or a composition that is open.
    ///
    /// - Parameter range: in the source's time; nil for all of it.
    ///
    /// - Throws: as ``init(_:range:carrying:retiming:window:name:)``.
    public init(
        _ source: MediaSource, range: TimeRange? = nil, retiming: Retiming = .uniform,
        window: TimeRange? = nil, name: String? = nil
    ) throws {
        try self.init(
            source.path, range: try range ?? TimeRange(start: .zero, end: source.duration),
            retiming: retiming, window: window, name: name)
    }
}

extension Segment {
    /// A range of a source, retimed.
    ///
    /// - Parameters:
    ///   - range: in the source's time; nil for all of it.
    ///   - duration: how long it lasts; nil for as long as the retiming makes it.
    ///   - name: a name for people; nil for the file's name.
    /// - Throws: as ``PlacedClip/init(_:range:carrying:retiming:window:name:)`` and
    ///   ``init(_:lasting:markers:blending:)``.
    package init(
        of source: MediaSource, range: TimeRange? = nil, carrying content: Track.Content = .both,
        retiming: Retiming = .uniform, lasting duration: RationalTime? = nil, name: String? = nil
    ) throws {
        try self.init(
            PlacedClip(
                source.path, range: range ?? TimeRange(start: .zero, end: source.duration),
                carrying: content, retiming: retiming, name: name), lasting: duration)
    }

    /// This segment, played forward and then backwards to its start; see ``Clip/thereAndBack(at:)``.
    package func thereAndBack(
        of source: MediaSource, at rate: RenderSettings.OutputRate
    ) throws -> Segment {
        guard let clip else {
            return self
        }
        let turn = try RationalTime(fine: Clip(of: source, playing: self).turn(at: rate))
        let isScaled = duration != clip.window.duration
        // In the time of the retimed clip, of which the segment plays a window, perhaps faster or slower.
        let place = min(
            isScaled
                ? try clip.window.start.sum(turn.scaled(by: clip.window.duration, over: duration))
                : try clip.window.start.sum(turn), clip.window.end)
        let whole = try place.sum(place)
        return try Segment(
            PlacedClip(
                clip.media, range: clip.range,
                retiming: .thereAndBack(
                    clip.retiming, turningAt: place == clip.retimedDuration ? nil : place),
                window: clip.window.start == .zero
                    ? nil
                    : TimeRange(
                        start: clip.window.start, end: whole.difference(clip.window.start)),
                name: clip.name),
            lasting: isScaled ? turn.sum(turn) : nil, markers: markers, blending: blending)
    }

    /// The map, as ``timeMap(frameDuration:)`` makes it, except that it lasts exactly as long as a curve says, which isn't
    /// rounded for a track.
    fileprivate func unroundedMap(frameDuration: Double?) throws -> TimeMap {
        guard let clip, clip.isWhole, case .curve(let curve) = clip.retiming else {
            return try timeMap(frameDuration: frameDuration)
        }
        return try TimeMap(
            warping: clip.range.duration, along: curve, frameDuration: frameDuration,
            lasting: duration == clip.retimedDuration ? nil : duration)
    }
}
