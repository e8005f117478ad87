import TimeMaps

extension Story.Segment {
    /// The source duration that a time map given by points needs.
    fileprivate var lengthOfPoints: RationalTime? {
        guard case .timeMap(let document) = retiming else {
            return nil
        }
        return document.points.map(\.source).max()
    }

    /// The start of the clip in the media file's own time; 0 if the segment has no range.
    public var rangeStart: RationalTime { range?.start ?? .zero }

    /// The time map of the segment, from output time to source time. Source time counts from the start of the
    /// range.
    ///
    /// - Parameters:
    ///   - duration: the duration of the range.
    ///   - frameDuration: seconds from one frame to the next, or nil if there are no frames. It limits how much a
    ///     curve may do within one frame.
    ///   - file: reads the time map file at a path, which is passed as written in the story.
    /// - Throws: `CurveError` if the segment's curve or time map isn't valid for a clip of this duration, and
    ///   what `file` throws.
    public func timeMap(
        duration: RationalTime, frameDuration: Double?,
        file: (_ path: String) throws -> TimeMap
    ) throws -> TimeMap {
        switch retiming {
        case .none: return .identity(duration)
        case .timeMap(let document):
            return try TimeMap(through: document.points, sourceDuration: duration)
        case .timeMapFile(let path): return try file(path)
        case .warp(let curve):
            return try TimeMap(warping: duration, along: curve, frameDuration: frameDuration)
        }
    }

    /// Where the segment ends as it is played, in seconds from its first frame: at its first `decide`, where the choice that
    /// was taken or the default is followed, or it starts again; else where its map ends.
    ///
    /// - Parameter map: the time map of this segment.
    public func end(through map: TimeMap) -> Double {
        let whole = map.outputDuration
        guard !choices.isEmpty, loops || defaultTarget != nil else {
            return whole
        }
        let decisions = events.filter { $0.cue == .decide }.map {
            time(of: $0, through: map, lasting: whole)
        }
        return decisions.filter { $0 > 0 }.min() ?? whole
    }

    /// The number of frames that the segment shows: those that begin before its decision, or else the number that comes
    /// nearest to its duration; at least 1. Nil if there are too many to count.
    public func frameCount(through map: TimeMap, framesPerSecond rate: Double) -> Int? {
        let end = end(through: map)
        let whole = (map.outputDuration * rate).rounded()
        let shown = ((end - Tolerance.stated) * rate).rounded(.up)
        return Int(exactly: end < map.outputDuration ? min(shown, whole) : whole).map { max(1, $0) }
    }

    /// When an event happens in the retimed segment, in seconds from its first frame: the time at which the
    /// event's source time is first played, limited to the segment.
    ///
    /// - Parameters:
    ///   - event: an event of this segment.
    ///   - map: the time map of this segment.
    ///   - lasting: how long the retimed segment is played, in seconds.
    public func time(of event: Story.Event, through map: TimeMap, lasting: Double) -> Double {
        let source = event.at.seconds - rangeStart.seconds
        return min(max(map.outputTime(of: source), 0), lasting)
    }
}

/// The duration of a segment's clip and its time map, as far as they are known.
struct KnownTiming {
    /// The duration of the range; nil if neither the story nor the media file gives it.
    let duration: RationalTime?
    /// The time map; nil if it isn't known.
    let map: TimeMap?
    /// Why the story's retiming isn't valid; nil if it is valid or isn't known.
    let trouble: String?

    init(of segment: Story.Segment, _ media: StoryMedia, _ facts: StoryMedia.Facts) {
        var frameDuration: Double?
        var whole: RationalTime?
        if case .usable(let duration, let frame) = facts {
            (whole, frameDuration) = (duration, frame)
        }
        duration = segment.range?.duration ?? whole
        var map: TimeMap?
        var trouble: String?
        do {
            if case .timeMapFile(let path) = segment.retiming {
                map = try media.timeMap(path, segment)
            } else if let duration = duration ?? segment.lengthOfPoints {
                map = try segment.timeMap(duration: duration, frameDuration: frameDuration) {
                    _ in .identity(duration)
                }
            }
        } catch {
            trouble = "\(error)"
        }
        self.map = map
        self.trouble = trouble
    }
}
