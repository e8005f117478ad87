import TimeMaps

/// What a periodic observation tells: where playback is, how fast it runs, and why this is told.
public struct PlaybackMoment: Hashable, Sendable {
    /// Why a moment is told.
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// A multiple of the interval was reached.
        case interval
        /// Playback set out from rest.
        case started
        /// Playback came to rest: paused, or at an end of the media.
        case stopped
        /// A seek landed.
        case jumped
        /// Playback reached an end of the media and went on at the other.
        case looped
        /// The rate changed from one that moves to another.
        case rateChanged
    }

    /// Media time. For an interval exactly its multiple, even when the host told it late.
    public let time: RationalTime
    /// The rate from here on.
    public let rate: PlaybackRate
    /// One reason, or several where moments fell together because nobody had asked for the
    /// earlier ones: time and rate are then the newest, and no reason is lost.
    public let reasons: Set<Reason>

    /// This one, with the reasons of one that nobody asked for.
    func replacing(_ earlier: PlaybackMoment) -> PlaybackMoment {
        PlaybackMoment(time: time, rate: rate, reasons: reasons.union(earlier.reasons))
    }
}

/// What a boundary observation tells: playback traversed one of its instants.
public struct BoundaryTraversal: Hashable, Sendable {
    /// The instant, as it was given.
    public let time: RationalTime
    /// Which way playback went.
    public let direction: PlaybackDirection
}
