import Foundation
import Media

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

    static func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try writeAll($0, to: STDOUT_FILENO, named: "stdout") }
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
