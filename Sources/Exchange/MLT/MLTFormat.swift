import Foundation
import TimeWarp

/// Projects of the MLT framework (`.mlt`), and of the editors built on it: Shotcut (`.mlt`) and Kdenlive (`.kdenlive`).
public struct MLTFormat: ExchangeFormat {
    public let name = "an MLT project"
    public let extensions = ["mlt", "kdenlive"]
    public let largestFile = 256 << 20

    public init() {}

    public func read(_ file: Data, _ media: ProjectMedia) throws -> ReadProject {
        try requireSmall(file)
        let root = try XMLItem.reading(file, as: name)
        guard root.name == "mlt" || root.name == "westley" else {
            throw CompositionError(.malformed, "its root is <\(root.name)> instead of <mlt>")
        }
        var reader = MLTReader(root, media)
        var timeline = try reader.timeline()
        timeline.joinPicturesAndSound()
        let composition = try timeline.composition(&reader.notes)
        return ReadProject(composition, notes: reader.notes.list)
    }

    public func write(
        _ composition: Composition, _ media: ProjectMedia
    ) throws -> (file: Data, notes: [String]) {
        var notes = lossNotes(of: composition)
        let timeline = try ExchangeTimeline(of: composition, TimelineRules(), media, &notes)
        var writer = MLTWriter(timeline, media)
        let file = try writer.root().file(doctype: false)
        notes.add(all: writer.notes.list)
        return (Data(file.utf8), notes.list)
    }
}

extension MLTFormat {
    var abilities: FormatAbilities {
        [
            .tracks: .exactly("playlist"), .gaps: .exactly("blank"),
            .markers: .closely("shotcut:markers, at the nearest frame"),
            .dissolves: .closely("tractor with luma and mix, whole frames"),
            .fades: .closely("brightness and volume filters, whole frames"),
            .gain: .exactly("volume filter"),
            .speeds: .closely("timewarp or timeremap, within half a frame"),
            .freezes: .closely("timeremap, 100 ns"),
            .reverse: .closely("timeremap, 100 ns"),
            .curves: .closely(
                "timeremap with linear keyframes, within a quarter of a frame and 1 ms of sound"),
            .frameRate: .exactly("profile"), .size: .exactly("profile"), .sampleRate: .lost,
            .crossfade: .lost, .markerColours: .closely("as #rrggbb"),
            .positions: .closely("whole frames"),
        ]
    }
}
