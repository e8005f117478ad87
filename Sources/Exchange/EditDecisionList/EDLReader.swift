import Media
import TimeMaps
import TimeWarp

/// Reads an edit decision list.
///
/// An event's source in and the speed of its `M2` line say what it shows; its source out is written differently by every
/// program.
struct EDLReader {
    var notes = TimelineNotes()
    private let media: ProjectMedia
    private var grid = FrameGrid.usual
    /// Whether the list says its rate, as those do that were written here.
    private var statesRate = false
    private var zero: Int64 = 0
    private var sources: [String: MediaSource?] = [:]

    init(_ media: ProjectMedia) {
        self.media = media
    }

    mutating func timeline(_ text: String) throws -> ExchangeTimeline {
        let (lines, dropped) = EDLFile.lines(of: text)
        if dropped > 0 {
            let lines = dropped == 1 ? "1 line" : "\(dropped) lines"
            notes.add("Skipped \(lines) of more than \(EDLFile.longestLine) bytes.")
        }
        let rate = frameRate(of: lines)
        grid = FrameGrid(rate)
        let file = EDLFile(lines, on: grid)
        for line in file.unreadable {
            notes.add("This line can't be read as an event and was skipped: \(line.prefix(100))")
        }
        guard !file.events.isEmpty else {
            throw CompositionError(.malformed, "it isn't an edit decision list: it has no events")
        }
        guard file.events.count <= Composition.mostSegments else {
            throw CompositionError(
                .unsupported, "it holds more than \(Composition.mostSegments) events")
        }
        zero = start(of: file)
        var timeline = ExchangeTimeline(name: file.title)
        timeline.format.frameRate = rate
        var tracks: [EDLChannel: ExchangeTrack] = [:]
        for (index, event) in file.events.enumerated() {
            for channel in Set(event.channels.flatMap(EDLChannel.channels)) {
                try place(
                    event, at: index, of: file, on: &tracks[channel, default: channel.track])
            }
        }
        for channel in tracks.keys {
            try tracks[channel]?.joinContinued()
        }
        timeline.tracks = tracks.sorted { $0.key < $1.key }.map(\.value)
        try timeline.attach(
            file.markers.map { marker in
                TimelineMarker(
                    name: marker.name, at: try max(.zero, grid.time(marker.at - zero)),
                    colour: marker.colour)
            }, &notes)
        return timeline
    }

    // MARK: - Times

    /// The rate that timecode counts in.
    private mutating func frameRate(of lines: [String]) -> FrameRate {
        let rates = EDLFrameRate(of: lines)
        if let stated = rates.stated {
            guard rates.lastRecordedFrame >= FrameGrid(stated).timecodeRate else {
                statesRate = true
                return stated
            }
            notes.add(
                "The list says \(stated) frames a second, but has frames up to \(rates.lastRecordedFrame)."
            )
        }
        if let dropping = rates.dropping {
            return dropping
        }
        // Timecode of any rate can be read as one of 120 frames a second to find the names.
        let file = EDLFile(lines, on: FrameGrid(FrameRate(known: 120)))
        for event in file.events.prefix(50) where !event.isBlack {
            if let rate = source(of: event)?.videoFormat?.usualRate, rates.fits(rate) {
                notes.add(
                    "The list doesn't say its frame rate; \(rate) was taken, as of \(mediaName(of: event))."
                )
                return rate
            }
        }
        let rate = rates.likely
        notes.add(
            "The list doesn't say its frame rate; \(rate) was taken, as its timecode has frames up to \(rates.lastFrame)."
        )
        return rate
    }

    /// The timecode that is time 0: where the first event begins, which may be black.
    private mutating func start(of file: EDLFile) -> Int64 {
        let first = file.events.filter { !$0.record.isEmpty }.map(\.record.lowerBound).min() ?? 0
        let timecode = grid.timecode(first, dropping: grid.canDrop && file.isRecordDropping)
        if !timecode.hasSuffix("00:00:00"), !timecode.hasSuffix("00:00;00") {
            notes.add("The list begins at \(timecode), which is time 0 here.")
        }
        return first
    }

    // MARK: - Clips

