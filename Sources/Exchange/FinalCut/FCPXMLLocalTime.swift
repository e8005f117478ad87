import TimeMaps
import TimeWarp

/// The local time of a clip that is written, and its time map.
///
/// As other programs expect it, a time map is that of the whole file: its first and last lines go on to the last whole frames
/// in the file, and the clip is a window of it that begins at a whole frame.
struct FCPXMLLocalTime {
    /// Where the clip begins.
    let start: RationalTime
    /// Points from local time to original time; nil at normal speed.
    private let map: TimelineClip?
    /// The timecode of the file's first instant. It is also where the time map begins.
    private let zero: RationalTime

    init(of clip: TimelineClip, in asset: FCPXMLAssets.Asset, _ grid: FrameGrid) throws {
        zero = asset.start
        guard !clip.isPlain else {
            map = nil
            start = try asset.start.sum(clip.points[0].source)
            return
        }
        let lead = try grid.wholeFrames(before: Self.lead(clip, in: asset))
        let tail = try grid.wholeFrames(before: Self.tail(clip, in: asset))
        start = try asset.start.sum(lead)
        let whole = try clip.part(
            from: RationalTime.zero.difference(lead), to: clip.duration.sum(tail))
        map = TimelineClip(
            clip.media,
            points: try whole.points.map {
                TimeAnchor(source: try max(.zero, $0.source), output: $0.output)
            })
    }

    /// How long the first line goes on before the clip.
    private static func lead(
        _ clip: TimelineClip, in asset: FCPXMLAssets.Asset
    ) throws -> RationalTime {
        let (first, next) = (clip.points[0], clip.points[1])
        let limit = first.source < next.source ? .zero : asset.duration
        return try reach(from: first, next, to: limit)
    }

    /// How long the last line goes on after the clip.
    private static func tail(
        _ clip: TimelineClip, in asset: FCPXMLAssets.Asset
    ) throws -> RationalTime {
        let (last, before) = (
            clip.points[clip.points.count - 1], clip.points[clip.points.count - 2]
        )
        guard last.source != before.source else {
            // A held frame can go on for ever. Some programs want a little more than the clip has.
            return .seconds(1)
        }
        return try reach(
            from: last, before, to: before.source < last.source ? asset.duration : .zero)
    }

    /// How far it is, in output time, from a point to a source time, away from another point of its line; 0 if the source
    /// time isn't there.
    private static func reach(
        from point: TimeAnchor, _ other: TimeAnchor, to limit: RationalTime?
    ) throws -> RationalTime {
        guard let limit, point.source != other.source else {
            return .zero
        }
        let distance = try RationalTime(
            ExactFraction(limit.difference(point.source)).scaled(
                by: other.output.difference(point.output),
                over: other.source.difference(point.source)))
        // It is on the other side of the point: negative where the line goes forward, and positive where it comes back.
        let away =
            point.output < other.output ? try RationalTime.zero.difference(distance) : distance
        return max(.zero, away)
    }

    var timeMap: XMLItem? {
        get throws {
            guard let map else {
                return nil
            }
            return XMLItem(
                "timeMap", [:],
                try map.points.map {
                    XMLItem(
                        "timept",
                        [
                            "time": try zero.sum($0.output).finalCut,
                            "value": try zero.sum($0.source).finalCut, "interp": "linear",
                        ])
                })
        }
    }
}
