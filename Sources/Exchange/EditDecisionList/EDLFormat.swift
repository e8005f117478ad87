import Foundation
import TimeWarp

/// Edit decision lists (`.edl`, CMX 3600), as Avid, Premiere, Resolve and many others write them.
public struct EDLFormat: ExchangeFormat {
    public let name = "an edit decision list"
    public let extensions = ["edl"]
    public let largestFile = 32 << 20

    public init() {}

    public func read(_ file: Data, _ media: ProjectMedia) throws -> ReadProject {
        try requireSmall(file)
        guard !file.contains(0) else {
            throw CompositionError(.malformed, "it isn't an edit decision list: it isn't text")
        }
        // Some lists are in old encodings; only names differ then.
        let text = String(data: file, encoding: .utf8) ?? String(decoding: file, as: UTF8.self)
        var reader = EDLReader(media)
        var timeline = try reader.timeline(text)
        timeline.joinPicturesAndSound()
        let composition = try timeline.composition(&reader.notes)
        return ReadProject(composition, notes: reader.notes.list)
    }

    public func write(
        _ composition: Composition, _ media: ProjectMedia
    ) throws -> (file: Data, notes: [String]) {
        var notes = lossNotes(of: composition)
        let rules = TimelineRules(hasConstantSpeeds: true, hasTimecodeRate: true)
        let timeline = try ExchangeTimeline(of: composition, rules, media, &notes)
        var writer = EDLWriter(timeline, media)
        let file = try writer.file()
        notes.add(all: writer.notes.list)
        return (Data(file.utf8), notes.list)
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
            .size: .lost, .sampleRate: .lost, .crossfade: .lost, .markerColours: .exactly("LOC"),
            .positions: .closely("whole frames"),
        ]
    }
}
