import TimeMaps

/// How the frames of a video track are encoded.
package struct VideoEncoderSettings: Sendable {
    /// The encoder.
    package var encoder: EncoderDescription
    /// The format of the frames, which the encoder keeps as far as the codec allows.
    package var format: VideoFormat
    /// The pixel format that is stored; nil for the nearest to that of the format.
    package var storedPixelFormat: PixelFormat?
    /// The time base: the length of one tick in seconds. The times of frames are counted in ticks.
    package var timeBase: RationalTime
    /// The frame rate, which the encoder's rate control uses; for a variable frame rate, the average. Nil if
    /// unknown.
    package var frameRate: FrameRate?
    /// Whether the frame rate is constant or variable.
    package var cadence: Cadence
    /// The constant rate factor (CRF), in the encoder's ``EncoderDescription/quality``; nil takes the usual one.
    package var quality: Double?
    /// Bits a second, instead of a quality.
    package var bitRate: Int?
    /// The encoder's preset, one of its ``EncoderDescription/presets``; nil takes the usual one.
    package var preset: String?
    /// How many threads the encoder may use; 0 lets the encoder decide.
    package var threads: Int
    /// Whether the same frames must become the same bytes on every machine with the same libraries. Needs a number of
    /// threads.
    package var isReproducible: Bool
    /// What its packets follow in a track; nil if they are alone in it.
    package var seam: SeamCoding?
    /// Whether each frame must come out at once, with a keyframe each second: for video that is played while it is made.
    package var isStream: Bool

    /// Whether the frame rate is constant or variable.
    package enum Cadence: Sendable {
        /// A constant frame rate (CFR): every frame lasts one tick.
        case constant
        /// A variable frame rate (VFR): each frame has a duration of its own.
        case variable
    }

    /// The video codec.
    package var codec: VideoCodec { encoder.codec }

    /// Creates settings for one video track. They are checked when the encoder is opened, not here.
    package init(
        encoder: EncoderDescription, format: VideoFormat,
        storedPixelFormat: PixelFormat? = nil,
        timeBase: RationalTime,
        frameRate: FrameRate? = nil, cadence: Cadence = .constant, quality: Double? = nil,
        bitRate: Int? = nil, preset: String? = nil,
        threads: Int = 0, isReproducible: Bool = false, seam: SeamCoding? = nil,
        isStream: Bool = false
    ) {
        self.encoder = encoder
        self.format = format
        self.storedPixelFormat = storedPixelFormat
        self.timeBase = timeBase
        self.frameRate = frameRate
        self.cadence = cadence
        self.quality = quality
        self.bitRate = bitRate
        self.preset = preset
        self.threads = threads
        self.isReproducible = isReproducible
        self.seam = seam
        self.isStream = isStream
    }
}

extension VideoEncoderSettings {
    /// For encoders that have no qualities, a tenth of a bit for each pixel.
    var usualBitRate: Int {
        let rate = frameRate?.framesPerSecond ?? 25
        return Int(Double(format.width * format.height) * rate * 0.1)
    }
}
