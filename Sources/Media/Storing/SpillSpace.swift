import CLibAV
import Foundation
import Synchronization

/// Room on the disk for what doesn't fit into memory, and the count of what is taken of it.
package final class SpillSpace: Sendable {
    private struct Use {
        var bytes: Int64 = 0
        var peakBytes: Int64 = 0
    }
    private let use = Mutex(Use())
    /// The folder that the files without a name lie in.
    package let folder: String

    /// - Parameter folder: nil takes `TMPDIR`, or `/var/tmp`, which unlike `/tmp` is never memory.
    package init(in folder: String? = nil) {
        self.folder = folder ?? Self.usualFolder
    }

    private static var usualFolder: String {
        if let named = ProcessInfo.processInfo.environment["TMPDIR"], !named.isEmpty {
            return named
        }
        return access("/var/tmp", W_OK) == 0 ? "/var/tmp" : NSTemporaryDirectory()
    }

    /// Bytes that are taken now.
    package var bytes: Int64 { use.withLock { $0.bytes } }

    /// The most bytes that were taken at one time.
    package var peakBytes: Int64 { use.withLock { $0.peakBytes } }

    /// Bytes that are free on the folder's disk, as far as that can be told.
    package var freeBytes: Int64 {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else {
            return 0
        }
        return Int64(min(Double(status.f_bavail) * Double(status.f_frsize), 0x1p62))
    }

    func take(_ bytes: Int64) {
        use.withLock { use in
            use.bytes += bytes
            use.peakBytes = max(use.peakBytes, use.bytes)
        }
    }

    func giveBack(_ bytes: Int64) {
        use.withLock { $0.bytes -= bytes }
    }
}

/// A file without a name, for bytes that are read back soon. It is gone with its owner, or with the
/// program, however that ends.
final class SpillFile {
    private let descriptor: CInt
    private let space: SpillSpace
    private(set) var size: Int64 = 0

    /// - Throws: ``MediaError`` when the folder can't be written to.
    init(in space: SpillSpace) throws {
        self.space = space
        var template = Array((space.folder + "/timewarp-XXXXXX").utf8CString)
        let opened = mkstemp(&template)
        guard opened >= 0 else {
            throw MediaError(
                .writeFailed, file: space.folder,
                reason: "no temporary file can be made there: " + String(cString: strerror(errno)),
                remedy: "Point TMPDIR at a folder that can be written to")
        }
        unlink(template)
        descriptor = opened
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        close(descriptor)
        space.giveBack(size)
    }

    /// Writes at the end.
    ///
    /// - Returns: where the bytes begin.
    /// - Throws: ``MediaError`` when the disk is full.
    func append(_ bytes: UnsafeRawBufferPointer) throws -> Int64 {
        let start = size
        try transfer(bytes.count, otherwise: "full or broken") { done in
            pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(start) + done)
        }
        size += Int64(bytes.count)
        space.take(Int64(bytes.count))
        return start
    }

    /// Makes the file longer by zeros, which take no room on most disks.
    func append(zeros count: Int64) throws {
        let (end, overflow) = size.addingReportingOverflow(count)
        guard !overflow, ftruncate(descriptor, off_t(end)) == 0 else {
            throw failure("full or broken")
        }
        size = end
        space.take(count)
    }

    /// Reads bytes that were written.
    func read(into bytes: UnsafeMutableRawBufferPointer, from start: Int64) throws {
        try transfer(bytes.count, otherwise: "unreadable") { done in
            pread(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(start) + done)
        }
    }

    /// Calls `move` until all bytes are moved; it is told how many are, and returns how many more.
    private func transfer(
        _ count: Int, otherwise state: String, _ move: (_ done: Int) -> Int
    ) throws {
        var done = 0
        while done < count {
            let moved = move(done)
            guard moved > 0 else {
                if moved < 0 && errno == EINTR {
                    continue
                }
                throw failure(state)
            }
            done += moved
        }
    }

    private func failure(_ state: String) -> MediaError {
        let reason = errno == 0 ? state : String(cString: strerror(errno))
        return MediaError(
            .writeFailed, file: space.folder,
            reason: "decoded pictures or sound that don't fit into memory are kept there for a "
                + "while, and after \(size >> 20) MiB that failed: \(reason)",
            remedy: "Free some room, point TMPDIR at a larger disk, or allow more \(.memory)")
    }
}
