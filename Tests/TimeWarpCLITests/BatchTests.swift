import Foundation
import Media
import TestSupport
import Testing

/// One command for many inputs.
@Suite("Batches on the command line")
struct BatchTests {
    private func folder(clips: Int) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for number in 0..<clips {
            try TestClip { $0.frameCount = 5 + number }.write(to: folder.path("\(number).mp4"))
        }
        return folder
    }

    private func frames(_ path: String) throws -> Int {
        try Finding.shownFrames(in: path).count
    }

    @Test("twelve files, three of them bad: the rest is done, and the summary names the three")
    func twelve() throws {
        let folder = try folder(clips: 9)
        try Data("no film".utf8).write(to: URL(fileURLWithPath: folder.path("text.mp4")))
        try Data().write(to: URL(fileURLWithPath: folder.path("empty.mp4")))
        let inputs = (0..<9).map { "\($0).mp4" }
        let all = inputs[..<5] + ["text.mp4", "none.mp4"] + inputs[5...] + ["empty.mp4"]
        let result = try timewarp(
            ["scale"] + all + ["-o", "out/", "--factor", "2", "--preset", "ultrafast"], in: folder)
        // No such input (66) is the worst of 65, 66 and 65.
        #expect(result.exitCode == 66)
        #expect(
            result.errors.contains("9 of 12 done; failed: text.mp4, none.mp4, empty.mp4"),
            "\(result.errors)")
        #expect(result.errors.contains("[12/12] empty.mp4"))
        #expect(result.errors.contains("text.mp4: not a media file"))
        for number in 0..<9 {
            #expect(try frames(folder.path("out/\(number).mp4")) == 2 * (5 + number))
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).count == 9)
    }

    @Test(
        "names are kept, projects and kinds that aren't written become mp4, reports lie in a folder"
    )
    func names() throws {
        let folder = try folder(clips: 2)
        try Data(#"{"timewarp":"composition/1","tracks":[{"segments":[{"media":"0.mp4"}]}]}"#.utf8)
            .write(to: URL(fileURLWithPath: folder.path("edit.json")))
        try FileManager.default.createDirectory(
            atPath: folder.path("out"), withIntermediateDirectories: false)
        let result = try timewarp(
            ["reverse", "1.mp4", "edit.json", "-o", "out", "--report", "reports"], in: folder)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.errors.contains("2 of 2 done"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
                == ["1.mp4", "edit.mp4"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("reports")).sorted()
                == ["1.mp4.json", "edit.mp4.json"])
        // One input and a folder: its name is kept, and its error is the command's.
        let one = try timewarp(["warp", "0.mp4", "-o", "out"], in: folder)
        #expect(one.exitCode == 0, "\(one.errors)")
        #expect(FileManager.default.fileExists(atPath: folder.path("out/0.mp4")))
        let again = try timewarp(["warp", "0.mp4", "-o", "out"], in: folder)
        #expect(again.exitCode == 73)
        #expect(!again.errors.contains("of 1"))
    }

    @Test("every rendering command takes several inputs")
    func commands() throws {
        let folder = try folder(clips: 2)
        for (command, options) in [
            ("warp", ["--curve", "ramp"]), ("stretch", ["--to", "1"]), ("copy", []),
        ] {
            let result = try timewarp(
                [command, "0.mp4", "1.mp4", "-o", command + "/"] + options, in: folder)
            #expect(result.exitCode == 0, "\(command): \(result.errors)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path(command)).count
                    == 2)
        }
    }

    @Test("what can't work is refused before anything is written")
    func refused() throws {
        let folder = try folder(clips: 2)
        try FileManager.default.createDirectory(
            atPath: folder.path("sub"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            atPath: folder.path("0.mp4"), toPath: folder.path("sub/0.mp4"))
        let names = try timewarp(["warp", "0.mp4", "1.mp4", "sub/0.mp4", "-o", "out/"], in: folder)
        #expect(names.exitCode == 64)
        #expect(names.errors.contains("0.mp4 and sub/0.mp4"))
        let file = try timewarp(["warp", "0.mp4", "1.mp4", "-o", "1.mp4"], in: folder)
        #expect(file.exitCode == 64)
        #expect(file.errors.contains("1.mp4 is the name of a file"))
        // The outputs would replace inputs.
        let own = try timewarp(["warp", "0.mp4", "1.mp4", "-o", ".", "--overwrite"], in: folder)
        #expect(own.exitCode == 73)
        #expect(own.errors.contains("0 of 2 done"))
        let plans = try timewarp(["warp", "0.mp4", "1.mp4", "-o", "out/", "--dry-run"], in: folder)
        #expect(plans.exitCode == 0, "\(plans.errors)")
        #expect(plans.output.contains("out/1.mp4"))
        #expect(try folder.contents.sorted() == ["0.mp4", "1.mp4", "sub"])
    }
}
