import Foundation
import TestSupport
import Testing

/// What tests of jobs have in common: a folder with clips, and the program run in it.
protocol JobTesting {}

private let kept = KeptFiles()

extension JobTesting {
    /// A folder with two clips that are the same.
    static func folder(frames: Int = 60) throws -> TemporaryFolder {
        let clip = try kept.file("\(frames).mp4", made: TestClip { $0.frameCount = frames }.write)
        let folder = try TemporaryFolder()
        for name in ["in.mp4", "b.mp4"] {
            try FileManager.default.copyItem(atPath: clip, toPath: folder.path(name))
        }
        return folder
    }

    /// Runs the program and expects that it succeeds.
    @discardableResult
    func run(_ line: String, in folder: TemporaryFolder) throws -> String {
        let result = try timewarp(line.split(separator: " ").map(String.init), in: folder)
        #expect(result.exitCode == 0, "\(line): \(result.errors)")
        return result.output
    }

    /// Runs the program and expects that it says something.
    ///
    /// - Returns: its exit code.
    func exitCode(
        _ line: String, in folder: TemporaryFolder, says text: String
    ) throws -> Int32 {
        let result = try timewarp(line.split(separator: " ").map(String.init), in: folder)
        #expect(result.errors.contains(text), "\(line): \(result.errors)")
        return result.exitCode
    }

    /// The states of all pieces of the job `job`.
    func state(_ folder: TemporaryFolder) throws -> [String] {
        let text = try run("job job --json", in: folder)
        let state = try JSONDecoder().decode(ToldState.self, from: Data(text.utf8))
        #expect(state.pieces.map(\.index) == Array(state.pieces.indices))
        return state.pieces.map(\.state)
    }
}

private struct ToldState: Decodable {
    struct Piece: Decodable {
        let index: Int
        let state: String
    }
    let pieces: [Piece]
}
