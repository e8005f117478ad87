import Foundation
import TimeWarp

/// Projects of the MLT framework (`.mlt`), and of the editors built on it: Shotcut (`.mlt`) and Kdenlive (`.kdenlive`).
public struct MLTFormat: TimelineFormat {
    public let name = "an MLT project"
    public let extensions = ["mlt", "kdenlive"]
    public let written: KeyValuePairs = ["mlt": "Shotcut, MLT", "kdenlive": "Kdenlive"]
    public let largestFile = 256 << 20
    let rules = TimelineRules()

    /// The format; it has no settings.
    public init() {}

    func timeline(of file: Data, _ media: ProjectMedia) throws -> ReadTimeline {
        let root = try XMLItem.root(of: file, called: ["mlt", "westley"], as: name)
        var reader = MLTReader(root, media)
        let timeline = try reader.timeline()
        return ReadTimeline(timeline: timeline, notes: reader.notes)
    }

    func text(
        of timeline: ExchangeTimeline, _ media: ProjectMedia, _ notes: inout TimelineNotes
    ) throws -> String {
        var writer = MLTWriter(timeline, media)
        let text = try writer.root().file(doctype: false)
        notes.add(all: writer.notes.list)
        return text
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
            .crossfade: .lost, .markerColours: .closely("as #rrggbb; names as the nearest of 11"),
            .positions: .closely("whole frames"), .pitch: .exactly("pitch"),
            .frameSampling: .closely("image_mode of timeremap: hold or blend"),
        ]
    }
}
