import TimeMaps
import TimeWarp

/// The local time of a clip that is written, and its time map.
///
/// As other programs expect it, a time map is that of the whole file: its first and last lines go on to the last whole frames
/// in the file, and the clip is a window of it that begins at a whole frame. Where the clip ends with the file, the map holds
/// that end for a frame more, as Final Cut Pro's own maps end behind the last frame: some programs show black where the clip
/// isn't shorter than its map.
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
        var map = try whole.movedIntoFile()
        if tail < grid.rate.frameDuration, let last = map.points.last {
            let end = try last.output.sum(grid.rate.frameDuration)
            try map.setPoints(map.points + [TimeAnchor(source: last.source, output: end)])
        }
        self.map = map
    }

    /// How long the first line goes on before the clip, back to where it would leave the file.
    private static func lead(
        _ clip: TimelineClip, in asset: FCPXMLAssets.Asset
    ) throws -> RationalTime {
        let line = StraightLine(clip.points[0], clip.points[1])
        guard let limit = line.start.source < line.end.source ? .zero : asset.duration,
            let place = try line.output(of: limit)
        else {
            return .zero
        }
        return max(.zero, try line.start.output.difference(place))
    }

    /// How long the last line goes on after the clip, up to where it would leave the file.
    private static func tail(
        _ clip: TimelineClip, in asset: FCPXMLAssets.Asset
    ) throws -> RationalTime {
        let line = StraightLine(
            clip.points[clip.points.count - 2], clip.points[clip.points.count - 1])
        guard line.start.source != line.end.source else {
            // A held frame can go on for ever. Some programs want a little more than the clip has.
            return .seconds(1)
        }
        guard let limit = line.start.source < line.end.source ? asset.duration : .zero,
            let place = try line.output(of: limit)
        else {
            return .zero
        }
        return max(.zero, try place.difference(line.end.output))
    }

    /// - Parameter settings: how the timeline is rendered.
    func timeMap(_ settings: ProjectSettings) throws -> XMLItem? {
        guard let map else {
            return nil
        }
        let pitch: String? =
            switch settings.sound {
            case .keepPitch: "1"
            case .varispeed: "0"
            case .keep, .mute, nil: nil
            }
        let frames: String? =
            switch settings.frames {
            case .hold: "floor"
            case .blend: "frame-blending"
            case .motion: "optical-flow"
            case nil: nil
            }
        return XMLItem(
            "timeMap", ["frameSampling": frames, "preservesPitch": pitch],
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
