import Foundation
import Media
import TestSupport
import Testing

@Suite("Pipes")
struct PipeTests {
    /// Runs a line of the shell, in which `tw` is the program.
    private func shell(_ line: String, in folder: TemporaryFolder) throws -> ReferenceTools.Result {
        try ReferenceTools.run(
            "/bin/sh", ["-c", "tw() { '\(program)' \"$@\"; }; " + line], in: folder.url)
    }

    private func pictures(_ path: String) throws -> String {
        try ReferenceTools.ffmpeg(["-v", "error", "-i", path, "-map", "0:v", "-f", "md5", "-"])
    }

    private func samples(_ path: String) throws -> String {
        try ReferenceTools.ffmpeg(
            ["-v", "error", "-i", path, "-map", "0:a", "-c:a", "pcm_s16le", "-f", "md5", "-"])
    }

    @Test("what comes through a pipe is what a file has", arguments: ["mp4", "mkv", "nut", "y4m"])
    func formats(format: String) throws {
        let folder = try folderWithClip()
        let line = "warp in.mp4 --curve ramp --frames blend --progress none"
        let result = try shell(
            "tw \(line) -o file.\(format) && tw \(line) -o - --format \(format) > piped", in: folder
        )
        #expect(result.exitCode == 0)
        #expect(!result.errors.contains("rror"))
        #expect(try pictures(folder.path("piped")) == pictures(folder.path("file." + format)))
        let kinds = try ReferenceTools.ffprobe(
            ["-show_entries", "stream=codec_type", folder.path("piped")])
        #expect(kinds.contains { $0.contains("audio") } == (format != "y4m"))
    }

    @Test("a WAV in a pipe has the samples of the file")
    func wav() throws {
        let folder = try folderWithClip()
        let result = try shell(
            "tw scale in.mp4 --factor 2 -o file.wav && tw scale in.mp4 --factor 2 -o - --format wav | cat > piped",
            in: folder)
        #expect(result.exitCode == 0)
        #expect(try samples(folder.path("piped")) == samples(folder.path("file.wav")))
    }

    @Test(
        "stdin is read in any order, also an MP4 whose index is at its end; and a job may be piped")
    func input() throws {
        let folder = try folderWithClip()
        let result = try shell(
            """
            tw reverse in.mp4 -o file.mkv --video-codec ffv1 && cat in.mp4 | tw reverse - -o piped.mkv --video-codec ffv1 \
            && tw reverse in.mp4 -o - --format nut --print-job > job.json && tw render job.json > job.nut \
            && tw reverse in.mp4 -o - --format nut > other.nut && cmp job.nut other.nut \
            && tw inspect - < in.mp4
            """, in: folder)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.output.contains("h264"))
        #expect(try pictures(folder.path("piped.mkv")) == pictures(folder.path("file.mkv")))
        #expect(try pictures(folder.path("other.nut")) == pictures(folder.path("file.mkv")))
    }

    @Test("a job comes through stdin, and its paths start at the working directory")
    func job() throws {
        let folder = try folderWithClip()
        let result = try shell(
            """
            tw reverse in.mp4 -o out.mkv --print-job | sed "s#$PWD/##" > job.json && grep -q '"in.mp4"' job.json \
            && mkdir away && mv job.json away && tw render - < away/job.json && tw verify out.mkv --job - < away/job.json
            """, in: folder)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(try folder.contents.sorted() == ["away", "in.mp4", "out.mkv"])
        let wrong = try shell("echo '{' | tw render -", in: folder)
        #expect(
            wrong.exitCode == 65 && wrong.errors.hasPrefix("timewarp: stdin: 2:1:"),
            "\(wrong.errors)")
    }

    @Test("NUT has frames in RGB for those who ask for them, and YUV4MPEG2 never")
    func colours() throws {
        let folder = try folderWithClip()
        let result = try shell(
            """
            tw reverse in.mp4 -o rgb.nut --pixel-format rgb24 && tw reverse rgb.nut -o back.nut && tw reverse rgb.nut -o back.y4m
            """, in: folder)
        #expect(result.exitCode == 0, "\(result.errors)")
        func format(_ name: String) throws -> String? {
            try ReferenceTools.ffprobe(
                ["-select_streams", "v", "-show_entries", "stream=pix_fmt", folder.path(name)]
            ).first
        }
        #expect(try format("rgb.nut") == "rgb24" && format("back.nut") == "rgb24")
        #expect(try format("back.y4m") == "yuv444p")
        // As another program turns the same frames into RGB.
        let flags = "scale=in_color_matrix=bt601:flags=bicubic+accurate_rnd+full_chroma_int"
        let other = try ReferenceTools.ffmpeg([
            "-v", "error", "-i", folder.path("in.mp4"), "-map", "0:v", "-vf", flags, "-pix_fmt",
            "rgb24", "-f", "md5", "-",
        ])
        let own = try ReferenceTools.ffmpeg(
            ["-v", "error", "-i", folder.path("back.nut"), "-map", "0:v", "-f", "md5", "-"])
        #expect(own == other)
    }

    @Test("a reader that goes away ends it as other programs end, and nothing is left behind")
    func reader() throws {
        let folder = try folderWithClip()
        let result = try shell(
            """
            mkdir spill; { TMPDIR="$PWD/spill" tw scale in.mp4 --factor 20 -o - --format nut 2> said; echo $? > code; } \
            | head -c 1000 > taken; cat code said; ls -A spill
            """, in: folder)
        #expect(result.output == "141\n")
    }

    @Test(
        "what can't be done with a pipe is said",
        arguments: [
            ("tw warp in.mp4 -o - | cat", "--format: nut mkv mp4 y4m wav"),
            ("tw warp in.mp4 -o - --format gif | cat", "can't be written into a pipe"),
            ("tw warp in.mp4 -o - --format nut --report r.json | cat", "a pipe leaves none"),
            ("tw warp in.mp4 -o - --format nut --pieces 2 | cat", "pieces are joined in a file"),
            ("tw warp in.mp4 -o - --format y4m --fps any | cat", "--fps"),
            ("tw warp in.mp4 in.mp4 -o - --format nut | cat", "A pipe takes one input"),
            ("tw warp - -o there/ < in.mp4", "stdin has no name"),
            ("tw warp - -o x.mp4 < /dev/null", "nothing came through stdin"),
            ("tw warp in.mp4 -o x.y4m --pixel-format rgb24", "yuv420p"),
        ])
    func refusals(line: String, why: String) throws {
        let folder = try folderWithClip()
        let result = try shell(line, in: folder)
        #expect(result.errors.contains(why), "\(result.errors)")
        #expect(result.output == "")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["in.mp4"])
    }
}
