extension Curve {
    /// Whether it says speeds over output time: it has keyframes of which one freezes or plays
    /// backwards, and an instant of the source can't say how long it stands.
    public var isOverOutput: Bool { keyframesOverOutput != nil }

    /// Whether it says itself how long the output lasts: over output time, at instants in seconds.
    package var statesItsLength: Bool {
        keyframesOverOutput?.contains { keyframe in
            guard case .seconds = keyframe.instant else {
                return false
            }
            return true
        } ?? false
    }

    fileprivate var keyframesOverOutput: [Keyframe]? {
        guard case .keyframes(let keyframes) = shape, keyframes.contains(where: { $0.speed <= 0 })
        else {
            return nil
        }
        return keyframes
    }
}

extension TimeMap {
    /// A clip warped along a curve, over source time or, where keyframes freeze or play backwards,
    /// over output time.
    ///
    /// - Parameters:
    ///   - duration: of the clip.
    ///   - frameDuration: seconds between its frames, for the rules on what a curve may do within one.
    ///   - lasting: what the output lasts exactly, while the curve keeps its shape; nil lets the curve
    ///     decide.
    /// - Throws: ``CurveError`` when the curve is no valid map for a clip of that length, or is over
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
                "keyframes that freeze or play backwards can't be flipped; write them in the other "
                    + "order")
        }
        try self.init(keyframes: keyframes, sourceDuration: duration, lasting: lasting)
    }
}
