import Media
import TimeMaps

/// Writes the sample clip: a clock with frame numbers, a flash and a click every second, and tones.
package enum SampleClip {
    /// Renders `scene` into a file.
    ///
    /// - Parameters:
    ///   - scene: the content of the clip.
    ///   - path: the file to create; its extension selects the container, which must be able to hold video and
    ///     sound.
    ///   - existing: what to do when the file exists.
    ///   - shouldGoOn: called once per frame; throw an error to stop. No file is left then.
    /// - Throws: ``MediaError`` when the file can't be written; ``PlotError`` when a frame can't be drawn; what
    ///   `shouldGoOn` throws.
    /// - Complexity: O(n) frames; the memory doesn't depend on the duration.
    package static func write(
        _ scene: SampleScene, to path: String, existing: ExistingOutput,
        checking shouldGoOn: () throws -> Void = {}
    ) throws {
        let container = try Container(forFileAt: path)
        guard let videoCodec = container.videoCodecs.first,
            let audioCodec = container.audioCodecs.first,
            let numerator = Int32(exactly: scene.frameRate.numerator),
            let denominator = Int32(exactly: scene.frameRate.denominator)
        else {
            throw MediaError(
                .incompatible, file: path,
                reason: "the sample clip needs a video and an audio track",
                remedy: "Name it .mp4, .mov, .mkv or .webm")
        }
        let rate = FrameRate(known: numerator, over: denominator)
        let writer = try MediaWriter(
            creating: path, existing: existing,
            video: VideoEncoderSettings(
                encoder: videoCodec.encoder, format: videoFormat(of: scene, rate: rate),
                timeBase: rate.frameDuration, frameRate: rate,
                preset: videoCodec == .h264 ? "veryfast" : nil),
            audio: [(audioCodec, soundFormat(of: scene))],
            tags: ["title": "TimeWarp sample"])
        var soundPosition: Int64 = 0
        for index in 0..<scene.frameCount {
            try shouldGoOn()
            try writer.write(frame(index, of: scene, path: path), at: Int64(index))
            let end = min(
                Int64(scene.seconds(atFrame: index + 1) * Double(scene.sampleRate)),
                scene.sampleCount)
            try writer.write(scene.sound(from: soundPosition, count: Int(end - soundPosition)))
            soundPosition = end
        }
        try writer.write(
            scene.sound(from: soundPosition, count: Int(scene.sampleCount - soundPosition)))
        try writer.finish()
    }

    private static func videoFormat(of scene: SampleScene, rate: FrameRate) -> VideoFormat {
        VideoFormat(
            width: scene.width, height: scene.height, pixelFormat: .yuv420p, frameRate: rate,
            nominalRate: rate, sampleAspectRatio: nil, color: .highDefinition,
            fieldOrder: .progressive)
    }

    private static func soundFormat(of scene: SampleScene) -> AudioFormat {
        AudioFormat(
            sampleRate: scene.sampleRate, layout: ChannelLayout(channelCount: scene.channelCount),
            bitsPerSample: nil, isFloat: false)
    }

    private static func frame(_ index: Int, of scene: SampleScene, path: String) throws -> Frame {
        let drawn = try Frame.painted(
            format: .bgr0, width: scene.width, height: scene.height, color: .highDefinition
        ) { bytes, bytesPerRow, _ in
            try scene.drawFrame(index, into: bytes, bytesPerRow: bytesPerRow)
        }
        let converter = try PixelConverter(
            from: drawn, to: .yuv420p, width: scene.width, height: scene.height, path: path)
        return try converter.convert(drawn)
    }
}
