import Media

/// What of a video track is kept as the source has it, and why the rest is encoded.
public struct TrackKeeping: Sendable {
    /// How packets of several encoders follow each other in the track; nil if nothing is kept, so that one encoder makes it
    /// all.
    var seam: TrackSeam?
    /// How many seconds of the output are kept.
    public internal(set) var keptSeconds = 0.0
    /// What is encoded, the longest first.
    public internal(set) var encoded: [EncodedShare] = []

    /// A part of the output that is encoded.
    public struct EncodedShare: Sendable, Hashable {
        /// Why, such as `between a cut and the next keyframe`.
        public let reason: String
        /// How many seconds of the output.
        public internal(set) var seconds: Double
    }

    /// How many seconds are encoded.
    public var encodedSeconds: Double { encoded.reduce(0) { $0 + $1.seconds } }

    /// Which share of the track is kept, from 0 to 1.
    public var share: Double {
        keptSeconds > 0 ? keptSeconds / (keptSeconds + encodedSeconds) : 0
    }

    mutating func encode(_ seconds: Double, because reason: String) {
        // Ticks are rounded.
        guard seconds > 0.001 else {
            return
        }
        if let place = encoded.firstIndex(where: { $0.reason == reason }) {
            encoded[place].seconds += seconds
        } else {
            encoded.append(EncodedShare(reason: reason, seconds: seconds))
        }
    }
}

/// What all packets of a track have in common in which those of several encoders follow each other.
struct TrackSeam: Sendable {
    /// What the container says of them.
    let format: EncodedFormat
    /// What our encoder keeps to.
    let coding: SeamCoding
}
