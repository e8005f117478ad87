import Media
import TimeMaps

/// A range of a media file or of a composition, with a time map that says when each of its instants is seen and heard.
public struct Clip: Sendable {
    /// What video and sound come from.
    public let source: MediaSource
    /// The range of the source that is used, in the source's time.
    public let range: TimeRange
    /// The map from output time to source time. Source time counts from the start of ``range``.
    public let map: TimeMap
    /// What of the source plays where it keeps its speed; nil if nothing is left of it in a part of a clip.
    private(set) var keptRange: TimeRange?
    /// The fades and the gain of the segment that it plays; nil if there are none.
    var blending: ClipBlending?
    /// Whether it is faded, or louder or softer than its source.
    package var isBlended: Bool { blending != nil }

    private init(
        _ source: MediaSource, _ range: TimeRange, _ map: TimeMap, kept: TimeRange?,
        _ blending: ClipBlending?
    ) {
        (self.source, self.range, self.map) = (source, range, map)
        (keptRange, self.blending) = (kept, blending)
    }

    /// A clip retimed by any map.
    ///
    /// - Parameters:
    ///   - source: a media file or a composition.
    ///   - range: the range to use, in the source's time; nil for the whole source.
    ///   - map: a function that makes the time map for the range's duration.
    /// - Throws: ``MediaError`` if the range isn't inside the source, and what `map` throws.
    public init(
        of source: MediaSource, range: TimeRange? = nil,
        retimedBy map: (_ duration: RationalTime) throws -> TimeMap
    ) throws {
        let range = try range ?? TimeRange(start: .zero, end: source.duration)
        guard range.start >= .zero, range.start < source.duration, range.end <= source.duration,
            range.duration > .zero
        else {
            throw MediaError(
                .noUsableStream, file: source.path,
                reason: "it lasts \(source.duration.secondsText) s, and the range "
                    + "\(range.start.secondsText) s to \(range.end.secondsText) s is not in it",
                remedy: "Choose a \(.range) inside the clip")
        }
        self.init(source, range, try map(range.duration), kept: range, nil)
    }

    /// A clip that has only sound, retimed by any map.
    ///
    /// - Parameters:
    ///   - range: in asset time. It may begin before the asset and end after it; the sound is silent there.
    ///   - map: a function that makes the time map for the range's duration.
    /// - Throws: what `map` throws.
    public init(
        soundOf asset: Asset, range: TimeRange,
        retimedBy map: (_ duration: RationalTime) throws -> TimeMap
    ) throws {
        self.init(MediaSource(asset), range, try map(range.duration), kept: range, nil)
    }

    /// A clip that is warped along a curve (time remapping). Keyframes of the curve that freeze or play
    /// backwards are speeds over output time.
    ///
    /// - Parameters:
    ///   - curve: the time scale over the range's source time.
    ///   - lasting: the exact output duration; the curve keeps its shape. If it is nil, the curve decides.
    /// - Throws: ``CurveError`` if the curve makes no valid time map for this clip; ``MediaError`` if the range
    ///   isn't inside the source.
    public init(
        of source: MediaSource, range: TimeRange? = nil, warpedBy curve: Curve,
        lasting: RationalTime? = nil
    ) throws {
        try self.init(of: source, range: range) { duration in
            try TimeMap(
                warping: duration, along: curve, frameDuration: source.frameDuration,
                lasting: lasting)
        }
    }

    /// A clip that is warped by your own time scale: a closure that returns the time scale or its integral.
    ///
    /// - Parameter lasting: the exact output duration; nil lets the time scale decide.
    /// - Throws: ``CurveError`` if the time scale makes no valid time map; ``MediaError`` if the range isn't
    ///   inside the asset.
    public init(
        of source: MediaSource, range: TimeRange? = nil, warpedBy scale: any TimeScale,
        lasting: RationalTime? = nil
    ) throws {
        try self.init(of: source, range: range) { duration in
            try TimeMap(
                warping: duration, by: scale, frameDuration: source.frameDuration,
                lasting: lasting)
        }
    }

    /// A uniform change of speed.
    public enum UniformScale: Sendable {
        /// Output seconds for each source second, as a fraction: 2/1 is half speed.
        case factor(Int64, over: Int64)
        /// The exact duration of the output.
        case lasting(RationalTime)
    }

