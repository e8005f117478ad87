import Foundation
import Media
import Stories

/// A temporary folder beside the output. It is moved to its place when it is complete.
///
/// If its owner ends before ``publish()``, the folder is removed.
final class WorkFolder {
    private let output: String
    private let part: TemporaryOutput
    private let existing: ExistingOutput
    private var url: URL { URL(fileURLWithPath: part.path, isDirectory: true) }

    /// - Parameter output: the path of the result.
    /// - Throws: `MediaError` if the path is taken, or its folder isn't writable.
    init(beside output: String, overwriting existing: ExistingOutput) throws {
        self.existing = existing
        self.output = output
        try Self.requireFree(output, existing)
        let place = try TemporaryOutput.endOfLinks(URL(fileURLWithPath: output).path)
        part = try TemporaryOutput(of: place, as: .folder)
        // Making the temporary output may have restored a folder that a killed run had moved aside.
        try Self.requireFree(output, existing)
    }

    private static func requireFree(_ output: String, _ existing: ExistingOutput) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: output, isDirectory: &isFolder) else {
            return
        }
        guard existing == .overwrite else {
            throw MediaError(
                .exists, file: output, reason: "it exists already",
                remedy: "Choose another name, or \(.overwriting)")
        }
        guard isFolder.boolValue, Self.isBuiltStory(URL(fileURLWithPath: output)) else {
            throw MediaError(
                .exists, file: output, reason: "it isn't a folder with a built story",
                remedy: "Choose another name; only a folder with a built story is replaced")
        }
    }

    /// Whether a folder contains a built story. A folder with a story's source files may also have a
    /// `story.json`, but only that of a built story is a manifest.
    static func isBuiltStory(_ folder: URL) -> Bool {
        let manifest = FileManager.default.contents(
            atPath: folder.appendingPathComponent("story.json").path)
        let head = folder.appendingPathComponent("media/init.mp4").path
        return FileManager.default.fileExists(atPath: head)
            && manifest.map { (try? StoryManifest(json: $0)) != nil } ?? false
    }

    /// The path of a file in the temporary folder.
    func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    func makeFolder(_ name: String) throws {
        try attempt(name) {
            try FileManager.default.createDirectory(
                at: url.appendingPathComponent(name), withIntermediateDirectories: true)
        }
    }

    func write(_ data: Data, to name: String) throws {
        let file = try AtomicFile(at: path(name), existing: .overwrite)
        try file.write(data)
        try file.publish()
    }

    func read(_ name: String) throws -> Data {
        try attempt(name, "reading", as: .readFailed) {
            try Data(contentsOf: url.appendingPathComponent(name))
        }
    }

    func remove(_ name: String) throws {
        try attempt(name) {
            try FileManager.default.removeItem(at: url.appendingPathComponent(name))
        }
    }

    /// The size of all files in bytes.
    func byteCount() throws -> Int {
        let files = FileManager.default.enumerator(
            at: url, includingPropertiesForKeys: [.fileSizeKey])
        var count = 0
        while let file = files?.nextObject() as? URL {
            count += try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }
        return count
    }

    /// Moves the folder to its place. A story that was there is removed once the new one is in place.
    func publish() throws {
        try Self.requireFree(output, existing)
        try part.publish(existing: existing)
    }

    private func attempt<Result>(
        _ name: String, _ doing: String = "writing", as code: MediaError.Code = .writeFailed,
        _ work: () throws -> Result
    ) throws -> Result {
        do {
            return try work()
        } catch {
            throw MediaError(
                code, file: name, reason: "\(doing) failed: \(error.localizedDescription)")
        }
    }
}
