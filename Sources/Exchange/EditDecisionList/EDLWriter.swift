import Foundation
import Media
import TimeMaps
import TimeWarp

/// Writes a timeline as an edit decision list.
struct EDLWriter {
    /// The comment that says the frame rate, which lists have no place for.
    static let rateComment = "* FRAME RATE:"
    private static let mostAudioTracks = 4
    /// The timecode at which the list begins.
    private static let firstHour: Int64 = 1

    private let timeline: ExchangeTimeline
    private let grid: FrameGrid
    private let media: ProjectMedia
    private(set) var notes = TimelineNotes()
    private var lines: [String] = []
    private var number = 0
    private var starts: [String: RationalTime] = [:]
    private var reels: [String: String] = [:]
    private var takenReels = Self.reservedReels
    /// How often a name was wanted.
    private var reelCounts: [String: Int] = [:]

    init(_ timeline: ExchangeTimeline, _ media: ProjectMedia) {
        self.timeline = timeline
        self.media = media
        grid = FrameGrid(timeline.format.frameRate ?? FrameGrid.usual.rate)
    }

    mutating func file() throws -> String {
        for name in Set(timeline.tracks.flatMap(\.clips).map(\.clip.media)).sorted() {
            starts[name] = media.source(of: name)?.timecodeStart ?? .zero
            reels[name] = reel(of: name)
        }
        lines = [
            "TITLE: \(timeline.name.isEmpty ? "TimeWarp" : Self.oneLine(timeline.name))",
            "FCM: NON-DROP FRAME", "",
        ]
        let seen = timeline.tracks.filter { $0.carries != .sound && !$0.clips.isEmpty }
        if seen.count > 1 {
            notes.add(
                "Only the lowest of \(seen.count) video tracks is in the list, which has one.")
        }
        // The first audio track is that of the video track.
        let heard =
            seen.dropFirst().filter { $0.carries == .both }
            + timeline.tracks.filter { $0.carries == .sound && !$0.clips.isEmpty }
        let first = seen.first?.carries == .both ? 2 : 1
        let most = Self.mostAudioTracks + 1 - first
        if heard.count > most {
            notes.add("Only \(most) of \(heard.count) more audio tracks are in the list.")
        }
        try writeBlack(before: seen.prefix(1) + heard.prefix(most))
        if let track = seen.first {
            try write(track, track.carries == .both ? "B" : "V")
        }
        for (index, track) in heard.prefix(most).enumerated() {
            try write(track, first + index == 1 ? "A" : "A\(first + index)")
        }
        // Some programs read no comments before the first event.
        let end = lines.indices.dropFirst(3).first { lines[$0].isEmpty } ?? lines.count
        lines.insert("\(Self.rateComment) \(grid.rate)", at: end)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func oneLine(_ text: String) -> String {
        text.map { $0.isNewline ? " " : String($0) }.joined()
    }

    /// Names of reels that mean something else: black, and a file without a reel.
    static let reservedReels: Set = ["BL", "BLACK", "AX"]

    /// A name of at most eight letters and digits that no other file has.
    private mutating func reel(of media: String) -> String {
        let stem = (PlacedClip.fileName(of: media) as NSString).deletingPathExtension
        let letters = stem.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let plain = letters.isEmpty ? "CLIP" : String(letters.prefix(8))
        var name = plain
        while takenReels.contains(name) {
            reelCounts[plain, default: 1] += 1
            let count = "\(reelCounts[plain] ?? 1)"
            name = plain.prefix(8 - count.count) + count
        }
        takenReels.insert(name)
        return name
    }

    // MARK: - Events

    /// Writes black from time 0 to the first clip: for most programs, time 0 is where a list begins.
    private mutating func writeBlack(before tracks: ArraySlice<ExchangeTrack>) throws {
        let first = tracks.flatMap(\.clips).map(\.start).min() ?? .zero
        let frames = grid.frames(first)
        guard frames > 0 else {
            return
        }
        number += 1
        let times = try "\(timecode(0)) \(timecode(frames)) \(record(0)) \(record(frames))"
        lines += [Self.line(number, "BL", "V", "C") + " " + times, ""]
    }

    private mutating func write(_ track: ExchangeTrack, _ channel: String) throws {
        let clips = try EDLWrittenClip.clips(of: track, grid)
        for (index, clip) in clips.enumerated() {
            number += 1
            if clip.dissolve > 0 {
                let before = clip.isAfterClip && index > 0 ? clips[index - 1] : nil
                try writeOutgoing(before, at: clip.start, channel)
            }
            try write(clip, channel, before: clip.isAfterClip && index > 0 ? clips[index - 1] : nil)
            if clip.fadeOut > 0 {
                number += 1
                try writeOutgoing(clip, at: clip.end, channel)
                let (start, end) = try (record(clip.end), record(clip.end + clip.fadeOut))
                let times = try "\(timecode(0)) \(timecode(clip.fadeOut)) \(start) \(end)"
                lines.append(Self.line(number, "BL", channel, "D", clip.fadeOut) + " " + times)
                lines.append("* FROM CLIP NAME: \(name(of: clip))")
                lines.append("")
            }
        }
    }

    private func record(_ frames: Int64) throws -> String {
        try timecode(frames + Self.firstHour * grid.timecodeRate * 3600)
    }

    /// - Throws: ``CompositionError`` from 100 hours on, which timecode can't say.
    private func timecode(_ frames: Int64) throws -> String {
        guard frames < 100 * 3600 * grid.timecodeRate else {
            throw CompositionError(
                .unsupported,
                "an edit decision list can't say times from 100 hours on, and begins at hour \(Self.firstHour)"
            )
        }
        return grid.timecode(frames)
    }

    private static func line(
        _ number: Int, _ reel: String, _ channel: String, _ kind: String, _ frames: Int64? = nil
    ) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        let digits = "\(number)"
        let event = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        let length = frames.map { "\($0)" }.map {
            String(repeating: "0", count: max(0, 3 - $0.count)) + $0
        }
        return padded(event, 5) + padded(reel, 9) + padded(channel, 6) + padded(kind, 5)
            + padded(length ?? "", 4)
    }

