import Media
import TimeMaps
import TimeWarp

/// What a format can say about speeds. Places on tracks are whole frames in all of them.
struct TimelineRules {
    /// Whether clips have one constant speed each, and begin at whole frames of their files.
    var hasConstantSpeeds = false
    /// Whether the frame rate is one that timecode exists for: a whole number, or that over 1.001.
    var hasTimecodeRate = false
}

extension ExchangeTimeline {
    /// A curve that is heard is kept within a millisecond, in seconds of the file.
    private static let heardTolerance = 1e-3

    /// A composition as clips of straight lines.
    ///
    /// - Parameters:
    ///   - media: what is known about its files.
    ///   - notes: takes what is changed by it.
    init(
        of composition: Composition, _ rules: TimelineRules, _ media: ProjectMedia,
        _ notes: inout TimelineNotes
    ) throws {
        name = composition.name
        format = composition.format
        try format.completeFromMedia(composition, media)
        let rate = format.frameRate ?? FrameGrid.usual.rate
        let written = rules.hasTimecodeRate ? rate.forTimecode : rate
        if written != rate {
            notes.add("The frame rate \(rate) has no timecode; the file has \(written) instead.")
        }
        format.frameRate = written
        let grid = FrameGrid(written)
        var errors = LineErrors()
        for track in composition.tracks {
            var result = ExchangeTrack(name: track.name, carries: track.carries)
            for placed in track.placed {
                guard let clip = placed.segment.clip else {
                    continue
                }
                let lines = try Self.lineRules(
                    placed, of: track, after: result.clips.last, grid, rules)
                let (clips, error) = try TimelineClip.clips(of: placed.segment, clip, lines)
                errors.add(clips.map(\.clip), error)
                result.clips += try clips.map {
                    .init(start: try placed.range.start.sum($0.offset), clip: $0.clip)
                }
            }
            try result.moveToFrames(of: grid, &notes)
            try result.limitTransitions(grid, &notes)
            tracks.append(result)
        }
        notes.add(all: errors.notes(grid))
    }

    private static func lineRules(
        _ placed: Track.Placed, of track: Track, after last: ExchangeTrack.Placed?,
        _ grid: FrameGrid, _ rules: TimelineRules
    ) throws -> LineRules {
        var lines = LineRules(
            tolerance: tolerance(of: track, grid, rules), outputs: grid, start: placed.range.start)
        guard rules.hasConstantSpeeds else {
            return lines
        }
        let cut = try grid.time(grid.frames(placed.range.start))
        lines.sources = grid
        lines.cut = try cut.difference(placed.range.start)
        let lead = try lead(of: placed.segment, at: cut, after: last, grid)
        lines.firstOutput = try lines.cut.difference(lead)
        return lines
    }

    /// How long before the cut at its start a clip begins to dissolve with the one before, in whole frames.
    private static func lead(
        of segment: Segment, at cut: RationalTime, after last: ExchangeTrack.Placed?,
        _ grid: FrameGrid
    ) throws -> RationalTime {
        guard segment.blending.dissolve > .zero, let last,
            try grid.frames(last.end) == grid.frames(cut)
        else {
            return .zero
        }
        let frames = grid.frames(last.clip.duration)
        var dissolve = grid.frames(segment.blending.dissolve)
        if (dissolve + 1) / 2 > frames {
            dissolve = frames / 2 * 2
        }
        let duration = try grid.time(dissolve)
        let begin = try cut.difference(duration.multiplied(by: 1, over: 2))
        let range = grid.range(try TimeRange(start: begin, duration: duration))
        return try range.map { try cut.difference(grid.time($0.lowerBound)) } ?? .zero
    }

    private static func tolerance(
        of track: Track, _ grid: FrameGrid, _ rules: TimelineRules
    ) -> Double {
        let frame = grid.rate.frameDuration.seconds
        guard !rules.hasConstantSpeeds else {
            return frame / 2
        }
        return track.carries == .video ? frame / 4 : min(frame / 4, heardTolerance)
    }
}

