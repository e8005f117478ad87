import Foundation

/// Tells whether a file is still the one that was looked at before.
package struct FileStamp: Hashable, Sendable {
    private let device: UInt64
    private let file: UInt64
    package let bytes: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil if there is no file.
    ///
    /// - Throws: ``MediaError`` if that can't be told.
    package init?(of path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let error = errno
            guard [ENOENT, ENOTDIR].contains(error) else {
                throw MediaError(
                    .readFailed, file: path, reason: String(cString: strerror(error)))
            }
            return nil
        }
        let changed = status.modificationTime
        device = UInt64(truncatingIfNeeded: status.st_dev)
        file = UInt64(truncatingIfNeeded: status.st_ino)
        bytes = Int64(status.st_size)
        (seconds, nanoseconds) = (changed.tv_sec, changed.tv_nsec)
    }

    /// When the file was changed.
    package var changed: Date {
        Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9)
    }
}

extension stat {
    /// When the file was changed.
    package var modificationTime: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }
}
