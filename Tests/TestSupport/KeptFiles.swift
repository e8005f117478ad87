import Foundation
import Synchronization

/// Files that many tests read and none changes: made when the first one asks, gone with the process.
public final class KeptFiles: Sendable {
    private struct State {
        var folder: TemporaryFolder?
        var made: [String: String] = [:]
    }
    private let state = Mutex(State())

    /// What statics hold isn't let go when a process ends.
    private static let folders = Mutex<[TemporaryFolder]>([])

    public init() {}

    /// A folder that is gone with the process.
    public static func newFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let isFirst = folders.withLock { folders in
            folders.append(folder)
            return folders.count == 1
        }
        if isFirst {
            atexit {
                KeptFiles.folders.withLock { folders in
                    for folder in folders {
                        try? FileManager.default.removeItem(at: folder.url)
                    }
                }
            }
        }
        return folder
    }

    /// A file by its name.
    ///
    /// - Parameter make: writes it to a path, once; others that ask wait for it.
    /// - Returns: where it is.
    public func file(_ name: String, made make: (_ path: String) throws -> Void) throws -> String {
        try state.withLock { state in
            if let path = state.made[name] {
                return path
            }
            let folder = try state.folder ?? Self.newFolder()
            let path = folder.path(name)
            try make(path)
            state.folder = folder
            state.made[name] = path
            return path
        }
    }
}
