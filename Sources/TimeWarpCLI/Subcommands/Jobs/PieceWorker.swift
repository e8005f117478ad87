import Foundation
import Media
import Synchronization
import TimeWarp

/// Renders pieces of a job, one at a time.
struct PieceWorker: Sendable {
    let run: JobRun
    /// See ``PieceLock/taken(_:age:)``.
    let lockAge: Double
    let progress: ProgressStyle

    /// Renders a piece unless it is there and sound, whoever has its lock: a scheduler said so.
    func render(_ index: Int) async throws {
        guard !isDone(index) else {
            tell("piece \(index) is there already")
            return
        }
        try await render(index, PieceLock.takenOver(run.folder.lockFile(index)))
    }

    /// Renders the next piece that nobody has.
    ///
    /// - Parameter goingOn: whether to go on until all pieces are there.
    /// - Throws: ``MediaError`` with the code `unfinished` if others have all pieces that are left.
    func renderFree(goingOn: Bool) async throws {
        while true {
            var held: [Int] = []
            var took = false
            for index in run.plan.pieces.map(\.index) where !isDone(index) {
                try Task.checkCancellation()
                guard let lock = try PieceLock.taken(run.folder.lockFile(index), age: lockAge)
                else {
                    held.append(index)
                    continue
                }
                try await render(index, lock)
                guard goingOn else {
                    return
                }
                took = true
            }
            guard !held.isEmpty || took else {
                tell("all pieces are there")
                return
            }
            guard goingOn else {
                throw MediaError(
                    .unfinished, file: run.folder.path,
                    reason: "others render the pieces that are left: " + NumberList.text(held),
                    remedy: "Try again later: pieces of workers that ended become free")
            }
            if !took {
                try await Task.sleep(for: .seconds(PieceLock.renewalSeconds))
            }
        }
    }

    private func isDone(_ index: Int) -> Bool {
        JobState.fault(of: index, in: run.folder, run.identity).isSound
    }

    private func render(_ index: Int, _ lock: PieceLock) async throws {
        defer { lock.remove() }
        let piece = run.plan.pieces[index]
        let renewal = PieceRenewal(lock)
        let beating = Task { try await renewal.goOn() }
        defer { beating.cancel() }
        let printer = PiecePrinter(progress)
        do {
            try await run.run(
                .piece(
                    PieceTask(
                        piece: piece, identity: run.identity, path: run.folder.pieceFile(index)
                    ) { now in
                        renewal.reached(now.fraction)
                        printer.show(now)
                    }))
        } catch let error as MediaError where isDone(index) {
            // Some network file systems don't replace a file that is open: another worker was first.
            tell("piece \(index) was rendered by another worker: \(error.reason)")
            return
        }
        // Otherwise --all would render a piece that the disk damages for ever.
        try RenderedPieces.check(index, at: run.folder.pieceFile(index), identity: run.identity)
        tell("piece \(index) is done")
    }

    private func tell(_ text: String) {
        if progress.showsText {
            StandardError.print("timewarp: \(text)")
        }
    }
}

/// Shows the progress of a piece.
private final class PiecePrinter: Sendable {
    private let printer: Mutex<ProgressPrinter>

    init(_ style: ProgressStyle) {
        printer = Mutex(ProgressPrinter(style))
    }

    func show(_ now: RenderProgress) {
        printer.withLock { $0.show(.progress(now)) }
    }
}

/// Renews a lock while a piece is rendered.
private final class PieceRenewal: Sendable {
    private let lock: PieceLock
    private let done = Mutex(0.0)

    init(_ lock: PieceLock) {
        self.lock = lock
    }

    func reached(_ share: Double) {
        done.withLock { $0 = share }
    }

    func goOn() async throws {
        while true {
            try await Task.sleep(for: .seconds(PieceLock.renewalSeconds))
            try Task.checkCancellation()
            lock.renew(done: done.withLock { $0 })
        }
    }
}
