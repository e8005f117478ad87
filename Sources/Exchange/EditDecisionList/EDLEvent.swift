import Foundation
import TimeMaps
import TimeWarp

/// A line of an edit decision list that places a clip, with what the lines after it say.
struct EDLEvent {
    let number: String
    let reel: String
    /// `V`, `A`, `A2`, `AA`, `B`, `AA/V`, `NONE`.
    var channels: [String]
    /// `C`, `D` or `W001`.
    let transition: String
    /// How many frames the transition lasts.
    let transitionFrames: Int64
    /// Source in and out, in timecode of the source.
    let source: (in: EDLTimecode, out: EDLTimecode)
    /// In frames of the list's timecode.
    let record: Range<Int64>
    /// Nil at normal speed.
    var speed: EDLSpeed?
    var clipName: String?
    var file: String?

    var isBlack: Bool { ["BL", "BLACK"].contains(reel.uppercased()) }

    /// The name of the file, the clip or the reel, as far as they are said.
    var mediaNames: [String] {
        let isReel = !EDLWriter.reservedReels.contains(reel.uppercased())
        return [file, clipName, isReel ? reel : nil].compactMap { $0 }.filter { !$0.isEmpty }
    }

    /// Parses a line such as `003  A001  V  D 024  01:00:00:00 01:00:02:00 00:59:58:00 01:00:00:00`; nil if it isn't one.
    ///
    /// - Parameters:
    ///   - isDropping: whether the source's timecode leaves out numbers.
    ///   - frames: the number of frames of the record's timecode.
    init?(
        _ line: some StringProtocol, dropping isDropping: Bool, frames: (EDLTimecode) -> Int64?
    ) {
        var fields = line.split(whereSeparator: \.isWhitespace).map { Substring($0) }
        guard fields.count >= 8, let first = fields.first, EDLFile.beginsEvent(String(first)) else {
            return nil
        }
        let times = fields.suffix(4).compactMap { EDLTimecode($0, dropping: isDropping) }
        guard times.count == 4, let start = frames(times[2]), let end = frames(times[3]) else {
            return nil
        }
        fields.removeLast(4)
        number = String(first)
        if let length = fields.last.flatMap({ Int64($0) }), fields.count >= 4 {
            transitionFrames = min(max(0, length), 1_000_000)
            fields.removeLast()
        } else {
            transitionFrames = 0
        }
        // Some lists say a length alone.
        let isLengthAlone = transitionFrames > 0 && !Self.isTransition(fields[fields.count - 1])
        transition = isLengthAlone ? "D" : fields.removeLast().uppercased()
        channels = [fields.removeLast().uppercased()]
        // A reel may have blanks in its name.
        reel = fields.dropFirst().joined(separator: " ")
        guard !reel.isEmpty else {
            return nil
        }
        source = (times[0], times[1])
        record = start..<max(start, end)
    }

    /// `C`, `D`, `W001`, `K B`.
    private static func isTransition(_ field: Substring) -> Bool {
        let text = field.uppercased()
        return ["C", "D", "K", "KB", "KO"].contains(text)
            || (text.hasPrefix("W") && text.dropFirst().allSatisfy(\.isNumber))
    }
}

/// What an `M2` line says.
struct EDLSpeed {
    /// Source frames a second: below 0 backwards, 0 for a freeze frame.
    let framesPerSecond: Double
    /// The frame that is shown first; nil if it isn't said.
    let entry: EDLTimecode?
}

/// A timecode in a list, before it is known at which rate it counts.
struct EDLTimecode {
    /// Hours, minutes, seconds and frames.
    fileprivate let text: String
    private let isDropping: Bool
    /// The number of the frame within its second.
    let frame: Int64

    /// Nil unless it is one at any rate.
    ///
    /// - Parameter isDropping: whether numbers are left out even if there is no `;`.
    init?(_ text: some StringProtocol, dropping isDropping: Bool) {
        guard let fields = FrameGrid.fields(ofTimecode: text) else {
            return nil
        }
        self.text = String(text)
        self.isDropping = isDropping
        frame = fields[3]
    }

    /// The number of frames at a rate; nil if the rate has no such frame.
    func frames(on grid: FrameGrid) -> Int64? {
        grid.frames(timecode: text, dropping: isDropping)
    }

    /// The number of frames at which its hour begins.
    func framesBeforeHour(on grid: FrameGrid) -> Int64 {
        let hour = text.prefix { $0.isNumber } + (text.contains(";") ? ":00:00;00" : ":00:00:00")
        return grid.frames(timecode: hour, dropping: isDropping) ?? 0
    }
}

/// The content of an edit decision list.
struct EDLFile {
    private(set) var title = ""
    private(set) var events: [EDLEvent] = []
    /// On the record's timecode.
    private(set) var markers: [(name: String, at: Int64, colour: String?)] = []
    /// Lines that begin as an event does, and can't be read as one.
    private(set) var unreadable: [String] = []
    /// Whether the record's timecode leaves out numbers, even without `;`.
    let isRecordDropping: Bool

