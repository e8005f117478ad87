import TimeMaps

/// How a curve looks: rough enough for a picture of a few hundred pixels.
struct CurvePicture: Codable, Sendable, SchemaNamed {
    static let schemaName = "CurvePicture"

    /// Places on [0,1], never falling; at a jump there are two close to each other.
    let u: [Double]
    /// The time scale at each place; nil where it is infinite (a freeze).
    let scale: [Double?]
    /// The speed at each place; nil where it is infinite.
    let speed: [Double?]

    private static let count = 49

    init(of curve: Curve) throws {
        let map = try curve.shownMap
        let samples = JobEvaluation.Samples.of(map, count: Self.count)
        u = samples.u.map(rounded)
        scale = samples.scale.map { $0.map(rounded) }
        speed = samples.speed.map { $0.map(rounded) }
    }
}

/// How a curve moves through a clip: evenly spaced shares of the output, and the shares of the source that are shown there.
struct CurveMotion: Codable, Sendable {
    let output: [Double]
    let source: [Double]

    private static let count = 101

    init(of curve: Curve) throws {
        let map = try curve.shownMap
        output = (0..<Self.count).map { rounded(Double($0) / Double(Self.count - 1)) }
        source = output.map { share in
            rounded(map.sourceTime(at: share * map.outputDuration) / map.sourceDuration)
        }
    }
}

private func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }

extension Curve {
    /// The curve on a clip of ten seconds. If keyframes are at instants in seconds, the clip ends at the last one, or a
    /// second later if others are at shares of the clip.
    ///
    /// - Throws: ``CurveError``.
    fileprivate var shownMap: TimeMap {
        get throws {
            var duration = RationalTime.seconds(10)
            if case .keyframes(let keyframes) = shape {
                let instants = keyframes.compactMap { keyframe in
                    if case .seconds(let time) = keyframe.instant { time } else { nil }
                }
                if let last = instants.max(), last > .zero {
                    let hasShares = instants.count < keyframes.count
                    duration = hasShares ? try last + .seconds(1) : last
                }
            }
            return try TimeMap(warping: duration, along: self)
        }
    }
}
