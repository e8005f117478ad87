import CLibAV

/// An encoder of a video codec: what it is called, which settings it takes, and what it costs.
///
/// These are rows of one table, ``all``, from which planning, help, pieces and menus take everything about encoders. Another
/// encoder is another row.
public struct EncoderDescription: Sendable {
    /// FFmpeg's name for it, such as `libx264`.
    public let name: String
    /// The codec that it writes.
    public let codec: VideoCodec
    /// The hardware that it runs on; nil for software. What hardware writes isn't reproducible.
    public var hardware: HardwareEncoding?
    /// Its scale of qualities; nil if it has none.
    public var quality: QualityScale?
    /// Whether it can be given a bit rate instead of a quality.
    public var takesBitRate = false
    /// Its presets; nil if it has none.
    public var presets: Presets?
    /// The work of encoding a frame, in units of decoding one: measured with 720p on one thread, and rounded. The preset
    /// counts for little beside the codec.
    public let cost: Int64
    /// Whether only one may be opened or closed at a time, because its library has global state that others corrupt.
    var opensAlone = false
    /// The kind of device to whose memory frames are copied for it; nil if it takes them from the system's.
    var device: AVHWDeviceType?
    /// Which frames it takes, if it takes only few.
    var frames: String?
    /// The pixel formats that it takes, if they are fewer than FFmpeg says.
    var pixelFormats: [AVPixelFormat]?
    /// The options for a quality.
    var qualityOptions: @Sendable (Double) -> [String: String] = { ["crf": String($0)] }
    /// Its other options.
    var options: @Sendable (VideoEncoderSettings) -> [String: String] = { _ in [:] }

    /// A scale of constant qualities, in which lower is better.
    public struct QualityScale: Hashable, Sendable {
        /// What can be asked for.
        public let range: ClosedRange<Double>
        /// What is taken if nothing is asked for.
        public let usual: Double
    }

    /// Ways to spend more or less time on a frame.
    public struct Presets: Hashable, Sendable {
        /// Their names, the fastest first.
        public let names: [String]
        /// The one that is taken if none is asked for.
        public let usual: String
        /// The encoder's option.
        var option = "preset"
    }
}

extension EncoderDescription {
    /// All encoders. The first of a codec is the one that is used unless hardware is asked for, which is then tried in this order.
    public static let all =
        [x264, x265, svtAV1, vpx, proRes, dnxhd, mjpeg, dv, ffv1, gif, raw] + onHardware

    private static let x264 = EncoderDescription(
        name: "libx264", codec: .h264, quality: QualityScale(range: 0...51, usual: 20),
        takesBitRate: true, presets: Presets(names: x26xPresets, usual: "medium"), cost: 6,
        options: { settings in
            var options: [String: String] = [:]
            let parameters = [
                settings.isReproducible ? "cpu-independent=1" : nil,
                settings.seam?.headerNumber.map { "sps-id=\($0)" },
            ].compactMap { $0 }
            options["x264-params"] =
                parameters.isEmpty ? nil : parameters.joined(separator: ":")
            options["profile"] = settings.seam?.profileName
            options["tune"] = settings.isStream ? "zerolatency" : nil
            switch settings.seam?.delay {
            case 0: options["bf"] = "0"
            case 1: options["b-pyramid"] = "none"
            default: break
            }
            return options
        })

    private static let x265 = EncoderDescription(
        name: "libx265", codec: .hevc, quality: QualityScale(range: 0...51, usual: 23),
        takesBitRate: true, presets: Presets(names: x26xPresets, usual: "medium"), cost: 20,
        options: { settings in
            // By default it has a pool of as many threads as the machine has cores, and encodes otherwise without.
            let pool = settings.isReproducible ? ":pools=\(max(1, settings.threads))" : ""
            let order =
                switch settings.seam?.delay {
                case 0: ":bframes=0"
                case 1: ":b-pyramid=0"
                default: ""
                }
            return ["x265-params": "log-level=error" + pool + order + seamed(settings.seam)]
        })

