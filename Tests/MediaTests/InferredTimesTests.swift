import CLibAV
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite("Times that a container doesn't state")
struct InferredTimesTests {
    @Test(
        "packets from which no frame comes keep their places and delay nothing",
        arguments: [
            ([0, 2, 3, 1, 5, 6, 4], 7, [0, 2, 3, 1, 5, 6, 4]),
            ([3, 4, 5], 6, [0, 1, 2, 3, 4, 5]), ([0, 1, 3, 4], 6, [0, 1, 2, 3, 4, 5]),
            ([], 2, [0, 1]), ([0, 2, 1, 6, 5], 7, [0, 2, 1, 3, 4, 6, 5]),
        ])
    func filled(shown: [Int], count: Int, expected: [Int]) {
        #expect(InferredTimes.filled(shown, count: count) == expected)
    }

    @Test("an AVI without its first keyframe, or with a hole, stays beside its sound")
    func undecodablePackets() throws {
        let folder = try TemporaryFolder()
        let (even, input) = (folder.path("even.mp4"), folder.path("in.avi"))
        try TestClip { $0.frameCount = 120 }.write(to: even)
        try ReferenceTools.ffmpeg([
            "-i", even, "-c:v", "libx264", "-g", "30", "-bf", "2", "-pix_fmt", "yuv420p", "-c:a",
            "pcm_s16le", input,
        ])
        let whole = try shown(input)
        #expect(whole.count == 120)
        for lost in [0, 47] {
            let damaged = folder.path("\(lost).avi")
            var bytes = try Data(contentsOf: URL(fileURLWithPath: input))
            let (place, size) = try position(ofPacket: lost, in: input)
            // Parameter sets of the first packet, the frame of another: libav's parser still tells packets apart.
            let part = lost == 0 ? place + 5..<place + 25 : place + 5..<place + size
            bytes.replaceSubrange(part, with: Data(repeating: 0xAA, count: part.count))
            try bytes.write(to: URL(fileURLWithPath: damaged))
            // Every packet but those near the hole has the time that it has in the whole file.
            let times = try shown(damaged)
            let moved = times.filter { whole[$0.key] != $0.value }.count
            #expect(times.count >= whole.count - 1 && moved <= 4, "\(lost): \(moved) moved")
        }
    }

    /// The PTS of all packets, as they are worked out, by the packets' places in the file.
    private func shown(_ path: String) throws -> [Int64: Int64] {
        let asset = try Asset(at: path)
        let stream = asset.videoStreams[0]
        var times = try #require(
            try InferredTimes(of: asset, stream: stream, checkCancelled: {}))
        let reader = try PacketReader(of: asset, streams: [stream])
        var all: [Int64: Int64] = [:]
        while let (packet, _) = try reader.next() {
            times.stamp(packet)
            all[packet.pointer.pointee.pos] = packet.pts
        }
        return all
    }

    private func position(ofPacket number: Int, in path: String) throws -> (Int, Int) {
        let asset = try Asset(at: path)
        let reader = try PacketReader(of: asset, streams: [asset.videoStreams[0]])
        for _ in 0..<number {
            _ = try reader.next()
        }
        let packet = try #require(try reader.next()).packet
        // The chunk's name and size come before its bytes.
        return (Int(packet.pointer.pointee.pos) + 8, packet.byteCount)
    }

    @Test("hostile times of Matroska's blocks are no times", arguments: [8, 2])
    func hostileBlocks(timestampWidth: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mkv")
        let timestamp =
            timestampWidth == 8
            ? [0xE7, 0x88, 0x80, 0, 0, 0, 0, 0, 0, 0] : [0xE7, 0x82, 0, 100] as [UInt8]
        let block: [UInt8] = [0xA3, 0x85, 0x81, 0xFF, 0x00, 0x80, 1]
        let head: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0xFF, 0x1F, 0x43, 0xB6, 0x75]
        let size = UInt8(0x80 | (timestamp.count + block.count))
        try Data(
            head + [size] + timestamp + block + [0xEC, 0x88] + [UInt8](repeating: 0, count: 8)
        )
        .write(to: URL(fileURLWithPath: path))
        let packet = try Packet()
        packet.pointer.pointee.pts = TW_NO_PTS
        packet.pointer.pointee.pos = Int64(head.count + 1 + timestamp.count + 2)
        // The block lies 256 ticks before its cluster.
        #expect(BlockTimes(path).time(of: packet) == (timestampWidth == 8 ? nil : -156))
        #expect(BlockTimes(folder.path("none.mkv")).time(of: packet) == nil)
        try Data(head + [UInt8](repeating: 0x80, count: 500_000))
            .write(to: URL(fileURLWithPath: path))
        packet.pointer.pointee.pos = 400_000
        #expect(BlockTimes(path).time(of: packet) == nil)
    }
}
