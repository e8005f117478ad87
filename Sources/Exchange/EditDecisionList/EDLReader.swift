import Media
import TimeMaps
import TimeWarp

/// Reads an edit decision list.
///
/// An event's source in and the speed of its `M2` line say what it shows; its source out is written differently by every
/// program. Backwards, the source out is where it begins.
struct EDLReader {
    var notes = TimelineNotes()
    private let media: ProjectMedia
    private var grid = FrameGrid.usual
    private var zero: Int64 = 0
    private var sources: [String: Clip.Source?] = [:]

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

    /// The rate that timecode counts in. Lists don't say it, apart from those written here. It is above the last frame number
    /// in the list, because events with others couldn't be read.
    private mutating func frameRate(of lines: [String]) -> FrameRate {
        let times = lines.filter(EDLFile.beginsEvent).flatMap {
            $0.split(whereSeparator: \.isWhitespace).suffix(4)
        }
        let numbers = times.compactMap { FrameGrid.fields(ofTimecode: $0)?.last }
        let last = numbers.filter { $0 < 120 }.max() ?? 0
        func fits(_ rate: FrameRate) -> Bool { FrameGrid(rate).timecodeRate > last }
        if let rate = Self.statedRate(in: lines) {
            guard !fits(rate) else {
                return rate
            }
            notes.add("The list says \(rate) frames a second, but has frames up to \(last).")
        }
        if lines.contains(where: { $0.uppercased().hasPrefix("FCM: DROP") })
            || times.contains(where: {
                $0.contains(";") && FrameGrid.fields(ofTimecode: $0) != nil
            })
        {
            let rates = [30, 60, 120].map { FrameRate($0 * 1000, over: 1001) }
            return rates.first(where: fits) ?? rates[2]
        }
        // Timecode of any rate can be read as one of 120 frames a second to find the names.
        let file = EDLFile(lines, on: FrameGrid(FrameRate(120)))
        for event in file.events.prefix(50) where !event.isBlack {
            if let rate = source(of: event)?.videoFormat?.usualRate, fits(rate) {
                notes.add(
                    "The list doesn't say its frame rate; \(rate) was taken, as of \(mediaName(of: event))."
                )
                return rate
            }
        }
        let rate = [24, 25, 30, 50, 60].map { FrameRate($0) }.first(where: fits) ?? FrameRate(120)
        notes.add(
            "The list doesn't say its frame rate; \(rate) was taken, as its timecode has frames up to \(last)."
        )
        return rate
    }

    /// The rate that lists say which were written here.
    private static func statedRate(in lines: [String]) -> FrameRate? {
        let comment = lines.first { $0.uppercased().hasPrefix(EDLWriter.rateComment) }
        let text = comment?.dropFirst(EDLWriter.rateComment.count).trimmed
        guard case .fixed(let rate)? = text.flatMap({ RenderSettings.OutputRate(parsing: $0) })
        else {
            return nil
        }
        return rate
    }

    /// The timecode that is time 0: the hour in which the list begins.
    private func start(of file: EDLFile) -> Int64 {
        let first = file.events.filter { !$0.record.isEmpty }.map(\.record.lowerBound).min() ?? 0
        let hour = grid.timecodeRate * 3600
        let late = first % hour
        return late < hour * 5 / 6 ? first - late : first
    }

    // MARK: - Clips

    private mutating func place(
        _ event: EDLEvent, at index: Int, of file: EDLFile, on track: inout ExchangeTrack
    ) throws {
        let start = try grid.time(event.record.lowerBound - zero)
        if event.transition != "C", event.transitionFrames > 0 {
            track.transitions.append(
                try TimeRange(start: start, duration: grid.time(event.transitionFrames)))
            if event.transition.hasPrefix("W") || event.transition.hasPrefix("K") {
                notes.add("Wipes and keys became dissolves.")
            }
        }
        guard !event.isBlack, !event.record.isEmpty else {
            return
        }
        guard event.record.lowerBound >= zero else {
            notes.add("Events before \(grid.timecode(zero)) were dropped.")
            return
        }
        let lasting = try grid.time(Int64(event.record.count))
        let (first, last) = try sources(of: event, lasting: lasting)
        let clip = try TimelineClip(
            mediaName(of: event), name: event.clipName, from: first, to: last, lasting: lasting)
        track.clips.append(.init(start: start, clip: clip))
    }

    /// The asset times at an event's start and end.
    private mutating func sources(
        of event: EDLEvent, lasting duration: RationalTime
    ) throws -> (RationalTime, RationalTime) {
        let source = event.source
        let begin = try assetTime(source.lowerBound, of: event)
        guard let speed = event.speed else {
            // Avid counts clips of another frame rate at their own; other programs write an M2 if lengths differ.
            let isPlain = source.count == event.record.count || source.isEmpty
            if !isPlain, source.count > 1, event.transition == "C" {
                let factor = Double(source.count) / Double(event.record.count)
                if (0.2...8).contains(factor) {
                    notes.add(
                        "Some events have no M2 line, but their source and record lengths differ; they play at the speed that follows."
                    )
                    return (begin, try begin.sum(grid.time(Int64(source.count))))
                }
            }
            return (begin, try begin.sum(duration))
        }
        guard speed != 0 else {
            return (begin, begin)
        }
        // The written rate is the nominal one: 30 for 29.97.
        let consumed = try duration.times(speed / Double(grid.timecodeRate))
        guard speed < 0 else {
            return (begin, try begin.sum(consumed))
        }
        let end = try assetTime(max(source.upperBound, source.lowerBound + 1), of: event)
        return (end, try end.sum(consumed))
    }

    private mutating func assetTime(_ frames: Int64, of event: EDLEvent) throws -> RationalTime {
        let time = try grid.time(frames)
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
        let hour = try grid.time(grid.timecodeRate * 3600)
        let hours = Int64((time.seconds / hour.seconds).rounded(.down))
        notes.add(
            "\(mediaName(of: event)) has no timecode; the hours of its source times were dropped.")
        return try time.difference(hour.multiplied(by: hours, over: 1))
    }

    private func mediaName(of event: EDLEvent) -> String {
        [event.file, event.clipName, event.reel].compactMap { $0 }.first { !$0.isEmpty } ?? "?"
    }

    private mutating func source(of event: EDLEvent) -> Clip.Source? {
        let name = mediaName(of: event)
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
        case .video: ExchangeTrack(carries: .picture)
        case .audio: ExchangeTrack(carries: .sound)
        }
    }
}
