import Media

extension RenderSettings {
    /// How video tracks are made.
    public struct Video: Hashable, Sendable {
        /// What happens to video tracks.
        public var mode: VideoMode = .retimed
        /// The output's frame rate: fixed or variable.
        public var rate: OutputRate = .source
        /// What an output frame between two source frames shows.
        public var frames: FrameSynthesis = .hold
        /// Whether source frames that show the same as the frame before are left out, so that frames are made between
        /// distinct ones: for animation drawn "on twos", film in a 30 Hz video, and recordings with repeated frames. A run
        /// of up to four frames becomes one. A longer run is kept, because there the scene stands still. Where runs follow a
        /// cadence, as film in a 30 Hz video does, distinct frames move to even steps. Has no effect with
        /// ``FrameSynthesis/hold`` and with a variable rate.
        public var skipsRepeats = false
        /// The shutter angle in degrees: 360 averages over a frame's whole duration. Where source frames are shorter than
        /// an output frame of a fixed rate, an output frame averages those that the open shutter sees. Nil shows the first
        /// of them.
        public var shutterDegrees: Double?
        /// The video codec; nil for the container's usual one.
        public var codec: VideoCodec?
        /// The pixel format in which frames are stored, such as `yuv420p`; nil for the source's, or the nearest that the
        /// codec has.
        public var pixelFormat: PixelFormat?
        /// Whether hardware encodes, and which.
        public var hardware = HardwareEncoding.off
        /// The constant quality on the encoder's scale (CRF); nil for the encoder's default.
        public var quality: Double?
        /// Bits a second, instead of a quality; nil for a constant quality.
        public var bitRate: Int?
        /// The encoder's preset; nil for the codec's default.
        public var preset: String?
        /// Whether the source's packets are kept wherever the output shows whole runs of its frames as they are, each once, so
        /// that only the rest is encoded (smart rendering), in the source's codec. Packets of AAC are kept where sound is heard
        /// as it is. ``RenderPlan/VideoTrack/keeping`` and ``RenderPlan/AudioTrack/keeping`` say what is kept and why the rest
        /// isn't.
        public var keepsPackets = false
        /// How many pixels the shorter side of a frame has at most; nil for those of the source. Frames are made smaller when
        /// they are decoded, before anything else is done with them.
        package var shortSide: Int?

        /// The default settings.
        public init() {}
    }

    /// The output's frame rate: fixed or variable.
    public enum OutputRate: Hashable, Sendable {
        /// The source's frame rate.
        case source
        /// A fixed frame rate; frames are repeated or skipped.
        case fixed(FrameRate)
        /// A variable frame rate: every source frame once, at exactly its retimed time.
        case any
    }

    /// What an output frame between two source frames shows.
    public enum FrameSynthesis: String, CaseIterable, Sendable, Codable {
        /// The earlier source frame.
        case hold
        /// A mixture of both, weighted by distance. The stored values are mixed.
        case blend
        /// The frame that would have been taken at exactly that instant, made from the motion between both (motion
        /// interpolation). At a scene cut or a flash, and where nothing moves, it is the nearer source frame; parts
        /// whose motion can't be found are mixed.
        case motion

        /// What people call it.
        package var title: String { rawValue.capitalized }

        /// When it is right, for those who choose.
        package var hint: String {
            switch self {
            case .hold:
                "Slow motion repeats frames: at half speed each is shown twice. Right for animation and screen "
                    + "recordings."
            case .blend:
                "Slow motion mixes neighbouring frames: at half speed every other one is half of each, softly doubled."
            case .motion:
                "Slow motion gets new frames, made from motion: at quarter speed a ball is seen at three more places of "
                    + "its path. Best without much blur."
            }
        }

        /// Whether a frame between two source frames is made of both.
        package var usesNeighbours: Bool {
            switch self {
            case .hold: false
            case .blend, .motion: true
            }
        }

        /// Whether a frame is made from the motion between two source frames, as their components allow it.
        package var followsMotion: Bool {
            switch self {
            case .hold, .blend: false
            case .motion: true
            }
        }

        /// The work of making a frame, in units of decoding one: measured with 720p on one thread, and rounded.
        var cost: Int64 {
            switch self {
            case .hold: 0
            case .blend: 1
            case .motion: 60
            }
        }

        /// How many frames' memory is needed to make one.
        var framesInMemory: Int {
            switch self {
            case .hold: 0
            case .blend: 1
            case .motion: 4
            }
        }
    }

    /// What happens to video, and to the subtitles and chapters that belong to it.
    public enum VideoMode: Hashable, Sendable {
        /// Frames follow the clip's time map: they are decoded and encoded again.
        case retimed
        /// Frames keep their own times, while sound follows the time map.
        case unretimed
        /// Frames follow the time map without being decoded: their packets get a new PTS and DTS.
        case restamped
        /// There is no video.
        case dropped
        /// The video of a file, given by its path, is copied at its own times, without being decoded.
        case copied(from: String)
    }
}

extension RenderSettings.Video {
    /// How many frames may show the same, to count as repeated. In a longer run the scene itself stands still.
    static let longestRepeatedRun = 4
    /// How many source frames a period of repeats has at most: film in a 30 Hz video has five.
    static let longestCadence = 8
    /// How many distinct frames wait at most until their cadence is known.
    static let distinctFramesAhead = longestCadence + 2

    /// Whether ``mode`` is ``RenderSettings/VideoMode/unretimed``.
    package var keepsTimes: Bool { mode == .unretimed }

    /// Whether an output frame may be made from several source frames.
    var mixesFrames: Bool { frames.usesNeighbours || shutterDegrees != nil }

    /// The rate of the frames that are made of a source with this format: what ``RenderSettings/OutputRate/source`` means for
    /// it. A source with a variable rate keeps each frame at its own time, except where frames are mixed or made.
    package func outputRate(of format: VideoFormat) -> RenderSettings.OutputRate {
        guard rate == .source else {
            return rate
        }
        return format.cadence == .variable && !mixesFrames ? .any : .fixed(format.usualRate)
    }

    /// Whether frames are made between distinct source frames.
    var bridgesRepeats: Bool { skipsRepeats && frames.usesNeighbours }

    /// How many presentations before and after those that an output frame falls into decide what it shows; 0 if it
    /// always shows one source frame.
    var neighbourCount: Int {
        guard mixesFrames else {
            return 0
        }
        // Its own run and a period, and before those a run that is whole.
        return bridgesRepeats ? Self.longestCadence + 2 * Self.longestRepeatedRun + 1 : 1
    }

    /// How many decoded frames' memory is needed to make one.
    var framesInMemory: Int {
        frames.framesInMemory
            + (bridgesRepeats ? Self.longestRepeatedRun + 1 + Self.distinctFramesAhead : 0)
    }
}
