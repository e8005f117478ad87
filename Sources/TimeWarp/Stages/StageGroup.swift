import Foundation

/// The threads of one render. If one fails, all are stopped.
///
/// Calls into libav block for a long time, so stages have their own threads and never run on Swift's
/// cooperative thread pool.
// @unchecked: every stored property is read and written with `condition` locked.
final class StageGroup: @unchecked Sendable {
    private let condition = NSCondition()
    private var running = 0
    private var failure: (any Error)?
    private var isStopped = false
    private var hasEnded = false
    private var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    private var waitedOn: [any Abortable] = []

    /// Registers a channel, so that stages that wait on it are released when the render ends early.
    func register(_ abortable: some Abortable) {
        condition.lock()
        waitedOn.append(abortable)
        let isStopped = isStopped
        condition.unlock()
        if isStopped {
            abortable.abort()
        }
    }

    /// Runs a stage on its own thread.
    func start(_ name: String, _ stage: @escaping @Sendable () throws -> Void) {
        condition.lock()
        running += 1
        condition.unlock()
        let work = StageWork(stage)
        let thread = Thread { [self] in
            do {
                try work.run()
            } catch is RenderAborted {
                // Another stage failed, and its error is kept already.
            } catch {
                stop(because: error)
            }
            condition.lock()
            running -= 1
            condition.broadcast()
            condition.unlock()
        }
        thread.name = "timewarp." + name
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Stops all stages. Only the first error is kept.
    func stop(because error: any Error) {
        condition.lock()
        failure = failure ?? error
        isStopped = true
        let waitedOn = waitedOn
        condition.unlock()
        for abortable in waitedOn {
            abortable.abort()
        }
    }

    /// Throws if stages should end at once. Called once per frame.
    func checkStopped() throws {
        condition.lock()
        defer { condition.unlock() }
        if isStopped {
            throw RenderAborted()
        }
    }

    /// Waits for all stages to end.
    ///
    /// - Throws: what the first stage that failed threw.
    func wait() throws {
        condition.lock()
        defer { condition.unlock() }
        while running > 0 {
            condition.wait()
        }
        if let failure {
            throw failure
        }
    }

    /// Reports that the render is over, and that its files are in place or removed.
    func markEnded() {
        condition.lock()
        hasEnded = true
        let waiting = waitingForEnd
        waitingForEnd = []
        condition.unlock()
        for continuation in waiting {
            continuation.resume()
        }
    }

    /// Waits until the render is over. After a stop that takes no longer than one frame.
    func ended() async {
        await withCheckedContinuation { continuation in
            if !waitForEnd(continuation) {
                continuation.resume()
            }
        }
    }

    private func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard !hasEnded else {
            return false
        }
        waitingForEnd.append(continuation)
        return true
    }
}

/// The work of a stage, and what it holds, such as an unfinished file. That is let go when the work is over: whoever waits
/// for the stage then finds everything removed, though its thread may still be ending.
// @unchecked: used on the stage's thread only.
private final class StageWork: @unchecked Sendable {
    private var stage: (@Sendable () throws -> Void)?

    init(_ stage: @escaping @Sendable () throws -> Void) {
        self.stage = stage
    }

    func run() throws {
        let once = stage
        stage = nil
        try once?()
    }
}
