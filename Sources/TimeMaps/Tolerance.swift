/// How far apart two times may be and still count as the same. Every comparison of times uses one of these.
package enum Tolerance {
    /// Two instants closer than this are one: far below what anyone sees or hears, and far above what rounding in
    /// `Double` adds up to over years. In seconds.
    package static let instant = 1e-9
    /// A time that somebody stated (a file, a person, a container) may miss the end of what it belongs to by this
    /// much, because six digits after the point are what is usually written. In seconds.
    package static let stated = 1e-6
    /// What is shorter than this is nothing, in seconds or as a share of a clip.
    package static let nothing = 1e-12
    /// A speed or scale exactly at a limit may come out this much above it, as a share, because of rounding.
    package static let limit = 1e-6
}

extension TimeMap {
    /// The limits of a time scale: the largest over a frame, and the smallest over the clip. In output
    /// seconds per source second.
    package static let scaleLimits = 1 / 1000.0...1000.0

    /// Whether a time scale is within ``scaleLimits``, rounding included.
    package static func allows(scale: Double) -> Bool {
        scale >= scaleLimits.lowerBound * (1 - Tolerance.limit)
            && scale <= scaleLimits.upperBound * (1 + Tolerance.limit)
    }

    /// Whether a speed, forward or backwards, is within 1000, rounding included.
    static func allows(speed: Double) -> Bool {
        abs(speed) <= scaleLimits.upperBound * (1 + Tolerance.limit)
    }
}
