/// The measurements of a finished file, compared with what its time map requires.
///
/// Everything is measured in the two files: the times of packets, decoded frames, and decoded samples. Nothing
/// comes from the program that made the output.
public struct VerificationReport: Sendable, Codable {
    /// The path of the source, as it was given.
    public let source: String
    /// The path of the measured file, as it was given.
    public let output: String
    /// Whether there are no faults.
    public let isRight: Bool
    /// What is wrong, the most serious faults first.
    public let faults: [Fault]
    /// What couldn't be measured, and why; and what may explain the faults.
    public let notes: [String]
    /// How long the used range of the source lasts, in seconds.
    public let sourceDurationSeconds: Double
    /// How long the output should last according to the map, in seconds.
    public let expectedDurationSeconds: Double
    /// How long the measured file lasts, in seconds.
    public let outputDurationSeconds: Double
    /// The actual minus the expected duration, in seconds.
    public let durationErrorSeconds: Double
    /// By how many seconds the first audio track is later than the first video track near the start, compared
    /// with the source; nil if one of them couldn't be measured.
    public let offsetAtStartSeconds: Double?
    /// By how many seconds the first audio track is later than the first video track near the end, compared
    /// with the source; nil if one of them couldn't be measured.
    public let offsetAtEndSeconds: Double?
    /// The video tracks that were compared.
    public let video: [Video]
    /// The audio tracks that were compared.
    public let sound: [Sound]

    /// One fault of the output.
    public struct Fault: Sendable, Codable, Hashable {
        /// What kind of fault it is.
        public let kind: Kind
        /// What is wrong, in one sentence.
        public let sentence: String
        /// The first place of the fault, in output seconds; nil if it isn't at one place.
        public let atSeconds: Double?

        init(_ kind: Kind, at seconds: Double? = nil, _ sentence: String) {
            self.kind = kind
            self.sentence = sentence
            atSeconds = seconds
        }
    }

    /// The kinds of faults, the most serious ones first.
    public enum Kind: String, Sendable, Codable, CaseIterable, Comparable {
        /// Tracks are missing, or there are too many.
        case tracks
        /// A part of the output can't be read or decoded.
        case damage
        /// The output is too long or too short.
        case duration
        /// The frames are sideways, upside down or mirrored.
        case rotation
        /// The frames have the wrong aspect ratio.
        case shape
        /// Frames are shown at the wrong time.
        case frameTimes = "frame-times"
        /// Frames are missing.
        case missingFrames = "missing-frames"
        /// There are too many frames.
        case extraFrames = "extra-frames"
        /// Frames show another source frame than they should.
        case wrongFrames = "wrong-frames"
        /// Frames don't resemble the source at that time.
        case frameContent = "frame-content"
        /// Channels are missing, added, silent, inverted or swapped.
        case channels
        /// The sound is too early or too late.
        case soundOffset = "sound-offset"
        /// The sound is too high or too low.
        case soundPitch = "sound-pitch"
        /// The sound isn't the source's sound at that time, or it is silent.
        case soundContent = "sound-content"

        /// Whether one kind is more serious than another.
        public static func < (one: Kind, other: Kind) -> Bool {
            one.place < other.place
        }

        private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The measurements of one video track.
    public struct Video: Sendable, Codable {
        /// The number of frames that the map requires.
        public let framesExpected: Int
        /// The number of frames in the file.
        public let frames: Int
        /// The number of frames that the map requires and the file doesn't have.
        public let framesMissing: Int
        /// The number of frames that the file has and the map doesn't require.
        public let framesExtra: Int
        /// The largest error of a frame's time, in seconds.
        public let largestTimeErrorSeconds: Double
        /// The root mean square of the errors of all frames' times, in seconds.
        public let rmsTimeErrorSeconds: Double
        /// The number of frames that were compared with the source's.
        public let framesCompared: Int
        /// The number of frames that show the right source frame and clearly no neighbour of it.
        public let framesIdentified: Int
        /// The number of frames that may be right, but whose neighbours look the same.
        public let framesAlike: Int
        /// The number of frames that show another source frame than they should.
        public let framesWrong: Int
        /// The number of frames that don't resemble the source at that time.
        public let framesForeign: Int
        /// How the compared frames were made.
        public let kinds: FrameKinds
        /// Of the frames made from motion up to five that may have gone wrong: those that show the most in one place
        /// that the frames around them don't show there. The oddest first.
        public let oddestMade: [MadeFrame]
        /// By how many seconds the content of the frames in the output's first tenth is late, on average over
        /// the frames that can be identified; nil if there are none.
        public let lagAtStartSeconds: Double?
        /// By how many seconds the content of the frames in the output's last tenth is late, on average over
        /// the frames that can be identified; nil if there are none.
        public let lagAtEndSeconds: Double?
        /// The median difference between frames and what they should show: a root mean square in 8-bit steps,
        /// of frames scaled to 64 by 64.
        public let typicalDifference: Double
        /// The errors of frames' times over output time, for the page: at most 2000, the largest of each section.
        public let timeErrors: [Point]
    }

    /// A frame that was made from motion.
    public struct MadeFrame: Sendable, Codable, Hashable {
        /// When it is shown, in output seconds.
        public let atSeconds: Double
        /// How much it shows in one place, of an eighth of the width and the height, that is neither in the source frame
        /// before nor in the one after, nor where their motion has it: a root mean square in 8-bit steps, of frames scaled
        /// to 64 by 64.
        public let oddity: Double
    }

    /// The measurements of one audio track.
    public struct Sound: Sendable, Codable {
        /// The number of channels of the track.
        public let channels: Int
        /// The number of compared windows: sections of about one second, or of about four if the pitch is kept.
        public let windows: Int
        /// The number of windows that are loud enough to be compared.
        public let windowsAudible: Int
        /// The number of windows that match the source's sound.
        public let windowsMatched: Int
        /// By how many seconds the sound is late: the median over all matching windows; nil if there are none.
        public let lagSeconds: Double?
        /// The median lag over the first tenth of the matching windows, in seconds; nil if there are none.
        public let lagAtStartSeconds: Double?
        /// The median lag over the last tenth of the matching windows, in seconds; nil if there are none.
        public let lagAtEndSeconds: Double?
        /// The largest lag of a matching window, early or late, in seconds; nil if there are none.
        public let largestLagSeconds: Double?
        /// The median correlation of the audible windows with the source: 1 if they are the same.
        public let correlation: Double
        /// If the pitch is kept, the median correlation of the frequencies that are heard with the source's: 1 if they are
        /// the same.
        public let spectrumCorrelation: Double?
        /// If the pitch is kept, by how many cents (hundredths of a semitone) it is too high: the median over the windows
        /// with clear partials; nil if there are none.
        public let pitchErrorCents: Double?
        /// The actual minus the expected duration of the sound, in seconds.
        public let lengthErrorSeconds: Double
        /// The lags over output time, for the page: at most 2000, the largest of each section.
        public let lags: [Point]
    }

    /// A measurement at an instant of the output.
    public struct Point: Sendable, Codable, Hashable {
        /// The instant, in output seconds.
        public let atSeconds: Double
        /// What was measured there, in seconds.
        public let seconds: Double
    }
}
