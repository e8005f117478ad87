import Media
import TestSupport
import Testing

@Suite("Where sound begins")
struct PrimingTests {
    /// A film whose sound starts at 0 s and whose video starts one frame later, at 41.7 ms, which is nearly 2048
    /// samples.
    private func film(_ path: String) throws {
        try ReferenceTools.ffmpeg([
            "-itsoffset", "0.0417", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=24000/1001:d=2",
            "-f", "lavfi", "-i", "sine=r=48000:d=2", "-vsync", "passthrough", "-c:v", "libx264",
            "-bf", "0", "-pix_fmt", "yuv420p", "-movie_timescale", "48000", path,
        ])
    }

    @Test("frames that come later than sound do so, where the file states the codec's delay")
    func stated() throws {
        let folder = try TemporaryFolder()
        for name in ["a.mp4", "a.mov"] {
            let path = folder.path(name)
            try film(path)
            let asset = try Asset(at: path)
            #expect(abs(try #require(asset.videoStreams[0].start).seconds - 0.0417) < 0.0001)
            #expect(abs(try #require(asset.audioStreams[0].start).seconds) < 0.001)
        }
    }
}
