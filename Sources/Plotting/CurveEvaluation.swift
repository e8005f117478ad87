import TimeMaps

/// A curve in numbers: samples, range, and the duration it gives.
public struct CurveEvaluation: Sendable, Codable {
    /// What the curve is, in words.
    public let title: String
    /// Samples over [0,1], in order; two at one place where the curve jumps.
    public let samples: [CurvePlot.Sample]
    /// The smallest scale of a sample, in output seconds for every source second.
    public let minimum: Double
    /// The largest scale of a sample, in output seconds for every source second.
    public let maximum: Double
    /// How long the clip lasts, in seconds.
    public let sourceDurationSeconds: Double
    /// How long the output lasts, in seconds.
    public let outputDurationSeconds: Double
    /// What is remarkable, such as where s falls below zero.
    public let warnings: [String]

    /// Evaluates a curve for a clip.
    ///
    /// - Parameters:
    ///   - lasting: what the output must last; the curve is multiplied to fit. Nil leaves it.
    ///   - frameDuration: seconds between the source's frames, within which a curve may fall; nil
    ///     takes a thousandth of the duration.
    ///   - sampleCount: how many evenly spaced samples, breakpoints apart; at least 2.
    /// - Throws: ``CurveError`` when the curve is no valid map.
    /// - Complexity: O(sampleCount).
    public init(
        of curve: Curve, duration: RationalTime, lasting: RationalTime? = nil,
        frameDuration: Double? = nil, sampleCount: Int = 1025
    ) throws {
        let scale = try curve.timeScale(duration: duration)
        let map = try TimeMap(
            warping: duration, by: scale, frameDuration: frameDuration, lasting: lasting)
        let total = scale.integral(to: 1)
        let stretch = lasting.map { $0.seconds / (duration.seconds * total) } ?? 1
        title = curve.description
        samples = Self.places(sampleCount, breakpoints: scale.breakpoints).map { u in
            CurvePlot.Sample(
                u: u, scale: scale.value(at: u) * stretch, integral: scale.integral(to: u) * stretch
            )
        }
        minimum = samples.map(\.scale).min() ?? 0
        maximum = samples.map(\.scale).max() ?? 0
        sourceDurationSeconds = duration.seconds
        outputDurationSeconds = map.outputDuration
        warnings = map.warnings
    }

    /// The curve as a picture.
    public var plot: CurvePlot {
        get throws {
            try CurvePlot(
                title: title, samples: samples, sourceDuration: sourceDurationSeconds,
                outputDuration: outputDurationSeconds, minimum: minimum, maximum: maximum)
        }
    }

    /// Even steps, and both sides of every breakpoint, so that jumps are drawn as jumps.
    private static func places(_ count: Int, breakpoints: [Double]) -> [Double] {
        let steps = max(count, 2) - 1
        let even = (0...steps).map { Double($0) / Double(steps) }
        let sides = breakpoints.filter { $0 > 0 && $0 < 1 }.flatMap {
            [$0.nextDown, $0, $0.nextUp]
        }
        return Array(Set(even + sides)).sorted()
    }
}
