import Foundation
import TestSupport
import Testing
import TimeMaps

@testable import Media

@Suite("What is known of a file from an earlier look")
struct KnownFileTests {
    private func known(_ asset: Asset, at path: String) throws -> KnownFile {
        let stream = asset.videoStreams[0]
        let file = KnownFile(
            asset, indices: [stream.index: try PacketIndex(of: asset, stream: stream)],
            fingerprint: try FileFingerprint(of: asset.path) {})
        let bytes = try file.stored()
        #expect(try KnownFile(stored: bytes, at: asset.path)?.stored() == bytes)
        return try #require(KnownFile(stored: bytes, at: path))
    }

    /// How many bytes each packet has, or each of the first ones.
    private func packets(_ asset: Asset, first count: Int = .max) throws -> [Int] {
        let reader = try PacketReader(of: asset, streams: [asset.videoStreams[0]])
        var sizes: [Int] = []
        while sizes.count < count, let (packet, _) = try reader.next() {
            sizes.append(packet.byteCount)
        }
        return sizes
    }

    @Test(
        "it stands for the file, also at another place",
        arguments: HardClip.all.filter {
            ["open-pyramid.ts", "uneven.mp4", "hidden-packets.webm", "program.mpg"].contains(
                $0.name)
        })
    func stored(clip: HardClip) throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: try clip.write(to: folder))
        let moved = folder.path("moved." + (asset.path as NSString).pathExtension)
        let known = try known(asset, at: moved)
        try FileManager.default.moveItem(atPath: asset.path, toPath: moved)
        let here = try Asset(at: moved)
        let index = try PacketIndex(of: here, stream: here.videoStreams[0])
        do {
            let files = KnownFiles([moved: .init(moved, content: known)])
            let asset = try #require(files.asset(at: moved))
            #expect(asset.duration == here.duration && asset.origin == here.origin)
            #expect(asset.streams.map(\.codecName) == here.streams.map(\.codecName))
            #expect(asset.streams.map(\.videoFormat) == here.streams.map(\.videoFormat))
            #expect(asset.streams.map(\.start) == here.streams.map(\.start))
            #expect(asset.streams.map(\.end) == here.streams.map(\.end))
            let restored = try #require(
                files.index(ofStream: asset.videoStreams[0].index, at: moved))
            #expect(restored.groups == index.groups)
            #expect(restored.shortcoming == index.shortcoming)
            #expect(restored.times.count == index.times.count)
            for frame in 0..<index.times.count {
                #expect(restored.times.start(of: frame) == index.times.start(of: frame))
                #expect(restored.times.end(of: frame) == index.times.end(of: frame))
                #expect(restored.packet(ofFrame: frame) == index.packet(ofFrame: frame))
            }
            #expect(try packets(asset) == packets(here))
        }
    }

    @Test("a change is noticed in whatever is read, and nowhere else")
    func changed() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("clip.mkv")
        try TestClip {
            ($0.frameCount, $0.audioCodec, $0.channelCount) = (200, .pcm, 6)
        }.write(to: path)
        let asset = try known(try Asset(at: path), at: path).asset
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let blocks = bytes.count >> 20
        try #require(blocks > 2)
        let all = try packets(asset)
        bytes[(blocks - 1) << 20 + 5000] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try packets(asset, first: 3) == Array(all.prefix(3)))
        let error = #expect(throws: MediaError.self) { try packets(asset) }
        #expect(error?.code == .changed)
        #expect(error?.reason.contains("it changed") ?? false)
        try bytes.dropLast().write(to: URL(fileURLWithPath: path))
        #expect(throws: MediaError.self) { try packets(asset, first: 1) }
    }

    @Test("bytes that are something else restore nothing")
    func damaged() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("clip.mp4")
        try TestClip { $0.frameCount = 10 }.write(to: path)
        let asset = try Asset(at: path)
        let stream = asset.videoStreams[0]
        let bytes = try KnownFile(
            asset, indices: [stream.index: try PacketIndex(of: asset, stream: stream)],
            fingerprint: try FileFingerprint(of: path) {}
        ).stored()
        for length in stride(from: 0, to: bytes.count, by: 7) {
            #expect(KnownFile(stored: Array(bytes.prefix(length)), at: path) == nil)
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var changed = bytes
            changed[Int.random(in: bytes.indices, using: &random)] = .random(in: 0 ... .max)
            // Whatever comes of it, the program goes on.
            _ = KnownFile(stored: changed, at: path)
        }
    }
}
