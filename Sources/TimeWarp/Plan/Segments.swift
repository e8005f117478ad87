import Media
import TimeMaps

/// A part of a video track in which one clip is seen, or nothing.
package struct VideoSegment: Sendable {
    /// The frames of a fixed rate, or ticks of a variable one, that the segment takes. It is nil for the only
    /// segment of a track that begins and ends with its frames.
    package let ticks: Range<Int64>?
    /// What the segment presents; nil for black.
    var source: Source?

    /// What a segment presents.
    enum Source: Sendable {
        /// Frames that are decoded.
        case frames(ClipFrames)
        /// Packets that get new times and are never decoded.
        case packets(ClipPackets)
        /// Frames of several clips over each other, from the lowest, or of one that is faded.
        case mixed([MixedFrames])
    }

    /// The clip that is seen alone; nil for black and for mixed clips.
    package var clip: AssetClip? {
        switch source {
        case .frames(let frames): frames.clip
        case .packets(let packets): packets.clip
        case .mixed, nil: nil
        }
    }

    /// The stream that is seen alone; nil for black and for mixed clips.
    package var stream: Asset.Stream? {
        switch source {
        case .frames(let frames): frames.stream
        case .packets(let packets): packets.stream
        case .mixed, nil: nil
        }
    }

    /// Whether clips are seen through.
    package var isMixed: Bool { !mixed.isEmpty }

    /// The clips that are mixed, from the lowest; none if nothing is.
    var mixed: [MixedFrames] {
        guard case .mixed(let layers) = source else {
            return []
        }
        return layers
    }

    /// The frames that are decoded of the only clip; nil if there is none.
    package internal(set) var frames: ClipFrames? {
        get {
            guard case .frames(let frames) = source else {
                return nil
            }
            return frames
        }
        set { source = newValue.map(Source.frames) }
    }
}

/// Frames of one clip among others, and how opaque they are.
struct MixedFrames: Sendable {
    let frames: ClipFrames
    let envelopes: [Envelope]
}

/// Packets of one clip, at the times that its map gives them.
struct ClipPackets: Sendable {
    let clip: AssetClip
    let stream: Asset.Stream
    let timetable: PacketTimetable
}

/// A part of an audio track in which a clip is heard.
package struct AudioSegment: Sendable {
    /// The output samples that the segment takes.
    package let samples: Range<Int64>
    package let fades: SegmentFades
    /// The fades and gains of its segment and of those around it.
    package let envelopes: [Envelope]
    /// Converts the sound to the track's channels.
    let mix: ChannelMix
    package let sound: ClipSound

    /// What samples are multiplied by at an output time, in seconds, but for the fades at cuts.
    package func loudness(at output: Double) -> Double { envelopes.loudness(at: output) }
}

/// The sound of one clip, as a track plays it.
package struct ClipSound: Sendable {
    package let clip: AssetClip
    package let stream: Asset.Stream
    /// The format of the sound in the file.
    let format: AudioFormat
    /// The map from output time to source time. Source time counts from the start of the clip's range.
    let map: TimeMap
    /// The sample rate of the output, in samples a second.
    let sampleRate: Int
    /// The number of output samples for each channel.
    let sampleCount: Int64
}

/// A part of a subtitle track in which a clip's subtitles are shown.
struct SubtitleSegment: Sendable {
    let clip: AssetClip
    let stream: Asset.Stream
    /// The output time, in seconds, at which the clip begins and at which its subtitles end; nil if the clip is
    /// the whole track.
    let window: Range<Double>?
}