/// How far straight lines are from what they stand for, over a timeline.
private struct LineErrors {
    /// A kind of change: how many clips have it, one of them, and the largest error in seconds.
    private struct Change {
        var count = 0
        var name = ""
        var error = 0.0

        mutating func add(_ clip: TimelineClip, _ error: Double) {
            count += 1
            if error > self.error {
                (name, self.error) = (clip.name ?? PlacedClip.fileName(of: clip.media), error)
            }
        }
    }

    private var moved = Change()
    private var bent = Change()

    mutating func add(_ clips: [TimelineClip], _ error: Double) {
        guard error > LineRules.exact, let first = clips.first else {
            return
        }
        let lines = clips.reduce(0) { $0 + $1.points.count - 1 }
        if lines == 1 {
            moved.add(first, error)
        } else {
            bent.add(first, error)
        }
    }

    func notes(_ grid: FrameGrid) -> [String] {
        let kinds = [
            (
                moved, "clip begins at the nearest whole frame of its file",
                "clips begin at the nearest whole frame of their files"
            ), (bent, "clip is straight lines now", "clips are straight lines now"),
        ]
        return kinds.filter { $0.0.count > 0 }.map { change, one, what in
            let micros = (change.error * 1e6).rounded(.up)
            let size =
                micros < 1000 ? "\(Int(micros)) µs" : "\((micros / 100).rounded(.up) / 10) ms"
            let frames = change.error * grid.rate.framesPerSecond
            let share = String(Double(Int((frames * 100).rounded(.up))) / 100) + " frames"
            return
                "\(change.count) \(change.count == 1 ? one : what), at most \(size) (\(share)) from the original, the most in \"\(change.name)\"."
        }
    }
}

extension ExchangeTrack {
    /// Moves the ends of clips to whole frames. The clips go on along their lines, so that what is shown at a time stays.
    fileprivate mutating func moveToFrames(
        of grid: FrameGrid, _ notes: inout TimelineNotes
    ) throws {
        var moved = 0
        var kept: [Placed] = []
        for placed in clips {
            let (start, end) = (placed.start, try placed.end)
            guard !grid.holds(start) || !grid.holds(end) else {
                kept.append(placed)
                continue
            }
            moved += 1
            let (first, last) = (grid.frames(start), grid.frames(end))
            guard first < last else {
                notes.add("\(placed.clip.title) is shorter than a frame and was dropped.")
                continue
            }
            var whole = try placed.placed(from: grid.time(first), to: grid.time(last))
            whole.clip = try whole.clip.movedIntoFile()
            kept.append(whole)
        }
        clips = kept
        if moved > 0 {
            let track = name.isEmpty ? "a track" : "the track \"\(name)\""
            notes.add(
                "\(moved == 1 ? "1 clip" : "\(moved) clips") of \(track) began or ended between frames; "
                    + "such cuts are at the nearest frame.")
        }
    }
}

