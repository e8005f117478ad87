import Media
import TimeMaps

/// Cuts the sound of layers into segments that fade into each other.
///
/// If a segment's file has more sound, the segment continues a little beyond its cut, so that one segment fades
/// out while the other fades in. If it hasn't, the fade is inside of the segment.
struct SoundCutter {
    /// The end of the output.
    let end: RationalTime
    /// The duration of the crossfade at a cut.
    let crossfade: RationalTime
    /// The number of the audio stream of each file that is heard, counted from 0.
    let streamNumber: Int
    let format: AudioFormat
    let sampleCount: Int64

    /// A factor below this is silence.
    private static let silence = 1e-6

    /// One end of a segment.
    private struct Edge {
        /// How far the segment continues beyond the cut.
        let handle: RationalTime
        /// The duration of the fade in seconds. It ends at the end of the handle.
        let fade: Double

        static let sharp = Edge(handle: .zero, fade: 0)
    }

    /// The segments of a layer that are heard, in order.
    func segments(of layer: [ResolvedClip]) throws -> [AudioSegment] {
        try layer.indices.compactMap { index in
            try Task.checkCancellation()
            guard let stream = layer[index].asset.audioStreams.dropFirst(streamNumber).first else {
                return nil
            }
            return try segment(layer, index, HeardSource(layer[index], stream))
        }
    }

    private func segment(
        _ layer: [ResolvedClip], _ index: Int, _ source: HeardSource
    ) throws -> AudioSegment? {
        let range = layer[index].range
        let head = try edge(layer, index, index - 1, source)
        let tail = try edge(layer, index, index + 1, source)
        let samples =
            try sample(
                at: range.start.difference(head.handle))..<sample(
                at: range.end.sum(tail.handle))
        let from = try time(of: samples.lowerBound).difference(range.start)
        // A segment that is shorter than a sample may have no sample of its own.
        guard !samples.isEmpty, from < range.duration else {
            return nil
        }
        let clip = try source.clip(
            from: from, to: range.duration.sum(tail.handle))
        let rate = Double(format.sampleRate)
        let (start, end) = (range.start.seconds, range.end.seconds)
        let rise = start - head.handle.seconds
        let fall = end + tail.handle.seconds
        return AudioSegment(
            samples: samples,
            fades: SegmentFades(
                rise: rise * rate..<(rise + head.fade) * rate,
                fall: (fall - tail.fade) * rate..<fall * rate),
            envelopes: layer[index].envelopes,
            mix: try ChannelMix(
                from: source.format.layout, to: format.layout, path: source.asset.path),
            sound: ClipSound(
                clip: clip, stream: source.stream, format: source.format, map: clip.map,
                sampleRate: format.sampleRate, sampleCount: Int64(samples.count)))
    }

    /// The edge between a clip and its neighbour. The ends of the output are sharp.
    private func edge(
        _ layer: [ResolvedClip], _ index: Int, _ neighbour: Int, _ source: HeardSource
    ) throws -> Edge {
        let range = layer[index].range
        let isHead = neighbour < index
        // Where it has faded out there is nothing to crossfade.
        let isFaded =
            layer[index].envelopes.loudness(
                at: (isHead ? range.start : range.end).seconds) < Self.silence
        guard isHead ? range.start > .zero : range.end < end, !isFaded else {
            return .sharp
        }
        let other = layer.indices.contains(neighbour) ? layer[neighbour].range : nil
        let meets = isHead ? other?.end == range.start : other?.start == range.end
        let shortest = min(
            range.duration, meets ? other?.duration ?? range.duration : range.duration)
        let fade = min(crossfade, try shortest.multiplied(by: 1, over: 2))
        guard fade > .zero else {
            return .sharp
        }
        let handle = try fade.multiplied(by: 1, over: 2)
        guard meets, source.goesOn(isHead ? .before : .after, by: handle.seconds) else {
            return Edge(handle: .zero, fade: fade.seconds)
        }
        return Edge(handle: handle, fade: fade.seconds)
    }

    /// The first sample that isn't before a time.
    private func sample(at time: RationalTime) throws -> Int64 {
        min(
            max(0, try time.converted(to: Int32(format.sampleRate), rounding: .up).value),
            sampleCount)
    }

    private func time(of sample: Int64) -> RationalTime {
        RationalTime(sample, over: Int32(format.sampleRate))
    }
}

/// The sound of a clip's file.
private struct HeardSource {
    enum Side {
        case before, after
    }
    let asset: Asset
    let stream: Asset.Stream
    let format: AudioFormat
    /// From the clip's output time to source time, which counts from `start`.
    private let map: TimeMap
    private let start: RationalTime

    init(_ clip: ResolvedClip, _ stream: Asset.Stream) {
        asset = clip.asset
        self.stream = stream
        map = clip.map
        start = clip.start
        format =
            stream.audioFormat
            ?? AudioFormat(
                sampleRate: 48_000, layout: ChannelLayout(channelCount: 2), bitsPerSample: nil,
                isFloat: true)
    }

    /// Whether the file has sound for some more seconds of output before or after the segment.
    func goesOn(_ side: Side, by seconds: Double) -> Bool {
        let y = side == .before ? 0 : map.outputDuration
        let way = (side == .before ? -seconds : seconds) * map.speed(at: y)
        let from = start.seconds + map.sourceTime(at: y)
        let low = stream.start?.seconds ?? 0
        let high = stream.end?.seconds ?? asset.duration.seconds
        return way != 0 && min(from, from + way) >= low - Tolerance.stated
            && max(from, from + way) <= high + Tolerance.stated
    }

    /// The clip that is heard between two instants of the segment, which may be outside of it.
    func clip(from: RationalTime, to: RationalTime) throws -> AssetClip {
        try AssetClip(of: asset, through: map, from: start, window: (from, to))
    }
}
