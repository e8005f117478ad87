import Foundation
import LocalServer
import Synchronization

/// A file that grows as it is uploaded.
final class UploadFile: Sendable {
    /// It would grow beyond what it may have.
    struct TooLarge: Error {}

    private let descriptor: Int32
    private let most: Int64
    private let written = Atomic<Int64>(0)

    /// - Parameter most: bytes that it may have.
    /// - Throws: `POSIXError` when it can't be made, or is there.
    init(at path: String, most: Int64) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        self.most = most
        guard descriptor >= 0 else {
            throw POSIXError.last
        }
    }

    deinit {
        if descriptor >= 0 {
            close(descriptor)
        }
    }

    /// Bytes.
    var size: Int64 { written.load(ordering: .relaxed) }

    /// Adds to its end; one thread at a time.
    ///
    /// - Throws: ``TooLarge``, `POSIXError` when the disk is full or fails.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        guard Int64(bytes.count) <= most - size else {
            throw TooLarge()
        }
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            guard count > 0 || errno == EINTR else {
                throw POSIXError.last
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(count, 0)))
        }
        written.add(Int64(bytes.count), ordering: .relaxed)
    }
}
