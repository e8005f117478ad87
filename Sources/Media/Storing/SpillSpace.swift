import CLibAV
import Foundation
import Synchronization

/// Disk space for data that doesn't fit into memory, with a count of the bytes in use.
package final class SpillSpace: Sendable {
    private struct Use {
        var bytes: Int64 = 0
        var peakBytes: Int64 = 0
    }
    private let use = Mutex(Use())
    /// The folder on whose disk the unlinked temporary files are.
    package let folder: String

    /// - Parameter folder: nil takes `TMPDIR` or else `/var/tmp`, which, unlike `/tmp`, is never in memory.
    package init(in folder: String? = nil) {
        self.folder = folder ?? Self.usualFolder
    }

    private static var usualFolder: String {
        if let named = ProcessInfo.processInfo.environment["TMPDIR"], !named.isEmpty {
            return named
        }
        return access("/var/tmp", W_OK) == 0 ? "/var/tmp" : NSTemporaryDirectory()
    }

    /// The bytes in use now.
    package var bytes: Int64 { use.withLock { $0.bytes } }

    /// The highest number of bytes that were in use at one time.
    package var peakBytes: Int64 { use.withLock { $0.peakBytes } }

    /// The bytes that are free on the folder's disk; 0 if that is unknown.
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

/// What comes through a pipe, kept in an unlinked temporary file, so that it can be read in any order.
package final class SpooledInput: Sendable {
    /// The path by which this process opens it; it names nothing for others.
    package let path: String
    private let file: SpillFile

    /// Reads all of a pipe.
    ///
    /// - Parameter checkCancelled: called several times a second.
    /// - Throws: ``MediaError`` when nothing comes, the pipe is a terminal or the disk is full; what `checkCancelled` throws.
    package init(of pipe: CInt, checkCancelled: () throws -> Void) throws {
        guard isatty(pipe) == 0 else {
            throw MediaError(
                .noInput, file: "-", reason: "stdin is a terminal",
                remedy: "Pipe a file into it, or name one")
        }
        file = try SpillFile(in: SpillSpace())
        path = file.path
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            try checkCancelled()
            var wanted = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, 200) != 0 else {
                continue
            }
            let count = read(pipe, buffer.baseAddress, buffer.count)
            if count > 0 {
                _ = try file.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } else if count == 0 {
                break
            } else if errno != EINTR, errno != EAGAIN {
                throw systemError(errno, doing: "reading", "stdin", as: .readFailed)
            }
        }
        guard file.size > 0 else {
            throw MediaError(
                .noInput, file: "-", reason: "nothing came through stdin",
                remedy: "See whether the program before the pipe has failed")
        }
    }
}

/// An unlinked temporary file, for bytes that are read back soon. It disappears with its owner or with the
/// process, even if the process is killed.
// @unchecked: its owner uses it on one thread at a time.
final class SpillFile: @unchecked Sendable {
    private let descriptor: CInt
    /// The path by which this process opens it once more.
    var path: String { "/dev/fd/\(descriptor)" }
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
                reason: "can't create a temporary file there: " + String(cString: strerror(errno)),
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

    /// Appends bytes.
    ///
    /// - Returns: the offset at which the bytes begin.
    /// - Throws: ``MediaError`` when the disk is full.
    func append(_ bytes: UnsafeRawBufferPointer) throws -> Int64 {
        let start = size
        try transfer(bytes.count, otherwise: "full or broken") { done in
            pwrite(
                descriptor, bytes.baseAddress! + done, bytes.count - done,
                off_t(start) + off_t(done))
        }
        size += Int64(bytes.count)
        space.take(Int64(bytes.count))
        return start
    }

    /// Appends zeros, which take no space on most disks.
    func append(zeros count: Int64) throws {
        let (end, overflow) = size.addingReportingOverflow(count)
        guard !overflow, ftruncate(descriptor, off_t(end)) == 0 else {
            throw failure("full or broken")
        }
        size = end
        space.take(count)
    }

    /// Reads bytes that were appended before.
    func read(into bytes: UnsafeMutableRawBufferPointer, from start: Int64) throws {
        try transfer(bytes.count, otherwise: "unreadable") { done in
            pread(
                descriptor, bytes.baseAddress! + done, bytes.count - done,
                off_t(start) + off_t(done))
        }
    }

    /// Calls `move` until all bytes are transferred. `move` gets the number of bytes done and returns how many
    /// more it has done.
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
            reason: "decoded frames or sound that don't fit into memory are stored there for a "
                + "while, and after \(size >> 20) MiB that failed: \(reason)",
            remedy: "Free some space, point TMPDIR at a larger disk, or allow more \(.memory)")
    }
}
