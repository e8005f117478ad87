import Foundation
import FuzzTargets
import TestSupport
import Testing
import TimeMaps

/// Runs the targets that `make fuzz` runs with libFuzzer on mutations of the corpus. A broken promise, more
/// than a second of work, or a trap ends the run. The same seed gives the same inputs.
@Suite("Mutations")
struct MutationTests {
    static let counts: [(target: String, count: Int)] = [
        ("formula", 2500), ("curve-file", 500), ("time-map", 350), ("composition", 400),
        ("job", 1000),
        ("otio", 300), ("fcpxml", 250), ("xmeml", 250), ("edl", 250), ("mlt", 250),
        ("story", 350), ("manifest", 250), ("keyframes", 250), ("framecurve", 250),
        ("texts", 250), ("captions", 150), ("map-operations", 500),
    ]

    @Test("are read or refused, and quickly (seed 8)", arguments: counts)
    func mutations(target name: String, count: Int) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        var mutator = Mutator(try Corpus.samples(of: name), seed: 8)
        for _ in 0..<count {
            mutator.next().withUnsafeBytes { target.run($0) }
        }
    }

    @Test("what the corpus holds passes through every door", arguments: FuzzTarget.all.map(\.name))
    func corpus(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        for sample in try Corpus.samples(of: name) {
            sample.withUnsafeBytes { target.run($0) }
        }
    }

    @Test("of media are read or refused (seed 8)", arguments: ["mp4", "mkv", "mov"])
    func media(container: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == "media" })
        let folder = try TemporaryFolder()
        let clip = folder.path("clip.\(container)")
        try TestClip {
            $0.frameCount = 12
            $0.width = 96
            $0.height = 72
        }.write(to: clip)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: clip))
        var generator = SplitMix64(seed: 8)
        for number in 0..<60 {
            var damaged = bytes
            for _ in 0..<(1 + number % 12) {
                let place = Int(generator.next() % UInt64(bytes.count))
                damaged[place] = UInt8(truncatingIfNeeded: generator.next())
            }
            if number % 5 == 0 {
                damaged = damaged.prefix(Int(generator.next() % UInt64(bytes.count)))
            }
            damaged.withUnsafeBytes { target.run($0) }
        }
    }
}

/// Valid inputs, kept in the repository.
enum Corpus {
    static func samples(of target: String) throws -> [Data] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fuzzing/Corpus/\(target)")
        guard FileManager.default.fileExists(atPath: folder.path) else {
            return []
        }
        return try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }.map { try Data(contentsOf: $0) }
    }
}
