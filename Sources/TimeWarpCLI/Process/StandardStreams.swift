import Foundation
import Media

/// The streams that a program is started with, or without.
enum StandardStreams {
    /// Holds the places of those that are closed, so that no file that is opened later gets what is meant
    /// for stdout or stderr. Writing to such a place fails.
    static func hold() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is given out, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

/// What programs read. Unlike `print`, it tells when nobody does.
enum StandardOutput {
    /// - Throws: ``MediaError`` when the pipe is closed, or the disk that it goes to is full.
    static func print(_ line: String) throws {
        try write(Array((line + "\n").utf8))
    }

    static func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try writeAll($0, to: STDOUT_FILENO, named: "stdout") }
    }
}

/// Everything that isn't data goes here. Work goes on when nobody reads it.
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
