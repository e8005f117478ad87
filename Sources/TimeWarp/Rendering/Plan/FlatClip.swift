import Media
import TimeMaps

/// A clip of a flattened composition: a media file, and the map from output time to its time. All that retimes it is in
/// this one map: its own retiming, that of each composition around it, and that of a clip of the whole.
struct FlatClip: Sendable {
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

    /// The stream that is seen; nil if none is.
    var video: Asset.Stream? { isSeen ? asset.mainVideo : nil }

    /// The clip that plays between two instants, counted from the start of ``range``. It has only the source range that
    /// is needed.
    func shown(_ window: TimeRange) throws -> AssetClip {
        let part = try map.window(from: window.start, to: window.end)
        // Because of rounding, the range may reach outside of the file by much less than a frame, at either
        // end.
        let begin = try start.sum(part.sourceStart)
        let wanted = try TimeRange(
            fittingStart: begin.seconds > -Tolerance.stated ? max(.zero, begin) : begin,
            duration: part.sourceDuration)
        let overshoot = wanted.end.relative(to: asset.duration).seconds
        let range =
            overshoot > 0 && overshoot < Tolerance.stated
            ? try TimeRange(start: wanted.start, end: asset.duration) : wanted
        guard range.start >= .zero, range.start < asset.duration, range.end <= asset.duration else {
            throw MediaError(
                .noUsableStream, file: asset.path,
                reason: "it lasts \(asset.duration.secondsText) s, and the range "
                    + "\(range.start.secondsText) s to \(range.end.secondsText) s is not in it",
                remedy: "Choose a \(.range) inside the clip")
        }
        return AssetClip(asset: asset, range: range, map: part.map)
    }

    /// What it plays, in asset time; for sound it may reach outside of the asset.
    var sourceRange: TimeRange {
        get throws {
            try AssetClip(of: asset, through: map, from: start, window: (.zero, range.duration))
                .range
        }
    }

    /// The whole clip.
    var whole: AssetClip {
        get throws { try shown(TimeRange(start: .zero, duration: range.duration)) }
    }
}
