import Foundation
import Media
import TimeMaps
import TimeWarp

/// A WebVTT file: cues with times, and other text that is kept as it is.
package struct WebVTT {
    /// A caption, with its times in seconds.
    struct Cue {
        let identifier: String?
        let range: Range<Double>
        /// The cue settings that follow the times on their line.
        let settings: String
        let text: [String]
    }
    /// Style, region and comment blocks, in their order.
    private var blocks: [[String]] = []
    private(set) var cues: [Cue] = []

    private static let largestFile = 8 << 20

    /// - Throws: `MediaError` if the file can't be read or isn't WebVTT; its reason names the line.
    init(contentsOfFile path: String) throws {
        try self.init(
            text: SmallFile.text(at: path, kind: "WebVTT", largest: Self.largestFile), path: path)
    }

    package init(text: String, path: String) throws {
        let plain = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
        // Swift regards "\r\n" as one character, so it ends one line.
        let lines = plain.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map(String.init)
        guard lines.first?.hasPrefix("WEBVTT") == true else {
            throw MediaError(
                .damaged, file: path, reason: "it isn't WebVTT: the first line must say WEBVTT")
        }
        var number = lines.firstIndex { $0.isEmpty } ?? lines.count
        while number < lines.count {
            guard !lines[number].isEmpty else {
                number += 1
                continue
            }
            let end = lines[number...].firstIndex { $0.isEmpty } ?? lines.count
            try add(Array(lines[number..<end]), line: number + 1, path)
            number = end
        }
    }

    private mutating func add(_ block: [String], line: Int, _ path: String) throws {
        guard let place = block.prefix(2).firstIndex(where: { $0.contains("-->") }) else {
            blocks.append(block)
            return
        }
        let words = block[place].split { $0 == " " || $0 == "\t" }
        guard words.count >= 3, words[1] == "-->", let start = Self.seconds(words[0]),
            let end = Self.seconds(words[2]), start <= end
        else {
            throw MediaError(
                .damaged, file: path,
                reason: "line \(line + place): \"\(block[place])\" isn't a time range such as "
                    + "00:01.000 --> 00:04.000")
        }
        cues.append(
            Cue(
                identifier: place == 1 ? block[0] : nil, range: start..<end,
                settings: words.dropFirst(3).joined(separator: " "),
                text: Array(block[(place + 1)...])))
    }

    /// The seconds of a time such as `01:02:03.456` or `02:03.456`.
    private static func seconds(_ text: Substring) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0 != nil && $0! >= 0 }) else {
            return nil
        }
        return parts.reduce(0) { $0 * 60 + ($1 ?? 0) }
    }

    // MARK: - Writing

    /// The captions of a retimed segment, as the text of a WebVTT file. A cue occurs once for each time that
    /// the segment plays it.
    ///
    /// - Parameters:
    ///   - map: the segment's time map; source time counts from `start`.
    ///   - start: the start of the segment's range in the captions' own time, in seconds.
    ///   - end: where the segment ends, in its own seconds: what would be said later is left out.
    package func retimed(
        through map: TimeMap, from start: Double, until end: Double = .infinity
    ) -> String {
        var timed: [(range: Range<Double>, cue: Cue)] = []
        for cue in cues {
            let ranges = map.outputRanges(
                from: cue.range.lowerBound - start, to: cue.range.upperBound - start)
            timed += ranges.map { $0.clamped(to: -.infinity..<end) }.filter { !$0.isEmpty }
                .map { ($0, cue) }
        }
        timed.sort { $0.range.lowerBound < $1.range.lowerBound }
        var lines = ["WEBVTT", ""]
        for block in blocks {
            lines += block + [""]
        }
        for (range, cue) in timed {
            lines += cue.identifier.map { [$0] } ?? []
            let times =
                "\(Self.text(of: range.lowerBound)) --> \(Self.text(of: range.upperBound))"
            lines.append(cue.settings.isEmpty ? times : "\(times) \(cue.settings)")
            lines += cue.text + [""]
        }
        return lines.joined(separator: "\n")
    }

    private static func text(of seconds: Double) -> String {
        let milliseconds = Int((max(0, seconds) * 1000).rounded())
        return String(
            format: "%02d:%02d:%02d.%03d", milliseconds / 3_600_000,
            milliseconds / 60_000 % 60, milliseconds / 1000 % 60, milliseconds % 1000)
    }
}
