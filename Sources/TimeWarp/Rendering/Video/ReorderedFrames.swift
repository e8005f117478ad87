import Foundation
import Media
import TimeMaps

/// Passes frames from the thread that decodes them, in an order that suits decoding, to the thread that shows them in
/// the order of the map.
///
/// At most two runs exist at a time: one is shown while the next is decoded. Each run has as many frames as fit into a
/// third of the memory. The memory that codecs need is subtracted first. Frames that then don't fit are spilled to the
/// disk, mostly no further than its cache, because they are needed again soon.
struct ReorderedFrames: Sendable {
    enum Item: Sendable {
        /// A frame of a run that is shown while it is decoded.
        case frame(PresentedFrame)
        /// A run that was decoded before it is shown.
        case store(FrameStore, any Sequence<Presentation> & Sendable, FrameTimes)
        case endOfRun
    }
    let frames: ClipFrames
    let stages: StageGroup
    let progress: ProgressMeter?
    let spill: SpillSpace
    private let cache: FrameCache?
    let items: BoundedChannel<Item>
    /// The presentations of a chunk; nil for all that the clip shows.
    private let chunkPresentations: [Presentation]?
    /// How many run in parallel.
    private let jobs: Int
    private let permits: BoundedChannel<Void>
    /// The size of a run's frames, and of those that stay in memory, in bytes.
    private let runBytes: Int
    /// The size of those frames of a run that stay in memory, in bytes.
    private let held: Int

    /// About how many frames a decoder and an encoder with the usual look-ahead hold.
    private static let framesInCodecs = 80

    /// - Parameter presentations: those of a chunk; nil for all that the clip shows.
    init(
        _ frames: ClipFrames, presentations: [Presentation]?, share: DecodingShare,
        stages: StageGroup, progress: ProgressMeter?, spill: SpillSpace, cache: FrameCache?
    ) {
        chunkPresentations = presentations
        jobs = share.jobs
        self.frames = frames
        self.stages = stages
        self.progress = progress
        self.spill = spill
        self.cache = cache
        let synthesis = frames.settings.video.framesInMemory * frames.format.byteCount
        let memory = max(1, share.memoryBytes - synthesis)
        runBytes = max(1, memory / 3)
        let inCodecs = Self.framesInCodecs * frames.format.byteCount
        held = min(max(memory / 24, (memory - inCodecs) / 2), runBytes)
        // More of a stream would take a core from its first frame.
        items = BoundedChannel(
            capacity: frames.settings.output.isStream
                ? min(held, FrameSource.waitingFrames * frames.format.byteCount) : held)
        permits = BoundedChannel(capacity: .max)
        stages.register(items)
        stages.register(permits)
    }

    /// Decodes all frames that the map presents, on the decoding thread.
    func decode(_ tally: Tally<VideoTally>) throws {
        for _ in 0..<2 {
            try permits.send(())
        }
        if let index = frames.index {
            try decode(by: index, tally)
        } else {
            try decodeAll(tally)
        }
        items.finish()
    }

    /// Reports that a run was shown, so that another one may be decoded.
    func finishedRun() throws {
        try permits.send(())
    }

    /// Limited by memory, because each thread of a decoder holds at least one frame.
    private var threads: Int {
        let threads = frames.settings.resources.threadsOfCodec(sharedBy: jobs)
        let affordable = runBytes / max(1, 2 * frames.format.byteCount)
        return frames.settings.resources.threads == 0 ? max(1, min(threads, affordable)) : threads
    }

    // MARK: - By GOPs

    private func decode(by index: PacketIndex, _ tally: Tally<VideoTally>) throws {
        let reader = try FrameReader(
            of: frames.clip.asset, stream: frames.stream, index: index, threads: threads,
            by: frames.hardware, shortSide: frames.settings.video.shortSide, cache: cache,
            checkCancelled: stages.checkStopped)
        let needed = chunkPresentations == nil ? frames.neededPresentations(index.times) : nil
        let presentations: any IteratorProtocol<Presentation> =
            needed ?? (chunkPresentations ?? []).makeIterator()
        defer {
            var counts = DecodingTally(
                framesDecoded: reader.framesDecoded,
                presentationsDropped: needed?.dropped ?? 0)
            counts.add(reader.damage)
            tally.update { [counts] in $0.decoding.add(counts) }
        }
        let runs = PresentationRuns(
            presentations, index: index, capacity: runBytes / max(1, frames.format.byteCount))
        while let run = runs.next() {
            _ = try permits.receive()
            switch run {
            case .rising:
                try show(runs, with: reader)
                try items.send(.endOfRun, cost: 0)
            case .stored(let presentations):
                try store(presentations, with: reader)
            }
        }
    }

    /// Decodes frames in the order in which they are shown.
    private func show(_ runs: PresentationRuns, with reader: FrameReader) throws {
        let rising = RisingPresentations(runs)
        try reader.start(rising)
        while let (number, frame) = try reader.next() {
            try stages.checkStopped()
            if let presentation = rising.presentation(of: number) {
                let showing = try PresentedFrame(
                    frame, presentation, reader.index.times, in: frames.clip)
                try items.send(.frame(showing), cost: frame.byteCount)
                progress?.prepared(presentation.end.seconds)
            }
        }
    }

