import TimeMaps

extension Story.Segment {
    /// As much of the clip as a time map by points needs.
    fileprivate var lengthOfPoints: RationalTime? {
        guard case .timeMap(let document) = retiming else {
            return nil
        }
        return document.points.map(\.source).max()
    }

    /// Where the clip begins, in the media file's own time.
    public var rangeStart: RationalTime { range?.start ?? .zero }

    /// Output time to source time, which counts from the start of the range.
    ///
    /// - Parameters:
    ///   - duration: of the range.
    ///   - frameDuration: seconds between pictures, for the rules on what a curve may do in one.
    ///   - file: reads a time map file.
    /// - Throws: `CurveError` when the segment says no valid map for a clip of that length, and
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

    /// When an event happens in the segment as it is played: when its instant is first shown there;
    /// seconds from the first picture, within the segment.
    ///
    /// - Parameter lasting: how long the segment is played, in seconds.
    public func time(of event: Story.Event, through map: TimeMap, lasting: Double) -> Double {
        let source = event.at.seconds - rangeStart.seconds
        return min(max(map.outputTime(of: source), 0), lasting)
    }
}

/// How long a segment's clip is, and how it is retimed, as far as that is known.
struct SegmentTiming {
    /// Of the range; nil where neither the file nor the media says.
    let duration: RationalTime?
    /// Nil where it isn't known.
    let map: TimeMap?
    /// Why there is no map, where the story is to blame.
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
