import Foundation
import TestSupport
import Testing

/// Arguments and files that are too long, too deeply nested or too wild, given to the program itself.
@Suite("Hostile command lines")
struct HostileCommandTests {
    private static let brackets = String(repeating: "(", count: 100_000)
    private static let wild = "1" + String(repeating: "+sin(1e9*t)", count: 900)

    /// Arguments, and a part of the error message that they cause.
    static let plots: [(arguments: [String], says: String)] = [
        (["--scale", brackets], "10000 bytes"), (["--integral", brackets], "10000 bytes"),
        (["--scale", String(repeating: "(", count: 9000)], "nesting"),
        (["--scale", wild], "in reasonable time"),
        (["--speed", wild], "may be infinite or undefined"),
        (["--curve-file", "large.json"], "1 MiB"), (["--curve-file", "deep.json"], "nested more"),
        (["--curve-file", "/dev/zero"], "1 MiB"),
        (["--curve-file", "wild.json"], "in reasonable time"),
        (["--keyframes", "0s:1,9000000000000000000s:0"], "not a keyframe"),
        (["--keyframes", String(repeating: "0:1,", count: 30_000)], "100000 bytes"),
    ]

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        }
        for (name, count) in [("large.json", 10_000_000), ("huge.json", 17_000_000)] {
            let blank = Data("{".utf8) + Data(repeating: 0x20, count: count) + Data("}".utf8)
            try blank.write(to: URL(fileURLWithPath: folder.path(name)))
        }
        try write(
            "{\"timewarp\":\"curve/1\",\"components\":" + String(repeating: "[", count: 100_000),
            "deep.json")
        let parts = (0..<100).map {
            "{\"range\":[\(Double($0) / 100),\(Double($0) / 100 + 0.009)],"
                + "\"curve\":{\"scale\":\"1+floor(t*5000)/5000\"}}"
        }
        try write(
            "{\"timewarp\":\"curve/1\",\"components\":[\(parts.joined(separator: ","))]}",
            "wild.json")
        return folder
    }

    /// Runs the program, which the system kills once it has computed for 20 seconds.
    ///
    /// A refusal at once takes a fraction of that; some of these took minutes.
    private func timewarpAtOnce(
        _ arguments: [String], in folder: TemporaryFolder
    ) throws -> ReferenceTools.Result {
        try ReferenceTools.run(
            "/bin/sh", ["-c", "ulimit -t 20 && exec \"$0\" \"$@\"", program] + arguments,
            in: folder.url)
    }

    @Test(
        "a file in which nothing happens for days is refused, not held for days",
        arguments: [["warp", "days.mkv"], ["compose", "days.mkv"], ["reverse", "days.mkv"]])
    func days(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let ticks = (0..<30).map { Int64($0) * 40 }
        try TestClip {
            $0.times = (ticks + ticks.map { $0 + 120_000_000 }, end: 120_001_200, perSecond: 1000)
            $0.audioCodec = nil
        }.write(to: folder.path("days.mkv"))
        let result = try timewarp(arguments + ["-o", "out.mp4"], in: folder)
        #expect(result.exitCode == 65, "\(result.errors.prefix(300))")
        #expect(result.errors.contains("days.mkv: its times jump"), "\(result.errors.prefix(300))")
        #expect(try folder.contents == ["days.mkv"])
    }

    @Test("timewarp plot refuses them at once", arguments: plots)
    func plot(arguments: [String], says: String) throws {
        let folder = try folder()
        let result = try timewarpAtOnce(["plot"] + arguments + ["-o", "x.svg"], in: folder)
        #expect(result.exitCode == 65, "\(result.errors.prefix(300))")
        #expect(result.errors.contains(says), "\(result.errors.prefix(300))")
        #expect(!FileManager.default.fileExists(atPath: folder.path("x.svg")))
    }

    @Test(
        "timewarp warp refuses them at once",
        arguments: [
            ("--time-map", "huge.json", "16 MiB"), ("--time-map", "deep.json", "nested more"),
            ("--time-map", "/dev/zero", "16 MiB"), ("--curve-file", "large.json", "1 MiB"),
            ("--scale", Self.brackets, "10000 bytes"),
            ("--scale", Self.wild, "in reasonable time"),
        ])
    func warp(option: String, value: String, says: String) throws {
        let folder = try folder()
        try TestClip { $0.frameCount = 10 }.write(to: folder.path("in.mp4"))
        let result = try timewarpAtOnce(
            ["warp", "in.mp4", option, value, "-o", "x.mp4"], in: folder)
        #expect(result.exitCode == 65, "\(result.errors.prefix(300))")
        #expect(result.errors.contains(says), "\(result.errors.prefix(300))")
        #expect(!FileManager.default.fileExists(atPath: folder.path("x.mp4")))
    }

    @Test("a small file may come through a pipe")
    func pipe() throws {
        let folder = try folder()
        let result = try ReferenceTools.run(
            "/bin/sh",
            [
                "-c",
                "echo '{\"timewarp\":\"curve/1\",\"curve\":\"ramp\"}' | \"$0\" plot "
                    + "--curve-file /dev/stdin -o x.svg", program,
            ], in: folder.url)
        #expect(result.exitCode == 0, "\(result.errors)")
    }
}
