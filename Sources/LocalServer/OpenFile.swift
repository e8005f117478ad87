import Foundation

/// A file that is open for reading; closed when nobody holds it any more.
public final class OpenFile: Sendable {
    let descriptor: Int32
    /// In bytes, when it was opened.
    public let size: Int64
    /// Changes when the file does: its size and when it was written.
    let tag: String

    /// - Returns: nil when there is no regular file, or it can't be read.
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

    /// A descriptor of its own, for whoever closes it.
    func duplicate() -> Int32 {
        fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    }
}