    private mutating func place(
        _ event: EDLEvent, at index: Int, of file: EDLFile, on track: inout ExchangeTrack
    ) throws {
        let start = try grid.time(event.record.lowerBound - zero)
        if event.transition != "C", event.transitionFrames == 0 {
            notes.add("The transition of event \(event.number) has no length and became a cut.")
        } else if event.transition != "C" {
            track.transitions.append(
                try TimeRange(start: start, duration: grid.time(event.transitionFrames)))
            if event.transition.hasPrefix("W") || event.transition.hasPrefix("K") {
                notes.add("Wipes and keys became dissolves.")
            }
        }
        guard !event.isBlack else {
            return
        }
        guard !event.record.isEmpty else {
            try placeOutgoing(event, before: index + 1, of: file, at: start, on: &track)
            return
        }
        let lasting = try grid.time(Int64(event.record.count))
        let (first, last) = try sources(of: event, lasting: lasting)
        let clip = try TimelineClip(
            mediaName(of: event), name: event.clipName, from: first, to: last, lasting: lasting)
        track.clips.append(.init(start: start, clip: clip))
    }

    /// Places what a dissolve goes out of, where that isn't the clip before it that goes on.
    ///
    /// - Parameter event: the first line of the dissolve, which records nothing.
    private mutating func placeOutgoing(
        _ event: EDLEvent, before next: Int, of file: EDLFile, at start: RationalTime,
        on track: inout ExchangeTrack
    ) throws {
        guard next < file.events.count, file.events[next].number == event.number,
            file.events[next].transition != "C", file.events[next].transitionFrames > 0,
            !event.mediaNames.isEmpty
        else {
            return
        }
        let lasting = try grid.time(file.events[next].transitionFrames)
        let (first, last) = try sources(of: event, lasting: lasting)
        let media = mediaName(of: event)
        if let before = track.clips.last, try before.end == start {
            let reached = before.clip.ends.last.seconds
            let isContinued = abs(reached - first.seconds) < 1.5 * grid.rate.frameDuration.seconds
            guard before.clip.media != media, !isContinued else {
                return
            }
        }
        track.clips.append(
            .init(
                start: start,
                clip: try TimelineClip(
                    media, name: event.clipName, from: first, to: last, lasting: lasting),
                goesOut: true))
    }

    /// The asset times at an event's start and end.
    private mutating func sources(
        of event: EDLEvent, lasting duration: RationalTime
    ) throws -> (RationalTime, RationalTime) {
        let own = sourceGrid(of: event)
        let (first, last) = frames(of: event, on: own)
        let begin = try assetTime(first, of: event, on: own)
        guard let speed = event.speed else {
            // Avid counts clips of another frame rate at their own; other programs write an M2 if lengths differ.
            if last - first > 1, event.transition == "C", !isPlain(event, on: own) {
                let factor = Double(last - first) / Double(event.record.count)
                if (0.2...8).contains(factor) {
                    notes.add(
                        "Some events have no M2 line, but their source and record lengths differ; they play at the speed that follows."
                    )
                    return (begin, try begin.sum(own.time(last - first)))
                }
            }
            return (begin, try begin.sum(duration))
        }
        guard speed.framesPerSecond != 0 else {
            return (begin, begin)
        }
        // The written rate is the nominal one: 30 for 29.97.
        let consumed = try duration.times(speed.framesPerSecond / Double(own.timecodeRate))
        guard speed.framesPerSecond < 0 else {
            return (begin, try begin.sum(consumed))
        }
        // The frame that is shown first is written, and backwards it begins at its end.
        let entry = speed.entry.flatMap { $0.frames(on: own) } ?? first
        let start = try assetTime(entry + 1, of: event, on: own)
        let end = try start.sum(consumed)
        if end > (try RationalTime.zero.difference(own.rate.frameDuration)) {
            return (start, end)
        }
        // Some programs write the earliest frame, and there are none before it.
        let out = try assetTime(max(last, first + 1), of: event, on: own)
        return (out, try out.sum(consumed))
    }

