import Foundation
import TestSupport
import Testing

@testable import TimeWarpCLI

/// Renders in pieces, as schedulers start them: each piece is a process of its own.
@Suite("Jobs in pieces")
struct JobTests: JobTesting {
    #if canImport(Glibc)
        @Test("in jobs, new memory is zero, whatever was there before")
        func zeros() throws {
            OwnProcess.handOutZeros()
            defer { OwnProcess.handOutZeros(false) }
            let size = 100_000
            for _ in 0..<3 {
                let memory = try #require(malloc(size))
                #expect(UnsafeRawBufferPointer(start: memory, count: size).allSatisfy { $0 == 0 })
                memset(memory, 0xAA, size)
                free(memory)
            }
        }
    #endif

    private func packets(_ name: String, in folder: TemporaryFolder) throws -> [String] {
        try Finding.packets(in: folder.path(name))
    }

    /// A command without its output, and the output's file extension.
    struct Work: Sendable, CustomTestStringConvertible {
        let command: String
        let ending: String
        var isLossless = false
        var testDescription: String { command }
    }

    static let works = [
        Work(command: "warp in.mp4 --curve ramp --preset ultrafast", ending: "mp4"),
        Work(command: "warp in.mp4 --curve ramp --fps any --preset veryfast", ending: "mp4"),
        Work(command: "reverse in.mp4 --video-codec hevc --preset ultrafast", ending: "mp4"),
        Work(
            command: "compose in.mp4 b.mp4 --dissolve 500ms --video-codec av1 --preset 12",
            ending: "mp4"),
        Work(
            command: "scale in.mp4 --factor 2 --frames motion --video-codec prores", ending: "mov"),
        Work(
            command:
                "scale in.mp4 --factor 3/2 --frames blend --video-codec ffv1 --audio-codec pcm",
            ending: "mkv", isLossless: true),
        Work(
            command: "reverse in.mp4 --boomerang --video-codec ffv1 --audio-codec pcm",
            ending: "mkv", isLossless: true),
    ]

    /// Each command in some pieces, in two, or in as many as there can be, which one that encodes with loss and one without
    /// are.
    static let divisions = zip(works, [64, 7, 2, 7, 2, 64, 7]).map { ($0, $1) }

