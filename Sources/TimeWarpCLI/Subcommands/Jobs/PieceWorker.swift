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
    private let checked = CheckedPieces()

    init(run: JobRun, lockAge: Double, progress: ProgressStyle) {
        (self.run, self.lockAge, self.progress) = (run, lockAge, progress)
    }

    /// Renders a piece unless it is there and sound, whoever has its lock: a scheduler said so.
    func render(_ index: Int) async throws {
        guard try !isDone(index) else {
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
            let took = try await renderFree(&held, goingOn: goingOn)
            if took && !goingOn {
                return
            }
            guard took || !held.isEmpty else {
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

    /// Renders those that nobody has, or the first of them.
    ///
    /// - Parameter held: takes the pieces that others have.
    /// - Returns: whether there were any.
    private func renderFree(_ held: inout [Int], goingOn: Bool) async throws -> Bool {
        var took = false
        // Finished pieces are read, to find damage, only when no other is left to render.
        for isWanted in [isMissing, isDamaged] where !took {
            for index in run.plan.pieces.map(\.index) where try isWanted(index) {
                try Task.checkCancellation()
                let file = run.folder.lockFile(index)
                guard let lock = try PieceLock.taken(file, age: lockAge) else {
                    held.append(index)
                    continue
                }
                // Another worker may have finished it since.
                guard try isWanted(index) else {
                    lock.remove()
                    continue
                }
                try await render(index, lock)
                took = true
                if !goingOn {
                    return true
                }
            }
        }
        return took
    }

    private func isMissing(_ index: Int) throws -> Bool {
        try FileStamp(of: run.folder.pieceFile(index)) == nil
    }

    private func isDamaged(_ index: Int) throws -> Bool {
        try !isMissing(index) && !isDone(index)
    }

    /// Whether a piece is there and sound. It is read once, unless it changes.
    private func isDone(_ index: Int) throws -> Bool {
        try checked.isSound(run.folder.pieceFile(index)) {
            try JobState.fault(of: index, in: run.folder, run.identity, .content).isSound
        }
    }

    private func render(_ index: Int, _ lock: PieceLock) async throws {
        defer { lock.remove() }
        let piece = run.plan.pieces[index]
        let renewal = PieceRenewal(lock)
        let beating = Task { try await renewal.goOn() }
        defer { beating.cancel() }
        let printer = PiecePrinter(progress)
        do {
            try await run.render(piece) { now in
                renewal.reached(now.fraction)
                printer.show(now)
            }
        } catch let error as MediaError {
            // Some network file systems don't replace a file that is open: another worker was first.
            guard try isDone(index) else {
                throw error
            }
            tell("piece \(index) was rendered by another worker: \(error.reason)")
            return
        }
        // Otherwise --all would render a piece that the disk damages for ever.
        guard try isDone(index) else {
            throw MediaError(
                .writeFailed, file: run.folder.pieceFile(index),
                reason: "it was rendered, and isn't on the disk as it was written",
                remedy: "Check the disk")
        }
        tell("piece \(index) is done")
    }

    private func tell(_ text: String) {
        if progress.showsText {
            StandardError.print("timewarp: \(text)")
        }
    }
}

/// The finished pieces that were read from start to end and found sound.
private final class CheckedPieces: Sendable {
    private let stamps = Mutex<[String: FileStamp]>([:])

    /// Whether a piece is sound.
    ///
    /// - Parameter check: reads it. Not called if the file is the one that was sound before.
    func isSound(_ path: String, _ check: () throws -> Bool) throws -> Bool {
        let stamp = try FileStamp(of: path)
        if let stamp, stamps.withLock({ $0[path] }) == stamp {
            return true
        }
        let isSound = try check()
        stamps.withLock { $0[path] = isSound ? stamp : nil }
        return isSound
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