    /// A clip that is uniformly slower or faster, exactly.
    ///
    /// - Throws: ``CurveError`` or ``TimeError`` if the scale isn't a positive number; ``MediaError`` if the
    ///   range isn't inside the source.
    public init(of source: MediaSource, range: TimeRange? = nil, scaled: UniformScale) throws {
        try self.init(of: source, range: range) { duration in
            switch scaled {
            case .factor(let numerator, let denominator):
                let output = try duration.multiplied(by: numerator, over: denominator)
                return try .uniform(from: duration, to: output)
            case .lasting(let output):
                return try .uniform(from: duration, to: output)
            }
        }
    }

    /// A clip that is played backwards.
    ///
    /// - Throws: ``MediaError`` if the range isn't inside the source.
    public init(reversing source: MediaSource, range: TimeRange? = nil) throws {
        try self.init(of: source, range: range) { .reversed($0) }
    }

    /// What this clip plays between two instants of its output, as a clip of its own: to look at a sample of a long
    /// render before all of it is made.
    ///
    /// Frames and samples are those of the whole clip, if `start` falls on one of its output frames. Only at both ends
    /// they may differ by what comes from source frames and samples outside of the part.
    ///
    /// - Parameters:
    ///   - start: at least 0.
    ///   - end: what lies beyond the output's end is left out; nil for the output's end.
    /// - Throws: ``CurveError`` if nothing of the output lies between the two.
    public func playing(from start: RationalTime, to end: RationalTime?) throws -> Clip {
        let lasts =
            try map.exactOutputDuration ?? AssetClip.microsecond(nearest: map.outputDuration)
        let (begin, stop) = (max(start, .zero), min(end ?? lasts, lasts))
        let part = try map.window(from: begin, to: stop)
        let from = try range.start.sum(part.sourceStart)
        let partRange = try TimeRange(
            start: from, end: min(try from.sum(part.sourceDuration), range.end))
        let kept = try keptRange.flatMap { kept in
            try kept.intersection(
                TimeRange(start: kept.start.sum(begin), end: kept.start.sum(stop)))
        }
        return Clip(
            source, partRange, part.map, kept: kept, try blending?.part(from: begin))
    }

    /// This clip, played forward and then backward to its start.
    ///
    /// Playback turns around in the middle of the last frame's presentation, so that no frame is presented
    /// twice as long and the sound meets its mirror image without a step.
    ///
    /// - Parameter rate: the frame rate of the output, whose last frame may last longer than the source's.
    public func thereAndBack(at rate: RenderSettings.OutputRate = .source) throws -> Clip {
        let turn = turn(at: rate)
        return Clip(
            source, range, try map.thereAndBack(turningAt: turn), kept: keptRange, blending)
    }

    /// The middle of the last frame's presentation, in seconds of output time.
    package func turn(at rate: RenderSettings.OutputRate) -> Double {
        let frame = min(source.frameDuration ?? 0, range.duration.seconds)
        let last = map.isRising ? map.outputTime(of: lastFrameEnd(lasting: frame) - frame) : nil
        let outputFrame: Double
        switch rate {
        case .any: outputFrame = 0
        case .source: outputFrame = frame
        case .fixed(let rate): outputFrame = frame > 0 ? rate.frameDuration.seconds : 0
        }
        let lasts = max(map.outputDuration - (last ?? map.outputDuration - frame), outputFrame)
        return map.outputDuration - min(lasts, map.outputDuration) / 2
    }

    /// The end of the last frame in source time. If the clip ends less than a frame later, that is the video's
    /// end; else it is the clip's end.
    private func lastFrameEnd(lasting frame: Double) -> Double {
        let end = source.videoEnd.map { min($0, range.end) } ?? range.end
        let lastEnd = end.relative(to: range.start).seconds
        return range.duration.seconds - lastEnd < frame ? lastEnd : range.duration.seconds
    }

    /// The file, if the clip is of one; else nil.
    public var asset: Asset? { source.asset }

    /// The clip as a clip of one file; nil if it is of a composition.
    package var assetClip: AssetClip? {
        asset.map { AssetClip(asset: $0, range: range, map: map) }
    }

    /// The clip at its source's own speed; nil if nothing is left of it.
    package var unretimed: Clip? {
        keptRange.map { Clip(source, $0, .identity($0.duration), kept: $0, blending) }
    }

    /// The asset's frame duration in seconds, for the limits on what a curve may do within one frame. It is nil
    /// without video.
    package static func frameDuration(of asset: Asset) -> Double? {
        asset.mainVideo?.videoFormat?.frameRate.map { 1 / $0.framesPerSecond }
    }
}