    /// Source in and out in frames.
    private func frames(of event: EDLEvent, on grid: FrameGrid) -> (Int64, Int64) {
        let first = event.source.in.frames(on: grid) ?? 0
        return (first, event.source.out.frames(on: grid) ?? first)
    }

    /// Whether an event's source lasts as long as its record.
    private func isPlain(_ event: EDLEvent, on own: FrameGrid) -> Bool {
        let (first, last) = frames(of: event, on: own)
        let length = Double(last - first) / Double(own.timecodeRate)
        let recorded = Double(event.record.count) / Double(grid.timecodeRate)
        let isSameRate = own.timecodeRate == grid.timecodeRate
        return abs(length - recorded) * Double(grid.timecodeRate) < (isSameRate ? 0.5 : 1)
    }

    /// What an event's source times count in: frames of the list, or of the file if these have another rate and fit better.
    private mutating func sourceGrid(of event: EDLEvent) -> FrameGrid {
        let last = max(event.source.in.frame, event.source.out.frame)
        let own = source(of: event)?.videoFormat.map { FrameGrid($0.usualRate) }
        let candidates = [grid, own].compactMap { $0 }.filter { $0.timecodeRate > last }
        guard candidates.count == 2, let own, own.timecodeRate != grid.timecodeRate else {
            let higher = [24, 25, 30, 50, 60, 120].lazy.map { FrameGrid(FrameRate(known: $0)) }
            return candidates.first ?? higher.first { $0.timecodeRate > last } ?? grid
        }
        guard agrees(event, own) else {
            return grid
        }
        // Both may be meant in short events. Lists that were written here count all in their own frames.
        let isUnsure = event.speed == nil || statesRate
        return agrees(event, grid) && isUnsure ? grid : own
    }

    /// Whether the length of an event's source is what its record plays of it.
    private func agrees(_ event: EDLEvent, _ own: FrameGrid) -> Bool {
        guard let speed = event.speed else {
            return isPlain(event, on: own)
        }
        let (first, last) = frames(of: event, on: own)
        let seconds = Double(event.record.count) / Double(grid.timecodeRate)
        return abs(Double(last - first) - seconds * abs(speed.framesPerSecond)) <= 1
    }

    private mutating func assetTime(
        _ frames: Int64, of event: EDLEvent, on own: FrameGrid
    ) throws -> RationalTime {
        let time = try own.time(frames)
        guard let source = source(of: event) else {
            return time
        }
        if let start = source.timecodeStart {
            return try max(.zero, time.difference(start))
        }
        // Files without timecode are often counted from a full hour.
        guard time >= source.duration else {
            return time
        }
        notes.add(
            "\(mediaName(of: event)) has no timecode; the hours of its source times were dropped.")
        return try time.difference(own.time(event.source.in.framesBeforeHour(on: own)))
    }

    /// The first of an event's names that is a file's, or else the first.
    private mutating func mediaName(of event: EDLEvent) -> String {
        let names = event.mediaNames
        return names.first { source(named: $0) != nil } ?? names.first ?? event.reel
    }

    private mutating func source(of event: EDLEvent) -> MediaSource? {
        source(named: mediaName(of: event))
    }

    private mutating func source(named name: String) -> MediaSource? {
        if let known = sources[name] {
            return known
        }
        let source = media.source(of: name)
        sources[name] = .some(source)
        return source
    }
}

/// A track of an edit decision list.
enum EDLChannel: Hashable, Comparable {
    case both
    case video
    case audio(Int)

    /// What the letters of an event say.
    static func channels(_ text: String) -> [EDLChannel] {
        switch text {
        case "NONE": return []
        case "B", "AA/V", "A/V", "VA", "AV": return [.both]
        case "AA": return [.audio(1)]
        default:
            if text.hasPrefix("A"), text.dropFirst().allSatisfy(\.isNumber) {
                return [.audio(Int(text.dropFirst()) ?? 1)]
            }
            return [.video]
        }
    }

    var track: ExchangeTrack {
        switch self {
        case .both: ExchangeTrack(carries: .both)
        case .video: ExchangeTrack(carries: .video)
        case .audio: ExchangeTrack(carries: .sound)
        }
    }
}
