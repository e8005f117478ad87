import Foundation
import Media
import TimeMaps

/// A report on the file that a render wrote. Durations, times and lengths are measured by reading the file
/// again; other numbers were counted by the stages.
public struct RenderReport: Sendable, Codable {
    /// The file that was read, or the composition's name.
    public let source: String
    /// The path of the file that was written.
    public let output: String
    /// The exact duration of the source.
    public let sourceDuration: RationalTime
    /// The exact duration that the output should have by the plan; nil where it is no fraction, as with most curves.
    public let expectedDuration: RationalTime?
    /// The exact duration of the written file.
    public let outputDuration: RationalTime
    /// The duration of the source, in seconds.
    public let sourceDurationSeconds: Double
    /// How long the output should last by the plan, in seconds.
    public let expectedDurationSeconds: Double
    /// The duration of the written file, in seconds.
    public let outputDurationSeconds: Double
    /// The duration of the written file minus the planned one, in seconds.
    public let durationErrorSeconds: Double
    /// The video tracks that were rendered, one entry for each.
    public let video: [Video]
    /// The audio tracks that were rendered, one entry for each.
    public let audio: [Audio]
    /// The wall-clock time of the render, in seconds.
    public let wallSeconds: Double
    /// The CPU time of all threads of the process during the render, in seconds.
    public let cpuSeconds: Double
    /// The peak memory of the process so far, in bytes.
    public let peakMemoryBytes: Int64
    /// The peak size of temporary files for frames and sound that didn't fit into memory, in bytes.
    public let peakSpillBytes: Int64
    /// What could not be kept, and what else is worth knowing; one sentence each.
    public let warnings: [String]

    /// A video track.
    public struct Video: Sendable, Codable {
        /// How many frames the decoder produced, including those that are only referred to.
        public let framesDecoded: Int64
        /// How many presentations of source frames the map asks for.
        public let framesRead: Int64
        /// How many frames the output has.
        public let framesWritten: Int64
        /// How many output frames are the source's packets as they are stored.
        public let framesKept: Int64
        /// How many output frames repeat the frame before them.
        public let framesRepeated: Int64
        /// How many presentations no output frame shows.
        public let framesSkipped: Int64
        /// How many output frames were made from the motion between two source frames.
        public let framesSynthesised: Int64
        /// How many output frames are mixed from several source frames.
        public let framesBlended: Int64
        /// How many output frames lie between two source frames but show one of them, although frames should be
        /// blended or synthesised: at scene cuts and flashes, where nothing moves, and where frames can't be mixed.
        public let framesHeld: Int64
        /// How many source frames were left out because they show the same as the frame before.
        public let repeatsSkipped: Int64
        /// How many source frames show the same as the frame before and weren't left out, although frames were made
        /// from motion. Where the video was encoded in chunks, a few at their borders may be missing.
        public let repeatsFound: Int64
        /// The largest difference between a written frame's time and the plan's exact time, in seconds.
        public let largestTimeErrorSeconds: Double
        /// The root mean square of these differences, in seconds.
        public let rmsTimeErrorSeconds: Double
        /// Frames per second over the whole track.
        public let averageFrameRate: Double
        /// The start of the first frame, in output seconds.
        public let startSeconds: Double
        /// The end of the last frame, in output seconds.
        public let endSeconds: Double
    }

    /// An audio track.
    public struct Audio: Sendable, Codable {
        /// Samples per channel that were decoded.
        public let samplesIn: Int64
        /// Samples per channel that were rendered.
        public let samplesOut: Int64
        /// Samples per channel of the output that are in the source's packets as they are stored.
        public let samplesKept: Int64
        /// Samples per channel that the output presents.
        public let samplesPresented: Int64
        /// The presented minus the expected number of samples per channel.
        public let lengthErrorSamples: Int64
        /// The track's start minus the first video track's start, in seconds; 0 without one.
        public let offsetAtStartSeconds: Double
        /// The track's end minus the first video track's end, in seconds; 0 without video.
        public let offsetAtEndSeconds: Double
    }
}
