import Media
import TimeMaps

extension MonoSound {
    /// The sound of a file, its first track, all channels mixed alike; place 0 is the asset's zero.
    ///
    /// - Throws: ``MediaError`` when there is none.
    public init(of asset: Asset) throws {
        guard let stream = asset.audioStreams.first, let format = stream.audioFormat else {
            throw MediaError(
                .noUsableStream, file: asset.path, reason: "it has no sound to compare",
                remedy: "Give a recording with sound")
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
                    // A hole is silence, a second at a time.
                    let count = min(block.start - place, Int64(format.sampleRate))
                    place += count
                    ahead = block
                    return [Float](repeating: 0, count: Int(count))
                }
                // What lies before zero isn't part of the asset.
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
