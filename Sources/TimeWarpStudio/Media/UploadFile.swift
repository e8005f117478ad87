import Foundation
import LocalServer
import Synchronization

/// A file to which an upload is written.
final class UploadFile: Sendable {
    /// The upload is larger than allowed.
    struct TooLarge: Error {}

    private let descriptor: Int32
    private let most: Int64
    private let written = Atomic<Int64>(0)

    /// - Parameter most: the largest size in bytes.
    /// - Throws: `POSIXError` if the file can't be created, or exists.
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

    /// The bytes written so far.
    var size: Int64 { written.load(ordering: .relaxed) }

    /// Appends bytes. Call it from one thread at a time.
    ///
    /// - Throws: ``TooLarge``, and `POSIXError` if writing fails.
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
