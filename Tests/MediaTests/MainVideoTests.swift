import Media
import TestSupport
import Testing

@Suite("Which video track is shown where only one can be")
struct MainVideoTests {
    static let cases: [(marked: String, isStillFirst: Bool, ending: String, main: Int)] = [
        // A still, a small film and a large one.
        ("none", true, "mkv", 2), ("v:1", true, "mkv", 1), ("v:0", true, "mkv", 2),
        ("v:2", true, "mov", 2), ("none", false, "mkv", 1),
    ]

    @Test("the one that is marked, unless it is a still; else the largest", arguments: cases)
    func main(marked: String, isStillFirst: Bool, ending: String, main: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in." + ending)
        let still = ["-f", "lavfi", "-i", "color=red:s=640x480:r=25:d=0.04"]
        let films = ["96x64", "160x96"].flatMap {
            ["-f", "lavfi", "-i", "testsrc2=s=\($0):r=25:d=2"]
        }
        var options = isStillFirst ? still + films : films
        let count = isStillFirst ? 3 : 2
        options += (0..<count).flatMap { ["-map", "\($0)"] }
        options += ["-c:v", "libx264", "-disposition:v", "0"]
        options += isStillFirst ? ["-c:v:0", "mjpeg", "-pix_fmt:v:0", "yuvj420p"] : []
        options += marked == "none" ? [] : ["-disposition:\(marked)", "default"]
        try ReferenceTools.ffmpeg(options + [path])
        let asset = try Asset(at: path)
        #expect(asset.videoStreams.count == count)
        #expect(asset.mainVideo?.index == main)
    }
}
