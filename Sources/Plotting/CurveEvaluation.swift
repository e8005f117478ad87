import TimeMaps

/// A curve in numbers: its samples, its range, and the duration of the output.
public struct CurveEvaluation: Sendable, Codable {
    /// The curve in words.
    public let title: String
    /// Samples over [0,1], in order. Breakpoints have samples on both sides, so that jumps show as jumps.
    public let samples: [CurvePlot.Sample]
    /// The smallest time scale, in output seconds per source second. For a formula of s or the speed it is a
    /// proved bound, at most about a millionth below the smallest value; for other curves it is that of the samples.
    public let minimum: Double
    /// The largest time scale, in output seconds per source second; known like ``minimum``.
    public let maximum: Double
    /// How long the clip lasts, in seconds.
    public let sourceDurationSeconds: Double
    /// How long the output lasts, in seconds.
    public let outputDurationSeconds: Double
    /// Sentences about what the user may not expect, such as where s is negative.
    public let warnings: [String]

    /// Evaluates a curve for a clip.
    ///
    /// - Parameters:
    ///   - curve: the curve, over source time.
    ///   - duration: how long the clip lasts; above 0.
    ///   - lasting: how long the output must last; the curve is multiplied to fit. Nil leaves the curve
    ///     unchanged.
    ///   - frameDuration: seconds between the source's frames, within which s may be negative; nil takes a
    ///     thousandth of the duration.
    ///   - sampleCount: the number of evenly spaced samples, at least 2. Three are added at each breakpoint.
    ///   - detail: a part of [0,1] with as many samples again; nil for none.
    /// - Throws: ``CurveError`` when the curve isn't valid for the clip.
    /// - Complexity: O(sampleCount).
    public init(
        of curve: Curve, duration: RationalTime, lasting: RationalTime? = nil,
        frameDuration: Double? = nil, sampleCount: Int = 1025,
        detail: ClosedRange<Double>? = nil
    ) throws {
        let scale = try curve.timeScale(duration: duration)
        let map = try TimeMap(
            warping: duration, by: scale, frameDuration: frameDuration, lasting: lasting)
        let total = scale.integral(to: 1)
        let stretch = lasting.map { $0.seconds / (duration.seconds * total) } ?? 1
        title = curve.description
        samples = Self.places(sampleCount, detail, breakpoints: scale.breakpoints).map { u in
            CurvePlot.Sample(
                u: u, scale: scale.value(at: u) * stretch, integral: scale.integral(to: u) * stretch
            )
        }
        let bounds = (scale as? any BoundedTimeScale)?.bounds
        minimum = bounds.map { $0.lowerBound * stretch } ?? samples.map(\.scale).min() ?? 0
        maximum = bounds.map { $0.upperBound * stretch } ?? samples.map(\.scale).max() ?? 0
        sourceDurationSeconds = duration.seconds
        outputDurationSeconds = map.outputDuration
        warnings = map.warnings
    }

    /// The plot of the curve.
    ///
    /// - Throws: ``PlotError`` when a number is too large to be drawn.
    public var plot: CurvePlot {
        get throws {
            try CurvePlot(
                title: title, samples: samples, sourceDuration: sourceDurationSeconds,
                outputDuration: outputDurationSeconds, minimum: minimum, maximum: maximum)
        }
    }

    /// Evenly spaced places, and both sides of every breakpoint, so that jumps are drawn as jumps.
    private static func places(
        _ count: Int, _ detail: ClosedRange<Double>?, breakpoints: [Double]
    ) -> [Double] {
        let steps = max(count, 2) - 1
        let shares = (0...steps).map { Double($0) / Double(steps) }
        let even =
            shares
            + (detail.map { part in
                shares.map { part.lowerBound + $0 * (part.upperBound - part.lowerBound) }
            } ?? [])
        // A formula's breakpoints are known to within 2⁻⁴⁶, or 4 ulp.
        let sides = breakpoints.flatMap { place in
            let reach = max(0x1p-45, 8 * place.ulp)
            return [place - reach, place, place + reach]
        }
        return Array(Set(even + sides.filter { 0 < $0 && $0 < 1 })).sorted()
    }
}
