import TimeMaps

/// An element of a periodic observation: the position, the rate, and the reasons why the observer is notified.
public struct PlaybackMoment: Hashable, Sendable {
    /// Why the observer is notified.
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// Playback reached a multiple of the interval.
        case interval
        /// Playback started after a pause.
        case started
        /// Playback stopped: it was paused, or reached an end of the media.
        case stopped
        /// A seek moved playback.
        case jumped
        /// Playback reached an end of the media and continued at the other end.
        case looped
        /// The rate changed while playback was running.
        case rateChanged
    }

    /// Media time. For ``Reason/interval`` it is the exact multiple, even if the notification comes late.
    public let time: RationalTime
    /// The rate from this time on.
    public let rate: PlaybackRate
    /// The reasons, at least one. If the consumer was slow, moments are merged: time and rate are the newest,
    /// and the reasons are those of all merged moments.
    public let reasons: Set<Reason>

    /// This moment, with the reasons of an earlier one that it replaces added.
    func replacing(_ earlier: PlaybackMoment) -> PlaybackMoment {
        PlaybackMoment(time: time, rate: rate, reasons: reasons.union(earlier.reasons))
    }
}

/// An element of a boundary observation: playback traversed one of the instants.
public struct BoundaryTraversal: Hashable, Sendable {
    /// The instant, with the timescale in which it was given.
    public let time: RationalTime
    /// The direction of playback.
    public let direction: PlaybackDirection
}
