/// What a finished file is, measured against what its time map asks for.
///
/// Everything is read from the two files: packets' times, decoded pictures, decoded samples. Nothing of
/// what made the output takes part.
public struct Verification: Sendable, Codable {
    /// The files as they were named.
    public let source: String
    /// The file that was measured.
    public let output: String
    /// Whether nothing is wrong.
    public let isRight: Bool
    /// What is wrong, the gravest first.
    public let faults: [Fault]
    /// What couldn't be measured, and why.
    public let notes: [String]
    /// How long the clip lasts, in seconds.
    public let sourceDurationSeconds: Double
    /// How long the map lets the output last, in seconds.
    public let expectedDurationSeconds: Double
    /// How long the measured file lasts, in seconds.
    public let outputDurationSeconds: Double
    /// Output minus expected, in seconds.
    public let durationErrorSeconds: Double
    /// How much later than the first track's pictures the first track's sound comes, against the source;
    /// nil where one of them couldn't be measured.
    public let offsetAtStartSeconds: Double?
    /// How much later than the first video track the first audio track is at the end, in seconds,
    /// against the source; nil where one of them couldn't be measured.
    public let offsetAtEndSeconds: Double?
    /// One entry a track.
    public let pictures: [Pictures]
    /// The audio tracks, one entry each.
    public let sound: [Sound]

    /// Something that is wrong.
    public struct Fault: Sendable, Codable, Hashable {
        /// What kind of fault it is.
        public let kind: Kind
        /// For people.
        public let sentence: String
        /// Output seconds of the first place, where there is one.
        public let atSeconds: Double?

        init(_ kind: Kind, at seconds: Double? = nil, _ sentence: String) {
            self.kind = kind
            self.sentence = sentence
            atSeconds = seconds
        }
    }

    /// What can be wrong, the gravest first.
    public enum Kind: String, Sendable, Codable, CaseIterable, Comparable {
        /// A track is missing, or there is one too many.
        case tracks
        /// A part of the output can't be read or decoded.
        case damage
        /// The output is too long or too short.
        case duration
        /// The picture lies on its side, on its head, or is mirrored.
        case rotation
        /// The picture is squeezed.
        case shape
        /// A picture isn't where it should be in time.
        case frameTimes = "frame-times"
        /// Pictures are missing.
        case missingFrames = "missing-frames"
        /// There are too many.
        case extraFrames = "extra-frames"
        /// A picture is shown that belongs elsewhere.
        case wrongFrames = "wrong-frames"
        /// A picture shows nothing that the source has there.
        case pictureContent = "picture-content"
        /// Channels are lost, added, silent, inverted or in each other's place.
        case channels
        /// Sound comes too early or too late.
        case soundOffset = "sound-offset"
        /// Sound isn't the source's.
        case soundContent = "sound-content"

        public static func < (one: Kind, other: Kind) -> Bool {
            one.place < other.place
        }

        private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// One picture track.
    public struct Pictures: Sendable, Codable {
        /// How many frames the map asks for.
        public let framesExpected: Int
        /// How many frames the file has.
        public let frames: Int
        /// Frames that the map asks for and the file doesn't have.
        public let framesMissing: Int
        /// Frames that the file has and the map doesn't ask for.
        public let framesExtra: Int
        /// Of all frames' times, in seconds.
        public let largestTimeErrorSeconds: Double
        /// Root mean square of the errors of all frame times, in seconds.
        public let rmsTimeErrorSeconds: Double
        /// Frames whose pictures were compared with the source's.
        public let framesCompared: Int
        /// Those that show the picture they should, and no other nearby would do.
        public let framesIdentified: Int
        /// Those whose neighbours look the same.
        public let framesAlike: Int
        /// Those that show another picture of the source.
        public let framesWrong: Int
        /// Those that show nothing that the source has there.
        public let framesForeign: Int
        /// How much later than it should the picture comes, on average over what can be told; nil
        /// where nothing can.
        public let lagAtStartSeconds: Double?
        /// How much later than it should the last tenth of the frames comes, in seconds; nil where
        /// that can't be told.
        public let lagAtEndSeconds: Double?
        /// What remains between pictures that are the same, as a root mean square in 8-bit steps of a
        /// picture of 64 by 64.
        public let typicalDifference: Double
        /// Time errors over output time, thinned out; for the page.
        public let timeErrors: [Point]
    }

    /// One sound track.
    public struct Sound: Sendable, Codable {
        /// How many channels the track has.
        public let channels: Int
        /// Windows of a second, or of four where pitch is kept: all, those that are loud enough to
        /// compare, and those that are the source's.
        public let windows: Int
        /// Windows that are loud enough to compare.
        public let windowsAudible: Int
        /// Windows that are the source's.
        public let windowsMatched: Int
        /// How much later than it should sound comes; nil where nothing can be told. Medians; at the ends
        /// of the first and the last tenth that can be told.
        public let lagSeconds: Double?
        /// The median lag over the first tenth that can be told, in seconds; nil where nothing can.
        public let lagAtStartSeconds: Double?
        /// The median lag over the last tenth that can be told, in seconds; nil where nothing can.
        public let lagAtEndSeconds: Double?
        /// The largest of a window.
        public let largestLagSeconds: Double?
        /// How well windows agree with the source: 1 is perfectly; the median.
        public let correlation: Double
        /// How long it lasts, minus how long it should.
        public let lengthErrorSeconds: Double
        /// Lags over output time; for the page.
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