extension ExchangeTrack {
    /// Makes transitions whole frames long, and shorter where clips are too short for those at both their ends.
    fileprivate mutating func limitTransitions(
        _ grid: FrameGrid, _ notes: inout TimelineNotes
    ) throws {
        for index in clips.indices {
            for length in [\Blending.dissolve, \Blending.fadeOut] {
                let frames = grid.frames(clips[index].clip.blending[keyPath: length])
                clips[index].clip.blending[keyPath: length] = try grid.time(frames)
            }
        }
        for index in clips.indices {
            let isAfterClip = try index > 0 && clips[index - 1].end == clips[index].start
            let isBeforeClip =
                try index + 1 < clips.count && clips[index].end == clips[index + 1].start
            let frames = grid.frames(clips[index].clip.duration)
            let dissolve = grid.frames(clips[index].clip.blending.dissolve)
            let next = isBeforeClip ? grid.frames(clips[index + 1].clip.blending.dissolve) : 0
            if next > 0 {
                // A clip that dissolves into the next doesn't fade out.
                clips[index].clip.blending.fadeOut = .zero
            }
            let fadeOut = grid.frames(clips[index].clip.blending.fadeOut)
            // Half of a dissolve lies in each clip; a fade lies in its clip.
            let atStart = isAfterClip ? (dissolve + 1) / 2 : dissolve
            guard atStart + max((next + 1) / 2, fadeOut) > frames else {
                continue
            }
            notes.add("Dissolves and fades are shorter where clips are too short for them.")
            let half = frames / 2
            func limit(
                _ length: WritableKeyPath<Blending, RationalTime>, _ number: Int, _ most: Int64
            ) throws {
                let time = try grid.time(most)
                let old = clips[number].clip.blending[keyPath: length]
                clips[number].clip.blending[keyPath: length] = min(old, time)
            }
            try limit(\.dissolve, index, isAfterClip ? 2 * half : half)
            try limit(\.fadeOut, index, half)
            if isBeforeClip {
                try limit(\.dissolve, index + 1, 2 * half)
            }
        }
    }
}

extension FrameRate {
    /// The rate, or else one that timecode exists for: a multiple if there is one.
    fileprivate var forTimecode: FrameRate {
        if denominator == 1 || (denominator == 1001 && numerator % 1000 == 0) {
            return self
        }
        let usual = [24, 25, 30, 48, 50, 60, 100, 120].flatMap { rate in
            [FrameRate(known: Int32(rate) * 1000, over: 1001), FrameRate(known: Int32(rate))]
        }
        let multiple = usual.first { candidate in
            let ratio = candidate.framesPerSecond / framesPerSecond
            return ratio >= 0.999999 && abs(ratio - ratio.rounded()) < 1e-6
        }
        return multiple ?? usual.first { $0.framesPerSecond >= framesPerSecond }
            ?? FrameRate(known: 120)
    }
}

extension Composition.Format {
    /// Takes what the format leaves open from the clip that is seen first, as rendering does.
    fileprivate mutating func completeFromMedia(
        _ composition: Composition, _ media: ProjectMedia
    ) throws {
        guard self.size == nil || self.frameRate == nil || self.sampleRate == nil else {
            return
        }
        let clips = composition.tracks.flatMap { track in
            track.carries == .sound ? [] : track.segments.compactMap(\.clip)
        }
        var known: Set<String> = []
        for clip in clips where known.insert(clip.media).inserted && known.count <= 20 {
            guard let source = media.source(of: clip.media), let video = source.videoFormat else {
                continue
            }
            self.frameRate = self.frameRate ?? video.usualRate
            self.size = self.size ?? Composition.Size(known: video.width, height: video.height)
            if let sound = source.asset?.audioStreams.first?.audioFormat {
                self.sampleRate = self.sampleRate ?? sound.sampleRate
            }
            return
        }
    }
}

extension TimelineClip {
    /// Where the clip's dissolve with the one before lies, and where it fades out, in track time.
    ///
    /// - Parameter isAdjoining: whether another clip ends where this one starts.
    static func transitions(
        of placed: ExchangeTrack.Placed, afterClip isAdjoining: Bool
    ) throws -> (dissolve: TimeRange?, fadeOut: TimeRange?) {
        let blending = placed.clip.blending
        var (dissolve, fadeOut): (TimeRange?, TimeRange?)
        if blending.dissolve > .zero {
            let half = try blending.dissolve.multiplied(by: 1, over: 2)
            let start = isAdjoining ? try placed.start.difference(half) : placed.start
            dissolve = try TimeRange(start: start, duration: blending.dissolve)
        }
        if blending.fadeOut > .zero {
            let end = try placed.end
            fadeOut = try TimeRange(start: end.difference(blending.fadeOut), end: end)
        }
        return (dissolve, fadeOut)
    }
}
