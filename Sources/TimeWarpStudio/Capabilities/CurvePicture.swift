import TimeMaps

/// How a curve looks, and how it moves through a clip: rough enough for a picture of a few hundred pixels.
struct CurvePicture: Codable, Sendable, SchemaNamed {
    static let schemaName = "CurvePicture"

    /// Places on [0,1], never falling; at a jump there are two close to each other.
    let u: [Double]
    /// The time scale at each place; nil where it is infinite (a freeze).
    let scale: [Double?]
    /// The speed at each place; nil where it is infinite.
    let speed: [Double?]
    /// How it moves, both as shares of the whole: points between which straight lines are within half a percent.
    let output: [Double]
    let source: [Double]

    private static let count = 49

    /// The curve is over ten seconds of a clip, or up to the last keyframe that is at an instant in seconds.
    ///
    /// - Throws: ``CurveError``.
    init(of curve: Curve) throws {
        var duration = RationalTime.seconds(10)
        if case .keyframes(let keyframes) = curve.shape {
            let instants = keyframes.compactMap { keyframe in
                if case .seconds(let time) = keyframe.instant { time } else { nil }
            }
            duration = instants.max() ?? duration
        }
        let map = try TimeMap(warping: duration, along: curve)
        let samples = JobEvaluation.Samples.of(map, count: Self.count)
        let outline = map.outline(within: duration.seconds / 200, mostPoints: 500)
        func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }
        u = samples.u.map(rounded)
        scale = samples.scale.map { $0.map(rounded) }
        speed = samples.speed.map { $0.map(rounded) }
        output = outline.output.map { rounded($0 / map.outputDuration) }
        source = outline.source.map { rounded($0 / duration.seconds) }
    }
}
