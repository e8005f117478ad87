import Foundation

/// Seconds of processor time that this thread spends on something, whatever else the machine does: other
/// tests run beside this one. Under a sanitizer, a tenth of that: what it does itself takes the rest.
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
