import Foundation

/// What a piece of work costs, from when this is made until it is read.
struct ResourceUsage {
    private let start = ContinuousClock.now
    private let startCPU = Self.cpuSeconds

    var wallSeconds: Double {
        (ContinuousClock.now - start) / .seconds(1)
    }

    /// Seconds of all cores, of the whole program.
    var cpuSeconds: Double {
        Self.cpuSeconds - startCPU
    }

    /// The most memory that the program has held so far.
    static var peakMemoryBytes: Int64 {
        #if os(Linux)
            // In KiB here, in bytes on macOS.
            Int64(usage.ru_maxrss) * 1024
        #else
            Int64(usage.ru_maxrss)
        #endif
    }

    private static var usage: rusage {
        var usage = rusage()
        #if canImport(Glibc)
            // An enumeration there, a number in its own prototype.
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
