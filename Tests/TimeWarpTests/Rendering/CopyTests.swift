import Media
import TestSupport
import Testing
import TimeWarp

@Suite("Copying every packet")
struct CopyTests {
    @Test("a rotation that the container can't state is told")
    func rotation() throws {
        let folder = try TemporaryFolder()
        let (upright, turned) = (folder.path("upright.mp4"), folder.path("turned.mp4"))
        try TestClip { $0.frameCount = 5 }.write(to: upright)
        try ReferenceTools.ffmpeg([
            "-i", upright, "-c", "copy", "-metadata:s:v", "rotate=90", turned,
        ])
        for (input, ending, isLost) in [
            (upright, "mkv", false), (turned, "mov", false),
            (turned, "mkv", !Container.mkv.holdsRotation),
        ] {
            let plan = try RenderPlan(
                copying: Asset(at: input), to: folder.path("out.\(ending)"))
            #expect(plan.warnings.contains { $0.contains("video is rotated by") } == isLost)
        }
    }
}
