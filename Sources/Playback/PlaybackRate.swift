/// How fast media time runs: seconds of media a second of the host clock, as an exact fraction.
///
/// 0 is paused, a negative rate plays backwards.
public struct PlaybackRate: Hashable, Sendable, CustomStringConvertible {
    /// In lowest terms, as the denominator is.
    public let numerator: Int32
    /// Positive.
    public let denominator: Int32

    /// `numerator / denominator`. The denominator must be positive.
    public init(_ numerator: Int32, over denominator: Int32 = 1) {
        precondition(denominator > 0, "the denominator of a rate is positive")
        var (a, b) = (numerator.magnitude, denominator.magnitude)
        while b != 0 {
            (a, b) = (b, a % b)
        }
        // It divides the denominator, so it fits.
        let common = Int32(a)
        self.numerator = numerator / common
        self.denominator = denominator / common
    }

    /// Media time stands still.
    public static let paused = PlaybackRate(0)
    /// As recorded.
    public static let normal = PlaybackRate(1)
    /// As recorded, backwards.
    public static let reversed = PlaybackRate(-1)

    /// Where it leads; nil while paused.
    public var direction: PlaybackDirection? {
        switch numerator.signum() {
        case 0: nil
        case 1: .forwards
        default: .backwards
        }
    }

    public var description: String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    }
}

/// Which way media time runs.
public enum PlaybackDirection: Hashable, Sendable {
    /// Towards the end.
    case forwards
    /// Towards the start.
    case backwards
}

/// What happens where the media ends: at its duration, and at 0 when playing backwards.
public enum PlaybackEnd: Hashable, Sendable {
    /// Playback stops and rests there.
    case stop
    /// Playback goes on at the other end, at the same instant of the host clock.
    case loop
}
