import Foundation
import Media
import TimeMaps

/// What a render wrote: durations, times and lengths measured by reading the file again, and what the stages
/// counted of their own work.
public struct RenderReport: Sendable, Codable {
    /// The file that was read, and the one that was written.
    public let source: String
    /// The file that was written.
    public let output: String
    /// How long the clip lasts, in seconds.
    public let sourceDurationSeconds: Double
    /// How long the plan lets the output last, in seconds.
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
    /// The most memory that the process has held so far, in bytes.
    public let peakMemoryBytes: Int64
    /// The most that waited in temporary files, because it didn't fit into memory.
    public let peakSpillBytes: Int64
    /// What was not kept, and what is remarkable; a sentence each.
    public let warnings: [String]

    /// One picture track.
    public struct Video: Sendable, Codable {
        /// Frames that came out of the decoder, also those that others only refer to.
        public let framesDecoded: Int64
        /// Turns of source frames on the screen, and frames found in the output.
        public let framesRead: Int64
        /// Frames found in the output.
        public let framesWritten: Int64
        /// Extra showings of a frame, and frames that were never shown.
        public let framesRepeated: Int64
        /// Frames that were never shown.
        public let framesSkipped: Int64
        /// Frames mixed from several source frames.
        public let framesSynthesised: Int64
        /// Written frame times against the plan's exact ones, in seconds.
        public let largestTimeErrorSeconds: Double
        /// Root mean square of the same errors, in seconds.
        public let rmsTimeErrorSeconds: Double
        /// Frames a second over the whole track.
        public let averageFrameRate: Double
        /// When the first frame is shown, in output seconds.
        public let startSeconds: Double
        /// When the last frame ends, in output seconds.
        public let endSeconds: Double
    }

    /// One sound track.
    public struct Audio: Sendable, Codable {
        /// Samples a channel decoded, rendered, and presented by the output.
        public let samplesIn: Int64
        /// Samples a channel that were rendered.
        public let samplesOut: Int64
        /// Samples a channel that the output presents.
        public let samplesPresented: Int64
        /// Presented minus what the map asks for, in samples.
        public let lengthErrorSamples: Int64
        /// Against the first picture track; 0 without one.
        public let offsetAtStartSeconds: Double
        /// The track's end minus the first video track's end, in seconds; 0 without one.
        public let offsetAtEndSeconds: Double
    }
}
