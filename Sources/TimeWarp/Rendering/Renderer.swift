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
    /// A renderer; it keeps nothing between renders.
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
        try await run(plan).report()
    }
}

/// What happens while a render runs, in order; ``RenderEvent/finished(_:)`` comes last.
///
/// Iterating throws ``MediaError`` for what went wrong with a file, or `CancellationError`; in
/// either case nothing is left of the output by then.
public struct RenderEvents: AsyncSequence, Sendable {
    /// An event of the render.
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

    /// Waits for the end.
    fileprivate func report() async throws -> RenderReport {
        for try await case .finished(let report) in self {
            return report
        }
        throw CancellationError()
    }

    /// The events, from the first that nobody has taken yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(events: stream.makeAsyncIterator(), stages: stages)
    }

    /// Hands out the events of one render.
    public struct Iterator: AsyncIteratorProtocol {
        var events: AsyncThrowingStream<RenderEvent, any Error>.Iterator
        let stages: StageGroup
        var isFinished = false

        /// The next event, or nil after ``RenderEvent/finished(_:)``.
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
    private let site: RenderSite
    private let tracks: [OutputTrack]

    /// Packets that may wait for the other tracks, in bytes a track: some seconds of any codec.
    private static let waitingBytes = 16 << 20

    init(
        _ plan: RenderPlan, stages: StageGroup,
        emit: @escaping @Sendable (RenderEvent) -> Void
    ) {
        self.plan = plan
        let interleaver = Interleaver(
            trackCount: plan.trackCount, capacityBytes: Self.waitingBytes)
        stages.register(interleaver)
        site = RenderSite(
            interleaver: interleaver, stages: stages,
            progress: ProgressMeter(duration: plan.outputDuration, emit: emit),
            spill: SpillSpace(in: plan.settings.temporaryFolder))
        tracks = plan.tracks(at: site)
    }

    func run() throws -> RenderReport {
        let usage = ResourceUsage()
        do {
            let muxer = try Muxer(
                creating: plan.destination, as: plan.container, existing: plan.settings.existing)
            for track in tracks {
                track.start()
            }
            try write(to: muxer)
            try site.stages.wait()
            try muxer.finish()
        } catch {
            site.stages.stop(because: error)
            // The first reason, not the abort that it caused here.
            try site.stages.wait()
            throw error
        }
        site.progress.finish(frames: framesWritten)
        return try RenderReport(plan, tracks, usage: usage, spill: site.spill)
    }

    private var framesWritten: Int64 {
        for case .pictures(_, let tally) in tracks.map(\.content) {
            return tally.current.framesWritten
        }
        return 0
    }

    private func write(to muxer: Muxer) throws {
        let formats = try site.interleaver.formats()
        let places = try zip(formats, tracks).map { try muxer.add($0, like: $1.like) }
        let attached = try attachmentReader()
        let extras = try plan.attachments.map(\.stream).map { stream in
            try attached.map {
                (stream, try muxer.add($0.encodedFormat(of: stream), like: stream))
            }
        }
        try muxer.describe(tags: plan.tags, chapters: plan.chapters)
        try muxer.start()
        for (stream, track) in extras.compactMap({ $0 }) {
            if let cover = try attached?.cover(of: stream) {
                try muxer.write(cover, to: track)
            }
        }
        while let next = try site.interleaver.next() {
            try muxer.write(next.packet, to: places[next.track])
        }
    }

    /// Reads what is attached; it is all in one file.
    private func attachmentReader() throws -> PacketReader? {
        try plan.attachments.first.map {
            try PacketReader(of: $0.asset, streams: plan.attachments.map(\.stream))
        }
    }
}
