import Media
import TimeMaps

/// Makes the output's sound, block by block, from the source's sound and the clip's map.
protocol AudioRetimer {
    /// The next samples, one array a channel, at most `limit` in each; nil when all have been made.
    ///
    /// All blocks together hold exactly the samples that were asked for, however they are cut.
    mutating func next(limit: Int) throws -> [[Float]]?

    /// Source samples taken so far, a channel.
    var samplesIn: Int64 { get }
}

/// What a retimer makes of what.
struct AudioRetiming {
    /// Output time to source time, both from their starts.
    let map: TimeMap
    /// Where the map's source time 0 lies, in seconds of the source's sound.
    let sourceStart: Double
    let channelCount: Int
    /// Samples a second of the source's blocks, and of the output.
    let sourceRate: Double
    let outputRate: Double
    /// Samples a channel to make in all.
    let sampleCount: Int64
}
