import Media
import TimeMaps

/// Makes the output's sound, block by block, from the source's sound and the clip's time map.
protocol AudioRetimer {
    /// The next samples, one array for each channel, with at most `limit` samples in each; nil at the end.
    ///
    /// All blocks together have exactly the number of samples that was asked for, whatever the limits are.
    mutating func next(limit: Int) throws -> [[Float]]?

    /// The number of source samples for each channel that have been read.
    var samplesIn: Int64 { get }
}

/// The task of a retimer.
struct AudioRetiming {
    /// The map from output time to source time. Both count from their starts.
    let map: TimeMap
    /// The time in the source's sound, in seconds, at which the map's source time 0 is.
    let sourceStart: Double
    let channelCount: Int
    /// The sample rate of the source's blocks, in samples a second.
    let sourceRate: Double
    /// The sample rate of the output, in samples a second.
    let outputRate: Double
    /// How many samples to make for each channel.
    let sampleCount: Int64
}