    /// - Parameters:
    ///   - lines: those of the list.
    ///   - grid: counts its timecode.
    ///
    /// `FCM` lines say how the timecode of the sources after them counts. That of the record is one all through: it counts as
    /// the line says that comes before all events.
    init(_ lines: [String], on grid: FrameGrid) {
        var isDropping = false
        isRecordDropping =
            lines.prefix { !Self.beginsEvent($0) }.lazy.compactMap(Self.dropping).first ?? false
        for line in lines {
            let upper = line.uppercased()
            if upper.hasPrefix("TITLE:") {
                title = line.dropFirst(6).trimmed
            } else if let dropping = Self.dropping(line) {
                isDropping = dropping
            } else if let event = EDLEvent(
                line, dropping: isDropping,
                frames: { grid.frames(timecode: $0.text, dropping: isRecordDropping) })
            {
                events.append(event)
            } else if Self.beginsEvent(line) {
                unreadable.append(line)
            } else {
                read(line, upper, grid, isDropping)
            }
        }
    }

    /// Whether an `FCM` line says that numbers are left out; nil if it isn't one.
    static func dropping(_ line: String) -> Bool? {
        let upper = line.uppercased()
        return upper.hasPrefix("FCM:") ? !upper.contains("NON") && upper.contains("DROP") : nil
    }

    /// Paths have at most 4096 bytes on most systems.
    static let longestLine = 8192

    /// The lines without white space at their ends, and how many were dropped because they are too long to be meant.
    static func lines(of text: String) -> (lines: [String], dropped: Int) {
        let all = text.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let kept = all.filter { $0.count <= longestLine }
        return (kept.map { Substring($0).trimmed }, all.count - kept.count)
    }

    /// Whether a line begins with the number of an event.
    static func beginsEvent(_ line: String) -> Bool {
        let number = line.prefix { !$0.isWhitespace }
        return !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private mutating func read(
        _ line: String, _ upper: String, _ grid: FrameGrid, _ isDropping: Bool
    ) {
        guard let last = events.indices.last else {
            return
        }
        let comment = line.drop { $0 == "*" || $0.isWhitespace }
        /// What follows a word of the comment. Letters such as ß have other lengths in upper case.
        func rest(after word: String) -> String? {
            comment.range(of: word, options: [.anchored, .caseInsensitive]).map {
                comment[$0.upperBound...].trimmed
            }
        }
        if upper.hasPrefix("M2"), upper.dropFirst(2).first?.isWhitespace == true {
            readSpeed(line, isDropping)
        } else if let name = rest(after: "FROM CLIP NAME:") {
            setName(name, ofIncoming: false)
        } else if let name = rest(after: "TO CLIP NAME:") {
            setName(name, ofIncoming: true)
        } else if let file = rest(after: "SOURCE FILE:") {
            events[last].file = file
        } else if let text = rest(after: "LOC:") {
            readMarker(text, grid)
        } else if upper.hasPrefix("AUD") {
            let channels = upper.split(whereSeparator: \.isWhitespace).dropFirst().map { "A" + $0 }
            events[last].channels += channels
        } else if line.hasPrefix("|C:") || line.contains("|M:") {
            readResolveMarker(line, events[last].record.lowerBound)
        }
    }

    /// `M2   REEL   047.6   01:00:06:00`: the reel may have blanks, and belongs to one of the last two events.
    private mutating func readSpeed(_ line: String, _ isDropping: Bool) {
        var fields = line.split(whereSeparator: \.isWhitespace).dropFirst()
        guard let time = fields.last, time.contains(":") || time.contains(";") else {
            return
        }
        fields.removeLast()
        // Some lists have trigger words between the speed and the time.
        while let word = fields.last, Double(reading: word) == nil, fields.count > 2 {
            fields.removeLast()
        }
        guard let speed = fields.last.flatMap({ Double(reading: $0) }), abs(speed) < 1e6 else {
            return
        }
        let reel = fields.dropLast().joined(separator: " ")
        let last = events.count - 1
        let candidates = [last, last - 1].filter { index in
            index >= 0 && (index == last || events[index].number == events[last].number)
        }
        let index = candidates.first { events[$0].reel == reel && events[$0].speed == nil } ?? last
        events[index].speed = EDLSpeed(
            framesPerSecond: speed, entry: EDLTimecode(time, dropping: isDropping))
    }

    /// In a dissolve, the clip it comes from is that of the event's first line.
    private mutating func setName(_ name: String, ofIncoming isIncoming: Bool) {
        let last = events.count - 1
        let isDissolve =
            last > 0 && events[last].transition != "C"
            && events[last - 1].number == events[last].number
        if isIncoming {
            if isDissolve {
                events[last].clipName = name
            }
        } else if isDissolve {
            events[last - 1].clipName = name
        } else {
            events[last].clipName = name
        }
    }

    private mutating func readMarker(_ text: String, _ grid: FrameGrid) {
        let fields = text.split(maxSplits: 2, whereSeparator: \.isWhitespace)
        guard let time = fields.first,
            let at = grid.frames(timecode: time, dropping: isRecordDropping)
        else {
            return
        }
        let colour = fields.count > 1 ? MarkerColour(rawValue: fields[1].uppercased()) : nil
        let name = fields.dropFirst(colour == nil ? 1 : 2).joined(separator: " ")
        markers.append((name, at, colour?.rawValue))
    }

    /// `|C:ResolveColorBlue |M:Name |D:1`
    private mutating func readResolveMarker(_ line: String, _ at: Int64) {
        var fields: [Character: String] = [:]
        for part in line.split(separator: "|") where part.dropFirst().first == ":" {
            fields[part.first ?? " "] = part.dropFirst(2).trimmed
        }
        let colour = fields["C"].map { $0.replacing("ResolveColor", with: "").uppercased() }
        markers.append((fields["M"] ?? "", at, colour))
    }
}
