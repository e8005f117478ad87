import Foundation
import Media
import Stories

/// A folder that grows beside its place and is moved there when it is whole.
///
/// Whatever ends the owner before ``publish()`` removes it.
final class WorkFolder {
    private let output: String
    private let part: TemporaryOutput
    private let existing: Muxer.Existing
    private var url: URL { URL(fileURLWithPath: part.path, isDirectory: true) }

    /// - Parameter output: the place of the result.
    /// - Throws: `MediaError` when it is taken, or its folder can't be written to.
    init(beside output: String, overwriting existing: Muxer.Existing) throws {
        self.existing = existing
        self.output = output
        try Self.requireFree(output, existing)
        let place = try TemporaryOutput.endOfLinks(URL(fileURLWithPath: output).path)
        part = try TemporaryOutput(of: place, as: .folder)
        // What a killed run had moved aside may be there again.
        try Self.requireFree(output, existing)
    }

    private static func requireFree(_ output: String, _ existing: Muxer.Existing) throws {
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
                .exists, file: output, reason: "it holds no built story",
                remedy: "Choose another name; only a story that was built before is replaced")
        }
    }

    /// A story's source folder may have a `story.json` too; only a built one has a manifest.
    static func isBuiltStory(_ folder: URL) -> Bool {
        let manifest = FileManager.default.contents(
            atPath: folder.appendingPathComponent("story.json").path)
        let head = folder.appendingPathComponent("media/init.mp4").path
        return FileManager.default.fileExists(atPath: head)
            && manifest.map { (try? StoryManifest(json: $0)) != nil } ?? false
    }

    /// Where a file of the folder lies.
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
        try attempt(name, "reading") {
            try Data(contentsOf: url.appendingPathComponent(name))
        }
    }

    func remove(_ name: String) throws {
        try attempt(name) {
            try FileManager.default.removeItem(at: url.appendingPathComponent(name))
        }
    }

    /// Bytes of all its files.
    func byteCount() throws -> Int {
        let files = FileManager.default.enumerator(
            at: url, includingPropertiesForKeys: [.fileSizeKey])
        var count = 0
        while let file = files?.nextObject() as? URL {
            count += try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }
        return count
    }

    /// Moves it to its place. What was there goes when the new one is.
    func publish() throws {
        try Self.requireFree(output, existing)
        try part.publish(existing: existing)
    }

    private func attempt<Result>(
        _ name: String, _ doing: String = "writing", _ work: () throws -> Result
    ) throws -> Result {
        do {
            return try work()
        } catch {
            throw MediaError(
                .writeFailed, file: name, reason: "\(doing) failed: \(error.localizedDescription)")
        }
    }
}
