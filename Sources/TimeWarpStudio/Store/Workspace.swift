import Foundation
import Media

/// The folder that a studio keeps its things in.
///
/// ```
/// WORKSPACE/
///   studio/         what there is: media, curves, renders, a small file each
///   media/          files that were uploaded, and the sample
///   results/        files that were rendered
///   cache/          posters, strips, waveforms, playable copies: made again when they are missing
///   uploads/        what is being uploaded; emptied at the start
///   …               a person's own files, which can be picked and are never changed
/// ```
struct Workspace: Sendable {
    enum Folder: String, CaseIterable {
        case studio, media, results, cache, uploads
    }

    /// Absolute.
    let path: String

    /// Makes the folders that are missing.
    ///
    /// - Throws: ``MediaError`` when they can't be made.
    init(at path: String) throws {
        let url = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
        self.path = url.path
        do {
            for folder in Folder.allCases {
                try FileManager.default.createDirectory(
                    at: url.appendingPathComponent(folder.rawValue),
                    withIntermediateDirectories: true)
            }
        } catch {
            throw MediaError(
                .cannotCreate, file: path,
                reason: "the workspace can't be made: \(error.localizedDescription)",
                remedy: "Choose another \(.workspace)")
        }
    }

    /// Where a studio keeps its things unless told otherwise.
    static var usual: String {
        let environment = ProcessInfo.processInfo.environment
        let home = NSHomeDirectory()
        #if os(macOS)
            return home + "/Library/Application Support/TimeWarp"
        #else
            let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return (data ?? home + "/.local/share") + "/timewarp"
        #endif
    }

    /// Where the studio notes what there is.
    var records: String { path(to: Folder.studio.rawValue) }

    /// - Parameter file: as records have it, from the workspace on.
    func path(to file: String) -> String { path + "/" + file }

    func file(_ name: String, in folder: Folder) -> String { folder.rawValue + "/" + name }

    /// Removes a file or a folder, if it is there.
    func remove(_ file: String) {
        try? FileManager.default.removeItem(atPath: path(to: file))
    }

    /// Removes what a studio that was killed left half done: files whose names only a studio gives,
    /// because a person's own folders may be called the same.
    func removeRemains() {
        for folder in Folder.allCases where folder != .studio {
            let files = FileManager.default.enumerator(atPath: path(to: folder.rawValue))
            while let file = files?.nextObject() as? String {
                let name = file.split(separator: "/").last.map(String.init) ?? file
                if folder == .uploads
                    ? file.wholeMatch(of: /[0-9a-f]{16}/) != nil
                    : name.wholeMatch(of: /\.([0-9a-f]{16}|proxy)\..*\.timewarp-part/) != nil
                {
                    remove(folder.rawValue + "/" + file)
                }
            }
        }
    }

    /// Bytes that can still be written here; nil where nobody knows.
    var freeBytes: Int64? {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
        return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
    }
}

/// That a workspace is used by one studio at a time: held until it is let go, or the process ends.
final class WorkspaceLock: Sendable {
    private let descriptor: Int32

    /// - Throws: ``MediaError`` when another studio holds it.
    init(on workspace: Workspace) throws {
        let path = workspace.path(to: "studio.lock")
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw MediaError(
                .cannotCreate, file: workspace.path, reason: String(cString: strerror(errno)),
                remedy: "Choose another \(.workspace)")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw MediaError(
                .cannotCreate, file: workspace.path, reason: "another studio uses this workspace",
                remedy: "Open that one, end it, or choose another \(.workspace)")
        }
    }

    deinit {
        close(descriptor)
    }
}

/// Names that nobody can guess.
enum Secret {
    /// - Parameter bytes: of chance, two letters each.
    static func make(bytes: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<bytes).map { _ in
            let byte = UInt8.random(in: 0...255, using: &generator)
            return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    /// Whether two texts are the same, in a time that doesn't tell where they differ.
    static func areEqual(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        guard a.count == b.count else {
            return false
        }
        return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
