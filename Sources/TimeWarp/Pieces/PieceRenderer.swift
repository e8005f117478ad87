import Foundation
import Media

/// Renders single pieces of a plan, on any machine with the same build.
///
/// A piece is encoded by the same stages as with several ``RenderSettings/Resources-swift.struct/jobs``; its packets wait in a file. When all
/// pieces are there, ``Renderer/run(_:joining:)`` makes the output of them.
public struct PieceRenderer: Sendable {
    private let plan: RenderPlan
    private let identity: String

    /// - Parameter identity: an identifier of the plan, without spaces. Pieces that carry another identifier are refused.
    public init(_ plan: RenderPlan, identity: String) {
        self.plan = plan
        self.identity = identity
    }

    /// Renders a piece into a file, which appears under its name only when it is complete. A file that is there is
    /// replaced.
    ///
    /// - Parameter progress: called a few times a second, on some thread.
    /// - Throws: ``MediaError`` if the plan has no such piece, or a file can't be read or written; `CancellationError` if
    ///   the task is cancelled.
    public func render(
        _ piece: PlannedPiece, to path: String,
        progress: @escaping @Sendable (RenderProgress) -> Void
    ) async throws {
        try plan.requirePiece(piece)
        let stages = StageGroup()
        let (plan, identity) = (plan, identity)
        try await withTaskCancellationHandler {
            try await runBlocking { _ in
                let job = PieceJob(plan: plan, piece: piece, stages: stages) { event in
                    if case .progress(let now) = event {
                        progress(now)
                    }
                }
                let writer = try PieceWriter(path, plan: identity, index: piece.index)
                try job.run(writer)
                try Self.checkCancelled(stages)
                try writer.publish()
            }
        } onCancel: {
            stages.stop(because: CancellationError())
        }
    }

    private static func checkCancelled(_ stages: StageGroup) throws {
        do {
            try stages.checkStopped()
        } catch {
            throw CancellationError()
        }
    }
}

/// One run of a piece: its video tracks one after another, then its sound.
private struct PieceJob {
    let plan: RenderPlan
    let piece: PlannedPiece
    let site: RenderSite

    init(
        plan: RenderPlan, piece: PlannedPiece, stages: StageGroup,
        emit: @escaping @Sendable (RenderEvent) -> Void
    ) {
        (self.plan, self.piece) = (plan, piece)
        let share = piece.video.isEmpty ? 1 : piece.share
        site = RenderSite(
            interleaver: Interleaver(trackCount: 0, capacityBytes: 0), stages: stages,
            progress: ProgressMeter(duration: plan.outputDuration * share, emit: emit),
            spill: SpillSpace(in: plan.settings.resources.temporaryFolder))
    }

    func run(_ writer: PieceWriter) throws {
        for cut in piece.video {
            let video = VideoStages(
                plan: plan, track: plan.video[cut.track], trackNumber: cut.track, site: site,
                leads: cut.track == piece.video.first?.track)
            try run("encode") { try video.writePiece(piece.index, to: writer) }
            try writer.add(video.tally.current, track: cut.track)
        }
        guard piece.sound else {
            return
        }
        for (number, track) in plan.audio.enumerated() {
            let place = plan.firstSound + number
            let sound = AudioStages(
                plan: plan, track: track, site: site, sink: writer.sink(track: place),
                leads: piece.video.isEmpty && number == 0)
            sound.start()
            try wait()
            try writer.add(sound.tally.current, track: place)
        }
    }

    private func run(_ name: String, _ stage: @escaping @Sendable () throws -> Void) throws {
        site.stages.start(name, stage)
        try wait()
    }

    private func wait() throws {
        try site.stages.wait()
    }
}

extension VideoStages {
    /// Encodes one chunk of the track.
    fileprivate func writePiece(_ number: Int, to writer: PieceWriter) throws {
        let (chunk, dropped) = track.chunk(number)
        guard case .encoded(let codec, _) = track.making, let chunk else {
            return
        }
        let counted = try write(
            chunk.runs, count: chunk.runs.count, as: codec,
            endsTrack: chunk.isLast, threads: threadsOfEncoder, jobs: 1,
            progress: WrittenProgress(progress), sink: writer.sink(track: trackNumber))
        tally.update {
            $0.add(counted)
            $0.decoding.presentationsDropped += dropped
        }
    }
}

extension RenderPlan.VideoTrack {
    /// A chunk, and how many presentations the cutter dropped for it.
    func chunk(_ index: Int) -> (chunk: Chunk?, dropped: Int64) {
        guard let cutting else {
            return (Chunk(runs: segments.map { EncodedRun(all: $0) }, isLast: true, cost: 1), 0)
        }
        var cutter = ChunkCutter(segments, cutting)
        for _ in 0..<index {
            _ = cutter.next()
        }
        let before = cutter.presentationsDropped
        let chunk = cutter.next()
        if chunk?.isLast ?? false {
            _ = cutter.next()
        }
        return (chunk, cutter.presentationsDropped - before)
    }
}

extension RenderPlan {
    /// The number of the first audio track in the file.
    var firstSound: Int { video.count + copied.count }
}
