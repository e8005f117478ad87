import Foundation
import Media
import Synchronization

/// The standard streams, any of which may be closed when the program starts.
enum StandardStreams {
    /// Occupies the descriptors of closed streams, so that no file opened later receives what is meant for
    /// stdout or stderr. Writing to such a descriptor fails.
    static func hold() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) == -1 {
            // `open` returns the lowest free descriptor, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

/// Writes data to stdout. Unlike `print`, it throws if writing fails.
enum StandardOutput {
    /// - Throws: ``MediaError`` if the pipe is closed or the disk is full.
    static func print(_ line: String) throws {
        try write(Array((line + "\n").utf8))
    }

    /// Writes data of a pipe.
    ///
    /// - Throws: ``Interruption/Ended`` by SIGPIPE when nobody reads it any more, as other programs end then; ``MediaError``.
    @Sendable static func pass(_ data: Data) throws {
        do {
            try data.withUnsafeBytes { try writeAll($0, to: STDOUT_FILENO, named: "stdout") }
        } catch {
            throw errno == EPIPE ? Interruption.Ended(signal: SIGPIPE) : error
        }
    }

    static func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try writeAll($0, to: STDOUT_FILENO, named: "stdout") }
    }
}

/// What comes through stdin, which is read once and kept in an unlinked temporary file.
enum StandardInput {
    /// The name that stands for it on a command line.
    static let name = "-"
    private static let kept = Mutex<SpooledInput?>(nil)

    /// The path of an input: of what came, if it is stdin. Waits for all of it.
    ///
    /// - Throws: ``MediaError`` when nothing comes or the disk is full; `CancellationError`.
    static func path(of input: String) throws -> String {
        guard input == name else {
            return input
        }
        return try kept.withLock { kept in
            let input = try kept ?? SpooledInput(of: STDIN_FILENO) { try Task.checkCancellation() }
            kept = input
            return input.path
        }
    }

    /// What people call a file: the one that was kept is stdin to them.
    static func name(of file: String) -> String {
        kept.withLock { $0?.path == file } ? "stdin" : file
    }
}

/// Writes messages and progress to stderr. Errors are ignored: work goes on when nobody reads them.
enum StandardError {
    static func print(_ line: String) {
        write(line + "\n")
    }

    static func write(_ text: String) {
        try? Array(text.utf8).withUnsafeBytes {
            try writeAll($0, to: STDERR_FILENO, named: "stderr")
        }
    }

    static var isTerminal: Bool {
        isatty(STDERR_FILENO) == 1
    }
}

extension StandardInput {
    /// The lines of stdin as they come, without what ends them. Of a line that is longer than it may be, the start comes, one byte
    /// longer than that.
    static func lines(atMost length: Int) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { lines in
            // Reading blocks, and nothing ends it before the process does.
            let thread = Thread {
                var line = Data()
                var part = [UInt8](repeating: 0, count: 1 << 16)
                while true {
                    let count = read(STDIN_FILENO, &part, part.count)
                    guard count > 0 else {
                        if count < 0, errno == EINTR {
                            continue
                        }
                        lines.yield(line)
                        lines.finish()
                        return
                    }
                    for piece in part[..<count].split(
                        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
                    ).enumerated() {
                        if piece.offset > 0 {
                            lines.yield(line)
                            line = Data()
                        }
                        line.append(contentsOf: piece.element.prefix(length + 1 - line.count))
                    }
                }
            }
            thread.name = "timewarp.stdin"
            thread.start()
        }
    }
}
