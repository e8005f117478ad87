import Foundation

/// The CPU time that this thread spends on `body`, in seconds. Other tests that run beside this one don't
/// count. Under a sanitizer it returns a tenth, because the rest is the sanitizer's own work.
public func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    #if TIMEWARP_SANITIZED
        return (now() - start) / 10
    #else
        return now() - start
    #endif
}
