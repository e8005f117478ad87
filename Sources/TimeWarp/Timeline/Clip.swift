import Media
import TimeMaps

/// A range of an asset, and when each of its instants is seen and heard.
public struct Clip: Sendable {
    /// Where picture and sound come from.
    public let asset: Asset
    /// The part of the asset that is used, in asset time.
    public let range: TimeRange
    /// Output time to source time; source time counts from the start of ``range``.
    public let map: TimeMap

    /// A clip retimed by any map.
    ///
    /// - Parameters:
    ///   - range: the part to use; nil for all of it.
    ///   - map: made for the range's duration.
    /// - Throws: ``MediaError`` when the range lies outside the asset.
    public init(
        of asset: Asset, range: TimeRange? = nil,
        retimedBy map: (_ duration: RationalTime) throws -> TimeMap
    ) throws {
        self.asset = asset
        self.range = try range ?? TimeRange(start: .zero, end: asset.duration)
        guard self.range.start >= .zero, self.range.start < asset.duration,
            self.range.end <= asset.duration, self.range.duration > .zero
        else {
            throw MediaError(
                .noUsableStream, file: asset.path,
                reason: "it lasts \(asset.duration.seconds) s, and the range "
                    + "\(self.range.start.seconds) s to \(self.range.end.seconds) s is not in it",
                remedy: "Choose a \(.range) inside the clip")
        }
        self.map = try map(self.range.duration)
    }

    /// A clip of sound alone, retimed by any map.
    ///
    /// - Parameter range: may begin before the asset and end after it; there it is silent.
    public init(
        soundOf asset: Asset, range: TimeRange,
        retimedBy map: (_ duration: RationalTime) throws -> TimeMap
    ) throws {
        self.asset = asset
        self.range = range
        self.map = try map(range.duration)
    }

    /// A clip of sound alone: what a map plays between two instants of its output, which may lie outside
    /// of it.
    ///
    /// - Parameter start: where the map's source begins in the asset.
    package init(
        soundOf asset: Asset, through map: TimeMap, from start: RationalTime,
        window: (from: RationalTime, to: RationalTime)
    ) throws {
        let part = try map.window(from: window.from, to: window.to)
        let range = try TimeRange(
            fittingStart: start.sum(part.sourceStart), duration: part.sourceDuration)
        try self.init(soundOf: asset, range: range) { _ in part.map }
    }

    /// A clip warped along a curve. Keyframes that freeze or play backwards are speeds over output
    /// time.
    ///
    /// - Parameters:
    ///   - curve: the time scale over the range.
    ///   - lasting: what the result must last exactly; the curve keeps its shape. Nil lets the
    ///     curve decide.
    /// - Throws: ``CurveError`` when the curve is no valid map for this clip.
    public init(
        of asset: Asset, range: TimeRange? = nil, warpedBy curve: Curve,
        lasting: RationalTime? = nil
    ) throws {
        try self.init(of: asset, range: range) { duration in
            try TimeMap(
                warping: duration, along: curve, frameDuration: Self.frameDuration(of: asset),
                lasting: lasting)
        }
    }

    /// A clip warped by a time scale of your own: a closure as s, or as its integral.
    public init(
        of asset: Asset, range: TimeRange? = nil, warpedBy scale: any TimeScale,
        lasting: RationalTime? = nil
    ) throws {
        try self.init(of: asset, range: range) { duration in
            try TimeMap(
                warping: duration, by: scale, frameDuration: Self.frameDuration(of: asset),
                lasting: lasting)
        }
    }

    /// How a uniform change of speed is said.
    public enum UniformScale: Sendable {
        /// Output seconds a source second, as a fraction: 2/1 is half speed.
        case factor(Int64, over: Int64)
        /// What the result lasts.
        case lasting(RationalTime)
    }

    /// A clip made uniformly slower or faster, exactly.
    ///
    /// - Throws: ``CurveError`` or ``TimeError`` when the scale is no positive number.
    public init(of asset: Asset, range: TimeRange? = nil, scaled: UniformScale) throws {
        try self.init(of: asset, range: range) { duration in
            switch scaled {
            case .factor(let numerator, let denominator):
                let output = try duration.multiplied(by: numerator, over: denominator)
                return try .uniform(from: duration, to: output)
            case .lasting(let output):
                return try .uniform(from: duration, to: output)
            }
        }
    }

    /// A clip played backwards.
    public init(reversing asset: Asset, range: TimeRange? = nil) throws {
        try self.init(of: asset, range: range) { .reversed($0) }
    }

    /// This clip played as it is, and then back to its start.
    ///
    /// It turns in the middle of the last frame's time, so that no frame is shown twice as long, and
    /// sound meets its mirror image without a step.
    ///
    /// - Parameter rate: of the output, whose last frame may last longer than the source's.
    public func thereAndBack(at rate: RenderSettings.OutputRate = .source) throws -> Clip {
        let frame = min(Self.frameDuration(of: asset) ?? 0, range.duration.seconds)
        let last = map.isRising ? map.outputTime(of: lastPictureEnd(lasting: frame) - frame) : nil
        let outputFrame: Double
        switch rate {
        case .any: outputFrame = 0
        case .source: outputFrame = frame
        case .fixed(let rate): outputFrame = frame > 0 ? rate.frameDuration.seconds : 0
        }
        let lasts = max(map.outputDuration - (last ?? map.outputDuration - frame), outputFrame)
        let turn = map.outputDuration - min(lasts, map.outputDuration) / 2
        return try Clip(of: asset, range: range) { _ in try map.thereAndBack(turningAt: turn) }
    }

    /// In source time; the clip's end, where that isn't a matter of less than a frame.
    private func lastPictureEnd(lasting frame: Double) -> Double {
        let end = asset.videoStreams.first?.end.map { min($0, range.end) } ?? range.end
        let picture = end.relative(to: range.start).seconds
        return range.duration.seconds - picture < frame ? picture : range.duration.seconds
    }

    /// Seconds between frames, for the rules on what a curve may do within one.
    package static func frameDuration(of asset: Asset) -> Double? {
        asset.videoStreams.first?.videoFormat?.frameRate.map { 1 / $0.framesPerSecond }
    }
}
