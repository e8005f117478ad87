import Foundation
import Media
import Synchronization
import TimeMaps

/// Runs render plans, and writes their output files. (Pieces of them are rendered by ``PieceRenderer``.)
///
/// ```
///  decode ─► retime, encode ─┐
///  decode ─► retime, encode ─┼─► interleave ─► file
///  subtitles ────────────────┤
///  copied packets ───────────┘
/// ```
/// Every arrow is a bounded queue between two threads, so a slow stage makes the stages before it wait, and
/// memory doesn't grow with the length of the input.
public struct Renderer: Sendable {
    private let secondsBetweenPreviews: Double?

    /// A renderer. It has no state, so one renderer can run several plans at the same time.
    ///
    /// - Parameter secondsBetweenPreviews: the time between previews of the frame being written; nil for no previews.
    public init(secondsBetweenPreviews: Double? = 0.25) {
        self.secondsBetweenPreviews = secondsBetweenPreviews
    }

    /// Starts a render and returns its events.
    ///
    /// Work starts immediately. The output file is in its place when ``RenderEvent/finished(_:)`` comes.
    /// Cancelling the task that iterates stops the render: the sequence then throws `CancellationError` after
    /// the unfinished file is deleted. Leaving the loop stops the render, too; the file is deleted shortly
    /// after.
    public func run(_ plan: RenderPlan) -> RenderEvents {
        RenderEvents(plan, secondsBetweenPreviews)
    }

    /// Renders a plan into a pipe, or whatever else takes bytes: nothing that was written is changed any more.
    ///
    /// The plan's destination is ``RenderSettings/Output-swift.struct/pipe``, and its settings say the container, one of ``Container/piped``. An MP4 is
    /// in fragments, and Matroska and WAV don't say how long they are. What was taken when an error or a cancellation comes isn't
    /// complete.
    ///
    /// - Parameter write: takes the bytes in order, on a thread of the render, which waits for it; what it throws ends the
    ///   render.
    public func run(
        _ plan: RenderPlan, writing write: @escaping @Sendable (Data) throws -> Void
    ) -> RenderEvents {
        precondition(plan.isPiped, "the plan is for a file")
        return RenderEvents(plan, secondsBetweenPreviews, writing: write)
    }

    /// Makes the output of a plan from pieces that were rendered before, without encoding again.
    ///
    /// - Parameter pieces: all pieces of the same plan. They are checked while they are read: if one is damaged, the
    ///   sequence throws ``MediaError``, and there is no output.
    public func run(_ plan: RenderPlan, joining pieces: RenderedPieces) -> RenderEvents {
        RenderEvents(plan, secondsBetweenPreviews, joining: pieces)
    }

    /// Renders a plan into a stream: a fragmented MP4 that can be played while it is made.
    ///
    /// Work starts immediately, and waits when about a second of video hasn't been taken. Leaving the loop, or cancelling the
    /// task, stops it within a frame.
    ///
    /// Frames and samples are exactly those of the whole render, wherever the stream starts.
    ///
    /// - Parameters:
    ///   - plan: one for a stream; see ``RenderPlan/init(streaming:shortSide:formats:)``.
    ///   - start: where the stream starts, in output time.
    public func stream(_ plan: RenderPlan, from start: RationalTime = .zero) -> RenderStream {
        RenderStream(plan, from: start, cache: nil)
    }

    /// The same for one of many streams of the same media, which all use and keep decoded frames.
    package func stream(
        _ plan: RenderPlan, from start: RationalTime, cache: FrameCache
    ) -> RenderStream {
        RenderStream(plan, from: start, cache: cache)
    }

    /// Renders and waits for the end.
    ///
    /// - Returns: measurements of the file that was written.
    /// - Throws: as ``RenderEvents``.
    @discardableResult
    public func render(_ plan: RenderPlan) async throws -> RenderReport {
        try await run(plan).report()
    }
}

/// The events of a render, in order. ``RenderEvent/finished(_:)`` comes last.
///
/// Whoever takes them slowly gets the newest preview only. Iterating throws ``MediaError`` if a file can't be read or written,
/// or `CancellationError`. By then, the unfinished output is deleted.
public struct RenderEvents: AsyncSequence, Sendable {
    /// An event of the render.
    public typealias Element = RenderEvent
    private let stream: AsyncThrowingStream<RenderEvent, any Error>
    private let stages = StageGroup()
    private let newest = NewestPreview()

