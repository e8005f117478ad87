import Foundation
import Media
import TimeMaps

/// The counts of a track's stages.
struct VideoTally: Sendable, Codable {
    var decoding = DecodingTally()
    /// The number of presentations of source frames.
    var framesRead: Int64 = 0
    var framesWritten: Int64 = 0
    /// Those of them whose packets are the source's.
    var framesKept: Int64 = 0
    var framesRepeated: Int64 = 0
    var framesSkipped: Int64 = 0
    /// Source frames that repeat the one before, and were skipped.
    var repeatsSkipped: Int64 = 0
    /// Source frames that repeat the one before, and were shown although motion was made; about, where a track is
    /// encoded in chunks.
    var repeatsFound: Int64 = 0
    var synthesis = SynthesisCounts()
    /// Source frames that fell on the same tick of a variable rate as the next one.
    var framesCollided: Int64 = 0
    /// Frames whose size or shape isn't that of the first.
    var framesFitted: Int64 = 0
    /// Frames whose closed captions weren't written.
    var captionsDropped: Int64 = 0
    /// The planned time of each written frame, in seconds, for a variable rate. A fixed rate needs no list.
    var times: [Double] = []

    /// Replaces all counts except those of decoding.
    mutating func count(_ encoded: VideoTally) {
        let decoding = decoding
        self = encoded
        self.decoding = decoding
    }

    /// Adds the counts of another part of the same track, except those of decoding.
    mutating func add(_ other: VideoTally) {
        framesRead += other.framesRead
        framesWritten += other.framesWritten
        framesKept += other.framesKept
        framesRepeated += other.framesRepeated
        framesSkipped += other.framesSkipped
        repeatsSkipped += other.repeatsSkipped
        repeatsFound += other.repeatsFound
        synthesis.add(other.synthesis)
        framesCollided += other.framesCollided
        framesFitted += other.framesFitted
        captionsDropped += other.captionsDropped
        times += other.times
    }
}

/// One video track. Each segment is decoded on a thread of its own, and retimed and encoded on another one. A track that
/// is encoded in chunks has several such pairs of threads.
struct VideoStages: Sendable {
    let plan: RenderPlan
    let track: RenderPlan.VideoTrack
    let trackNumber: Int
    let site: RenderSite
    /// Whether this track drives the progress display.
    let leads: Bool
    let tally = Tally(VideoTally())

    var progress: ProgressMeter? { leads ? site.progress : nil }

    /// The threads of an encoder. Where pieces are encoded, one unless more are asked for, because the number changes
    /// the output.
    var threadsOfEncoder: Int {
        plan.settings.resources.isCut
            ? max(1, plan.settings.resources.threads) : plan.settings.resources.threadsOfCodec()
    }

    func start() {
        switch track.making {
        case .restamped:
            let restamping = RestampStages(
                track: track, trackNumber: trackNumber, site: site, progress: progress,
                tally: tally)
            site.stages.start("restamp") { try restamping.run() }
        case .encoded(let codec, _):
            if let cutting = track.cutting {
                ChunkStages(self, codec, cutting).start()
            } else {
                startWhole(codec)
            }
        }
    }

    /// Encodes what is shown from an output time on, in one go.
    func start(from time: RationalTime) {
        guard case .encoded(let codec, _) = track.making else {
            preconditionFailure("a stream's video is encoded")
        }
        site.stages.start("encode") {
            // The tick that is shown then.
            let ticks = try (time - track.offset).seconds / track.timing.timeBase.seconds
            let first = max(0, Int64((ticks + 1e-6).rounded(.down)))
            var cutter = ChunkCutter(
                track.segments, from: first, FrameCost(codec, plan.settings))
            let runs = AnyIterator { cutter.nextRun(of: Self.framesAtOnce) }
            try encodeAll(runs, count: .max, from: first, as: codec)
        }
    }

    /// The frames of a stream that are looked for at once: not all of a long film.
    private static let framesAtOnce: Int64 = 1500

