import Documents
import Foundation
import TimeWarp

/// OpenTimelineIO files (`.otio`); see ``Composition/openTimelineIO(mediaDurations:)``.
public struct OpenTimelineIOFormat: ExchangeFormat {
    public let name = "an OpenTimelineIO file"
    public let extensions = ["otio"]
    public let written: KeyValuePairs = ["otio": "OpenTimelineIO"]
    public let largestFile = Composition.largestTimeline

    /// The format; it has no settings.
    public init() {}

    public func read(_ file: Data, _ media: ProjectMedia) throws -> ReadProject {
        // Each level of children takes two of the document's, and other programs nest their metadata as they like.
        let document = try JSONDocument(
            file, kind: "timeline", largest: largestFile, nesting: 512)
        let root = try document.decode(
            OTIOObject.self, unknownKeys: .ignored, userInfo: [OTIOCount.key: OTIOCount()])
        var reader = OTIOReader(media)
        let timeline = try reader.timeline(root)
        return try ReadTimeline(
            timeline: timeline, notes: reader.notes, mediaDurations: reader.mediaDurations,
            placeholders: reader.placeholders
        ).project()
    }

    public func write(
        _ composition: Composition, _ settings: ProjectSettings, _ media: ProjectMedia
    ) throws -> (file: Data, notes: [String]) {
        let names = Set(composition.tracks.flatMap(\.segments).compactMap(\.clip?.media))
        let durations = names.reduce(into: [:]) { durations, name in
            durations[name] = media.source(of: name)?.duration
        }
        let written = try composition.openTimelineIO(mediaDurations: durations)
        var notes = lossNotes(of: composition, settings)
        notes.add(all: written.notes)
        return (written.file, notes.list)
    }
}

extension OpenTimelineIOFormat {
    var abilities: FormatAbilities {
        [
            .tracks: .exactly("Track"), .gaps: .exactly("Gap"), .markers: .exactly("Marker"),
            .dissolves: .exactly("Transition"), .fades: .exactly("metadata"),
            .gain: .exactly("metadata"), .speeds: .exactly("LinearTimeWarp"),
            .freezes: .exactly("FreezeFrame"), .reverse: .exactly("LinearTimeWarp"),
            .curves: .exactly("metadata; others see a row of LinearTimeWarp"),
            .frameRate: .exactly("metadata"), .size: .exactly("metadata"),
            .sampleRate: .exactly("metadata"), .crossfade: .exactly("metadata"),
            .markerColours: .exactly("color"), .positions: .exactly("RationalTime"),
            .pitch: .lost, .frameSampling: .lost,
        ]
    }
}