    @Test(
        "the joined file has the packets that one machine writes, with any number of jobs",
        arguments: divisions)
    func joined(work: Work, count: Int) throws {
        let folder = try Self.folder()
        let pieces = "--pieces \(count)"
        try run("\(work.command) -o out.\(work.ending) --plan job \(pieces)", in: folder)
        // A clip of 60 frames can't be cut into 64 even pieces.
        let states = try state(folder)
        #expect(count < 64 ? states.count == count : (32...64).contains(states.count))
        #expect(Set(states) == ["missing"])
        if work.isLossless, count == 7 {
            // In another order, each by a process of its own.
            for index in (0..<count).reversed() {
                try run("piece job --index \(index)", in: folder)
            }
        } else {
            try run("piece job --all", in: folder)
        }
        try run("join job --clean", in: folder)
        try run("\(work.command) -o one.\(work.ending) \(pieces)", in: folder)
        try run("\(work.command) -o four.\(work.ending) \(pieces) --jobs 4", in: folder)
        let expected = try packets("one.\(work.ending)", in: folder)
        #expect(try packets("four.\(work.ending)", in: folder) == expected)
        #expect(try packets("out.\(work.ending)", in: folder) == expected)
        if work.ending != "mkv" {
            // Matroska states a random number for each file.
            #expect(
                FileManager.default.contentsEqual(
                    atPath: folder.path("out.\(work.ending)"),
                    andPath: folder.path("one.\(work.ending)")))
        }
        if work.isLossless {
            try run("\(work.command) -o whole.mkv", in: folder)
            let (joined, whole) = (folder.path("out.mkv"), folder.path("whole.mkv"))
            #expect(try Finding.decodedFrames(in: joined) == Finding.decodedFrames(in: whole))
            #expect(
                try Finding.sound(in: joined, channelCount: 2)
                    == Finding.sound(in: whole, channelCount: 2))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("job")))
    }

    @Test("what has nothing to encode, or only sound, is a job as well")
    func small() throws {
        let folder = try Self.folder()
        let works = [
            ("copy in.mp4 -o a.mkv", 0), ("stretch in.mp4 -o b.wav --by 1s --pieces 8", 1),
            ("scale in.mp4 -o c.mp4 --factor 2 --pieces 1", 1),
            ("scale in.mp4 -o d.mp4 --factor 2 --video-codec copy --fps any --pieces 4", 1),
        ]
        for (command, count) in works {
            try run(command + " --plan job", in: folder)
            #expect(try state(folder).count == count)
            try run("piece job --all", in: folder)
            try run("join job --clean", in: folder)
        }
    }

    @Test("a story is cut between its media files")
    func story() throws {
        let folder = try Self.folder()
        let story = """
            { "timewarp": "story/1", "title": "t", "start": "a", "segments": {
              "a": { "media": "in.mp4", "range": ["0", "1"],
                "choices": [{ "label": "b", "goto": "b" }, { "label": "c", "goto": "c" }] },
              "b": { "media": "b.mp4", "range": ["1", "2"], "dissolve": "0.2", "role": "epilogue" },
              "c": { "media": "in.mp4", "warp": { "curve": "ramp" }, "role": "epilogue" } } }
            """
        try Data(story.utf8).write(to: folder.url.appendingPathComponent("story.json"))
        let build = "story build story.json --preset ultrafast --pieces 3"
        try run(build + " -o film --plan job", in: folder)
        #expect(try state(folder) == ["missing", "missing", "missing"])
        try run("piece job --index 2", in: folder)
        #expect(try exitCode("join job", in: folder, says: "missing: 0-1") == 75)
        // Mounts differ: a file that the story names is somewhere else.
        try FileManager.default.moveItem(atPath: folder.path("b.mp4"), toPath: folder.path("c.mp4"))
        #expect(try exitCode("piece job --index 0", in: folder, says: "--input b.mp4=") == 66)
        try run("piece job --all --input b.mp4=c.mp4", in: folder)
        try run("join job --clean --input b.mp4=c.mp4", in: folder)
        try FileManager.default.moveItem(atPath: folder.path("c.mp4"), toPath: folder.path("b.mp4"))
        try run(build + " -o whole", in: folder)
        #expect(try folder.contents == ["b.mp4", "film", "in.mp4", "story.json", "whole"])
        let difference = try ReferenceTools.run("diff", ["-r", "film", "whole"], in: folder.url)
        #expect(difference.exitCode == 0, "\(difference.output)")
    }

    @Test("media that a project names may be somewhere else")
    func movedMedia() throws {
        let folder = try Self.folder()
        let project = """
            { "timewarp": "composition/1", "tracks": [{ "segments": [
              { "media": "in.mp4", "range": ["0", "1"] }, { "media": "b.mp4", "play": "reversed" }] }] }
            """
        try Data(project.utf8).write(to: folder.url.appendingPathComponent("edit.json"))
        let compose = "compose edit.json --preset ultrafast --pieces 4"
        try run(compose + " -o out.mp4 --plan job", in: folder)
        try FileManager.default.moveItem(atPath: folder.path("b.mp4"), toPath: folder.path("c.mp4"))
        try run("piece job --all --input b.mp4=c.mp4", in: folder)
        try run("join job --clean --input b.mp4=c.mp4", in: folder)
        try FileManager.default.moveItem(atPath: folder.path("c.mp4"), toPath: folder.path("b.mp4"))
        try run(compose + " -o one.mp4", in: folder)
        #expect(try packets("out.mp4", in: folder) == packets("one.mp4", in: folder))
    }

    @Test("missing, damaged and foreign pieces are told, refused and rendered again")
    func repaired() throws {
        let folder = try Self.folder()
        try run("scale in.mp4 -o out.mp4 --factor 2 --plan job --pieces 3", in: folder)
        try run("piece job --index 0", in: folder)
        try run("piece job --next", in: folder)
        #expect(try state(folder) == ["done", "done", "missing"])
        #expect(try exitCode("join job", in: folder, says: "missing: 2") == 75)
        try run("piece job --next", in: folder)
        try run("piece job --next", in: folder)
        let piece = folder.url.appendingPathComponent("job/pieces/1.piece")
        let sound = try Data(contentsOf: piece)
        for place in [3, 30, 80, sound.count / 2, sound.count - 1] {
            var damaged = sound
            damaged[place] ^= 0x10
            try damaged.write(to: piece)
            #expect(try state(folder) == ["done", "damaged", "done"], "\(place)")
        }
        for length in [0, 10, sound.count / 3, sound.count - 1] {
            try sound.prefix(length).write(to: piece)
            #expect(try state(folder) == ["done", "damaged", "done"], "\(length)")
        }
        #expect(
            try exitCode("join job", in: folder, says: "damaged or belong to another plan: 1") == 65
        )
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.mp4")))
        try run("piece job --index 1", in: folder)
        #expect(try Data(contentsOf: piece) == sound)
        // Another plan in the same folder: its pieces are others.
        #expect(
            try exitCode(
                "scale in.mp4 -o out.mp4 --factor 3 --plan job --pieces 3", in: folder,
                says: "exists") == 73)
        try run(
            "scale in.mp4 -o out.mp4 --factor 3 --plan job --pieces 3 --overwrite", in: folder)
        #expect(try state(folder) == ["damaged", "damaged", "damaged"])
        try run("piece job --all", in: folder)
        try run("join job", in: folder)
    }

    @Test("an input that changed, and another build, are refused with a sentence")
    func refused() throws {
        let folder = try Self.folder()
        try run("scale in.mp4 -o out.mp4 --factor 2 --plan job --pieces 3", in: folder)
        #expect(try exitCode("piece job --index 3", in: folder, says: "0 to 2") == 64)
        #expect(try exitCode("piece job", in: folder, says: "--index") == 64)
        let plan = folder.url.appendingPathComponent("job/plan.json")
        let text = try String(contentsOf: plan, encoding: .utf8)
        func write(_ from: String, _ to: String) throws {
            #expect(text.contains(from))
            try Data(text.replacing(from, with: to).utf8).write(to: plan)
        }
        for (from, to) in [
            ("timewarp 0.", "timewarp 9."), ("libavcodec.so", "libavcodec.so.other"),
            ("\"processor\" : \"", "\"processor\" : \"un"),
        ] {
            try write(from, to)
            for command in ["piece job --index 0", "join job"] {
                #expect(try exitCode(command, in: folder, says: "planned") == 65, "\(from)")
            }
        }
        try write("\"job/1\"", "\"job/9\"")
        #expect(try exitCode("piece job --index 0", in: folder, says: "isn't the plan") == 65)
        try Data(text.utf8).write(to: plan)
        var clip = try Data(contentsOf: folder.url.appendingPathComponent("in.mp4"))
        clip[clip.count / 2] ^= 1
        try FileManager.default.removeItem(atPath: folder.path("in.mp4"))
        try clip.write(to: folder.url.appendingPathComponent("in.mp4"))
        #expect(try exitCode("piece job --index 0", in: folder, says: "it changed") == 65)
        try FileManager.default.removeItem(atPath: folder.path("in.mp4"))
        #expect(try exitCode("piece job --index 0", in: folder, says: "--input") == 66)
        try run("piece job --index 0 --input b.mp4", in: folder)
        #expect(try exitCode("piece none --all", in: folder, says: "--plan") == 66)
        #expect(
            try exitCode("scale b.mp4 -o c.mp4 --factor 2 --plan j", in: folder, says: "--pieces")
                == 64)
    }

    @Test("a job's folder may be moved with its input, and planned from elsewhere")
    func moved() throws {
        let folder = try Self.folder()
        try run("scale in.mp4 -o out.mp4 --factor 2 --plan job --pieces 3", in: folder)
        try run("piece job --index 0", in: folder)
        let other = try TemporaryFolder()
        for name in ["in.mp4", "job"] {
            try FileManager.default.moveItem(
                atPath: folder.path(name), toPath: other.path(name))
        }
        try run("piece \(other.path("job")) --all", in: folder)
        try run("join \(other.path("job"))", in: folder)
        #expect(FileManager.default.fileExists(atPath: other.path("out.mp4")))
    }

    @Test("workers that are killed at any instant do no harm")
    func killed() async throws {
        let folder = try Self.folder()
        let command = "warp in.mp4 --curve ramp --preset veryfast --pieces 9"
        try run(command + " -o out.mp4 --plan job", in: folder)
        try run(command + " -o one.mp4", in: folder)
        var random = SystemRandomNumberGenerator()
        for attempt in 0..<10 {
            let workers = try (0..<2).map { _ in
                let process = Process()
                process.executableURL = URL(fileURLWithPath: program)
                process.arguments = ["piece", "job", "--all", "--lock-age", "4"]
                process.currentDirectoryURL = folder.url
                process.standardError = FileHandle.nullDevice
                try process.run()
                return process
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...600, using: &random)))
            for worker in workers {
                kill(worker.processIdentifier, SIGKILL)
                try await waitUntil("the worker has ended") { !worker.isRunning }
            }
            let states = try state(folder)
            #expect(!states.contains("damaged"))
            if !states.contains("missing"), !states.contains("running") {
                // Everything is there: damage something, or begin again.
                let piece = folder.path("job/pieces/\(attempt % 9).piece")
                // A worker that was killed after it finished the piece has left its lock.
                unlink(folder.path("job/pieces/\(attempt % 9).lock"))
                if attempt % 2 == 0 {
                    truncate(piece, off_t(attempt * 50))
                    #expect(try exitCode("join job", in: folder, says: "damaged") == 65)
                    try run("piece job --index \(attempt % 9)", in: folder)
                } else {
                    unlink(piece)
                    #expect(try exitCode("join job", in: folder, says: "missing") == 75)
                }
            }
        }
        try run("piece job --all --lock-age 4", in: folder)
        try run("join job --clean", in: folder)
        #expect(try folder.contents == ["b.mp4", "in.mp4", "one.mp4", "out.mp4"])
        #expect(
            FileManager.default.contentsEqual(
                atPath: folder.path("out.mp4"), andPath: folder.path("one.mp4")))
    }

    @Test("a full disk leaves no piece, and a sentence")
    func fullDisk() throws {
        let folder = try Self.folder()
        try run("scale in.mp4 -o out.mp4 --factor 2 --plan job --pieces 3", in: folder)
        let result = try ReferenceTools.run(
            "sh",
            [
                "-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\"", program, "piece", "job",
                "--index", "0",
            ], in: folder.url)
        #expect(result.exitCode == 74, "\(result.errors)")
        #expect(result.errors.contains("0.piece"))
        #expect(try state(folder) == ["missing", "missing", "missing"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("job/pieces")).isEmpty)
    }

    @Test("the index comes from the scheduler")
    func indexed() throws {
        let folder = try Self.folder()
        try run(
            "scale in.mp4 -o out.mp4 --factor 2 --preset ultrafast --plan job --pieces 3",
            in: folder)
        for (variable, index) in [
            ("SLURM_ARRAY_TASK_ID=1", 1), ("JOB_COMPLETION_INDEX=2", 2),
            ("AWS_BATCH_JOB_ARRAY_INDEX=0", 0), ("NOMAD_ALLOC_INDEX=1", 1),
            ("PBS_ARRAY_INDEX=2", 2), ("SGE_TASK_ID=1", 0),
        ] {
            let result = try ReferenceTools.run(
                "env", [variable, program, "piece", "job"], in: folder.url)
            #expect(result.exitCode == 0, "\(variable): \(result.errors)")
            let pieces = try FileManager.default.contentsOfDirectory(
                atPath: folder.path("job/pieces"))
            #expect(pieces == ["\(index).piece"], "\(variable)")
            unlink(folder.path("job/pieces/\(index).piece"))
        }
    }

    @Test("variables that are no index are refused, or passed over")
    func variables() throws {
        #expect(try SchedulerIndex.stated(by: [:]) == nil)
        #expect(try SchedulerIndex.stated(by: ["SGE_TASK_ID": "undefined"]) == nil)
        #expect(throws: (any Error).self) {
            try SchedulerIndex.stated(by: ["SLURM_ARRAY_TASK_ID": "x"])
        }
        #expect(throws: (any Error).self) { try SchedulerIndex.stated(by: ["SGE_TASK_ID": "0"]) }
        #expect(NumberList.text([0, 1, 2, 5, 7, 8]) == "0-2, 5, 7-8")
        #expect(JobPath.relative(from: "/a/b/job", to: "/a/in.mp4") == "../../in.mp4")
    }

    @Test("a lock counts until it is too old, by the file system's clock")
    func locks() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("0.lock")
        let lock = try #require(try PieceLock.taken(path, age: 5))
        lock.renew(done: 0.5)
        #expect(try PieceLock.taken(path, age: 5) == nil)
        #expect(try PieceLock.holder(path, age: 5)?.done == 0.5)
        for seconds in [-3600.0, 3600] {
            // Abandoned long ago, or by a machine whose clock was an hour ahead.
            try FileManager.default.setAttributes(
                [.modificationDate: Date().addingTimeInterval(seconds)], ofItemAtPath: path)
            #expect(try PieceLock.holder(path, age: 5) == nil)
        }
        try #require(try PieceLock.taken(path, age: 5)).remove()
        #expect(try folder.contents.isEmpty)
    }
}
