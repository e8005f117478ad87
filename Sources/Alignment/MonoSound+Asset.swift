import Media
import TimeMaps

extension MonoSound {
    /// The first audio track of a file, with all channels mixed in equal shares. Its first sample is at the
    /// asset's time 0.
    ///
    /// - Throws: ``MediaError`` when the file has no audio track. Reading throws ``MediaError`` when the track
    ///   can't be decoded.
    public init(of asset: Asset) throws {
        guard let stream = asset.audioStreams.first, let format = stream.audioFormat else {
            throw MediaError(
                .noUsableStream, file: asset.path, reason: "it has no audio track to compare",
                remedy: "Use a recording with sound")
        }
        self.init(sampleRate: Double(format.sampleRate)) {
            let reader = try SampleReader(of: asset, stream: stream)
            var place: Int64 = 0
            var ahead: SampleBlock?
            return {
                guard let block = try ahead ?? reader.next() else {
                    return nil
                }
                ahead = nil
                if block.start > place {
                    // A gap becomes silence, at most a second at a time.
                    let count = min(block.start - place, Int64(format.sampleRate))
                    place += count
                    ahead = block
                    return [Float](repeating: 0, count: Int(count))
                }
                // Samples before time 0 don't belong to the asset.
                let skipped = Int(min(place - block.start, Int64(block.count)))
                place = max(place, block.end)
                return Self.mix(block.channels, from: skipped)
            }
        }
    }

    private static func mix(_ channels: [[Float]], from first: Int) -> [Float] {
        let gain = 1 / Float(channels.count)
        var mixed = [Float](repeating: 0, count: channels[0].count - first)
        for channel in channels {
            for index in mixed.indices {
                mixed[index] += channel[first + index] * gain
            }
        }
        return mixed
    }
}
