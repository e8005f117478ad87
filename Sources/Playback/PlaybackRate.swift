import TimeMaps

/// The speed of playback: seconds of media per second of the host clock, as an exact fraction.
///
/// 0 is paused, a negative rate plays backwards.
public struct PlaybackRate: Hashable, Sendable, CustomStringConvertible {
    /// The numerator of the fraction in lowest terms; negative if playback runs backwards.
    public let numerator: Int32
    /// The denominator of the fraction in lowest terms; positive.
    public let denominator: Int32

    /// The rate `numerator`.
    public init(_ numerator: Int32) {
        (self.numerator, denominator) = (numerator, 1)
    }

    /// The rate `numerator / denominator`, reduced to lowest terms.
    ///
    /// - Throws: `TimeError` when the denominator isn't above 0.
    public init(_ numerator: Int32, over denominator: Int32) throws(TimeError) {
        guard denominator > 0 else {
            throw .notPositive("the denominator of a rate of \(numerator)/\(denominator)")
        }
        self.init(known: numerator, over: denominator)
    }

    /// The same, with a denominator that is known to be above 0.
    package init(known numerator: Int32, over denominator: Int32) {
        precondition(denominator > 0, "the denominator of a rate is positive")
        var (a, b) = (numerator.magnitude, denominator.magnitude)
        while b != 0 {
            (a, b) = (b, a % b)
        }
        // The common divisor divides the denominator, so it fits into 32 bits.
        let common = Int32(a)
        self.numerator = numerator / common
        self.denominator = denominator / common
    }

    /// Media time stands still.
    public static let paused = PlaybackRate(0)
    /// Normal speed: 1.
    public static let normal = PlaybackRate(1)
    /// Normal speed backwards: −1.
    public static let reversed = PlaybackRate(-1)

    /// The direction of playback; nil if the rate is 0.
    public var direction: PlaybackDirection? {
        switch numerator.signum() {
        case 0: nil
        case 1: .forwards
        default: .backwards
        }
    }

    /// The rate as `2`, or as a fraction such as `-1/2`.
    public var description: String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    }
}

/// The direction of playback.
public enum PlaybackDirection: Hashable, Sendable {
    /// Towards the end.
    case forwards
    /// Towards the start.
    case backwards
}

/// What happens at the ends of the media: at its duration, and at 0 when playing backwards.
public enum PlaybackEnd: Hashable, Sendable {
    /// Playback stops there.
    case stop
    /// Playback continues at the other end without a gap, at the same instant of the host clock.
    case loop
}
