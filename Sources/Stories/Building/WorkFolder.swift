import Foundation
import Media

/// A folder that grows beside its place and is moved there when it is whole.
///
/// Whatever ends the owner before ``publish(as:)`` removes it.
final class WorkFolder {
    private let url: URL
    private let existing: Muxer.Existing
    private var isPublished = false

    /// - Parameter output: the place of the result.
    /// - Throws: `MediaError` when it is taken, or its folder can't be written to.
    init(beside output: String, overwriting existing: Muxer.Existing) throws {
        self.existing = existing
        try Self.requireFree(output, existing)
        let place = URL(fileURLWithPath: output)
        let unique = String(UInt32.random(in: 0...UInt32.max), radix: 36)
        url = place.deletingLastPathComponent().appendingPathComponent(
            ".\(place.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier)-\(unique)"
                + ".timewarp-part")
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        } catch {
            throw MediaError(
                .cannotCreate, file: output,
                reason: "its folder can't be written to: \(error.localizedDescription)")
        }
    }

    deinit {
        if !isPublished {
            try? FileManager.default.removeItem(at: url)
        }
    }

    private static func requireFree(_ output: String, _ existing: Muxer.Existing) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: output, isDirectory: &isFolder) else {
            return
        }
        guard existing == .overwrite else {
            throw MediaError(
                .exists, file: output, reason: "it exists already",
                remedy: "Choose another name, or say --overwrite")
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
        try attempt(name) { try data.write(to: url.appendingPathComponent(name)) }
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
    func publish(as output: String) throws {
        try Self.requireFree(output, existing)
        let place = URL(fileURLWithPath: output)
        try attempt(output) {
            guard FileManager.default.fileExists(atPath: place.path) else {
                try FileManager.default.moveItem(at: url, to: place)
                return
            }
            let old = URL(fileURLWithPath: url.path + ".old")
            try FileManager.default.moveItem(at: place, to: old)
            do {
                try FileManager.default.moveItem(at: url, to: place)
            } catch {
                try FileManager.default.moveItem(at: old, to: place)
                throw error
            }
            try FileManager.default.removeItem(at: old)
        }
        isPublished = true
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
