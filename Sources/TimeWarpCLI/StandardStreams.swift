import Foundation

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
