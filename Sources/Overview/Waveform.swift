import Media
import TimeMaps

/// The waveform of a clip's sound: the lowest and the highest sample of each column.
public struct Waveform: Sendable, Codable, Equatable {
    /// The lowest sample of each column over all channels, from -1 to 0.
    public let minimum: [Float]
    /// The highest sample of each column over all channels, from 0 to 1; as many as ``minimum``.
    public let maximum: [Float]

    /// Reads the first audio track from start to end.
    ///
    /// - Parameters:
    ///   - asset: the clip.
    ///   - columns: the number of columns, which share the clip's duration evenly.
    ///   - checkCancelled: called for each block of samples; the error that it throws stops the work.
    /// - Throws: ``MediaError`` when there is no audio track, or when it can't be decoded; what
    ///   `checkCancelled` throws.
    /// - Complexity: the sound is decoded once; the memory depends on the number of columns only.
    public init(
        of asset: Asset, columns: Int = 2000, checkCancelled: () throws -> Void = {}
    ) throws {
        guard let stream = asset.audioStreams.first else {
            throw MediaError(
                .noUsableStream, file: asset.path, reason: "it has no audio track to show")
        }
        let reader = try SampleReader(of: asset, stream: stream)
        let samplesPerColumn =
            asset.duration.seconds * Double(reader.sampleRate) / Double(columns)
        var (low, high) = (
            [Float](repeating: 0, count: columns), [Float](repeating: 0, count: columns)
        )
        while let block = try reader.next() {
            try checkCancelled()
            // A block may reach over several columns, so it is read column by column.
            var place = max(block.start, 0)
            while place < block.end {
                let column = Int(min(Double(place) / samplesPerColumn, Double(columns - 1)))
                let boundary = Int64((Double(column + 1) * samplesPerColumn).rounded(.up))
                let end =
                    column == columns - 1 ? block.end : min(max(boundary, place + 1), block.end)
                for channel in block.channels {
                    let part = channel[Int(place - block.start)..<Int(end - block.start)]
                    for sample in part {
                        low[column] = min(low[column], sample)
                        high[column] = max(high[column], sample)
                    }
                }
                place = end
            }
        }
        minimum = low.map { max($0, -1) }
        maximum = high.map { min($0, 1) }
    }
}
