import Media
import TimeMaps

/// A clip of one file, to which compositions come down: the file, and the map from output time to its time. All that retimes it is in
/// this one map: its own retiming, that of each composition around it, and that of a clip of the whole.
struct ResolvedClip: Sendable {
    /// When it plays, in output time.
    let range: TimeRange
    let asset: Asset
    /// The file's path as the composition has it, for messages.
    let name: String
    /// The asset time at which the map's source begins.
    let start: RationalTime
    /// The map from output time, which counts from the start of ``range``, to source time, which counts from ``start``.
    let map: TimeMap
    /// Whether it is seen, if the file has video.
    let isSeen: Bool
    /// Whether it is heard, if the file has sound. One that is frozen all the time is silent.
    let isHeard: Bool
    /// The shapes (width divided by height) of the compositions that it is in, from the outermost: a nested composition
    /// is fitted as a whole.
    let shapes: [Double]
    /// The fades and gains of its segment and of those around it, from the outermost.
    let envelopes: [Envelope]

    /// Whether what lies below it is seen.
    var isSeenThrough: Bool { envelopes.contains(where: \.isSeenThrough) }

    /// What is left of a file where an instant is held that is its end, in seconds: enough for its last frame.
    private static let shortest = RationalTime(1, over: 1000)

    /// The clip that plays between two instants, counted from the start of ``range``. It has only the source range that
    /// is needed.
    func shown(_ window: TimeRange) throws -> AssetClip {
        let part = try map.window(from: window.start, to: window.end)
        // Because of rounding, the range may reach outside of the file by much less than a frame. Editors count whole frames
        // of the timeline, so that a clip ends up to a frame after its file.
        let begin = try start.sum(part.sourceStart)
        let wanted = try TimeRange(
            fittingStart: begin.seconds > -Tolerance.stated ? max(.zero, begin) : begin,
            duration: part.sourceDuration)
        // The range goes on a little behind an instant that is held, so that may be the end of the file, too.
        let overshoot =
            wanted.start.seconds + part.map.latestSourceTime - asset.duration.seconds
        let lastFrame = (Clip.frameDuration(of: asset) ?? 0) + Tolerance.stated
        let range =
            overshoot < lastFrame && wanted.end > asset.duration
            ? try TimeRange(
                start: min(wanted.start, max(.zero, asset.duration.difference(Self.shortest))),
                end: asset.duration) : wanted
        guard range.start >= .zero, range.start < asset.duration, range.end <= asset.duration else {
            throw MediaError(
                .noUsableStream, file: asset.path,
                reason: "it lasts \(asset.duration.secondsText) s, and the range "
                    + "\(range.start.secondsText) s to \(range.end.secondsText) s is not in it",
                remedy: "Use less of the file where the project names it")
        }
        return AssetClip(asset: asset, range: range, map: part.map)
    }

    /// All that it plays. For sound, that may reach outside of the asset.
    var played: AssetClip {
        get throws {
            try AssetClip(of: asset, through: map, from: start, window: (.zero, range.duration))
        }
    }

    /// The whole clip.
    var whole: AssetClip {
        get throws { try shown(TimeRange(start: .zero, duration: range.duration)) }
    }
}
