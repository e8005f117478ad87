import Foundation
import Media
import TimeMaps

/// What a render wrote: durations, times and lengths measured by reading the file again, and what the stages
/// counted of their own work.
public struct RenderReport: Sendable, Codable {
    /// The file that was read, or the composition's name.
    public let source: String
    /// The file that was written.
    public let output: String
    /// How long the clip lasts, in seconds.
    public let sourceDurationSeconds: Double
    /// How long the output should last by the plan, in seconds.
    public let expectedDurationSeconds: Double
    /// How long the written file lasts, in seconds.
    public let outputDurationSeconds: Double
    /// Output minus expected, in seconds.
    public let durationErrorSeconds: Double
    /// The video tracks that were made, one entry each.
    public let video: [Video]
    /// The audio tracks that were made, one entry each.
    public let audio: [Audio]
    /// How long the render took, in seconds.
    public let wallSeconds: Double
    /// CPU time of all threads, in seconds.
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
        /// How many output frames repeat the frame before them.
        public let framesRepeated: Int64
        /// How many presentations no output frame shows.
        public let framesSkipped: Int64
        /// How many output frames are mixed from several source frames.
        public let framesSynthesised: Int64
        /// The largest difference between a written frame's time and the plan's exact time, in seconds.
        public let largestTimeErrorSeconds: Double
        /// The root mean square of these differences, in seconds.
        public let rmsTimeErrorSeconds: Double
        /// Frames per second over the whole track.
        public let averageFrameRate: Double
        /// When the first frame is shown, in output seconds.
        public let startSeconds: Double
        /// When the last frame ends, in output seconds.
        public let endSeconds: Double
    }

    /// An audio track.
    public struct Audio: Sendable, Codable {
        /// Samples per channel that were decoded.
        public let samplesIn: Int64
        /// Samples per channel that were rendered.
        public let samplesOut: Int64
        /// Samples per channel that the output presents.
        public let samplesPresented: Int64
        /// The presented minus the expected number of samples per channel.
        public let lengthErrorSamples: Int64
        /// The track's start minus the first video track's start, in seconds; 0 without one.
        public let offsetAtStartSeconds: Double
        /// The track's end minus the first video track's end, in seconds; 0 without one.
        public let offsetAtEndSeconds: Double
    }
}
