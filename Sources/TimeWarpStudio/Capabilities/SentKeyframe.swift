import TimeMaps

/// A keyframe at a share of a clip, as the page's table shows it.
struct SentKeyframe: Codable, Sendable, SchemaNamed {
    static let schemaName = "Keyframe"

    /// In percent, to a thousandth.
    let at: String
    let speed: Double
    let easing: String
    /// The time of the clip to which the film cuts here, such as `4s`; without it, it goes on where it is.
    let source: String?

    init(_ keyframe: Keyframe) {
        at =
            if case .share(let share) = keyframe.instant {
                exactText(of: (share * 1e5).rounded() / 1e3) + "%"
            } else {
                keyframe.instantText
            }
        speed = keyframe.speed
        easing = keyframe.easing.description
        source = keyframe.sourceText
    }
}

/// Keyframes that follow a curve.
struct KeyframeList: Codable, Sendable {
    let keyframes: [SentKeyframe]

    init(following samples: JobEvaluation.Samples) {
        let speeds = zip(samples.u, samples.speed).map { ($0, $1 ?? .infinity) }
        keyframes = KeyframeFit.keyframes(through: speeds, isOverOutput: samples.over == .output)
            .map(SentKeyframe.init)
    }
}
