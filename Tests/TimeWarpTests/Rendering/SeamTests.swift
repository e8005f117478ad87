import Foundation
import TestSupport
import Testing
import TimeMaps

@testable import Media
@testable import TimeWarp

@Suite("Packets of several encoders in one track")
struct SeamTests {
    private static let files = KeptFiles()
    private static let rate = ["-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=3"]
    /// How the kept packets were encoded.
    static let encoders = [
        "libx264 -g 20 -bf 3", "libx264 -g 20 -profile:v baseline",
        "libx264 -g 20 -x264-params bframes=6:b-pyramid=normal",
        "libx264 -g 20 -pix_fmt yuv420p10le",
        "libx265 -x265-params log-level=error:keyint=20:open-gop=0",
    ]

    @Test(
        "kept, encoded and kept again they are decoded to the same frames, without a word of the decoder",
        arguments: encoders, [Container.mp4, .mov, .mkv])
    func threeParts(encoder: String, container: Container) throws {
        let folder = try TemporaryFolder()
        let source = try Self.files.file(encoder + ".mp4") { path in
            _ = try ReferenceTools.ffmpeg(
                Self.rate + ["-pix_fmt", "yuv420p", "-c:v"]
                    + encoder.split(separator: " ").map(String.init) + [path])
        }
        let asset = try Asset(at: source)
        let stream = asset.videoStreams[0]
        let index = try PacketIndex(of: asset, stream: stream)
        let starts = index.groups.filter { $0.beginning == .closed }
        try #require(starts.count >= 3)
        let (kept, middle) = (
            0..<starts[1].firstPacket, starts[1].firstPacket..<starts[2].firstPacket
        )
        let encoded = try encoded(asset, frames: middle.count)
        let format = try PacketReader(of: asset, streams: [stream]).encodedFormat(of: stream)
        let filter = try #require(try PacketFilter.forSeams(of: format, path: source))
        let change = try #require(try PacketFilter.forSeams(of: encoded.format, path: source))
        var track = JoinedTrack(
            filter.format, followsPTS: true, delay: encoded.format.reorderingDelay)
        let path = folder.path("joined." + container.rawValue)
        let muxer = try Muxer(creating: path, as: container, existing: .overwrite)
        let number = try muxer.add(filter.format, like: stream)
        try muxer.start()
        func write(_ packets: [Packet], _ filter: PacketFilter, after offset: Int64) throws {
            for packet in packets {
                try filter.rewrite(packet)
                let shown = offset + (packet.pts ?? 0)
                packet.retime(
                    shown: shown, decoded: shown, duration: 1, timeBase: RationalTime(1, over: 25))
                track.stamp(packet)
                try muxer.write(packet, to: number)
            }
        }
        try write(packets(kept, of: asset), filter, after: 0)
        try write(encoded.packets, change, after: Int64(kept.count))
        let rest = middle.upperBound..<index.times.count
        try write(packets(rest, of: asset), filter, after: 0)
        try muxer.finish()

        let whole = try frames(of: source)
        let alone = try frames(of: encoded.path)
        let joined = try frames(of: path)
        #expect(joined.words == "")
        #expect(
            joined.digests
                == whole.digests[kept] + alone.digests + whole.digests[rest.lowerBound...])
        let tag = try ReferenceTools.ffprobe([
            "-select_streams", "v", "-show_entries", "stream=codec_tag_string", path,
        ])
        if container != .mkv {
            #expect(tag == [encoder.hasPrefix("libx264") ? "avc3" : "hev1"])
        }
    }

    /// The packets of a stream at their numbers, whose times count frames.
    private func packets(_ numbers: Range<Int>, of asset: Asset) throws -> [Packet] {
        let stream = asset.videoStreams[0]
        let index = try PacketIndex(of: asset, stream: stream)
        let frames = Dictionary(
            uniqueKeysWithValues: (0..<index.times.count).map { (index.packet(ofFrame: $0), $0) })
        let reader = try PacketReader(of: asset, streams: [stream])
        var found: [Packet] = []
        var number = 0
        while let (packet, _) = try reader.next() {
            if numbers.contains(number), let frame = frames[number] {
                packet.retime(
                    shown: Int64(frame), decoded: Int64(frame), duration: 1,
                    timeBase: RationalTime(1, over: 25))
                found.append(packet)
            }
            number += 1
        }
        return found
    }

    /// What our encoder makes of the first frames, and a file with it alone.
    private func encoded(
        _ asset: Asset, frames count: Int
    ) throws -> (packets: [Packet], format: EncodedFormat, path: String) {
        let stream = asset.videoStreams[0]
        let codec: VideoCodec = stream.codecName == "hevc" ? .hevc : .h264
        let reader = try FrameStream(of: asset, stream: stream)
        let first = try #require(try reader.next())
        let encoder = try VideoEncoder(
            VideoEncoderSettings(
                encoder: codec.encoder, format: try #require(stream.videoFormat),
                timeBase: RationalTime(1, over: 25),
                frameRate: FrameRate(known: 25), preset: "medium"), for: .mp4, path: "encoded")
        let format = try encoder.encodedFormat()
        let path = asset.path + ".encoded.mp4"
        let muxer = try Muxer(creating: path, as: .mp4, existing: .overwrite)
        let track = try muxer.add(format, like: stream)
        try muxer.start()
        var packets: [Packet] = []
        func take(_ packet: Packet) throws {
            packets.append(try packet.copy())
            try muxer.write(packet, to: track)
        }
        try encoder.encode(first.frame, at: 0, lasting: 1, take)
        for tick in 1..<Int64(count) {
            try encoder.encode(
                try #require(try reader.next()).frame, at: tick, lasting: 1, take)
        }
        try encoder.finish(take)
        try muxer.finish()
        return (packets, format, path)
    }

    /// What FFmpeg's decoder makes of a file, and what it says of it.
    private func frames(of path: String) throws -> (digests: [Substring], words: String) {
        let result = try ReferenceTools.run(
            "ffmpeg",
            ["-v", "warning", "-i", path, "-fps_mode", "passthrough", "-f", "framemd5", "-"])
        let lines = result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return (lines.map { $0.split(separator: ",").last ?? "" }, result.errors)
    }
}
