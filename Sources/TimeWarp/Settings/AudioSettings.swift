import Media

extension RenderSettings {
    /// How audio tracks are made.
    public struct Audio: Hashable, Sendable {
        /// What happens to audio tracks.
        public var mode: AudioMode = .varispeed
        /// What sound that keeps its pitch is tuned for.
        public var tune: PitchTune = .music
        /// What is heard in a freeze, if the pitch is kept; with other sound a freeze is silent.
        public var freeze: FreezeSound = .silence
        /// How resampled sound is interpolated between samples.
        public var interpolation: Interpolation = .sinc
        /// The audio codec; nil for the container's usual one.
        public var codec: AudioCodec?
        /// The bit rate of each audio track, in bits per second; nil for the codec's default.
        public var bitRate: Int?

        /// The default settings.
        public init() {}
    }

    /// What happens to audio.
    public enum AudioMode: String, CaseIterable, Sendable, Codable {
        /// The pitch follows the speed, as on a tape.
        case varispeed
        /// The pitch is kept at any speed.
        case keepPitch = "keep-pitch"
        /// The sound plays at normal speed, whatever the time map does to the video, and ends with the output.
        case keep
        /// No sound.
        case mute

        /// What people call it.
        package var title: String {
            switch self {
            case .varispeed, .mute: rawValue.capitalized
            case .keepPitch: "Keep pitch"
            case .keep: "Original"
            }
        }
    }

    /// What sound that keeps its pitch is tuned for. Formants, which make a voice that of a child or of a man, stay where
    /// they are with both.
    public enum PitchTune: String, CaseIterable, Sendable, Codable {
        /// Every partial goes on without a break: right for music, and for anything mixed.
        case music
        /// The pulses of one voice stay sharp: right for speech alone. Chords waver.
        case speech

        /// What people call it.
        package var title: String { rawValue.capitalized }

        /// When it is right, for those who choose.
        package var hint: String {
            switch self {
            case .music: "Right for music, and for anything mixed: chords stay steady."
            case .speech: "One voice alone stays clearer, such as an interview; chords waver."
            }
        }
    }

    /// What is heard while a frame is frozen and the pitch is kept.
    public enum FreezeSound: String, CaseIterable, Sendable, Codable {
        /// The sound fades out, and in again afterwards, within 10 ms.
        case silence
        /// The sound of that instant, held: tones go on, an attack doesn't repeat.
        case hold
    }
}
