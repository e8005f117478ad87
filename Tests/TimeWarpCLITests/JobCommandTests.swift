import Foundation
import TestSupport
import Testing

@testable import TimeWarpCLI

/// Every command that renders prints a job, which makes the same file.
@Suite("Printed jobs")
struct JobCommandTests: JobTesting {
    private static let quick = "--preset ultrafast --threads 1"

    static let commands = [
        "warp in.mp4 --curve triangle --factor 2",
        "warp in.mp4 --keyframes 0:1,50%:-1,1:1 --audio keep-pitch --tune speech",
        "warp in.mp4 --scale 1+t --fit 3 --fps any --range 0.2..1.7",
        "warp in.mp4 --time-map map.json --fps 30000/1001 --frames blend",
        "warp in.mp4 --time-map frames.txt --fps 24 --frames motion --skip-repeats",
        "warp in.mp4 --time-map edit.json#b.mp4 --interpolation linear",
        "warp edit.json --curve ramp --factor 0.5 --shutter 180",
        "scale in.mp4 --factor 7/3 --boomerang --output-range 0.5..2.5",
        "scale in.mp4 --to 3 --boomerang --strip-metadata",
        "scale in.mp4 --speed 3 --audio mute --pixel-format yuv444p",
        "reverse in.mp4 --range 0.5..1.5 --memory 1MiB --pieces 2",
        "reverse in.mp4 --boomerang --audio keep",
        "compose in.mp4 b.mp4 --dissolve 0.5 --size 64x48 --fps 30",
        "compose edit.json --crossfade 20ms --output-range 0.5..2",
    ]

    /// Commands whose options aren't those of encoders.
    static let others = [
        "copy in.mp4 --index-at-end", "stretch in.mp4 --to 2.5 --audio-codec pcm",
        "stretch in.mp4 --anchors pairs.txt", "stretch edit.json --by -100ms",
        "warp in.mp4 --curve ramp --video-codec copy --fps any",
    ]

    private func folder() throws -> TemporaryFolder {
        let folder = try Self.folder(frames: 50)
        for (name, text) in [
            (
                "map.json",
                #"{ "timewarp": "time-map/1", "points": [ { "output": 0, "source": 1.5 }, { "output": 1, "source": 0.2 }, { "output": 1, "source": 0.5 }, { "output": 2, "source": 0.5 } ] }"#
            ), ("frames.txt", "1 1\n10 20\n20 5.5\n"), ("pairs.txt", "0.2 0.5\n1.5 2\n"),
            (
                "edit.json",
                #"{ "timewarp": "composition/1", "tracks": [ { "segments": [ { "media": "in.mp4", "range": ["0", "1"] }, { "media": "b.mp4", "range": ["0.5", "1.5"], "warp": { "curve": "cosine", "factor": 2 } } ] } ] }"#
            ),
        ] {
            try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
        }
        return folder
    }

    private func compare(_ command: String) throws {
        let folder = try folder()
        try run(command + " -o out.mov --progress none", in: folder)
        let job = try run(command + " -o out.mov --progress none --print-job", in: folder)
        let elsewhere = folder.path("elsewhere")
        try FileManager.default.createDirectory(
            atPath: elsewhere, withIntermediateDirectories: false)
        try Data(job.utf8).write(to: folder.url.appendingPathComponent("elsewhere/job.json"))
        try run("render elsewhere/job.json -o again.mov --progress none", in: folder)
        let files = try ["out.mov", "again.mov"].map {
            try Data(contentsOf: folder.url.appendingPathComponent($0))
        }
        #expect(files[0] == files[1], "\(command)")
        #expect(try run("render elsewhere/job.json --print-job", in: folder) == job)
        #expect(
            try folder.contents.filter { $0.hasSuffix(".mov") } == ["again.mov", "out.mov"])
    }

    @Test("make the file that the command makes, byte for byte", arguments: commands)
    func same(command: String) throws {
        try compare("\(command) \(Self.quick)")
    }

    @Test("make the file that other commands make, byte for byte", arguments: others)
    func sameOther(command: String) throws {
        try compare(command)
    }

    @Test("what was made by one is verified by it alone")
    func verify() throws {
        let folder = try folder()
        for command in [
            "warp in.mp4 --curve triangle --factor 2", "stretch in.mp4 --anchors pairs.txt",
            "compose in.mp4 b.mp4 --dissolve 0.5", "copy in.mp4",
        ] {
            let job = try run(command + " -o out.mp4 --overwrite --print-job", in: folder)
            try Data(job.utf8).write(to: folder.url.appendingPathComponent("job.json"))
            try run("render job.json --overwrite --progress none", in: folder)
            #expect(
                try run("verify out.mp4 --job job.json", in: folder).contains(
                    "matches its time map"))
        }
        try run("scale in.mp4 -o other.mp4 --factor 2 --progress none", in: folder)
        let wrong = try timewarp(["verify", "other.mp4", "--job", "job.json"], in: folder)
        #expect(wrong.exitCode == 1)
        #expect(
            try exitCode("verify in.mp4 out.mp4 --job job.json", in: folder, says: "one file") == 64
        )
        #expect(
            try exitCode("verify out.mp4 --job job.json --fps 30", in: folder, says: "--job says")
                == 64)
    }

    @Test("refuse what can't be done, and leave nothing")
    func refused() throws {
        let folder = try folder()
        #expect(
            try exitCode("render missing.json", in: folder, says: "there is no such file") == 66)
        try Data().write(to: folder.url.appendingPathComponent("beach.mp4"))
        for (path, hint) in [
            ("baech.mp4", #"Did you mean "beach.mp4"?"#),
            ("./beach.mp", #"Did you mean "./beach.mp4"?"#),
            ("shots/in.mp4", #"There is no folder "shots""#),
            ("im.mp4", "Check its name and its folder"),
            ("other.mp4", "Check its name and its folder"),
        ] {
            let result = try timewarp(["inspect", path], in: folder)
            #expect(result.exitCode == 66)
            #expect(result.errors.contains(hint), "\(result.errors)")
        }
        let job = try run("copy in.mp4 -o out.mp4 --print-job", in: folder)
        try Data(job.replacingOccurrences(of: "packets", with: "pakets").utf8)
            .write(to: folder.url.appendingPathComponent("job.json"))
        #expect(try exitCode("render job.json", in: folder, says: "timeline.format") == 65)
        try Data(job.utf8).write(to: folder.url.appendingPathComponent("job.json"))
        #expect(
            try exitCode("render job.json -o in.mp4 --overwrite", in: folder, says: "input itself")
                == 73)
        #expect(
            try exitCode("render job.json -o job.json", in: folder, says: "job.json") != 0)
        #expect(
            try exitCode(
                "scale in.mp4 b.mp4 -o x --factor 2 --print-job", in: folder, says: "one input")
                == 64)
    }
}
