import Media

/// Into how many pieces a video track is cut, and what the work of a piece is measured by.
///
/// Cuts follow from the plan and the number of pieces alone, never from who renders.
public struct PieceCutting: Sendable, Hashable {
    /// How many pieces are wanted. There are fewer if the track has fewer places for a cut.
    public let count: Int
    /// The work for one frame.
    let cost: FrameCost
}

/// The work for one frame, in units of decoding one. It decides only where a track is cut: pieces of about the same
/// work end at about the same time.
struct FrameCost: Sendable, Hashable {
    /// Encoding a frame.
    let encoding: Int64
    /// Making a frame that is not in the source.
    let making: Int64

    init(_ codec: VideoCodec, _ settings: RenderSettings) {
        encoding = codec.encoder.cost
        making = settings.video.frames.cost
    }

    /// The work for one presentation of a source frame.
    ///
    /// - Parameters:
    ///   - frameCount: for how many output frames it is shown. All but the first are made, where frames are made.
    ///   - decodedCount: how many source frames have to be decoded for it, beyond those of the presentation before.
    func presenting(_ frameCount: Int64, decoding decodedCount: Int) -> Int64 {
        frameCount * encoding + max(0, frameCount - 1) * making + Int64(decodedCount)
    }

    /// The work for a segment that can't be cut: black, or clips seen through each other.
    func segment(of ticks: Range<Int64>, layerCount: Int) -> Int64 {
        Int64(ticks.count) * (encoding + Int64(2 * layerCount))
    }
}

extension Planner {
    /// Decides how video tracks are cut into pieces, if they are.
    ///
    /// - Complexity: O(frames); about a microsecond each.
    func cut(
        _ video: [RenderPlan.VideoTrack], beside audio: [RenderPlan.AudioTrack]
    ) throws -> [RenderPlan.VideoTrack] {
        try video.map { track in
            var track = track
            if settings.resources.isCut {
                track.cutting = try cutting(of: track, hasSound: !audio.isEmpty)
            }
            if track.cutting == nil, track.keeping?.seam != nil, let codec = videoCodec {
                // One encoder after another, between the packets that are kept.
                track.cutting = PieceCutting(count: 1, cost: FrameCost(codec, settings))
            }
            return track
        }
    }

    /// - Returns: nil if the track can't be cut. A GIF can't, because its frames share the palette of the first.
    private func cutting(
        of track: RenderPlan.VideoTrack, hasSound: Bool
    ) throws -> PieceCutting? {
        guard case .encoded(let codec, _) = track.making, codec != .gif, track.isIndexed else {
            return nil
        }
        try Task.checkCancellation()
        return PieceCutting(
            count: settings.resources.pieces.map {
                PieceLayout.videoCount(of: $0, hasSound: hasSound)
            }
                ?? Self.usualCount(track, codec),
            cost: FrameCost(codec, settings))
    }

    /// The number of pieces if only a number of jobs is given. Pieces are short enough that several jobs have work
    /// until the end and that little waits to be joined. They are long enough that the encoder, which would insert a
    /// keyframe every 250 frames anyway, loses little.
    private static func usualCount(_ track: RenderPlan.VideoTrack, _ codec: VideoCodec) -> Int {
        let count: Int64
        switch track.timing {
        case .fixed(_, let frames): count = frames - track.keptFrameCount
        case .variable:
            count =
                track.sources.reduce(0) { $0 + Int64($1.index?.times.count ?? 0) }
                - track.keptFrameCount
        }
        let length =
            codec.isIntraOnly ? min(max(count / 16, 24), 120) : min(max(count / 16, 100), 600)
        return Int(max(1, (count + length / 2) / length))
    }
}

extension RenderPlan.VideoTrack {
    /// The clips whose frames are decoded.
    var sources: [ClipFrames] {
        segments.flatMap { [$0.frames].compactMap { $0 } + $0.mixed.map(\.frames) }
    }

    /// The number of frames whose packets are kept.
    var keptFrameCount: Int64 {
        sources.reduce(0) { $0 + $1.kept.reduce(0) { $0 + Int64($1.frames.count) } }
    }

    /// Whether all frames can be decoded from the middle of the file on.
    var isIndexed: Bool { sources.allSatisfy { $0.index != nil } }
}