    private func startWhole(_ codec: VideoCodec) {
        site.stages.start("encode") {
            let runs = track.segments.lazy.map { EncodedRun(all: $0) }
            try encodeAll(runs, count: track.segments.count, as: codec)
        }
    }

    private func encodeAll(
        _ runs: some Sequence<EncodedRun>, count: Int, from firstTick: Int64 = .min,
        as codec: VideoCodec
    ) throws {
        let counted = try write(
            runs, count: count, from: firstTick, as: codec, endsTrack: true,
            threads: threadsOfEncoder, jobs: 1,
            progress: WrittenProgress(progress),
            sink: PacketSink(site.interleaver, track: trackNumber))
        site.interleaver.finish(trackNumber)
        tally.update { $0.count(counted) }
    }

    /// Starts decoding a run: one source for each of its clips, none for black.
    ///
    /// - Parameters:
    ///   - jobs: how many encoders run in parallel.
    ///   - count: how many runs the encoder has. If there are several, two share the memory.
    ///   - earlier: those of the run before. Of a stream they are decoded first, so that nothing takes the time of its first frame.
    func sources(
        of run: EncodedRun?, sharedBy jobs: Int, among count: Int, after earlier: [FrameSource]
    ) -> [FrameSource] {
        guard let run, run.kept == nil else {
            return []
        }
        let clips = run.frames.map { [$0] } ?? run.mixed.map(\.frames)
        let share = DecodingShare(
            memoryBytes: plan.settings.resources.memoryBytes / plan.video.count / jobs
                / (count > 1 ? 2 : 1) / max(1, clips.count),
            jobs: jobs)
        return clips.map { frames in
            FrameSource(
                decoding: frames, presentations: run.presentations, share: share,
                stages: site.stages,
                progress: run.place == nil && run.presentations == nil ? progress : nil,
                spill: site.spill, cache: site.cache, tally: tally,
                after: plan.settings.output.isStream ? earlier : [])
        }
    }

    /// Retimes and encodes runs one after another with one encoder, or passes their packets on, after which another encoder
    /// begins. While one run is shown, the next is decoded.
    ///
    /// - Parameters:
    ///   - count: how many runs there are, at least.
    ///   - firstTick: frames that are over by then aren't written.
    ///   - endsTrack: whether the track ends with these runs.
    ///   - threads: how many threads the encoder uses.
    ///   - jobs: how many encoders run in parallel.
    /// - Returns: the counts, except those of decoding.
    func write(
        _ runs: some Sequence<EncodedRun>, count: Int, from firstTick: Int64 = .min,
        as codec: VideoCodec, endsTrack: Bool, threads: Int, jobs: Int, progress: WrittenProgress,
        sink: PacketSink
    ) throws -> VideoTally {
        let seam = track.keeping?.seam
        try seam.map { try sink.open($0.format) }
        let encoded = seam.map { sink.joining($0, path: plan.destination) } ?? sink
        var writer: FrameWriter?
        var counted = VideoTally()
        var remaining = runs.makeIterator()
        var next = remaining.next()
        var upcoming = sources(of: next, sharedBy: jobs, among: count, after: [])
        while let run = next {
            let current = upcoming
            next = remaining.next()
            upcoming = sources(of: next, sharedBy: jobs, among: count, after: current)
            if let frames = run.frames, let stretch = run.kept, let seam {
                try KeptWriting(
                    frames: frames, stretch: stretch, run: run, timing: track.timing,
                    seam: seam.format, stages: site.stages, progress: progress
                ).write(counting: &counted, to: sink)
                continue
            }
            let isLast = next?.kept != nil || next == nil
            var writing =
                try writer
                ?? FrameWriter(
                    FrameCoding(track, as: codec), for: plan,
                    endsTrack: endsTrack && seam == nil,
                    threads: threads, stages: site.stages, progress: progress, sink: encoded)
            writing.firstTick = firstTick
            try RunWriting(run: run, format: track.format, timing: track.timing)
                .write(current, stages: site.stages, counting: &counted, to: &writing)
            if isLast {
                try writing.finish()
                counted.add(writing.tally)
            }
            writer = isLast ? nil : writing
        }
        return counted
    }
}
