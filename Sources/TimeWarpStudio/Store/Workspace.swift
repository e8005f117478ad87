import Foundation
import Media

/// The folder in which a studio keeps its files.
///
/// ```
/// WORKSPACE/
///   studio/         the records of media, curves, renders and edits, one small file each
///   media/          uploaded files, and the sample, each in a folder of its own
///   results/        rendered files, each in a folder of its own
///   cache/          posters, film strips, waveforms, playable copies: made again if they are missing
///   uploads/        unfinished uploads; emptied when the studio starts
///   edits/          the project files of the page's edits, which the page offers like the user's own files
///   …               the user's own files, which the page offers and the studio never changes
/// ```
struct Workspace: Sendable {
    enum Folder: String, CaseIterable {
        case studio, media, results, cache, uploads
    }

    /// The absolute path.
    let path: String

    /// Creates the folders that are missing.
    ///
    /// - Throws: ``MediaError`` if they can't be created.
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
                reason: "the workspace can't be created: \(error.localizedDescription)",
                remedy: "Choose another \(.workspace)")
        }
    }

    /// The default workspace.
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

    /// The folder of the studio's records.
    var records: String { path(to: Folder.studio.rawValue) }

    /// - Parameter file: a path relative to the workspace, as in records.
    func path(to file: String) -> String { path + "/" + file }

    func file(_ name: String, in folder: Folder) -> String { folder.rawValue + "/" + name }

    /// Removes a file or a folder, if it exists.
    func remove(_ file: String) {
        try? FileManager.default.removeItem(atPath: path(to: file))
    }

    /// A file that doesn't exist: with a number after its stem, if there is one without.
    ///
    /// - Parameters:
    ///   - stem: the path relative to the workspace, without the extension.
    ///   - isTaken: whether a file is about to be written by somebody else.
    func freeFile(_ stem: String, isTaken: (String) -> Bool = { _ in false }) -> String {
        for number in 1... {
            let file = "\(stem)\(number == 1 ? "" : " \(number)").json"
            if !isTaken(file), !FileManager.default.fileExists(atPath: path(to: file)) {
                return file
            }
        }
        preconditionFailure("there is always a free number")
    }

    // MARK: Files with names for people

    /// The file of an upload or a render, in a folder of its own, so that it has its name for people there, and in what
    /// is exported.
    func file(of id: String, named name: String, in folder: Folder) -> String {
        let stem = FileName.usable((name as NSString).deletingPathExtension, else: id)
        let ending = (name as NSString).pathExtension
        return file("\(id)/\(stem)\(ending.isEmpty ? "" : "." + ending)", in: folder)
    }

    /// Creates the folder of a file.
    ///
    /// - Returns: the file's absolute path.
    func makeFolder(of file: String) throws -> String {
        let path = path(to: file)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        return path
    }

    /// Removes an uploaded or rendered file, and its folder unless that is the folder of all of them.
    func removeWithFolder(_ file: String) {
        remove(file)
        let folder = (file as NSString).deletingLastPathComponent
        if Folder(rawValue: folder) == nil {
            remove(folder)
        }
    }

    /// Removes unfinished files of a studio that was killed. Only files with names that the studio gives are
    /// removed, because the user's own folders may have the same names as the studio's.
    func removeRemains() {
        for folder in Folder.allCases where folder != .studio {
            let files = FileManager.default.enumerator(atPath: path(to: folder.rawValue))
            while let file = files?.nextObject() as? String {
                // Earlier studios wrote files without folders of their own.
                if folder == .uploads
                    ? file.wholeMatch(of: /[0-9a-f]{16}/) != nil
                    : file.wholeMatch(of: /([0-9a-f]{16}\/\.|\.[0-9a-f]{16}\.).*\.timewarp-part/)
                        != nil
                {
                    remove(folder.rawValue + "/" + file)
                }
            }
        }
    }

    /// The free space in bytes; nil if it is unknown.
    var freeBytes: Int64? {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
        return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
    }
}

/// A lock that lets only one studio at a time use a workspace. It is held until it is deinitialised or the
/// process ends.
final class WorkspaceLock: Sendable {
    private let descriptor: Int32

    /// - Throws: ``MediaError`` if another studio holds the lock.
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

/// Random names that nobody can guess.
enum Secret {
    /// Makes a random hexadecimal text.
    ///
    /// - Parameter bytes: the number of random bytes; each gives two digits.
    static func make(bytes: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<bytes).map { _ in
            let byte = UInt8.random(in: 0...255, using: &generator)
            return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    /// Whether two texts are equal. The comparison takes the same time wherever they differ, so that its
    /// duration reveals nothing about a secret.
    static func areEqual(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        guard a.count == b.count else {
            return false
        }
        return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
