import Media
import TimeMaps

/// The outline of a clip's sound: the lowest and highest sample of each share of it.
public struct Waveform: Sendable, Codable, Equatable {
    /// Of each column, in -1…1; all channels together.
    public let minimum: [Float]
    /// Of each column, in -1…1; all channels together.
    public let maximum: [Float]

    /// Reads the first sound track from start to end.
    ///
    /// - Parameters:
    ///   - columns: into how many shares of the same length the clip is cut.
    ///   - checkCancelled: called now and then; what it throws ends the work.
    /// - Throws: ``MediaError`` when there is no sound that can be decoded.
    /// - Complexity: one decoding of the sound; memory for the columns alone.
    public init(
        of asset: Asset, columns: Int = 2000, checkCancelled: () throws -> Void = {}
    ) throws {
        guard let stream = asset.audioStreams.first else {
            throw MediaError(.noUsableStream, file: asset.path, reason: "it has no sound to show")
        }
        let reader = try SampleReader(of: asset, stream: stream)
        let samplesPerColumn =
            asset.duration.seconds * Double(reader.sampleRate) / Double(columns)
        var (low, high) = (
            [Float](repeating: 0, count: columns), [Float](repeating: 0, count: columns)
        )
        while let block = try reader.next() {
            try checkCancelled()
            // A block lies in a column or two: it is looked at column by column.
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
