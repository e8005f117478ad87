import Foundation

/// A file that is open for reading. It is closed when the last reference to it goes away.
public final class OpenFile: Sendable {
    let descriptor: Int32
    /// The size in bytes when the file was opened.
    public let size: Int64
    /// An entity tag that changes with the file's size and modification time.
    let tag: String

    /// Opens the file at a path, with symbolic links followed.
    ///
    /// - Returns: nil if there is no regular file, or it can't be opened.
    public init?(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            return nil
        }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        size = Int64(facts.st_size)
        #if os(Linux)
            let changed = facts.st_mtim
        #else
            let changed = facts.st_mtimespec
        #endif
        tag = "\"\(size)-\(changed.tv_sec).\(changed.tv_nsec)\""
    }

    deinit {
        close(descriptor)
    }

    /// A second descriptor of the file, which the caller must close; negative if there is none left.
    func duplicate() -> Int32 {
        fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    }
}
