import CLibAV
import Foundation

/// How much a thread may compute before libav is asked to give up. Used on one thread at a time.
///
/// libav asks at every read from the disk and between its own steps, but not everywhere: what it does in
/// one go runs to its end. ``hold(to:_:)`` tells afterwards.
package final class ComputingBound {
    /// In seconds of the thread's computing; nil where nothing is bounded.
    private var deadline: Double?

    package init() {}

    /// Does something that may take so many seconds of computing.
    ///
    /// - Returns: what came of it, and the seconds that it took if those are too many.
    package func hold<Result>(
        to seconds: Double, _ body: () -> Result
    ) -> (result: Result, excess: Double?) {
        let start = Self.computed
        deadline = start + seconds
        defer { deadline = nil }
        let result = body()
        return (result, isExceeded ? Self.computed - start : nil)
    }

    /// Whether it is time to give up.
    package var isExceeded: Bool {
        deadline.map { Self.computed > $0 } ?? false
    }

    /// Seconds that this thread has computed so far.
    private static var computed: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// The question for libav, which must not ask it after this object is gone.
    var callback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { bound in
                guard let bound else {
                    return 0
                }
                return Unmanaged<ComputingBound>.fromOpaque(bound).takeUnretainedValue().isExceeded
                    ? 1 : 0
            },
            opaque: Unmanaged.passUnretained(self).toOpaque())
    }
}
