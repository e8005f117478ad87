import Foundation
import Media
import TimeMaps

/// A report on the file that a render wrote. Durations, times and lengths are measured by reading the file
/// again; other numbers were counted by the stages.
public struct RenderReport: Sendable, Codable {
    /// The path of the file that was read, or the name of the composition.
    public let source: String
    /// The path of the file that was written.
    public let output: String
    /// The duration of the source, in seconds.
    public let sourceDurationSeconds: Double
    /// The planned duration of the output, in seconds.
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
    /// The most memory that the process has used since its start, in bytes.
    public let peakMemoryBytes: Int64
    /// The most space that temporary files took at a time, in bytes, for frames and sound that didn't fit into
    /// memory.
    public let peakSpillBytes: Int64
    /// Warnings (one sentence each) on what was not kept or is unusual.
    public let warnings: [String]

    /// One video track.
    public struct Video: Sendable, Codable {
        /// The number of decoded frames, including those that are only references for others.
        public let framesDecoded: Int64
        /// The number of presentations of source frames by the time map, whether or not an output frame shows
        /// them.
        public let framesRead: Int64
        /// The number of frames in the output file.
        public let framesWritten: Int64
        /// The number of output frames that repeat the frame before them.
        public let framesRepeated: Int64
        /// The number of presentations of source frames that no output frame shows.
        public let framesSkipped: Int64
        /// The number of output frames that were mixed from several source frames.
        public let framesSynthesised: Int64
        /// The largest difference between a frame's written time and its exact time in the plan, in seconds.
        public let largestTimeErrorSeconds: Double
        /// The root mean square of these differences, in seconds.
        public let rmsTimeErrorSeconds: Double
        /// The average frame rate of the whole track, in frames a second.
        public let averageFrameRate: Double
        /// The start of the first frame, in output seconds.
        public let startSeconds: Double
        /// The end of the last frame, in output seconds.
        public let endSeconds: Double
    }

    /// One audio track.
    public struct Audio: Sendable, Codable {
        /// The number of source samples for each channel that were decoded.
        public let samplesIn: Int64
        /// The number of output samples for each channel that were rendered.
        public let samplesOut: Int64
        /// The number of samples for each channel that the output file presents.
        public let samplesPresented: Int64
        /// The number of presented samples minus the planned number.
        public let lengthErrorSamples: Int64
        /// The track's start minus the first video track's start, in seconds; 0 without video.
        public let offsetAtStartSeconds: Double
        /// The track's end minus the first video track's end, in seconds; 0 without video.
        public let offsetAtEndSeconds: Double
    }
}
