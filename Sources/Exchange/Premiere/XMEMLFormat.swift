import Foundation
import TimeWarp

/// Files of Premiere Pro and Final Cut Pro 7 (`.xml`, XMEML 4 and 5), which DaVinci Resolve, Hiero and others read and write
/// as well.
public struct XMEMLFormat: TimelineFormat {
    public let name = "a Premiere file"
    public let extensions = ["xml"]
    public let written: KeyValuePairs = ["xml": "Premiere"]
    public let largestFile = 256 << 20
    let rules = TimelineRules(hasTimecodeRate: true)

    /// The format; it has no settings.
    public init() {}

    func timeline(of file: Data, _ media: ProjectMedia) throws -> ReadTimeline {
        var reader = XMEMLReader(try XMLItem.root(of: file, called: ["xmeml"], as: name), media)
        let timeline = try reader.timeline()
        return ReadTimeline(
            timeline: timeline, notes: reader.notes, mediaDurations: reader.files.durations)
    }

    func text(
        of timeline: ExchangeTimeline, _ media: ProjectMedia, _ notes: inout TimelineNotes
    ) throws -> String {
        var writer = XMEMLWriter(timeline, media)
        let text = try writer.root().file(doctype: true)
        notes.add(all: writer.notes.list)
        return text
    }
}

extension XMEMLFormat {
    var abilities: FormatAbilities {
        [
            .tracks: .exactly("video and audio tracks"), .gaps: .exactly("start and end"),
            .markers: .closely("marker, at the nearest frame"),
            .dissolves: .closely("transitionitem, whole frames"),
            .fades: .closely("transitionitem, whole frames"),
            .gain: .closely("audiolevels, at most +12 dB"),
            .speeds: .closely("timeremap, within a quarter of a frame"),
            .freezes: .exactly("timeremap"),
            .reverse: .exactly("timeremap"),
            .curves: .closely("timeremap with keyframes, within a quarter of a frame"),
            .frameRate: .closely("whole numbers, and these over 1.001"),
            .size: .exactly("samplecharacteristics"),
            .sampleRate: .exactly("samplecharacteristics"), .crossfade: .lost,
            .markerColours: .lost,
            .positions: .closely("whole frames"), .pitch: .lost,
            .frameSampling: .closely("frameblending: hold or blend"),
        ]
    }
}
