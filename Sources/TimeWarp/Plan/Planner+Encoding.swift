import Media

/// Decides how frames are stored, and notes what is lost.
extension Planner {
    /// The codec of video tracks; nil if the container can't hold video.
    var videoCodec: VideoCodec? {
        settings.video.codec ?? codecToKeep ?? container.videoCodecs.first
    }

    /// The codec of audio tracks; nil if there is to be no audio.
    var audioCodec: AudioCodec? {
        settings.audio.mode == .mute ? nil : settings.audio.codec ?? container.audioCodecs.first
    }

    /// Throws if the codec's encoder doesn't support the settings.
    func validate(_ codec: VideoCodec) throws {
        guard settings.video.hardware == .off else {
            // Each encoder has its own scale and presets, and is asked when it is tried.
            return
        }
        try validate(codec.encoder)
    }

    func validate(_ encoder: EncoderDescription) throws {
        try VideoEncoder.validate(
            encoder, quality: settings.video.quality, bitRate: settings.video.bitRate,
            preset: settings.video.preset, path: destination)
    }

    /// Throws if the container can't hold this many frames a second.
    func require(_ rate: FrameRate) throws {
        guard container != .gif || rate.framesPerSecond <= 50 || purpose == .measuring else {
            throw MediaError(
                .incompatible, file: destination,
                reason:
                    "browsers show at most 50 frames of a GIF a second, and it would have \(rate)",
                remedy: "Choose a lower frame rate, such as 25 or 50")
        }
    }

    /// The format in which an encoder stores the frames of a source. Losses are noted.
    mutating func stored(_ source: VideoFormat, _ codec: VideoCodec) throws -> VideoFormat {
        let pixelFormat = try VideoEncoder.pixelFormat(
            for: source.pixelFormat, by: codec.encoder, in: container,
            wanted: settings.video.pixelFormat, path: destination)
        if codec == .h264, settings.video.pixelFormat == nil, !pixelFormat.isPlain {
            note(
                "h264 in \(pixelFormat) is rarely played by devices and browsers; with the pixel format "
                    + "yuv420p it is, and hevc is played in 10 bits, too")
        }
        note(Self.losses(from: source.pixelFormat, to: pixelFormat, codec: codec))
        let whole = source.stored(as: pixelFormat)
        let stored = whole.cropped(for: codec)
        if stored.width < whole.width || stored.height < whole.height {
            note(
                "\(codec.rawValue) stores colour for pairs of pixels: the last column or row is "
                    + "cropped, and \(whole.width)×\(whole.height) becomes "
                    + "\(stored.width)×\(stored.height)")
        }
        return stored
    }

    static func losses(
        from source: PixelFormat, to target: PixelFormat, codec: VideoCodec
    ) -> [String] {
        var losses: [String] = []
        if source.hasAlpha && !target.hasAlpha {
            losses.append("transparency is lost where there is any")
        }
        if source.bitDepth > target.bitDepth {
            losses.append("\(source.bitDepth) bits for each component become \(target.bitDepth)")
        }
        let fine = source.chromaShift
        let coarse = target.chromaShift
        if coarse.horizontal > fine.horizontal || coarse.vertical > fine.vertical {
            losses.append("colour resolution falls from \(source) to \(target)")
        }
        return losses.map { "\(codec.rawValue) can't store the video without loss: \($0)" }
    }

    /// Notes what a new video track can't have of its source.
    mutating func noteLosses(of stream: Asset.Stream) {
        note(container.losses(of: stream))
        if stream.hasDynamicLight {
            note("Dolby Vision metadata is dropped; the base layer is kept")
        }
        if stream.tags["timecode"] != nil {
            note("the time code is dropped: it counts frames of the old timing")
        }
    }
}
