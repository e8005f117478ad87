import Media
import TimeMaps
import TimeWarp

/// Compares the frames of a composition's video track, segment by segment. Used on one thread.
struct SegmentedFrameCheck {
    let track: RenderPlan.VideoTrack
    let settings: RenderSettings
    let written: Asset
    let writtenStream: Asset.Stream
    let stretches: Int?
    /// The ranges of output seconds in which packets were kept, in order.
    let kept: [Range<Double>]
    let checkCancelled: () throws -> Void

    /// What was measured of each segment.
    private(set) var video: [VerificationReport.Video] = []
    private(set) var faults: [VerificationReport.Fault] = []
    private(set) var notes: [String] = []
    /// The readers of files that later segments show, too.
    private(set) var sources: [String: SignatureReader] = [:]

    consuming func run() throws -> FrameCheck.Result {
        try check()
        return FrameCheck.Result(
            video: VerificationReport.Video(merging: video), faults: faults, notes: notes)
    }

    private mutating func check() throws {
        let output = try SignatureReader(
            of: written, stream: writtenStream, withDigests: !kept.isEmpty,
            checkCancelled: checkCancelled)
        guard output.times.count > 0 else {
            throw MediaError(
                .damaged, file: written.path, reason: "its video track has no frames")
        }
        let segments = track.segments.filter { $0.ticks?.isEmpty == false }
        var waiting = segments.compactMap(\.sourceKey).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        for (number, segment) in segments.enumerated() {
            try checkCancelled()
            guard let ticks = segment.ticks else {
                continue
            }
            // The first and the last segment take what lies outside of all.
            let inside = frames(of: ticks, in: output.times)
            let first = number == 0 ? 0 : inside.lowerBound
            let last = number == segments.count - 1 ? output.times.count : inside.upperBound
            try check(segment, ticks, first..<max(first, last), output)
            if let key = segment.sourceKey {
                waiting[key, default: 0] -= 1
                sources[key] = waiting[key] == 0 ? nil : sources[key]
            }
        }
        let wanted: FrameRate? = if case .fixed(let rate, _) = track.timing { rate } else { nil }
        notes += FrameCheck.rateNotes(for: faults, wanted: wanted, found: writtenStream)
        faults += shapeFaults + output.damage.faults
    }

    /// Frames that are encoded for a composition are upright; others keep their rotation.
    private var shapeFaults: [VerificationReport.Fault] {
        guard let found = writtenStream.videoFormat else {
            return []
        }
        return FrameCheck.shapeFaults(
            wanted: track.format.shownRatio(turned: track.model?.rotation ?? 0),
            found: found.shownRatio(turned: writtenStream.rotation))
    }

    /// The sections of a second to compare in one segment: its share of all, and at least one.
    func stretches(of ticks: Range<Int64>) -> Int? {
        let all = track.segments.reduce(0) { $0 + ($1.ticks?.count ?? 0) }
        return stretches.map {
            max(1, Int((Double($0) * Double(ticks.count) / Double(max(all, 1))).rounded()))
        }
    }

    private mutating func check(
        _ segment: VideoSegment, _ ticks: Range<Int64>, _ frames: Range<Int>,
        _ output: SignatureReader
    ) throws {
        guard let clip = segment.clip, let stream = segment.stream, let key = segment.sourceKey
        else {
            try checkWithoutClip(segment, ticks, frames, output)
            return
        }
        let source = try source(key, of: clip, stream, within: segment.frames?.shapes ?? [])
        guard source.times.count > 0 else {
            throw MediaError(
                .damaged, file: clip.asset.path, reason: "its video track has no frames")
        }
        let check = FrameCheck(
            clip: clip, stream: stream, written: written, writtenStream: writtenStream,
            settings: settings, stretches: stretches(of: ticks), isSegment: true, kept: kept,
            checkCancelled: checkCancelled)
        let table = timetable(segment, ticks, frames, source, output)
        let result = try check.compare(table, source, output, count: frames.count)
        video.append(result.video)
        faults += result.faults.map { $0.naming(clip.asset.path) }
        notes += result.notes.map { "\(clip.asset.path): \($0)" }
    }

