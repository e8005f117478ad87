import Foundation
import Testing

@testable import TimeWarpStudio

@Suite("Small things of the studio")
struct PartsTests {
    @Test(
        "names of uploads are shown, and never lead anywhere",
        arguments: [
            ("clip.mp4", "clip.mp4", ".mp4"), ("../../etc/passwd", "passwd", ""),
            ("C:\\films\\a.MOV", "a.MOV", ".mov"), ("..", "clip", ""), ("", "clip", ""),
            ("a\u{0}b\n.mp4", "ab.mp4", ".mp4"), ("a.mp4;rm -rf", "a.mp4;rm -rf", ""),
            ("été.webm", "été.webm", ".webm"),
        ])
    func uploadNames(given: String, shown: String, ending: String) {
        let name = UploadName(given)
        #expect(name.shown == shown)
        #expect(name.ending == ending)
    }

    @Test(
        "words of a command are what a shell takes for one word",
        arguments: [
            ("clip.mp4", "clip.mp4"), ("my clip.mp4", "'my clip.mp4'"), ("", "''"),
            ("it's", "'it'\\''s'"), ("1 + sin(pi*t)", "'1 + sin(pi*t)'"), ("$HOME", "'$HOME'"),
        ])
    func quoting(word: String, quoted: String) {
        #expect(RenderRequest.quoted(word) == quoted)
    }

    @Test("numbers in commands have no exponent and no noise")
    func numbers() {
        #expect(RenderRequest.text(of: 2) == "2")
        #expect(RenderRequest.text(of: 0.1 + 0.2) == "0.3")
        #expect(RenderRequest.text(of: 1e-5) == "0.00001")
        #expect(RenderRequest.text(of: 1000) == "1000")
    }

    @Test("secrets differ, and are compared whole")
    func secrets() {
        #expect(Secret.make(bytes: 16).count == 32)
        #expect(Secret.make(bytes: 16) != Secret.make(bytes: 16))
        #expect(Secret.areEqual("abc", "abc"))
        #expect(!Secret.areEqual("abc", "abd"))
        #expect(!Secret.areEqual("abc", "ab"))
        #expect(!Secret.areEqual("", "a"))
    }
}
