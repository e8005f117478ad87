import Foundation
import TimeMaps

/// How a segment comes in and goes out on its track, and how loud it is.
///
/// ```
///  ── a ────────╲╱──── b ─────╲                    dissolve of b: half of it before the cut, half after
///               ╱╲             ╲                   fadeOut of b
///              cut              end
/// ```
public struct Blending: Hashable, Sendable {
    /// For how long the segment dissolves with the one before it, whose video and sound go out while its own come in;
    /// 0 for a cut. Half of it lies before the cut and half after, so both clips need as much more of their media. After a
    /// gap, or at the track's start, the segment fades in over what lies below, all of it after the cut.
    public var dissolve: RationalTime
    /// For how long the segment fades out at its end, over what lies below; 0 for none.
    public var fadeOut: RationalTime
    /// How loud it is.
    public var gain: Gain

    /// Cuts at both ends, and sound as it is.
    public static let none = Blending()

    /// - Parameters:
    ///   - dissolve: 0 or above; see ``dissolve``.
    ///   - fadeOut: 0 or above; see ``fadeOut``.
    public init(
        dissolve: RationalTime = .zero, fadeOut: RationalTime = .zero, gain: Gain = .unity
    ) {
        precondition(
            dissolve >= .zero && fadeOut >= .zero, "a fade lasts 0 seconds or longer")
        self.dissolve = dissolve
        self.fadeOut = fadeOut
        self.gain = gain
    }

    /// Whether its video and sound change over time at an end.
    var fades: Bool { dissolve > .zero || fadeOut > .zero }

    /// That of the two parts of a segment that is cut at an instant after its start.
    package func split(at place: RationalTime) throws -> (Blending, Blending) {
        (
            Blending(dissolve: dissolve, gain: gain),
            Blending(fadeOut: fadeOut, gain: try gain.continued(from: place))
        )
    }

    /// That of a segment which is made longer or shorter.
    func scaled(by new: RationalTime, over old: RationalTime) throws -> Blending {
        func scaled(_ time: RationalTime) throws -> RationalTime {
            try RationalTime(
                rounded: ExactFraction(time).scaled(by: new, over: old),
                ticks: RationalTime.fineTick
            ).multiplied(by: 1, over: 1)
        }
        return Blending(
            dissolve: try scaled(dissolve), fadeOut: try scaled(fadeOut),
            gain: try gain.mappingTimes(scaled))
    }

    /// That of two neighbours as one segment; nil if they can't be one. The first lasts `duration`.
    func joined(with next: Blending, after duration: RationalTime) -> Blending? {
        guard fadeOut == .zero, next.dissolve == .zero,
            let gain = try? gain.continued(from: duration), gain == next.gain
        else {
            return nil
        }
        return Blending(dissolve: dissolve, fadeOut: next.fadeOut, gain: self.gain)
    }
}

/// How loud sound is over time, in decibels: constant, or keyframes between which it changes evenly in decibels.
public struct Gain: Hashable, Sendable {
    /// A gain at an instant.
    public struct Keyframe: Hashable, Sendable {
        /// Counts from the segment's start, in track time; 0 or above. It may lie after the segment's end, as when that
        /// was cut.
        public let at: RationalTime
        /// 0 is as loud as the file, -6 about half the amplitude.
        public let decibels: Double
    }

    /// In order. Before the first and after the last the gain stays as it is there. None for a gain of 0 dB.
    public let keyframes: [Keyframe]

    /// The sound as it is: 0 dB.
    public static let unity = Gain(sorted: [])
    /// The decibels that are possible. At the least there is silence.
    public static let limits = -96.0...24.0

    private init(sorted keyframes: [Keyframe]) {
        // A constant gain has only one form.
        if keyframes.allSatisfy({ $0.decibels == keyframes[0].decibels }) {
            self.keyframes = keyframes.prefix(1).filter { $0.decibels != 0 }.map {
                Keyframe(at: .zero, decibels: $0.decibels)
            }
        } else {
            self.keyframes = keyframes
        }
    }

    /// A constant gain.
    ///
    /// - Throws: ``CompositionError`` if it is outside of ``limits``.
    public init(decibels: Double) throws {
        try self.init(decibels == 0 ? [] : [(.zero, decibels)])
    }

    /// A gain with keyframes, in any order.
    ///
    /// - Throws: ``CompositionError`` if one is outside of ``limits`` or before 0, or two are at the same instant.
    public init(_ keyframes: [(at: RationalTime, decibels: Double)]) throws {
        let sorted = keyframes.map { Keyframe(at: $0.at, decibels: $0.decibels) }
            .sorted { $0.at < $1.at }
        for keyframe in sorted where !Self.limits.contains(keyframe.decibels) {
            throw CompositionError.invalid(
                "a gain of \(keyframe.decibels) dB isn't possible: it is -96 (silence) to 24")
        }
        guard sorted.first.map({ $0.at >= .zero }) ?? true else {
            throw CompositionError.invalid("a keyframe of the gain is before the segment's start")
        }
        for (keyframe, next) in zip(sorted, sorted.dropFirst()) where keyframe.at == next.at {
            throw CompositionError.invalid(
                "two keyframes of the gain are at \(next.at.secondsText) s")
        }
        self.init(sorted: sorted)
    }

    /// What samples are multiplied by, at a number of seconds after the segment's start.
    func factor(at seconds: Double) -> Double {
        let decibels = decibels(at: seconds)
        return decibels <= Self.limits.lowerBound ? 0 : pow(10, decibels / 20)
    }

    private func decibels(at seconds: Double) -> Double {
        let next = keyframes.indices.partitionPoint { keyframes[$0].at.seconds > seconds }
        guard next > 0, next < keyframes.count else {
            return (next == 0 ? keyframes.first : keyframes.last)?.decibels ?? 0
        }
        let (before, after) = (keyframes[next - 1], keyframes[next])
        let share =
            (seconds - before.at.seconds) / (after.at.seconds - before.at.seconds)
        return before.decibels + share * (after.decibels - before.decibels)
    }

    /// The gain from an instant on, which becomes 0.
    func continued(from place: RationalTime) throws -> Gain {
        guard let first = keyframes.first, first.at < place else {
            return try mappingTimes { try $0 - place }
        }
        let start = Keyframe(at: .zero, decibels: decibels(at: place.seconds))
        let later = keyframes.filter { $0.at > place }
        return Gain(
            sorted: [start]
                + (try later.map { Keyframe(at: try $0.at - place, decibels: $0.decibels) }))
    }

    func mappingTimes(_ map: (RationalTime) throws -> RationalTime) rethrows -> Gain {
        Gain(sorted: try keyframes.map { Keyframe(at: try map($0.at), decibels: $0.decibels) })
    }
}
