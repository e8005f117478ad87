import CLibAV
import Foundation

/// A CPU time budget: how much a thread may compute before libav is told to give up. Used on one thread at a
/// time.
///
/// libav checks the budget at every read from the disk and between some of its steps, so a single long step
/// still runs to its end. ``hold(to:_:)`` then reports that the budget was exceeded.
package final class CPUTimeBudget {
    /// In seconds of the thread's CPU time; nil while there is no budget.
    private var deadline: Double?

    package init() {}

    /// Runs `body` with a budget of CPU time, in seconds.
    ///
    /// - Returns: the result of `body`; and the seconds of CPU time that it took if they exceed the budget, else
    ///   nil.
    package func hold<Result>(
        to seconds: Double, _ body: () -> Result
    ) -> (result: Result, excess: Double?) {
        let start = Self.computed
        deadline = start + seconds
        defer { deadline = nil }
        let result = body()
        return (result, isExceeded ? Self.computed - start : nil)
    }

    /// Whether the budget is used up.
    package var isExceeded: Bool {
        deadline.map { Self.computed > $0 } ?? false
    }

    /// The CPU time that this thread has used so far, in seconds.
    private static var computed: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// The callback by which libav checks the budget. libav must not call it after this object is gone.
    var callback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { bound in
                guard let bound else {
                    return 0
                }
                return Unmanaged<CPUTimeBudget>.fromOpaque(bound).takeUnretainedValue().isExceeded
                    ? 1 : 0
            },
            opaque: Unmanaged.passUnretained(self).toOpaque())
    }
}
