import Foundation
import Media
import TimeMaps

extension FuzzTarget {
    /// A media file: probed, indexed, and read a little.
    static let media = FuzzTarget(
        "media",
        data: { data in
            let path = FileManager.default.temporaryDirectory
                .appendingPathComponent("timewarp-fuzz-\(UUID().uuidString)").path
            defer {
                try? FileManager.default.removeItem(atPath: path)
            }
            guard FileManager.default.createFile(atPath: path, contents: data) else {
                return
            }
            let asset = try Asset(at: path)
            require(asset.duration > .zero, "it lasts \(asset.duration)")
            for stream in asset.videoStreams.prefix(2) {
                attempt { try readFrames(of: stream, asset) }
            }
            for stream in asset.audioStreams.prefix(2) {
                attempt { try readSamples(of: stream, asset) }
            }
        })

    private static func readFrames(of stream: Asset.Stream, _ asset: Asset) throws {
        guard let format = stream.videoFormat, format.width * format.height <= 1 << 20 else {
            return
        }
        let index = try PacketIndex(of: asset, stream: stream)
        guard index.isComplete else {
            return
        }
        let reader = try FrameReader(of: asset, stream: stream, index: index, threads: 1)
        try reader.start((0..<min(index.times.count, 50)).makeIterator())
        // Mostly in order, but some frames of a damaged stream come late.
        var known: Set<Int> = []
        while let (frame, _) = try reader.next() {
            require((0..<50).contains(frame), "frame \(frame), which wasn't asked for")
            require(known.insert(frame).inserted, "frame \(frame) twice")
        }
    }

    private static func readSamples(of stream: Asset.Stream, _ asset: Asset) throws {
        let reader = try SampleReader(of: asset, stream: stream)
        var end = Int64.min
        for _ in 0..<50 {
            guard let block = try reader.next() else {
                return
            }
            require(block.start >= end, "sound at \(block.start) before \(end)")
            require(
                block.channels.count == reader.channelCount
                    && block.channels.allSatisfy { $0.count == block.count },
                "channels of different lengths")
            end = block.end
        }
    }
}
