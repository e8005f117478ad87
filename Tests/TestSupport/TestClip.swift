import CLibAV
import Foundation
import Media
import SampleMedia
import TimeMaps

/// A clip made in code: every frame shows its number as a barcode, whole seconds flash and click, and
/// each channel has a tone of its own.
public struct TestClip: Sendable {
    public var width = 160
    public var height = 120
    public var rate = FrameRate(known: 30)
    public var frameCount = 60
    public var pixelFormat = PixelFormat.yuv420p
    public var videoCodec: VideoCodec? = .h264
    public var audioCodec: AudioCodec? = .aac
    public var sampleRate = 48_000
    public var channelCount = 2
    public var audioTrackCount = 1
    /// When each frame is shown, in ticks; nil for a constant rate.
    public var times: (ticks: [Int64], end: Int64, perSecond: Int32)?
    public var chapters: [Asset.Chapter] = []

    public init(_ change: (inout TestClip) -> Void = { _ in }) {
        change(&self)
    }

    /// The clip's frames and sound.
    package var scene: SampleScene {
        get throws {
            try SampleScene(
                width: width, height: height,
                frameRate: (numerator: Int(rate.numerator), denominator: Int(rate.denominator)),
                frameCount: frameCount, sampleRate: sampleRate, channelCount: channelCount)
        }
    }

    /// Writes the clip; the file extension decides the container.
    public func write(to path: String) throws {
        let scene = try scene
        let video = videoCodec.map { codec in
            VideoEncoderSettings(
                encoder: codec.encoder,
                format: VideoFormat(
                    width: width, height: height, pixelFormat: pixelFormat, frameRate: rate,
                    nominalRate: rate, sampleAspectRatio: nil, color: .highDefinition,
                    fieldOrder: .progressive),
                timeBase: times.map { RationalTime(1, over: $0.perSecond) } ?? rate.frameDuration,
                frameRate: rate, cadence: times == nil ? .constant : .variable,
                preset: codec == .h264 ? "veryfast" : nil)
        }
        let sound = audioCodec.map { codec in
            (
                codec: codec,
                format: AudioFormat(
                    sampleRate: sampleRate, layout: ChannelLayout(channelCount: channelCount),
                    bitsPerSample: codec == .pcm ? 16 : nil, isFloat: false)
            )
        }
        let tracks = sound.map { Array(repeating: $0, count: audioTrackCount) } ?? []
        let writer = try MediaWriter(
            creating: path, existing: .overwrite, video: video, audio: tracks, chapters: chapters)
        if video != nil {
            for index in 0..<frameCount {
                let next = index + 1 < frameCount ? times?.ticks[index + 1] : times?.end
                let start = times?.ticks[index] ?? Int64(index)
                try writer.write(
                    frame(index, scene), at: start, lasting: next.map { $0 - start } ?? 1)
            }
        }
        for track in tracks.indices {
            try writeSound(scene, to: writer, track: track)
        }
        try writer.finish()
    }

    private func writeSound(_ scene: SampleScene, to writer: MediaWriter, track: Int) throws {
        var position: Int64 = 0
        while position < scene.sampleCount {
            let count = Int(min(48_000, scene.sampleCount - position))
            try writer.write(scene.sound(from: position, count: count), toTrack: track)
            position += Int64(count)
        }
    }

    private func frame(_ index: Int, _ scene: SampleScene) throws -> Frame {
        let isFlash = scene.isFlash(frame: index)
        let depth = pixelFormat.bitDepth
        return try Frame.painted(
            format: pixelFormat, width: width, height: height, color: .highDefinition
        ) { bytes, bytesPerRow, plane in
            let level = plane == 0 ? (isFlash ? 235 : 40 + index % 16) : 128
            if depth == 8 {
                bytes.initializeMemory(as: UInt8.self, repeating: UInt8(level))
            } else {
                bytes.bindMemory(to: UInt16.self).update(repeating: UInt16(level) << (depth - 8))
            }
            if plane == 0 {
                FrameBarcode.paint(
                    index, intoLuma: bytes, width: width, height: height,
                    bytesPerRow: bytesPerRow, bitDepth: depth)
            }
        }
    }
}

/// What an independent program finds in a file.
public enum Finding {
    /// The frames in presentation order: when each is shown, and which source frame it is.
    public struct ShownFrame: Sendable, Equatable {
        public let seconds: Double
        public let number: Int?
        /// Mean brightness of the upper part of the frame, 0 to 255.
        public let brightness: Double

