import Foundation
import TimeWarp

/// Files of Final Cut Pro (`.fcpxml`, versions 1.2 to 1.14), which DaVinci Resolve and others read and write as well.
public struct FCPXMLFormat: TimelineFormat {
    public let name = "a Final Cut Pro file"
    public let extensions = ["fcpxml", "fcpxmld"]
    public let written: KeyValuePairs = ["fcpxml": "Final Cut Pro, Resolve"]
    public let largestFile = 256 << 20
    let rules = TimelineRules()

    /// The format; it has no settings.
    public init() {}

    /// A bundle (`.fcpxmld`) is a folder.
    public func contentFile(of path: String) -> String {
        let isBundle = (path as NSString).pathExtension.lowercased() == "fcpxmld"
        return isBundle ? (path as NSString).appendingPathComponent("Info.fcpxml") : path
    }

    func timeline(of file: Data, _ media: ProjectMedia) throws -> ReadTimeline {
        var reader = try FCPXMLReader(try XMLItem.root(of: file, called: ["fcpxml"], as: name))
        let timeline = try reader.timeline()
        return ReadTimeline(
            timeline: timeline, notes: reader.notes, mediaDurations: reader.resources.durations)
    }

    func text(
        of timeline: ExchangeTimeline, _ media: ProjectMedia, _ notes: inout TimelineNotes
    ) throws -> String {
        var writer = FCPXMLWriter(timeline, media)
        let text = try writer.root().file(doctype: true)
        notes.add(all: writer.notes.list)
        return text
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
            .positions: .closely("whole frames"), .pitch: .exactly("preservesPitch"),
            .frameSampling: .exactly("frameSampling"),
        ]
    }
}
