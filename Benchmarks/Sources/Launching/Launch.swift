#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A program and its arguments.
public struct Launch: Sendable {
    /// What a run cost, including child processes that the program waited for.
    public struct Usage: Sendable, Equatable {
        public var wallSeconds = 0.0
        /// User and system time.
        public var processorSeconds = 0.0
        /// The peak memory of the largest single process.
        public var peakBytes = 0
        /// The exit code; 128 and more mean a signal.
        public var status: Int32 = 0

        public init() {}
    }

    /// The program, as a path or a name to look up in PATH, and its arguments.
    public var arguments: [String]
    /// The file for its output; nil means that it prints to this process's output.
    public var output: String?
    public var errors: String?

    public init(_ arguments: [String], output: String? = nil, errors: String? = nil) {
        precondition(!arguments.isEmpty, "a program to launch")
        self.arguments = arguments
        self.output = output
        self.errors = errors
    }

    /// Starts the program and waits for its end. It stays in this process's group, so Ctrl-C reaches it.
    ///
    /// On Linux a new process starts with the peak memory of its parent, so a peak below
    /// the caller's own can't be measured.
    ///
    /// - Throws: ``LaunchError`` when the program can't be started.
    public func run() throws(LaunchError) -> Usage {
        var actions = Self.actions()
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (path, descriptor) in [(output, Int32(1)), (errors, 2)] {
            if let path {
                let flags = O_WRONLY | O_CREAT | O_TRUNC
                posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o644)
            }
        }
        let strings = arguments.map { strdup($0) }
        defer {
            for string in strings { free(string) }
        }

        // Ctrl-C ends the program first, and then this process, once it has cleaned up.
        let interruption = Interruption()
        defer { interruption.allow() }
        var attributes = Self.attributes(with: interruption.before)
        defer { posix_spawnattr_destroy(&attributes) }

        let start = ContinuousClock.now
        var child: pid_t = 0
        let failure = posix_spawnp(
            &child, arguments[0], &actions, &attributes, strings + [nil], environ)
        guard failure == 0 else {
            throw LaunchError(program: arguments[0], code: failure)
        }
        var status: Int32 = 0
        var resources = rusage()
        while wait4(child, &status, 0, &resources) < 0, errno == EINTR {}
        var usage = Usage()
        usage.wallSeconds = (ContinuousClock.now - start) / .seconds(1)
        usage.processorSeconds = resources.ru_utime.seconds + resources.ru_stime.seconds
        usage.peakBytes = Self.bytes(ofPeak: resources.ru_maxrss)
        let signal = status & 0x7f
        usage.status = signal == 0 ? (status >> 8) & 0xff : 128 + signal
        return usage
    }

    #if canImport(Glibc)
        private static func actions() -> posix_spawn_file_actions_t {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            return actions
        }

        private static func attributes(with mask: sigset_t) -> posix_spawnattr_t {
            var attributes = posix_spawnattr_t()
            var mask = mask
            posix_spawnattr_init(&attributes)
            posix_spawnattr_setsigmask(&attributes, &mask)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
            return attributes
        }

        /// Linux counts in kilobytes.
        private static func bytes(ofPeak peak: Int) -> Int { peak * 1024 }
    #else
        private static func actions() -> posix_spawn_file_actions_t? {
            var actions: posix_spawn_file_actions_t?
            posix_spawn_file_actions_init(&actions)
            return actions
        }

        private static func attributes(with mask: sigset_t) -> posix_spawnattr_t? {
            var attributes: posix_spawnattr_t?
            var mask = mask
            posix_spawnattr_init(&attributes)
            posix_spawnattr_setsigmask(&attributes, &mask)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
            return attributes
        }

        private static func bytes(ofPeak peak: Int) -> Int { peak }
    #endif
}

/// Why a program couldn't be started.
public struct LaunchError: Error, CustomStringConvertible {
    public let program: String
    public let code: Int32

    public var description: String { "\(program): \(String(cString: strerror(code)))" }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}

/// Blocks Ctrl-C (SIGINT) on this thread, from the creation of this object on.
private struct Interruption {
    /// The signals that were blocked before.
    let before: sigset_t

    init() {
        var signals = sigset_t()
        var before = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        self.before = before
    }

    /// Unblocks Ctrl-C, and delivers one that arrived in the meantime.
    func allow() {
        var mask = before
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}
