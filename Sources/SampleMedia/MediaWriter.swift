import Media
import TimeMaps

/// Writes generated frames and sound to a file, one after another, on one thread.
///
/// It is for samples and tests. Renders use `Renderer`, which runs its stages in parallel.
package final class MediaWriter {
    private let muxer: Muxer
    private let video: (encoder: VideoEncoder, track: Muxer.Track)?
    private let audio: [(encoder: AudioEncoder, track: Muxer.Track)]

    /// Creates a file and starts its encoders.
    ///
    /// - Parameters:
    ///   - path: the file to create; its extension selects the container.
    ///   - existing: what to do when the file exists.
    ///   - settings: the settings of the video track; nil for a file without one.
    ///   - sounds: the codec and the format of each audio track.
    ///   - tags: the file's tags, such as `title`.
    ///   - chapters: the file's chapters.
    /// - Throws: ``MediaError`` when the file can't be created, when the container can't hold a codec, or when
    ///   an encoder can't be opened.
    package init(
        creating path: String, existing: ExistingOutput, video settings: VideoEncoderSettings?,
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

    /// Writes a frame. The file must have a video track.
    ///
    /// - Parameters:
    ///   - frame: in the encoder's size and pixel format.
    ///   - time: the frame's PTS, in ticks of the encoder's time base; later than that of the frame before.
    ///   - duration: how long the frame is shown, in ticks.
    /// - Throws: ``MediaError`` when encoding or writing fails.
    package func write(_ frame: Frame, at time: Int64, lasting duration: Int64 = 1) throws {
        guard let video else {
            preconditionFailure("the file was created without a video track")
        }
        try video.encoder.encode(frame, at: time, lasting: duration) {
            try muxer.write($0, to: video.track)
        }
    }

    /// Appends samples to an audio track.
    ///
    /// - Parameters:
    ///   - channels: one array of samples per channel, all of the same length; full scale is ±1.
    ///   - number: the audio track, counted from 0.
    /// - Throws: ``MediaError`` when encoding or writing fails.
    package func write(_ channels: [[Float]], toTrack number: Int = 0) throws {
        let sound = audio[number]
        try sound.encoder.encode(channels) { try muxer.write($0, to: sound.track) }
    }

    /// Flushes the encoders, completes the file and gives it its final name. To be called once; nothing can be
    /// written after it.
    ///
    /// - Throws: ``MediaError`` when encoding or writing fails.
    package func finish() throws {
        if let video {
            try video.encoder.finish { try muxer.write($0, to: video.track) }
        }
        for sound in audio {
            try sound.encoder.finish { try muxer.write($0, to: sound.track) }
        }
        try muxer.finish()
    }
}
