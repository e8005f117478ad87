import Media
import TimeMaps

/// The waveform of a clip's sound: the lowest and the highest sample of each column.
public struct Waveform: Sendable, Codable, Equatable {
    /// The lowest sample of each column over all channels, from -1 to 0.
    public let minimum: [Float]
    /// The highest sample of each column over all channels, from 0 to 1; as many as ``minimum``.
    public let maximum: [Float]

    /// Reads the first audio track.
    ///
    /// - Parameters:
    ///   - asset: the clip.
    ///   - range: the part that is read; nil for all of it.
    ///   - columns: the number of columns, which share the part evenly.
    ///   - checkCancelled: called for each block of samples; the error that it throws stops the work.
    /// - Throws: ``MediaError`` when there is no audio track, or when it can't be decoded; what
    ///   `checkCancelled` throws.
    /// - Complexity: the part is decoded once; the memory depends on the number of columns only.
    public init(
        of asset: Asset, range: TimeRange? = nil, columns: Int = 2000,
        checkCancelled: () throws -> Void = {}
    ) throws {
        guard let stream = asset.audioStreams.first else {
            throw MediaError(
                .noUsableStream, file: asset.path, reason: "it has no audio track to show")
        }
        let start = range?.start ?? .zero
        let reader = try SampleReader(of: asset, stream: stream, from: start)
        let samplesPerColumn =
            (range?.duration ?? asset.duration).seconds * Double(reader.sampleRate)
            / Double(columns)
        let first = Int64((start.seconds * Double(reader.sampleRate)).rounded())
        let last = first + Int64((samplesPerColumn * Double(columns)).rounded(.up))
        var (low, high) = (
            [Float](repeating: 0, count: columns), [Float](repeating: 0, count: columns)
        )
        while let block = try reader.next() {
            try checkCancelled()
            guard range == nil || block.start < last else {
                break
            }
            // A block may reach over several columns, so it is read column by column.
            var place = max(block.start, first)
            let blockEnd = range == nil ? block.end : min(block.end, last)
            while place < blockEnd {
                let column = Int(
                    min(Double(place - first) / samplesPerColumn, Double(columns - 1)))
                let boundary = first + Int64((Double(column + 1) * samplesPerColumn).rounded(.up))
                let end =
                    column == columns - 1 ? blockEnd : min(max(boundary, place + 1), blockEnd)
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