    /// The first line of a dissolve: the clip that goes out, with no length.
    private mutating func writeOutgoing(
        _ clip: EDLWrittenClip?, at frame: Int64, _ channel: String
    ) throws {
        let source = try timecode(clip.map { $0.sourceEnd(grid) + start(of: $0) } ?? 0)
        let place = try record(frame)
        let reel = clip.flatMap { reels[$0.clip.media] } ?? "BL"
        lines.append(
            Self.line(number, reel, channel, "C") + " \(source) \(source) \(place) \(place)")
    }

    private func start(of clip: EDLWrittenClip) -> Int64 {
        grid.frames(starts[clip.clip.media] ?? .zero)
    }

    private func name(of clip: EDLWrittenClip) -> String {
        Self.oneLine(clip.clip.name ?? PlacedClip.fileName(of: clip.clip.media))
    }

    private mutating func write(
        _ clip: EDLWrittenClip, _ channel: String, before: EDLWrittenClip?
    ) throws {
        let source = clip.sourceRange(grid)
        let start = start(of: clip)
        let reel = reels[clip.clip.media] ?? "AX"
        let isDissolve = clip.dissolve > 0
        let head = Self.line(
            number, reel, channel, isDissolve ? "D" : "C", isDissolve ? clip.dissolve : nil)
        let entry = try timecode(source.lowerBound + start)
        lines.append(
            try head + " \(entry) \(timecode(source.upperBound + start)) "
                + "\(record(clip.start)) \(record(clip.end))")
        if !clip.clip.isPlain {
            let speed = clip.speedText(grid)
            lines.append("M2   \(reel)    \(speed)    \(entry)")
        }
        if isDissolve {
            lines.append("* FROM CLIP NAME: \(before.map { name(of: $0) } ?? "BL")")
            lines.append("* TO CLIP NAME: \(name(of: clip))")
        } else {
            lines.append("* FROM CLIP NAME: \(name(of: clip))")
        }
        if clip.clip.isFrozen {
            lines.append("* * FREEZE FRAME")
        }
        lines.append("* SOURCE FILE: \(Self.oneLine(media.location(of: clip.clip.media)))")
        for placed in try clip.clip.placesOfMarkers(&notes) {
            let marker = placed.marker
            if marker.duration > .zero || marker.comment != nil {
                notes.add("Markers in the list have no length and no comment.")
            }
            let at = try record(clip.start + grid.frames(placed.start))
            let colour = MarkerColour.written(for: marker, without: .red, &notes)
            lines.append("* LOC: \(at) \(colour.rawValue) \(Self.oneLine(marker.name))")
        }
        lines.append("")
    }
}
