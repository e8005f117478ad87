import Foundation
import TimeWarp

/// Edit decision lists (`.edl`, CMX 3600), as Avid, Premiere, Resolve and many others write them.
public struct EDLFormat: TimelineFormat {
    public let name = "an edit decision list"
    public let extensions = ["edl"]
    public let written: KeyValuePairs = ["edl": "Edit decision list"]
    public let largestFile = 32 << 20
    let rules = TimelineRules(hasConstantSpeeds: true, hasTimecodeRate: true)

    /// The format; it has no settings.
    public init() {}

    func timeline(of file: Data, _ media: ProjectMedia) throws -> ReadTimeline {
        var reader = EDLReader(media)
        let timeline = try reader.timeline(try Self.text(of: file))
        return ReadTimeline(timeline: timeline, notes: reader.notes)
    }

    private static func text(of file: Data) throws -> String {
        let marks: [Data] = [Data([0xFF, 0xFE]), Data([0xFE, 0xFF])]
        if marks.contains(where: file.starts), let text = String(data: file, encoding: .utf16) {
            return text
        }
        // Old systems end a text with Ctrl-Z, and fill its last block with zeros.
        let end = file.lastIndex { $0 != 0 && $0 != 0x1A }.map { $0 + 1 } ?? file.startIndex
        let bytes = file[..<end]
        guard !bytes.contains(0) else {
            throw CompositionError(.malformed, "it isn't an edit decision list: it isn't text")
        }
        // Some lists are in old encodings; only names differ then.
        let text = String(data: bytes, encoding: .utf8) ?? String(decoding: bytes, as: UTF8.self)
        return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    }

    func text(
        of timeline: ExchangeTimeline, _ media: ProjectMedia, _ notes: inout TimelineNotes
    ) throws -> String {
        var writer = EDLWriter(timeline, media)
        let text = try writer.file()
        notes.add(all: writer.notes.list)
        return text
    }
}

extension EDLFormat {
    var abilities: FormatAbilities {
        [
            .tracks: .closely("one video track, four audio tracks"),
            .gaps: .exactly("record times"),
            .markers: .closely("LOC, at the nearest frame"),
            .dissolves: .closely("D, whole frames"),
            .fades: .closely("D with BL, whole frames"), .gain: .lost,
            .speeds: .closely("M2, within half a frame"),
            .freezes: .closely("M2 of 0, whole frames"),
            .reverse: .closely("M2 below 0, within half a frame"),
            .curves: .closely("a row of M2, within half a frame"),
            .frameRate: .closely("a comment of our own; whole numbers, and these over 1.001"),
            .size: .lost, .sampleRate: .lost, .crossfade: .lost,
            .markerColours: .closely("LOC, the nearest of 11; red for none"),
            .positions: .closely("whole frames"), .pitch: .lost, .frameSampling: .lost,
        ]
    }
}
