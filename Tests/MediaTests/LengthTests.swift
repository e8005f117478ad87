import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

/// How long files last whose containers say too much of it, or nothing.
@Suite("Lengths")
struct LengthTests {
    private static let tone = ["-f", "lavfi", "-i", "sine=r=44100:d=3.55"]

    @Test(
        "lossless sound ends where its last packet does",
        arguments: [
            ["alac", "caf"], ["alac", "mkv"], ["tta", "tta"], ["tta", "mkv"], ["wavpack", "wv"],
            ["flac", "mkv"], ["flac", "flac"],
        ])
    func lossless(codec: [String]) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in." + codec[1])
        try ReferenceTools.ffmpeg(Self.tone + ["-c:a", codec[0], path])
        let asset = try Asset(at: path)
        #expect(abs(asset.duration.seconds - 3.55) < 0.0015, "\(asset.duration.seconds)")
        let reader = try SampleReader(of: asset, stream: asset.audioStreams[0])
        var count = 0
        while let block = try reader.next() {
            count += block.channels[0].count
        }
        #expect(count == 156_555)
    }

    @Test("a Matroska that begins late misses nothing", arguments: [0, 7, 3600])
    func late(start: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.mkv")
        try ReferenceTools.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=2", "-c:v", "libx264"]
                + ["-output_ts_offset", "\(start)", path])
        let asset = try Asset(at: path)
        #expect(asset.warnings.isEmpty, "\(asset.warnings)")
        #expect(abs(asset.duration.seconds - 2) < 0.002)
    }

    @Test(
        "raw video has all its frames, one after the other",
        arguments: [
            ["mpeg1video", "m1v"], ["mpeg2video", "m2v"], ["libx264", "h264"], ["mpeg4", "m4v"],
        ])
    func raw(codec: [String]) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in." + codec[1])
        try ReferenceTools.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=4", "-c:v", codec[0]]
                + ["-bf", "2", "-g", "12", path])
        let asset = try Asset(at: path)
        for first in [0, 75] {
            let start = RationalTime(Int64(first), over: 25)
            let reader = try FrameStream(of: asset, stream: asset.videoStreams[0], from: start)
            var times: [Double] = []
            while let frame = try reader.next() {
                times.append(frame.start.seconds)
            }
            #expect(times.count == 100 - first)
            for (index, time) in times.enumerated() {
                #expect(abs(time - Double(first + index) / 25) < 1e-6)
            }
        }
    }

    @Test(
        "PCM is measured by its header, unless the file is shorter",
        arguments: ["wav", "w64", "aiff", "au", "caf"])
    func plainSound(ending: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in." + ending)
        try ReferenceTools.ffmpeg(
            Self.tone + ["-ac", "2", "-c:a", "pcm_s16be", "-f", "caf", path + ".caf"])
        try ReferenceTools.ffmpeg(["-i", path + ".caf", path])
        let asset = try Asset(at: path)
        // FFmpeg takes the padding of a W64 for a sample.
        let samples = Int((asset.duration.seconds * 44_100).rounded())
        #expect(samples == (ending == "w64" ? 156_556 : 156_555))
        #expect(asset.audioStreams[0].start == .zero)
        // Cut in the middle.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let cut = folder.path("cut." + ending)
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: cut))
        let half = try Asset(at: cut)
        #expect(abs(half.duration.seconds - 1.775) < 0.05, "\(half.duration.seconds)")
    }
}
