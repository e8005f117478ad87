import Foundation
import Testing
import TimeMaps
import TimeWarp

@testable import TimeWarpStudio

@Suite("Small things of the studio")
struct PartsTests {
    @Test(
        "uploads keep their names, which never lead anywhere",
        arguments: [
            ("clip.mp4", "clip.mp4"), ("../../etc/passwd", "passwd"), ("C:\\films\\a.MOV", "a.MOV"),
            ("..", "clip"), ("", "clip"), ("a\u{0}b\n.mp4", "ab.mp4"),
            ("a.mp4;rm -rf", "a.mp4;rm -rf"),
            ("été.webm", "été.webm"), (".hidden", "hidden"),
        ])
    func uploadNames(given: String, kept: String) {
        #expect(FileName.ofUpload(given) == kept)
    }

    @Test(
        "words of a command are what a shell takes for one word",
        arguments: [
            ("clip.mp4", "clip.mp4"), ("my clip.mp4", "'my clip.mp4'"), ("", "''"),
            ("it's", "'it'\\''s'"), ("1 + sin(pi*t)", "'1 + sin(pi*t)'"), ("$HOME", "'$HOME'"),
        ])
    func quoting(word: String, quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }

    @Test("numbers in commands have no exponent and no noise")
    func numbers() {
        for (number, text) in [
            (2, "2"), (0.1 + 0.2, "0.3"), (1e-5, "0.00001"), (1000, "1000"), (-1.5, "-1.5"),
        ] {
            #expect(DecimalFraction(rounding: number)?.text == text)
        }
    }

    @Test("what records held before they held jobs is read as a job, and only of records")
    func earlierRecords() throws {
        let decoder = JSONDecoder()
        decoder.userInfo[.isRecord] = true
        func request(_ text: String) throws -> JobRequest {
            try decoder.decode(JobRequest.self, from: Data(text.utf8))
        }
        let text = #"{ "media": "a", "task": "warp" }"#
        #expect(throws: JobError.self) { try JobRequest(json: Data(text.utf8)) }
        let plain = try request(#"{ "media": "a", "task": "warp", "container": "mkv" }"#)
        #expect(plain.task == .warp && plain.clip.media == "a" && plain.name == "result.mkv")
        #expect(plain.curve == .builtIn(.doubleSmoothstep, factor: 1.5, modifier: 0.5))
        let full = try request(
            """
            { "media": "a", "task": "warp", "curve": { "scale": "1 + t" }, "fit": "9.5",
              "boomerang": true, "range": { "start": "1" }, "sample": { "start": "2", "end": "4" },
              "video": { "rate": "24", "frames": "blend", "codec": "vp9", "quality": 30 },
              "sound": { "mode": "keep-pitch", "tune": "speech", "bitRate": 96000 } }
            """)
        #expect(full.clip.range == [.seconds(1)])
        #expect(full.clip.length == .oneWay(try RationalTime(parsing: "9.5")))
        #expect(full.clip.retiming.once == .curve(.scale(try Formula("1 + t"))))
        let settings = full.job.settings
        #expect(settings.video.rate.text == "24" && settings.video.codec == .vp9)
        #expect(settings.audio.mode == .keepPitch && settings.audio.bitRate == 96_000)
        #expect(full.job.output.range == .init(from: .seconds(2), to: .seconds(4)))
        let sound = try request(
            #"""
            { "media": "a", "task": "stretch", "range": { "end": "3" },
              "stretch": { "anchors": [[0, 1], [2, 3.5]], "duration": "8", "reference": "b" } }
            """#)
        #expect(sound.task == .stretch && sound.reference == "b" && sound.clip.range == nil)
        #expect(sound.clip.anchors?.map(\.output.seconds) == [1, 3.5])
        let longer = try request(
            #"{ "media": "a", "task": "stretch", "stretch": { "by": "-0.25" } }"#)
        #expect(longer.clip.length == .longerBy(try RationalTime(parsingSigned: "-0.25")))
        let slow = try request(
            #"{ "media": "a", "task": "scale", "scale": { "factor": 0.3 }, "boomerang": true }"#)
        #expect(slow.task == .scale)
        #expect(
            RequestCommand(of: slow, input: "in.mov").text.hasSuffix("--factor 0.3 --boomerang"))
        let smart = try JobRequest(
            json: Data(
                """
                { "job": { "timewarp": "job/1", "timeline": { "format": "source", "tracks": [
                  { "segments": [{ "media": "a", "scale": 2 }] }] },
                  "output": { "path": "a.mp4" }, "video": { "smart": true } } }
                """.utf8))
        #expect(RequestCommand(of: smart, input: "in.mov").text.hasSuffix("--factor 2 --smart"))
        let blurred = try JobRequest(
            json: Data(
                """
                { "job": { "timewarp": "job/1", "timeline": { "format": "source", "tracks": [
                  { "segments": [{ "media": "a", "scale": 2 }] }] }, "output": { "path": "a.mp4" },
                  "video": { "frames": "motion", "skipRepeats": true, "shutter": 172.5 },
                  "audio": { "mode": "keep-pitch", "freeze": "hold" } } }
                """.utf8))
        #expect(
            RequestCommand(of: blurred, input: "in.mov").text.hasSuffix(
                "--frames motion --skip-repeats --shutter 172.5 --audio keep-pitch --freeze-sound hold"
            ))
        let clip = """
            { "request": { "media": "a", "task": "reverse", "boomerang": true,
              "video": { "rate": "60" } }, "end": "2" }
            """
        let edit = try decoder.decode(EditClip.self, from: Data(clip.utf8))
        #expect(edit.segment.media == "a" && edit.end == "2" && edit.rate == "60")
        #expect(edit.segment.retiming == .thereAndBack(.reversed, turningAt: nil))
        // What the page kept although it didn't count.
        let idle = try request(
            #"{ "media": "a", "task": "warp", "sound": { "mode": "varispeed", "tune": "speech" } }"#
        )
        #expect(!RequestCommand(of: idle, input: "in.mov").text.contains("--tune"))
        let back = try request(
            #"{ "media": "a", "task": "reverse", "sound": { "mode": "keep-pitch" } }"#)
        #expect(back.usedSettings.audio.mode == .varispeed)
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