    /// What x265 keeps to beside packets of another encoder. A decoder is set up anew where the level changes. Its open groups of
    /// frames would be behind those of the source.
    private static func seamed(_ seam: SeamCoding?) -> String {
        guard let seam else {
            return ""
        }
        // By 30 times the level's number.
        let level = seam.level.map { ":level-idc=\($0 / 3):high-tier=\(seam.isHighTier ? 1 : 0)" }
        return ":open-gop=0" + (level ?? "")
    }

    private static let x26xPresets = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower",
        "veryslow", "placebo",
    ]

    private static let svtAV1 = EncoderDescription(
        name: "libsvtav1", codec: .av1, quality: QualityScale(range: 0...63, usual: 30),
        takesBitRate: true,
        presets: Presets(names: (0...13).reversed().map(String.init), usual: "8"), cost: 12,
        opensAlone: true)

    private static let vpx = EncoderDescription(
        name: "libvpx-vp9", codec: .vp9, quality: QualityScale(range: 0...63, usual: 31),
        takesBitRate: true,
        presets: Presets(
            names: (0...8).reversed().map(String.init), usual: "4", option: "cpu-used"),
        cost: 20,
        options: { ["b": $0.bitRate == nil ? "0" : nil, "row-mt": "1"].compactMapValues { $0 } })

    private static let proRes = EncoderDescription(
        name: "prores_ks", codec: .prores, cost: 6,
        options: { settings in
            var options = ["vendor": "apl0"]
            options["profile"] = settings.seam?.profileName
            return options
        })

    /// High quality with 8 bits, or with more if the frames have more.
    private static let dnxhd = EncoderDescription(
        name: "dnxhd", codec: .dnxhd, cost: 4, frames: "frames of 256×120 pixels and more",
        options: { settings in
            let stored = settings.storedPixelFormat ?? settings.format.pixelFormat
            let usual = stored.bitDepth > 8 ? "dnxhr_hqx" : "dnxhr_hq"
            let isWhole = stored.chromaShift == (0, 0)
            return ["profile": settings.seam?.profileName ?? (isWhole ? "dnxhr_444" : usual)]
        })

    /// With a constant quantiser of 2, the finest that is of use: by 118 times the number.
    private static let mjpeg = EncoderDescription(
        name: "mjpeg", codec: .mjpeg, cost: 3,
        options: { _ in ["flags": "+qscale", "global_quality": String(2 * FF_QP2LAMBDA)] })

    private static let dv = EncoderDescription(
        name: "dvvideo", codec: .dvvideo, cost: 3,
        frames: "720×576 pixels at 25 and 720×480 at 30000/1001 frames a second")

    private static let ffv1 = EncoderDescription(
        name: "ffv1", codec: .ffv1, cost: 5,
        options: { settings in
            // FFmpeg damages slices that are a single row or column of pixels, and divides frames in slices of a quarter.
            let hasSlices = min(settings.format.width, settings.format.height) >= 8
            return ["level": hasSlices ? "3" : "1", "slicecrc": hasSlices ? "1" : "0"]
        })

    private static let gif = EncoderDescription(name: "gif", codec: .gif, cost: 5)

    /// FFmpeg's encoder takes every format; those who read what is written take these.
    private static let raw = EncoderDescription(
        name: "rawvideo", codec: .rawvideo, cost: 1,
        pixelFormats: [
            AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUV411P,
            AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P,
            AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_YUV444P10LE,
            AV_PIX_FMT_YUV420P12LE, AV_PIX_FMT_YUV422P12LE, AV_PIX_FMT_YUV444P12LE,
            AV_PIX_FMT_YUV420P16LE, AV_PIX_FMT_YUV422P16LE, AV_PIX_FMT_YUV444P16LE,
            AV_PIX_FMT_GRAY8, AV_PIX_FMT_RGB24, AV_PIX_FMT_RGB48LE, AV_PIX_FMT_RGBA,
        ])
}

extension VideoCodec {
    /// The encoder that is used unless hardware is asked for.
    public var encoder: EncoderDescription {
        guard let encoder = EncoderDescription.all.first(where: { $0.codec == self }) else {
            preconditionFailure("every codec that can be written has an encoder")
        }
        return encoder
    }
}
