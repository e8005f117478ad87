import Media
import TimeMaps

/// Writes pictures and sound that a program makes up, one after another, on one thread.
///
/// For samples and tests. Renders go through ``Renderer``, which overlaps its stages.
public final class MediaWriter {
    private let muxer: Muxer
    private let video: (encoder: VideoEncoder, track: Muxer.Track)?
    private let audio: [(encoder: AudioEncoder, track: Muxer.Track)]

    /// - Parameters:
    ///   - video: nil for sound alone.
    ///   - audio: one entry a track.
    /// - Throws: ``MediaError`` when the file can't be created or an encoder refuses.
    public init(
        creating path: String, existing: Muxer.Existing, video settings: VideoEncoderSettings?,
        audio sounds: [(codec: AudioCodec, format: AudioFormat)],
        tags: [String: String] = [:], chapters: [Asset.Chapter] = []
    ) throws {
        let container = try Container(forFileAt: path)
        let muxer = try Muxer(creating: path, as: container, existing: existing)
        video = try settings.map { settings in
            try container.require(settings.codec, file: path)
            let encoder = try VideoEncoder(settings, for: container, path: path)
            return (encoder, try muxer.add(encoder.encodedFormat(), like: nil))
        }
        audio = try sounds.map { codec, format in
            try container.require(codec, file: path)
            let encoder = try AudioEncoder(
                codec, format: format, bitRate: nil, for: container, path: path)
            return (encoder, try muxer.add(encoder.encodedFormat(), like: nil))
        }
        try muxer.describe(tags: tags, chapters: chapters)
        try muxer.start()
        self.muxer = muxer
    }

    /// Writes a picture.
    ///
    /// - Parameters:
    ///   - time: when it is shown, in ticks of the encoder's time base; later than the one before.
    ///   - duration: for how long, in ticks.
    public func write(_ frame: Frame, at time: Int64, lasting duration: Int64 = 1) throws {
        guard let video else {
            preconditionFailure("the file was opened without pictures")
        }
        try video.encoder.encode(frame, at: time, lasting: duration) {
            try muxer.write($0, to: video.track)
        }
    }

    /// Writes samples, one array a channel, that follow those before in their track.
    public func write(_ channels: [[Float]], toTrack number: Int = 0) throws {
        let sound = audio[number]
        try sound.encoder.encode(channels) { try muxer.write($0, to: sound.track) }
    }

    /// Ends the file and gives it its name.
    public func finish() throws {
        if let video {
            try video.encoder.finish { try muxer.write($0, to: video.track) }
        }
        for sound in audio {
            try sound.encoder.finish { try muxer.write($0, to: sound.track) }
        }
        try muxer.finish()
    }
}
