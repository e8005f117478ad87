import Foundation
import TimeWarp

/// Files of Final Cut Pro (`.fcpxml`, versions 1.2 to 1.14), which DaVinci Resolve and others read and write as well.
public struct FCPXMLFormat: ExchangeFormat {
    public let name = "a Final Cut Pro file"
    public let extensions = ["fcpxml"]
    public let largestFile = 256 << 20

    public init() {}

    public func read(_ file: Data, _ media: ProjectMedia) throws -> ReadProject {
        try requireSmall(file)
        let root = try XMLItem.reading(file, as: name)
        guard root.name == "fcpxml" else {
            throw CompositionError(.malformed, "its root is <\(root.name)> instead of <fcpxml>")
        }
        var reader = try FCPXMLReader(root)
        var timeline = try reader.timeline()
        timeline.joinPicturesAndSound()
        let composition = try timeline.composition(&reader.notes)
        return ReadProject(
            composition, notes: reader.notes.list, mediaDurations: reader.resources.durations)
    }

    public func write(
        _ composition: Composition, _ media: ProjectMedia
    ) throws -> (file: Data, notes: [String]) {
        var notes = lossNotes(of: composition)
        let timeline = try ExchangeTimeline(of: composition, TimelineRules(), media, &notes)
        var writer = FCPXMLWriter(timeline, media)
        let file = try writer.root().file(doctype: true)
        notes.add(all: writer.notes.list)
        return (Data(file.utf8), notes.list)
    }
}

extension FCPXMLFormat {
    var abilities: FormatAbilities {
        [
            .tracks: .exactly("spine and connected clips"), .gaps: .exactly("gap"),
            .markers: .exactly("marker"), .dissolves: .closely("transition, whole frames"),
            .fades: .closely("transition at an end, whole frames"),
            .gain: .exactly("adjust-volume"),
            .speeds: .exactly("timeMap"), .freezes: .exactly("timeMap"),
            .reverse: .exactly("timeMap"),
            .curves: .closely("timeMap with points, within a quarter of a frame and 1 ms of sound"),
            .frameRate: .exactly("format"), .size: .exactly("format"),
            .sampleRate: .closely("audioRate: 32 to 192 kHz"), .crossfade: .lost,
            .markerColours: .lost,
            .positions: .closely("whole frames"),
        ]
    }
}
