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
                remedy: "Choose a --range inside the clip")
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

    /// A clip warped along a curve.
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
                warping: duration, by: curve.timeScale(duration: duration),
                frameDuration: Self.frameDuration(of: asset), lasting: lasting)
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

    /// Seconds between frames, for the rules on what a curve may do within one.
    private static func frameDuration(of asset: Asset) -> Double? {
        asset.videoStreams.first?.videoFormat?.frameRate.map { 1 / $0.framesPerSecond }
    }
}