    init(
        _ plan: RenderPlan, _ secondsBetweenPreviews: Double?,
        joining pieces: RenderedPieces? = nil,
        writing write: (@Sendable (Data) throws -> Void)? = nil
    ) {
        let (stages, newest) = (stages, newest)
        stream = AsyncThrowingStream { continuation in
            // This may be called while locks of the task are held, so it asks the stages to stop and doesn't
            // wait.
            continuation.onTermination = { _ in
                stages.stop(because: CancellationError())
            }
            let thread = Thread {
                let result = Result {
                    try RenderRun(plan, secondsBetweenPreviews, joining: pieces, stages: stages) {
                        if newest.isToSend($0) {
                            continuation.yield($0)
                        }
                    }.run(writing: write)
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

    /// Waits for the report.
    fileprivate func report() async throws -> RenderReport {
        for try await case .finished(let report) in self {
            return report
        }
        throw CancellationError()
    }

    /// An iterator over the events that no other iterator has returned yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(events: stream.makeAsyncIterator(), stages: stages, newest: newest)
    }

    /// Returns the events of one render.
    public struct Iterator: AsyncIteratorProtocol {
        var events: AsyncThrowingStream<RenderEvent, any Error>.Iterator
        let stages: StageGroup
        fileprivate let newest: NewestPreview
        var isFinished = false

        /// The next event, or nil after ``RenderEvent/finished(_:)``. It waits for an event if there is none
        /// yet.
        ///
        /// - Throws: ``MediaError`` or `CancellationError`; see ``RenderEvents``.
        public mutating func next() async throws -> RenderEvent? {
            if let event = try await events.next() {
                if case .finished = event {
                    isFinished = true
                }
                return newest.taken(for: event)
            }
            await stages.ended()
            guard isFinished else {
                throw CancellationError()
            }
            return nil
        }
    }
}

/// The newest preview that hasn't been taken. An event for one waits; its image is replaced by newer ones.
private final class NewestPreview: Sendable {
    private let image = Mutex<PreviewImage?>(nil)

    /// Whether an event is to be sent on; none is for a preview while one waits.
    func isToSend(_ event: RenderEvent) -> Bool {
        guard case .preview(let new) = event else {
            return true
        }
        return image.withLock { image in
            defer { image = new }
            return image == nil
        }
    }

    /// An event with the newest image.
    func taken(for event: RenderEvent) -> RenderEvent {
        guard case .preview(let old) = event else {
            return event
        }
        return image.withLock { image in
            defer { image = nil }
            return .preview(image ?? old)
        }
    }
}

/// One run of a plan, on the thread that writes the file.
struct RenderRun {
    private let plan: RenderPlan
    private let site: RenderSite
    private let tracks: [OutputTrack]

    /// How many bytes of packets of each track may wait for other tracks: some seconds with any codec. Where packets are kept
    /// it is half an hour of sound, because one track has work where the other has none. Of a stream it is a quarter of a second of
    /// sound: while the first frame is decoded, more would take a core from it.
    private static func waitingBytes(_ plan: RenderPlan) -> Int {
        plan.settings.output.isStream
            ? 4 << 10 : plan.settings.video.keepsPackets ? 32 << 20 : 4 << 20
    }

    /// - Parameter start: where a stream starts, in output time; nil for a file.
    init(
        _ plan: RenderPlan, _ secondsBetweenPreviews: Double? = nil,
        joining pieces: RenderedPieces? = nil, from start: RationalTime? = nil,
        cache: FrameCache? = nil, stages: StageGroup,
        emit: @escaping @Sendable (RenderEvent) -> Void
    ) {
        self.plan = plan
        let interleaver = Interleaver(
            trackCount: plan.trackCount, capacityBytes: Self.waitingBytes(plan))
        stages.register(interleaver)
        site = RenderSite(
            interleaver: interleaver, stages: stages,
            progress: ProgressMeter(
                duration: plan.outputDuration, secondsBetweenPreviews: secondsBetweenPreviews,
                emit: emit),
            spill: SpillSpace(in: plan.settings.resources.temporaryFolder), cache: cache)
        tracks =
            start.map { [plan, site] in plan.tracks(at: site, from: $0) }
            ?? plan.tracks(at: site, joining: pieces)
    }

    /// - Parameter pipe: takes the bytes, if the plan's destination is a pipe.
    func run(writing pipe: ((Data) throws -> Void)? = nil) throws -> RenderReport {
        let usage = ResourceUsage()
        let written = try stoppingAll {
            try pipe.map { try write(into: $0) }
                ?? RenderReport.Written(in: writeFile(), of: tracks)
        }
        site.progress.finish(frames: framesWritten)
        return RenderReport(plan, tracks, of: written, usage: usage, spill: site.spill)
    }

    private func writeFile() throws -> Asset {
        let muxer = try Muxer(
            creating: plan.destination, as: plan.container,
            existing: plan.settings.output.existing,
            keepsMetadata: plan.settings.output.keepsMetadata,
            putsIndexFirst: plan.settings.output.putsIndexFirst)
        try writeAll(to: muxer)
        return try muxer.finish(inspect: readable)
    }

    private func write(into pipe: @escaping (Data) throws -> Void) throws -> RenderReport.Written {
        let muxer = try Muxer(
            streaming: plan.destination, as: plan.container, layout: .pipe,
            keepsMetadata: plan.settings.output.keepsMetadata, to: pipe)
        let times = PacketTimes(tracks)
        try writeAll(to: muxer) { times.note($0, of: $1) }
        try muxer.finishStream()
        return try times.written()
    }

    /// Writes a stream instead of a file.
    ///
    /// - Parameter take: takes its bytes, in order.
    func stream(to take: @escaping (Data) throws -> Void) throws {
        try stoppingAll {
            let muxer = try Muxer(streaming: plan.destination, to: take)
            try writeAll(to: muxer)
            try muxer.finishStream()
        }
    }

    /// Stops all stages if one fails, and throws the first error, not the abort that it caused here.
    private func stoppingAll<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            site.stages.stop(because: error)
            try site.stages.wait()
            throw error
        }
    }

    /// - Parameter note: called with each packet of a track before it is written.
    private func writeAll(
        to muxer: Muxer, noting note: (Packet, _ track: Int) -> Void = { _, _ in }
    ) throws {
        for track in tracks {
            track.start()
        }
        try write(to: muxer, noting: note)
        try site.stages.wait()
    }

    /// The complete file, which gets its name next.
    ///
    /// - Throws: ``MediaError`` if a reader finds nothing in it: Matroska, for example, can't state less than a millisecond.
    private func readable(at path: String) throws -> Asset {
        do {
            var asset = try Asset(at: path)
            asset.path = plan.destination
            return asset
        } catch let error as MediaError where [.damaged, .noUsableStream].contains(error.code) {
            throw MediaError(
                .incompatible, file: plan.destination,
                reason: "what was written can't be read in a .\(plan.container.rawValue) file: "
                    + error.reason,
                remedy: "Choose another container")
        }
    }

    private var framesWritten: Int64 {
        for case .video(_, let tally) in tracks.map(\.content) {
            return tally.current.framesWritten
        }
        return 0
    }

    private func write(to muxer: Muxer, noting note: (Packet, Int) -> Void) throws {
        let formats = try site.interleaver.formats()
        let lead = plan.settings.output.isStream ? RenderStream.lead : .zero
        let places = try zip(formats, tracks).map {
            try muxer.add(
                $0, like: $1.like, movedBy: try $1.offset + lead, hiddenFrom: $1.hiddenFrom)
        }
        let attached = Dictionary(grouping: plan.attachments, by: \.asset.path)
        let extras = try attached.sorted { $0.key < $1.key }.flatMap { _, tracks in
            let reader = try PacketReader(of: tracks[0].asset, streams: tracks.map(\.stream))
            return try tracks.map { try muxer.add(attached: $0.stream, of: reader) }
        }
        try muxer.describe(tags: plan.tags, chapters: plan.chapters)
        try muxer.start()
        for (track, cover) in extras {
            try cover.map { try muxer.write($0, to: track) }
        }
        while let next = try site.interleaver.next() {
            note(next.packet, next.track)
            try muxer.write(next.packet, to: places[next.track])
        }
    }
}
