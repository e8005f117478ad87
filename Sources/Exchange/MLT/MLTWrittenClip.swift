import Media
import TimeMaps
import TimeWarp

/// A clip as a producer of its own.
struct MLTWrittenClip {
    let producer: XMLItem
    /// `in` of its entry.
    let first: Int64

    /// - Parameters:
    ///   - path: where the file is.
    ///   - duration: how long the file is; nil if unknown.
    ///   - settings: how the timeline is rendered.
    init(
        _ clip: TimelineClip, id: String, _ path: String, _ grid: FrameGrid,
        duration: RationalTime?, _ settings: ProjectSettings
    ) throws {
        let frames = grid.frames(clip.duration)
        let frame = grid.rate.frameDuration.seconds
        let name =
            clip.name.map {
                [XMLItem.property("shotcut:caption", $0), .property("kdenlive:clipname", $0)]
            } ?? []
        func length(_ speed: Double, atLeast least: Int64) -> Int64 {
            let count = duration.map { ($0.seconds / frame / speed).rounded(.down) } ?? 0
            return max(Int64(nearest: min(count, MLTClock.most)), least)
        }
        func element(_ kind: String, _ length: Int64, _ children: [XMLItem]) -> XMLItem {
            XMLItem(
                kind, ["id": id, "out": "\(length - 1)"],
                [.property("length", length)] + children + name)
        }
        // At other speeds a `timewarp` producer shows the nearest frame instead of the one that is due.
        let speed = clip.speed.rounded()
        if clip.isStraight, speed > 0, abs(clip.speed - speed) < 1e-9 {
            let exact = clip.ends.first.seconds / frame / speed
            let near = Int64(nearest: exact)
            let isNear = abs(Double(near) - exact) * speed <= (clip.isPlain ? 0.5 : 0.25)
            if isNear, exact < MLTClock.most {
                first = near
                let all = length(speed, atLeast: near + frames)
                producer =
                    clip.isPlain
                    ? element(
                        "chain", all,
                        [
                            .property("resource", path),
                            .property("mlt_service", "avformat-novalidate"),
                        ])
                    : element(
                        "producer", all,
                        [
                            .property("resource", "\(speed.shortText):\(path)"),
                            .property("warp_speed", speed.shortText),
                            .property("warp_resource", path),
                            .property("mlt_service", "timewarp"),
                        ] + Self.pitch("warp_pitch", settings))
                return
            }
        }
        first = 0
        let map = try Self.timeMap(of: clip, grid)
        let link = XMLItem(
            "link", [:],
            [
                .property("mlt_service", "timeremap"), .property("map", map),
                .property("time_map", map), .property(MLTTimeRemap.mark, 1),
                .property("image_mode", settings.frames ?? .hold == .hold ? "nearest" : "blend"),
            ] + Self.pitch("pitch", settings))
        producer = element(
            "chain", frames,
            [.property("resource", path), .property("mlt_service", "avformat-novalidate")] + [link])
    }

    /// Whether the pitch is kept, if that is known.
    private static func pitch(_ name: String, _ settings: ProjectSettings) -> [XMLItem] {
        switch settings.sound {
        case .keepPitch: [.property(name, 1)]
        case .varispeed: [.property(name, 0)]
        case .keep, .mute, nil: []
        }
    }

    /// In seconds. Where a rising or level line meets the beginning of a frame, its values are a little later, and on a falling
    /// line a little earlier: so that rounding chooses the frame that is meant. Reading rounds that off.
    private static let nudge = 2e-8

    private static func timeMap(of clip: TimelineClip, _ grid: FrameGrid) throws -> String {
        let points = clip.points
        let nudges = zip(points, points.dropFirst()).map { $1.source < $0.source ? -nudge : nudge }
        return points.indices.map { index in
            let (before, after) = (max(0, index - 1), min(index, nudges.count - 1))
            // At a turning point, the value is shifted slightly towards the falling line, so that the other line keeps almost
            // all its frames.
            let own = nudges[before] == nudges[after] ? nudges[after] : -nudge / 50
            let seconds = max(0, points[index].source.seconds + own)
            let digits = ((seconds * 1e12).rounded() / 1e12).shortText
            return "\(grid.frames(points[index].output))=\(digits)"
        }.joined(separator: ";")
    }
}