        public var isFlash: Bool { brightness > 150 }
    }

    /// Decodes a file with FFmpeg, and reads every barcode.
    public static func shownFrames(
        in path: String, width: Int = 160, height: Int = 120
    ) throws -> [ShownFrame] {
        var frames: [ShownFrame] = []
        let witness = try Witness(path)
        try witness.decode(AVMEDIA_TYPE_VIDEO) { picture, seconds in
            guard picture.pointee.width == width, picture.pointee.height == height else {
                throw WitnessError(
                    description: "\(picture.pointee.width)×\(picture.pointee.height) in \(path)")
            }
            let luma = witness.gray(picture)
            let upper = luma[luma.count / 10..<luma.count * 6 / 10]
            frames.append(
                ShownFrame(
                    seconds: seconds,
                    number: luma.withUnsafeBytes {
                        FrameBarcode.read(
                            luma: $0, width: width, height: height, bytesPerRow: width)
                    },
                    brightness: Double(upper.reduce(0) { $0 + Int($1) }) / Double(upper.count)))
        }
        return frames
    }

    /// When a frame is shown, by the file's clock, and a checksum of its content, which is comparable in one process.
    public struct DecodedFrame: Sendable, Hashable {
        public let seconds: Double
        public let checksum: String
    }

    /// All frames of the first video stream, as FFmpeg decodes them, in presentation order.
    public static func decodedFrames(in path: String) throws -> [DecodedFrame] {
        let witness = try Witness(path)
        let rotation = witness.rotation
        var frames: [DecodedFrame] = []
        try witness.decode(AVMEDIA_TYPE_VIDEO) { picture, seconds in
            frames.append(
                DecodedFrame(
                    seconds: seconds,
                    checksum: Witness.checksum(of: picture.pointee) + "/\(rotation)"))
        }
        return frames
    }

    /// When each frame of the first video stream is shown, in seconds.
    public static func frameTimes(in path: String) throws -> [Double] {
        try decodedFrames(in: path).map(\.seconds)
    }

    /// Checksums of the decoded frames of the first video stream, in presentation order.
    public static func frameChecksums(in path: String) throws -> [String] {
        try decodedFrames(in: path).map(\.checksum)
    }

    /// The packets of a file, each with its stream, its times, its length and a checksum.
    public static func packets(in path: String) throws -> [String] {
        try Witness(path).packets()
    }

    /// The decoded sound of one track from the file's time zero on, one array for each channel.
    public static func sound(
        in path: String, track: Int = 0, channelCount: Int
    ) throws -> [[Float]] {
        var channels: [[Float]] = []
        try Witness(path).decode(AVMEDIA_TYPE_AUDIO, track) { frame, seconds in
            if channels.isEmpty {
                // libav counts LAME's delay, which is cut off, before the sound of an MP3.
                let start = seconds > 0 && !path.hasSuffix(".mp3") ? seconds : 0
                let lead = (start * Double(frame.pointee.sample_rate)).rounded()
                channels = .init(
                    repeating: .init(repeating: 0, count: Int(lead)), count: channelCount)
            }
            for (channel, samples) in try Witness.samples(frame).enumerated() {
                channels[channel] += samples
            }
        }
        return channels
    }

    /// The largest magnitude in any channel; nil if a sample is no number.
    public static func peak(of channels: [[Float]]) -> Float? {
        var peak: Float = 0
        for channel in channels {
            for sample in channel {
                guard sample.isFinite else {
                    return nil
                }
                peak = max(peak, abs(sample))
            }
        }
        return peak
    }

    /// The times of clicks in seconds: the middle of each burst above half of full scale.
    public static func clicks(in samples: [Float], sampleRate: Int) -> [Double] {
        var clicks: [Double] = []
        var index = 0
        // A click is 1 ms long in the source, and here stretched by at most 10.
        let reach = sampleRate / 50
        while index < samples.count {
            guard abs(samples[index]) > 0.35 else {
                index += 1
                continue
            }
            let end = min(samples.count, index + reach)
            var weight = 0.0
            var moment = 0.0
            for place in index..<end where abs(samples[place]) > 0.3 {
                weight += Double(abs(samples[place]))
                moment += Double(abs(samples[place])) * Double(place)
            }
            clicks.append(moment / weight / Double(sampleRate))
            index = end
        }
        return clicks
    }
}
