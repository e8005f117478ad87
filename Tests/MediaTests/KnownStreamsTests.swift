import CLibAV
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite("What is known of streams when their file is opened again")
struct KnownStreamsTests {
    static let kinds: [(name: String, options: String)] = [
        ("h264.mp4", "-c:v libx264 -bf 3 -g 20 -c:a aac"),
        ("hevc.mp4", "-c:v libx265 -x265-params log-level=error -c:a ac3"),
        ("mpeg4.mp4", "-c:v mpeg4 -bf 2 -c:a libmp3lame"),
        ("mpeg2.mov", "-c:v mpeg2video -bf 2 -c:a mp2"), ("mjpeg.mov", "-c:v mjpeg -c:a pcm_s16le"),
        ("prores.mov", "-c:v prores_ks -c:a alac"), ("vp9.mp4", "-c:v libvpx-vp9 -c:a libopus"),
        ("av1.mp4", "-c:v libsvtav1 -preset 12 -g 40 -c:a aac"),
        ("wide.mov", "-c:v libx264 -aspect 16:9 -c:a aac -timecode 01:00:00:00"),
    ]

    /// All that a reader of a stream may ask, in words.
    private func words(_ demuxer: Demuxer) throws -> [String] {
        var words = (0..<demuxer.streamCount).map { index in
            let stream = demuxer.stream(index).pointee
            let codec = stream.codecpar.pointee
            let header = codec.extradata.map { Data(bytes: $0, count: Int(codec.extradata_size)) }
            return """
                \(codec.codec_type) \(codec.codec_id) \(codec.codec_tag) \(codec.format) \(codec.width) \(codec.height) \
                \(codec.profile) \(codec.level) \(codec.video_delay) \(codec.bit_rate) \(codec.sample_aspect_ratio) \
                \(codec.color_range) \(codec.color_space) \(codec.sample_rate) \(codec.ch_layout.nb_channels) \
                \(codec.frame_size) \(codec.initial_padding) \(codec.trailing_padding) \(codec.seek_preroll) \
                \(header?.base64EncodedString() ?? "") \(stream.time_base) \(stream.avg_frame_rate) \(stream.r_frame_rate) \
                \(stream.sample_aspect_ratio) \(stream.start_time) \(stream.duration) \(stream.disposition)
                """
        }
        // Packets that libav read while it looked come in the order in which it looked.
        var packets: [Int: [String]] = [:]
        while let packet = try demuxer.readPacket() {
            let raw = packet.pointer.pointee
            packets[Int(raw.stream_index), default: []].append(
                "\(raw.pts) \(raw.dts) \(raw.duration) \(raw.flags) \(raw.size) \(raw.side_data_elems)"
            )
        }
        for index in packets.keys.sorted() {
            words += packets[index] ?? []
        }
        return words
    }

    @Test("it is the same as if libav looked again", arguments: kinds)
    func same(_ kind: (name: String, options: String)) throws {
        let folder = try TemporaryFolder()
        let (plain, path) = (folder.path("plain.mp4"), folder.path(kind.name))
        try TestClip { $0.frameCount = 40 }.write(to: plain)
        try ReferenceTools.ffmpeg(
            ["-i", plain] + kind.options.split(separator: " ").map(String.init)
                + ["-pix_fmt", kind.name == "prores.mov" ? "yuv422p10le" : "yuv420p", path])
        var asset = try Asset(at: path)
        #expect(asset.knownStreams != nil)
        let known = try words(Demuxer.reopening(asset))
        asset.knownStreams = nil
        #expect(try known == words(Demuxer.reopening(asset)))
        #expect(known.count > 50)
    }

    @Test(
        "a file with other streams is looked at",
        arguments: [
            "-c:v mpeg4 -c:a copy", "-c:v libx264 -s 320x240 -c:a copy", "-c:v copy -ar 22050",
        ])
    func changed(options: String) throws {
        let folder = try TemporaryFolder()
        let (path, other) = (folder.path("a.mp4"), folder.path("b.mov"))
        try TestClip { $0.frameCount = 40 }.write(to: path)
        try ReferenceTools.ffmpeg(
            ["-i", path] + options.split(separator: " ").map(String.init) + [other])
        var asset = try Asset(at: path)
        asset.path = other
        let known = try words(Demuxer.reopening(asset))
        asset.knownStreams = nil
        #expect(try known == words(Demuxer.reopening(asset)))
    }
}
