import Foundation

/// Measures time and memory since it was made.
struct ResourceUsage {
    private let start = ContinuousClock.now
    private let startCPU = Self.cpuSeconds

    var wallSeconds: Double {
        (ContinuousClock.now - start) / .seconds(1)
    }

    /// The CPU time of the whole process, in seconds.
    var cpuSeconds: Double {
        Self.cpuSeconds - startCPU
    }

    /// The most memory that the process has used since its start, in bytes.
    static var peakMemoryBytes: Int64 {
        #if os(Linux)
            // In KiB on Linux, in bytes on macOS.
            Int64(usage.ru_maxrss) * 1024
        #else
            Int64(usage.ru_maxrss)
        #endif
    }

    private static var usage: rusage {
        var usage = rusage()
        #if canImport(Glibc)
            // In Glibc the constant is an enumeration, but the function's parameter is a number.
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        return usage
    }

    private static var cpuSeconds: Double {
        let usage = usage
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
