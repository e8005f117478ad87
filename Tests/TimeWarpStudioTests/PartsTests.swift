import Foundation
import Testing

@testable import TimeWarpStudio

@Suite("Small things of the studio")
struct PartsTests {
    @Test(
        "ranges are those of RFC 9110",
        arguments: [
            ("bytes=0-3", 10, 0...3), ("bytes=4-", 10, 4...9), ("bytes=-3", 10, 7...9),
            ("bytes=8-99", 10, 8...9), ("bytes=-99", 10, 0...9), ("bytes=0-0", 1, 0...0),
        ])
    func ranges(header: String, size: Int, bytes: ClosedRange<Int>) throws {
        #expect(try #require(ByteRange(header)).within(size) == bytes)
    }

    @Test(
        "what is no range is none",
        arguments: [
            "bytes=", "bytes=-", "bytes=5-2", "bytes=a-b", "bytes=0-1,4-5", "items=0-1",
            "bytes=+1-2",
            "bytes=99999999999999999999-",
        ])
    func malformedRanges(header: String) {
        #expect(ByteRange(header) == nil)
    }

    @Test("a range beyond the file can't be satisfied")
    func beyond() throws {
        #expect(try #require(ByteRange("bytes=10-")).within(10) == nil)
        #expect(try #require(ByteRange("bytes=-0")).within(10) == nil)
        #expect(try #require(ByteRange("bytes=0-")).within(0) == nil)
    }

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
        #expect(Order.quoted(word) == quoted)
    }

    @Test("numbers in commands have no exponent and no noise")
    func numbers() {
        #expect(Order.text(of: 2) == "2")
        #expect(Order.text(of: 0.1 + 0.2) == "0.3")
        #expect(Order.text(of: 1e-5) == "0.00001")
        #expect(Order.text(of: 1000) == "1000")
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