    /// Checks black frames, or the times of mixed ones.
    private mutating func checkWithoutClip(
        _ segment: VideoSegment, _ ticks: Range<Int64>, _ frames: Range<Int>,
        _ output: SignatureReader
    ) throws {
        if segment.isMixed {
            notes.append("Frames in dissolves and fades aren't compared with their sources.")
            // With a variable rate, the mix decides how many there are.
            guard case .fixed = track.timing else {
                return
            }
        }
        let table = FrameTimetable(black: ticks, of: track.timing, frames, output.times)
        let gap = try GapCheck(
            table: table, stretches: stretches(of: ticks), isMixed: segment.isMixed,
            checkCancelled: checkCancelled
        ).run(output, count: frames.count)
        video.append(gap.video)
        faults += gap.faults.map { $0.naming(segment.isMixed ? "a dissolve" : "a gap") }
    }

    private mutating func source(
        _ key: String, of clip: AssetClip, _ stream: Asset.Stream, within shapes: [Double]
    ) throws -> SignatureReader {
        if let known = sources[key] {
            return known
        }
        // Of a track that keeps its rotation, both files are compared as they are shown.
        let isTurned = track.model.map { $0.rotation != 0 } ?? false
        let own = isTurned ? clip.asset.streams.first { $0.index == stream.index } : nil
        var format: VideoFormat?
        if case .encoded = track.making, !isTurned {
            format = track.format
        }
        let reader = try SignatureReader(
            of: clip.asset, stream: own ?? stream, as: format, within: shapes,
            withDigests: !kept.isEmpty, checkCancelled: checkCancelled)
        sources[key] = reader
        return reader
    }

    private var secondsPerTick: Double { track.timing.timeBase.seconds }

    /// The output's frames of some ticks.
    private func frames(of ticks: Range<Int64>, in times: FrameTimes) -> Range<Int> {
        func first(at tick: Int64) -> Int {
            let half = 0.5 * min(secondsPerTick, FrameTimetable.tolerance)
            let isFixed = if case .fixed = track.timing { true } else { false }
            let seconds = Double(tick) * secondsPerTick - (isFixed ? secondsPerTick / 2 : half)
            return (0..<times.count).partitionPoint { times.start(of: $0).seconds >= seconds }
        }
        return first(at: ticks.lowerBound)..<first(at: ticks.upperBound)
    }

    private func timetable(
        _ segment: VideoSegment, _ ticks: Range<Int64>, _ frames: Range<Int>,
        _ source: SignatureReader, _ output: SignatureReader
    ) -> FrameTimetable {
        let start = Double(ticks.lowerBound) * secondsPerTick
        switch track.timing {
        case .fixed(let rate, _):
            return FrameTimetable(
                output.times, frames, rate: rate, ticks: ticks,
                offset: (segment.frames?.gridPhase ?? 0) - start)
        case .variable:
            return FrameTimetable(
                output.times, frames, starts: starts(of: segment, ticks, source, from: start),
                offset: -start)
        }
    }

    /// The output seconds at which each source frame of a segment comes.
    private func starts(
        of segment: VideoSegment, _ ticks: Range<Int64>, _ source: SignatureReader,
        from start: Double
    ) -> [Double] {
        guard let clip = segment.clip else {
            return [start]
        }
        let lasts = Double(ticks.count) * secondsPerTick
        let all = Presentations(source.times, map: clip.map, range: clip.range)
            .map(\.start.seconds).filter { $0 < lasts - secondsPerTick / 2 }
        // The first frame is shown from the segment's start on, even if it would come later.
        return [start] + all.dropFirst().map { start + $0 }
    }
}

extension VideoSegment {
    /// The stream that is seen, its file, and what it is fitted into; nil for black.
    fileprivate var sourceKey: String? {
        guard let clip, let stream else {
            return nil
        }
        return "\(stream.index) \(frames?.shapes ?? []) \(clip.asset.path)"
    }
}

extension FrameTimetable {
    /// The frames of a gap.
    fileprivate init(
        black ticks: Range<Int64>, of timing: RenderPlan.Timing, _ frames: Range<Int>,
        _ times: FrameTimes
    ) {
        switch timing {
        case .fixed(let rate, _):
            self.init(times, frames, rate: rate, ticks: ticks, offset: 0)
        case .variable(let perSecond):
            self.init(
                times, frames, starts: [Double(ticks.lowerBound) / Double(perSecond)], offset: 0)
        }
    }
}

extension VerificationReport.Fault {
    /// The same, with the file that it is about.
    func naming(_ file: String) -> VerificationReport.Fault {
        .init(kind, at: atSeconds, "\(file): \(sentence)")
    }
}
