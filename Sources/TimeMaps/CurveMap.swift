extension Curve {
    /// Whether the curve gives speeds over output time. That is so when one of its keyframes freezes, plays
    /// backwards or cuts to another time, because an instant of source time can't say how long a freeze lasts.
    public var isOverOutput: Bool { keyframesOverOutput != nil }

    /// Whether the curve itself determines how long the output lasts: it is over output time, and one of its
    /// keyframes is at an instant in seconds.
    package var statesItsLength: Bool {
        keyframesOverOutput?.contains { keyframe in
            guard case .seconds = keyframe.instant else {
                return false
            }
            return true
        } ?? false
    }

    fileprivate var keyframesOverOutput: [Keyframe]? {
        guard case .keyframes(let keyframes) = shape,
            keyframes.contains(where: { $0.speed <= 0 || $0.source != nil })
        else {
            return nil
        }
        return keyframes
    }
}

extension TimeMap {
    /// The time map of a clip that is retimed along a curve. The curve is over source time, or over output
    /// time if one of its keyframes freezes, plays backwards or cuts.
    ///
    /// - Parameters:
    ///   - duration: how long the clip lasts.
    ///   - frameDuration: seconds between the clip's frames, for the limits on what a curve may do within one
    ///     frame; nil takes a thousandth of the clip.
    ///   - lasting: the exact duration of the output; the curve keeps its shape. Nil lets the curve decide.
    /// - Throws: ``CurveError`` when the curve isn't valid for a clip of that duration, or when it is over
    ///   output time and flipped.
    public init(
        warping duration: RationalTime, along curve: Curve, frameDuration: Double? = nil,
        lasting: RationalTime? = nil
    ) throws(CurveError) {
        guard let keyframes = curve.keyframesOverOutput else {
            try self.init(
                warping: duration, by: curve.timeScale(duration: duration),
                frameDuration: frameDuration, lasting: lasting)
            return
        }
        guard !curve.isFlipped else {
            throw CurveError(
                .invalidParameter,
                "keyframes that freeze, play backwards or cut can't be flipped; write them in reverse "
                    + "order"
            )
        }
        try self.init(keyframes: keyframes, sourceDuration: duration, lasting: lasting)
    }
}
