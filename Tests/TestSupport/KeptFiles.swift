import Foundation
import Synchronization

/// Files that many tests read and no test changes. They are made on first use and removed when the process ends.
public final class KeptFiles: Sendable {
    private struct State {
        var folder: TemporaryFolder?
        var made: [String: String] = [:]
    }
    private let state = Mutex(State())

    /// Static variables aren't deinitialised when a process ends, so `atexit` removes these folders.
    private static let folders = Mutex<[TemporaryFolder]>([])

    public init() {}

    /// A folder that is removed when the process ends.
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

    /// The path of a file with this name.
    ///
    /// - Parameter make: writes the file to a path. It runs once; other callers wait for it.
    /// - Returns: the file's path.
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
