import Foundation
import Media
import TimeMaps

/// Runs plans: the only way that anything is written.
///
/// ```
///  decode ─► retime, encode ─┐
///  decode ─► retime, encode ─┼─► interleave ─► file
///  subtitles ────────────────┤
///  copied packets ───────────┘
/// ```
/// Every arrow is a bounded queue between two threads, so a slow stage holds back those before it
/// and memory doesn't grow with the length of the input.
public struct Renderer: Sendable {
    public init() {}

    /// Renders, and tells what happens meanwhile.
    ///
    /// Work starts at once. The file is in its place when ``RenderEvent/finished(_:)`` comes.
    /// Cancelling the task that iterates stops the render: the sequence throws
    /// `CancellationError` when what was written is gone. Leaving the loop stops it too, and the
    /// file goes shortly after.
    public func run(_ plan: RenderPlan) -> RenderEvents {
        RenderEvents(plan)
    }

    /// Renders to the end.
    ///
    /// - Returns: what was written, measured.
    /// - Throws: as ``RenderEvents``.
    @discardableResult
    public func render(_ plan: RenderPlan) async throws -> RenderReport {
        for try await event in run(plan) {
            if case .finished(let report) = event {
                return report
            }
        }
        throw CancellationError()
    }
}

/// What happens while a render runs, in order; ``RenderEvent/finished(_:)`` comes last.
///
/// Iterating throws ``MediaError`` for what went wrong with a file, or `CancellationError`; in
/// either case nothing is left of the output by then.
public struct RenderEvents: AsyncSequence, Sendable {
    public typealias Element = RenderEvent
    private let stream: AsyncThrowingStream<RenderEvent, any Error>
    private let stages = StageGroup()

    init(_ plan: RenderPlan) {
        let stages = stages
        stream = AsyncThrowingStream { continuation in
            // It may be called with locks of the task held: it asks to stop and doesn't wait.
            continuation.onTermination = { _ in
                stages.stop(because: CancellationError())
            }
            let thread = Thread {
                let result = Result {
                    try RenderJob(plan, stages: stages) { continuation.yield($0) }.run()
                }
                stages.markEnded()
                switch result {
                case .success(let report):
                    continuation.yield(.finished(report))
                    continuation.finish()
                case .failure(let error):
                    continuation.finish(throwing: error)
                }
            }
            thread.name = "timewarp.render"
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(events: stream.makeAsyncIterator(), stages: stages)
    }

    public struct Iterator: AsyncIteratorProtocol {
        var events: AsyncThrowingStream<RenderEvent, any Error>.Iterator
        let stages: StageGroup
        var isFinished = false

        public mutating func next() async throws -> RenderEvent? {
            if let event = try await events.next() {
                if case .finished = event {
                    isFinished = true
                }
                return event
            }
            await stages.ended()
            guard isFinished else {
                throw CancellationError()
            }
            return nil
        }
    }
}

/// One run of one plan, on the thread that writes the file.
struct RenderJob {
    private let plan: RenderPlan
    private let stages: StageGroup
    private let progress: ProgressMeter
    private let interleaver: Interleaver
    private let spill: SpillSpace
    private let video: [VideoStages]
    private let copies: [CopyStages]
    private let audio: [AudioStages]
    private let cues: [CueStages]

    /// Packets that may wait for the other tracks, in bytes a track: some seconds of any codec.
    private static let waitingBytes = 16 << 20

    init(
        _ plan: RenderPlan, stages: StageGroup, emit: @escaping @Sendable (RenderEvent) -> Void
    ) {
        self.plan = plan
        self.stages = stages
        let progress = ProgressMeter(duration: plan.outputDuration, emit: emit)
        let interleaver = Interleaver(
            trackCount: plan.video.count + plan.copied.count + plan.audio.count
                + plan.subtitles.count,
            capacityBytes: Self.waitingBytes)
        self.progress = progress
        self.interleaver = interleaver
        let spill = SpillSpace(in: plan.settings.temporaryFolder)
        self.spill = spill
        stages.register(interleaver)
        video = plan.video.enumerated().map { number, track in
            VideoStages(
                plan: plan, track: track, trackNumber: number, interleaver: interleaver,
                stages: stages, progress: number == 0 ? progress : nil, spill: spill)
        }
        let firstCopy = plan.video.count
        copies = plan.copied.enumerated().map { number, stream in
            CopyStages(
                asset: plan.pictureAsset, stream: stream, trackNumber: firstCopy + number,
                interleaver: interleaver, stages: stages)
        }
        let firstSound = firstCopy + plan.copied.count
        audio = plan.audio.enumerated().map { number, track in
            AudioStages(
                plan: plan, track: track, trackNumber: firstSound + number,
                interleaver: interleaver, stages: stages,
                progress: plan.video.isEmpty && number == 0 ? progress : nil, spill: spill)
        }
        let firstCue = firstSound + plan.audio.count
        cues = plan.subtitles.enumerated().map { number, stream in
            CueStages(
                plan: plan, stream: stream, trackNumber: firstCue + number,
                interleaver: interleaver, stages: stages)
        }
    }

    func run() throws -> RenderReport {
        let usage = ResourceUsage()
        do {
            let muxer = try Muxer(
                creating: plan.destination, as: plan.container, existing: plan.settings.existing)
            for track in video {
                track.start()
            }
            for track in copies {
                track.start()
            }
            for track in audio {
                track.start()
            }
            for track in cues {
                track.start()
            }
            try write(to: muxer)
            try stages.wait()
            try muxer.finish()
        } catch {
            stages.stop(because: error)
            // The first reason, not the abort that it caused here.
            try stages.wait()
            throw error
        }
        progress.finish(frames: video.first?.tally.current.framesWritten ?? 0)
        return try RenderReport(
            plan, video: video.map { $0.tally.current },
            audio: audio.map { $0.tally.current }, usage: usage, spill: spill)
    }

    private func write(to muxer: Muxer) throws {
        let formats = try interleaver.formats()
        let sources =
            plan.video.map(\.source) + plan.copied + plan.audio.map(\.source) + plan.subtitles
        let tracks = try zip(formats, sources).map { try muxer.add($0, like: $1) }
        let passOn =
            try plan.passedOn.isEmpty
            ? nil : PacketReader(of: plan.pictureAsset, streams: plan.passedOn)
        let extras = try plan.passedOn.map { stream in
            try passOn.map { (stream, try muxer.add($0.encodedFormat(of: stream), like: stream)) }
        }
        try muxer.describe(tags: plan.pictureAsset.tags, chapters: plan.chapters)
        try muxer.start()
        for (stream, track) in extras.compactMap({ $0 }) {
            if let cover = try passOn?.cover(of: stream) {
                try muxer.write(cover, to: track)
            }
        }
        while let next = try interleaver.next() {
            try muxer.write(next.packet, to: tracks[next.track])
        }
    }
}
