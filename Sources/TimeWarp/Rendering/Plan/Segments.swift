import Media
import TimeMaps

/// A stretch of a video track in which one clip is seen, or nothing.
package struct VideoSegment: Sendable {
    /// Its place on the track, in frames of a fixed rate or ticks of a variable one. Nil for the only segment of a
    /// track that starts and ends with its frames.
    package let ticks: Range<Int64>?
    /// What is seen; nil for black.
    var source: Source?

    /// What a segment shows.
    enum Source: Sendable {
        /// Frames that are decoded.
        case frames(ClipFrames)
        /// Packets that get new times and are never decoded.
        case packets(ClipPackets)
    }

    /// What is seen; nil for black.
    package var clip: Clip? {
        switch source {
        case .frames(let frames): frames.clip
        case .packets(let packets): packets.clip
        case nil: nil
        }
    }

    /// The stream that is seen; nil for black.
    package var stream: Asset.Stream? {
        switch source {
        case .frames(let frames): frames.stream
        case .packets(let packets): packets.stream
        case nil: nil
        }
    }

    /// The frames that are decoded; nil where none are.
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

/// Packets of one clip, at the times that its map gives them.
struct ClipPackets: Sendable {
    let clip: Clip
    let stream: Asset.Stream
    let timetable: PacketTimetable
}

/// A stretch of an audio track in which a clip is heard.
package struct AudioSegment: Sendable {
    /// In samples of the output.
    package let samples: Range<Int64>
    package let fades: SegmentFades
    /// Brings it to the channels of the track; nil where it has them.
    let mix: ChannelMix?
    package let sound: ClipSound
}

/// The sound of one clip, as a track plays it.
package struct ClipSound: Sendable {
    package let clip: Clip
    package let stream: Asset.Stream
    /// As the file has it.
    let format: AudioFormat
    /// Output time to source time from the start of the clip's range.
    let map: TimeMap
    /// Samples a second of the output.
    let sampleRate: Int
    /// Samples a channel of the output.
    let sampleCount: Int64
}

/// A stretch of a subtitle track in which a clip's subtitles are shown.
struct SubtitleSegment: Sendable {
    let clip: Clip
    let stream: Asset.Stream
    /// When the clip begins, and until when its subtitles are shown, in seconds of output; nil for a clip that
    /// is a track by itself.
    let window: Range<Double>?
}
