import Foundation
import TestSupport
import Testing

@testable import TimeWarpCLI

/// Jobs in folders that aren't as they should be.
@Suite("Jobs and their folders")
struct JobFolderTests: JobTesting {
    private let files = FileManager.default

    @Test("a plan that is refused leaves the job that is there as it was")
    func refusedPlan() throws {
        let folder = try Self.folder()
        try TestClip { $0.frameCount = 60 }.write(to: folder.path("c.mp4"))
        try run("scale in.mp4 -o out.mp4 --factor 2 --plan job --pieces 3", in: folder)
        #expect(
            try exitCode(
                "scale c.mp4 -o out.mp4 --factor 2 --plan job --pieces 3", in: folder,
                says: "exists") == 73)
        try run("piece job --all", in: folder)
        // The same plan again is no other one.
        try run("scale in.mp4 -o out.mp4 --factor 2 --plan job --pieces 3", in: folder)
        #expect(try state(folder) == ["done", "done", "done"])
        try run("join job --clean", in: folder)
        #expect(try folder.contents == ["b.mp4", "c.mp4", "in.mp4", "out.mp4"])
    }

    @Test("a job's folder, the working folder and the input may be reached through links")
    func links() throws {
        let folder = try Self.folder()
        try files.createDirectory(
            atPath: folder.path("disk/deep/jobs"), withIntermediateDirectories: true)
        try files.createDirectory(
            atPath: folder.path("disk/work"), withIntermediateDirectories: true)
        for (link, place) in [
            ("jobs", "disk/deep/jobs"), ("work", "disk/work"), ("disk/work/in.mp4", "../../in.mp4"),
        ] {
            try files.createSymbolicLink(atPath: folder.path(link), withDestinationPath: place)
        }
        let scale = "scale -o out.mp4 --factor 2 --pieces 3 --preset ultrafast"
        for (place, input, output) in [
            ("jobs/job", "in.mp4", "out.mp4"), ("jobs/other", "work/in.mp4", "out.mp4"),
        ] {
            try run("\(scale) \(input) --plan \(place)", in: folder)
            try run("piece \(place) --all", in: folder)
            try run("join \(place) --clean", in: folder)
            #expect(files.fileExists(atPath: folder.path(output)))
            try files.removeItem(atPath: folder.path(output))
        }
        // Planned in a folder that is reached through a link.
        let result = try ReferenceTools.run(
            "sh",
            ["-c", "cd work && exec \"$0\" $1 in.mp4 --plan ../../jobs/job", program, scale],
            in: folder.url)
        #expect(result.exitCode == 0, "\(result.errors)")
        try run("piece jobs/job --all", in: folder)
        let joined = try run("join jobs/job --clean", in: folder)
        #expect(files.fileExists(atPath: folder.path("disk/work/out.mp4")))
        #expect(joined.contains("disk/work/out.mp4"), "the place of the output is told")
        #expect(try folder.contents == ["b.mp4", "disk", "in.mp4", "jobs", "work"])
    }

    @Test("without the folder in which it was planned, a job writes nothing elsewhere")
    func workingFolderGone() throws {
        let folder = try Self.folder()
        let work = folder.url.appendingPathComponent("work")
        try files.createDirectory(at: work, withIntermediateDirectories: false)
        let result = try ReferenceTools.run(
            program,
            ["scale", folder.path("in.mp4"), "-o", "out.mp4", "--factor", "2", "--pieces", "3"]
                + ["--preset", "ultrafast", "--plan", "../job"], in: work)
        #expect(result.exitCode == 0, "\(result.errors)")
        try run("piece job --all", in: folder)
        #expect(try run("job job", in: folder).contains(work.path + "/out.mp4"))
        try files.removeItem(at: work)
        // The pieces are there, and need nothing of that folder.
        try run("piece job --index 0", in: folder)
        #expect(try exitCode("join job", in: folder, says: work.path) == 73)
        #expect(try folder.contents == ["b.mp4", "in.mp4", "job"])
    }

    @Test("only join --overwrite replaces an output, whatever was said when the job was planned")
    func overwriting() throws {
        let folder = try Self.folder()
        let scale = "scale in.mp4 -o out.mp4 --factor 2 --preset ultrafast --pieces 2"
        try run(scale + " --plan job --overwrite", in: folder)
        try run("piece job --all", in: folder)
        let mine = Data("mine".utf8)
        try mine.write(to: folder.url.appendingPathComponent("out.mp4"))
        #expect(try exitCode("join job", in: folder, says: "exists already") == 73)
        #expect(files.contents(atPath: folder.path("out.mp4")) == mine)
        try run("join job --overwrite", in: folder)
        #expect(files.contents(atPath: folder.path("out.mp4")) != mine)
    }

    @Test("a file that can't be read isn't a damaged piece, and is read only when it has to be")
    func unreadable() throws {
        let folder = try Self.folder()
        try run("scale in.mp4 -o out.mp4 --factor 2 --plan job --pieces 3", in: folder)
        // Reading a folder fails as on a broken disk.
        let piece = folder.path("job/pieces/0.piece")
        try files.createDirectory(atPath: piece, withIntermediateDirectories: false)
        #expect(try exitCode("job job", in: folder, says: "0.piece") == 74)
        #expect(try exitCode("piece job --index 0", in: folder, says: "0.piece") == 74)
        try run("piece job --next", in: folder)
        #expect(try exitCode("join job", in: folder, says: "missing: 2") == 75)
        try run("piece job --next", in: folder)
        #expect(try exitCode("piece job --next", in: folder, says: "0.piece") == 74)
        #expect(try exitCode("join job", in: folder, says: "0.piece") == 74)
        try files.removeItem(atPath: piece)
        try run("piece job --all", in: folder)
        try run("join job", in: folder)
    }

    // Which files another program has open is told by Linux alone.
    #if os(Linux)
        @Test("a signal while pieces are read is an interruption, and no piece is called damaged")
        func interrupted() async throws {
            let folder = try Self.folder()
            try run("scale in.mp4 -o out.mp4 --factor 2 --plan job --pieces 2", in: folder)
            try run("piece job --all", in: folder)
            let job = JobFolder(folder.path("job"))
            try makeEndless(job.pieceFile(0), identity: try job.plan().identity())
            for arguments in [["job", "job", "--json"], ["piece", "job", "--index", "0"]] {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: program)
                process.arguments = arguments
                process.currentDirectoryURL = folder.url
                let (output, errors) = (Pipe(), Pipe())
                (process.standardOutput, process.standardError) = (output, errors)
                try process.run()
                try await waitUntil("the piece is read") {
                    let open = "/proc/\(process.processIdentifier)/fd"
                    return (try? files.contentsOfDirectory(atPath: open))?.contains {
                        (try? files.destinationOfSymbolicLink(atPath: "\(open)/\($0)"))?
                            .hasSuffix("0.piece") ?? false
                    } ?? false
                }
                process.terminate()
                try await waitUntil("the program ends") { !process.isRunning }
                #expect(process.terminationStatus == 143, "\(arguments)")
                let text = String(
                    decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                #expect(text.contains("interrupted"), "\(text)")
                #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
            }
        }
    #endif

    /// Replaces a piece by one whose packets take minutes to read, and next to no place on the disk.
    private func makeEndless(_ path: String, identity: String) throws {
        var head = Data("TimeWarp piece/2\n".utf8)
        let title = Data("\(identity) 0".utf8)
        head += record(1, title.count) + title
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: head)
        let size = 16 << 20
        var place = UInt64(head.count)
        for _ in 0..<3000 {
            try file.seek(toOffset: place)
            try file.write(contentsOf: record(3, size))
            place += UInt64(size) + 9
        }
        try file.truncate(atOffset: place)
        try file.close()
    }

    private func record(_ kind: UInt8, _ size: Int) -> Data {
        func bytes(_ number: UInt32) -> Data {
            withUnsafeBytes(of: number.littleEndian) { Data($0) }
        }
        return Data([kind]) + bytes(0) + bytes(UInt32(size))
    }

    @Test(
        "files that options name are needed only to plan a job, also where a clip follows the name")
    func goneOptions() throws {
        let folder = try Self.folder()
        let curve =
            #"{"timewarp":"curve/1","keyframes":[{"at":"0","speed":1},{"at":"1","speed":0.5}]}"#
        try Data(curve.utf8).write(to: folder.url.appendingPathComponent("c.json"))
        try run("compose b.mp4 -o edit.otio", in: folder)
        let warp = "warp in.mp4 --preset ultrafast --pieces 3"
        for (option, name) in [
            ("--curve-file c.json", "c.json"), ("--time-map=edit.otio#b.mp4", "edit.otio"),
        ] {
            try run("\(warp) \(option) -o one.mp4", in: folder)
            try run("\(warp) \(option) -o out.mp4 --plan job", in: folder)
            try files.removeItem(atPath: folder.path(name))
            try run("piece job --all", in: folder)
            try run("join job --clean", in: folder)
            let outputs = ["out.mp4", "one.mp4"].map(folder.path)
            #expect(files.contentsEqual(atPath: outputs[0], andPath: outputs[1]))
            try outputs.forEach(files.removeItem)
        }
    }

    @Test("a plan whose pieces aren't those of its render is refused")
    func tamperedPlan() throws {
        let folder = try Self.folder()
        try run("scale in.mp4 -o out.mp4 --factor 2 --plan job --pieces 3", in: folder)
        let plan = folder.url.appendingPathComponent("job/plan.json")
        let text = try String(contentsOf: plan, encoding: .utf8)
        for (from, to) in [
            (#""track" : 0"#, #""track" : 7"#), (#""track" : 0"#, #""track" : -1"#),
            (#""index" : 0"#, #""index" : 100"#), (#""index" : 0"#, #""index" : -1"#),
            (#""index" : 0"#, #""index" : 9223372036854775807"#), (#""from" : 0"#, #""from" : 1"#),
            (#""sound" : false"#, #""sound" : true"#),
            (#""sound" : false"#, #""files" : [-1, 2], "sound" : false"#),
            (#""known" : ""#, #""known" : "../../../"#),
        ] {
            #expect(text.contains(from))
            try Data(text.replacing(from, with: to).utf8).write(to: plan)
            for command in ["piece job --index 0", "piece job --all"] {
                let result = try timewarp(
                    command.split(separator: " ").map(String.init), in: folder)
                #expect(result.exitCode == 65, "\(to): \(result.errors)")
            }
        }
        // What isn't a file isn't an absent plan.
        try files.removeItem(at: plan)
        try files.createDirectory(at: plan, withIntermediateDirectories: false)
        let result = try timewarp(["job", "job"], in: folder)
        #expect(result.exitCode != 0 && !result.errors.contains("there is no plan"))
    }

    @Test("a lock may say anything")
    func tamperedLock() throws {
        let folder = try Self.folder()
        try run("scale in.mp4 -o out.mp4 --factor 2 --plan job --pieces 3", in: folder)
        let lock = folder.url.appendingPathComponent("job/pieces/0.lock")
        let long = String(repeating: "a", count: 5000)
        for (text, told) in [
            (#"{"worker":"x\u001b[31my\u0007","done":1e300}"#, "100 %, by x[31my"),
            (#"{"worker":"a:1","done":-1e300}"#, "0 %, by a:1"),
            (#"{"worker":"\#(long)","done":0.5}"#, "by unknown"), ("", "0 %, by unknown"),
        ] {
            try Data(text.utf8).write(to: lock)
            let output = try run("job job", in: folder)
            #expect(output.contains(told) && !output.contains("\u{1B}"), "\(output)")
        }
    }

    @Test("a lock that was removed isn't written again")
    func removedLock() throws {
        let folder = try TemporaryFolder()
        let lock = PieceLock.takenOver(folder.path("0.lock"))
        lock.remove()
        lock.renew(done: 1)
        #expect(try folder.contents.isEmpty)
    }

    @Test("planning says how the work is divided, in plain numbers")
    func told() throws {
        let folder = try Self.folder(frames: 90)
        try Data(
            #"{"timewarp":"time-map/1","points":[{"output":0,"source":0},{"output":20,"source":0},{"output":23,"source":3}]}"#
                .utf8
        ).write(to: folder.url.appendingPathComponent("held.json"))
        for (command, line, note) in [
            ("scale in.mp4 -o a.mp4 --factor 2 --pieces 1", "0: video and sound\n", ""),
            (
                "stretch in.mp4 -o b.wav --by 1s --pieces 8", "0: the sound\n",
                "there is 1 piece, not 8: sound isn't cut"
            ),
            ("scale in.mp4 -o c.mp4 --factor 2 --audio mute --pieces 1", "0: the video\n", ""),
            ("copy in.mp4 -o d.mp4", "none: nothing is encoded", ""),
            (
                "scale in.mp4 -o e.mp4 --factor 2 --pieces 2",
                "0 to 1: 1 of video; 1 makes the sound\n", ""
            ),
            (
                "warp in.mp4 -o f.mp4 --time-map held.json --pieces 5", "4 makes the sound\n",
                "a frame that is shown for long isn't cut"
            ),
            (
                "compose in.mp4 b.mp4 --dissolve 2s -o g.mp4 --pieces 9", "8 makes the sound\n",
                "clips that dissolve or are seen through each other aren't cut"
            ),
        ] {
            let arguments = (command + " --plan job --overwrite").split(separator: " ")
            let result = try timewarp(arguments.map(String.init), in: folder)
            #expect(result.output.contains(line), "\(command): \(result.output)")
            #expect(
                note.isEmpty ? result.errors.isEmpty : result.errors.contains(note),
                "\(command): \(result.errors)")
        }
    }
}
