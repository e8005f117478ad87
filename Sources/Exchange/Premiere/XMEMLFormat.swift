import Foundation
import TimeWarp

/// Files of Premiere Pro and Final Cut Pro 7 (`.xml`, XMEML 4 and 5), which DaVinci Resolve, Hiero and others read and write
/// as well.
public struct XMEMLFormat: ExchangeFormat {
    public let name = "a Premiere file"
    public let extensions = ["xml"]
    public let largestFile = 256 << 20

    public init() {}

    public func read(_ file: Data, _ media: ProjectMedia) throws -> ReadProject {
        try requireSmall(file)
        let root = try XMLItem.reading(file, as: name)
        guard root.name == "xmeml" else {
            let hint =
                ["mlt": ".mlt", "fcpxml": ".fcpxml"][root.name].map { "; name it \($0)" } ?? ""
            throw CompositionError(
                .malformed, "its root is <\(root.name)> instead of <xmeml>\(hint)")
        }
        var reader = XMEMLReader(root, media)
        var timeline = try reader.timeline()
        timeline.joinPicturesAndSound()
        let composition = try timeline.composition(&reader.notes)
        return ReadProject(
            composition, notes: reader.notes.list, mediaDurations: reader.files.durations)
    }

    public func write(
        _ composition: Composition, _ media: ProjectMedia
    ) throws -> (file: Data, notes: [String]) {
        var notes = lossNotes(of: composition)
        let rules = TimelineRules(hasTimecodeRate: true)
        let timeline = try ExchangeTimeline(of: composition, rules, media, &notes)
        var writer = XMEMLWriter(timeline, media)
        let file = try writer.root().file(doctype: true)
        notes.add(all: writer.notes.list)
        return (Data(file.utf8), notes.list)
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
            .positions: .closely("whole frames"),
        ]
    }
}
