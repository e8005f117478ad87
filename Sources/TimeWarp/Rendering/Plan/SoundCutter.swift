import Media
import TimeMaps

/// Cuts the sound of a composition's tracks into segments that fade into each other.
///
/// If a segment's file has more sound, the segment continues a little beyond its cut, so that one segment fades
/// out while the other fades in. If it hasn't, the fade is inside of the segment.
struct SoundCutter {
    let composition: Composition
    /// The number of the audio stream of each file that is heard, counted from 0.
    let streamNumber: Int
    let format: AudioFormat
    let sampleCount: Int64
    let maps: SegmentMaps
    /// Whether sound keeps its normal speed, whatever the segments' maps say.
    let keepsSpeed: Bool

    /// One end of a segment.
    private struct Edge {
        /// How far the segment continues beyond the cut.
        let handle: RationalTime
        /// The duration of the fade in seconds. It ends at the end of the handle.
        let fade: Double

        static let sharp = Edge(handle: .zero, fade: 0)
    }

    /// The segments of a track that are heard, in order.
    func segments(
        of track: Track, asset: (_ media: String) throws -> Asset
    ) throws -> [AudioSegment] {
        let placed = track.placed
        return try placed.indices.compactMap { index in
            try Task.checkCancellation()
            guard let clip = placed[index].segment.clip, !clip.retiming.isFrozen else {
                return nil
            }
            let file = try asset(clip.media)
            guard let stream = file.audioStreams.dropFirst(streamNumber).first else {
                return nil
            }
            return try segment(
                placed, index,
                keepsSpeed
                    ? HeardSource(keeping: clip, of: file, stream, placed[index].segment)
                    : HeardSource(
                        asset: file, stream: stream,
                        map: try maps.map(of: placed[index].segment, in: file),
                        start: clip.range.start))
        }
    }

    private func segment(
        _ placed: [Track.Placed], _ index: Int, _ source: HeardSource
    ) throws -> AudioSegment? {
        let range = try source.heardRange(of: placed[index].range)
        guard range.duration > .zero else {
            return nil
        }
        let head = try edge(placed, index, index - 1, range, source)
        let tail = try edge(placed, index, index + 1, range, source)
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
            mix: try ChannelMix(
                from: source.format.layout, to: format.layout, path: source.asset.path),
            sound: ClipSound(
                clip: clip, stream: source.stream, format: source.format, map: clip.map,
                sampleRate: format.sampleRate, sampleCount: Int64(samples.count)))
    }

    /// The edge between a segment and its neighbour. The ends of the composition are sharp.
    private func edge(
        _ placed: [Track.Placed], _ index: Int, _ neighbour: Int, _ range: TimeRange,
        _ source: HeardSource
    ) throws -> Edge {
        let isHead = neighbour < index
        guard isHead ? range.start > .zero : range.end < composition.duration else {
            return .sharp
        }
        let other = placed.indices.contains(neighbour) ? placed[neighbour] : nil
        let shortest = min(range.duration, other?.range.duration ?? range.duration)
        let fade = min(composition.format.crossfade, try shortest.multiplied(by: 1, over: 2))
        guard fade > .zero else {
            return .sharp
        }
        let handle = try fade.multiplied(by: 1, over: 2)
        let isHeard = other?.segment.clip.map { !$0.retiming.isFrozen } ?? false
        let meets = isHead || range.end == placed[index].range.end
        guard isHeard, meets, source.goesOn(isHead ? .before : .after, by: handle.seconds) else {
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

/// The sound of a segment's file, and the part of it that is heard.
private struct HeardSource {
    enum Side {
        case before, after
    }
    let asset: Asset
    let stream: Asset.Stream
    let format: AudioFormat
    /// From the segment's time to source time, which counts from `start`.
    private let map: TimeMap
    private let start: RationalTime
    /// How long sound is heard; nil for the whole segment.
    private let limit: RationalTime?

    /// Sound that keeps its normal speed, until its range ends. If a clip was cut, the sound of the second part
    /// continues where that of the first ends.
    init(
        keeping clip: PlacedClip, of asset: Asset, _ stream: Asset.Stream, _ segment: Segment
    ) throws {
        let played = ExactFraction(clip.window.start).scaled(
            by: segment.duration, over: clip.window.duration)?.time
        let start =
            try played
            ?? RationalTime(
                fine: clip.window.start.seconds * segment.duration.seconds
                    / clip.window.duration.seconds)
        self.init(
            asset: asset, stream: stream, map: .identity(segment.duration),
            start: try clip.range.start.sum(start),
            limit: try max(.zero, clip.range.duration.difference(start)))
    }

    /// The part of a range in which sound is heard.
    func heardRange(of range: TimeRange) throws -> TimeRange {
        guard let limit, limit < range.duration else {
            return range
        }
        return try TimeRange(start: range.start, duration: limit)
    }

    init(
        asset: Asset, stream: Asset.Stream, map: TimeMap, start: RationalTime,
        limit: RationalTime? = nil
    ) {
        self.limit = limit
        self.asset = asset
        self.stream = stream
        self.map = map
        self.start = start
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
    func clip(from: RationalTime, to: RationalTime) throws -> Clip {
        try Clip(soundOf: asset, through: map, from: start, window: (from, to))
    }
}