    /// Decodes frames before any of them is shown.
    private func store(_ presentations: [Presentation], with reader: FrameReader) throws {
        let parts = parts(of: presentations)
        for (number, part) in parts.enumerated() {
            if number > 0 {
                _ = try permits.receive()
            }
            let wanted = Set(part.map(\.frame)).sorted()
            let store = FrameStore(memoryBytes: held, space: spill)
            try reader.start(wanted.makeIterator())
            var done = 0
            while let (number, frame) = try reader.next() {
                try stages.checkStopped()
                try store.add(frame, number: number)
                done += 1
                progress?.prepared(part, share: Double(done) / Double(wanted.count))
            }
            try items.send(.store(store, part, reader.index.times), cost: 0)
        }
    }

    /// The presentations in one part. If neither memory nor the disk has room for all frames, there are several
    /// parts, each decoded from the GOP's start.
    private func parts(of presentations: [Presentation]) -> [[Presentation]] {
        guard presentations.count > held / max(1, frames.format.byteCount) else {
            return [presentations]
        }
        // Leaves some room for other writers.
        let room = spill.freeBytes / 10 * 9 / Int64(max(1, frames.format.byteCount))
        return PresentationRuns.parts(of: presentations, room: Int(room))
    }

    // MARK: - Without an index

    /// Decodes everything, for streams without timestamps.
    private func decodeAll(_ tally: Tally<VideoTally>) throws {
        _ = try permits.receive()
        let (clip, range) = (frames.clip, frames.clip.range)
        let reader = try FrameStream(
            of: clip.asset, stream: frames.stream, from: range.start,
            threads: frames.settings.resources.threadsOfCodec())
        let store = FrameStore(memoryBytes: held, space: spill)
        var starts: [RationalTime] = []
        var end = range.end
        let shownEnd = range.start.seconds + clip.map.latestSourceTime
        while let timed = try reader.next(), timed.start < range.end,
            timed.start.seconds <= shownEnd
        {
            try stages.checkStopped()
            try store.add(timed.frame, number: starts.count)
            starts.append(timed.start)
            end = timed.end
            let done = timed.end.relative(to: range.start).seconds / range.duration.seconds
            progress?.prepared(min(done, 1) * clip.map.outputDuration)
        }
        let times = FrameTimes(starts: starts, end: end)
        tally.update { $0.decoding.add(DecodingTally(of: reader)) }
        try items.send(.store(store, frames.presentations(times), times), cost: 0)
    }
}

/// The presentations of a rising run: returned as frame numbers, and found again by them.
private final class RisingPresentations: IteratorProtocol {
    private let runs: PresentationRuns
    private var waiting: [Presentation] = []

    init(_ runs: PresentationRuns) {
        self.runs = runs
    }

    func next() -> Int? {
        guard let presentation = runs.nextRising() else {
            return nil
        }
        waiting.append(presentation)
        return presentation.frame
    }

    /// The presentation of a frame that was decoded. Earlier ones that weren't decoded are dropped.
    func presentation(of frame: Int) -> Presentation? {
        guard let place = waiting.firstIndex(where: { $0.frame == frame }) else {
            return nil
        }
        defer { waiting.removeFirst(place + 1) }
        return waiting[place]
    }
}

/// The frames in the order of the map, one after another. Used on the thread that shows them.
struct OrderedFrames {
    private let reordered: ReorderedFrames
    private var store: FrameStore?
    private var presentations: (any IteratorProtocol<Presentation>)?
    private var times: FrameTimes?
    /// The start of a presentation whose frame couldn't be decoded. The next frame takes its place.
    private var vacant: OutputInstant?

    init(_ reordered: ReorderedFrames) {
        self.reordered = reordered
    }

    /// The next frame in the order of the map, or nil after the last.
    mutating func next() throws -> PresentedFrame? {
        while true {
            if let showing = try nextStored() {
                return showing
            }
            switch try reordered.items.receive() {
            case nil:
                return nil
            case .frame(let showing):
                return filled(showing)
            case .endOfRun:
                try reordered.finishedRun()
            case .store(let store, let presentations, let times):
                self.store = store
                self.presentations = presentations.makeIterator()
                self.times = times
            }
        }
    }

    private mutating func filled(_ showing: PresentedFrame) -> PresentedFrame {
        defer { vacant = nil }
        var showing = showing
        showing.start = vacant ?? showing.start
        return showing
    }

    private mutating func nextStored() throws -> PresentedFrame? {
        guard let store, let times else {
            return nil
        }
        while let presentation = presentations?.next() {
            guard let frame = try store.frame(presentation.frame) else {
                // In forward playback the frame before stays, so in backward playback the frame after comes early.
                vacant = presentation.direction == .backward ? vacant ?? presentation.start : nil
                continue
            }
            return filled(try PresentedFrame(frame, presentation, times, in: reordered.frames.clip))
        }
        self.store = nil
        presentations = nil
        try reordered.finishedRun()
        return nil
    }
}
