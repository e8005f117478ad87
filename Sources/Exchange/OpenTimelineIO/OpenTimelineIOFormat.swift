import Foundation
import TimeWarp

/// OpenTimelineIO files (`.otio`); see ``Composition/openTimelineIO(mediaDurations:)``.
public struct OpenTimelineIOFormat: ProjectFormat {
    public let name = "an OpenTimelineIO file"
    public let extensions = ["otio"]
    public let largestFile = Composition.largestTimeline

    public init() {}

    public func read(
        _ file: Data, _ media: ProjectMedia
    ) throws -> (composition: Composition, notes: [String]) {
        try Composition.reading(openTimelineIO: file, mediaDuration: media.duration(of:))
    }

    public func write(
        _ composition: Composition, _ media: ProjectMedia
    ) throws -> (file: Data, notes: [String]) {
        let names = Set(composition.tracks.flatMap(\.segments).compactMap(\.clip?.media))
        let durations = names.reduce(into: [:]) { durations, name in
            durations[name] = media.source(of: name)?.duration
        }
        return try composition.openTimelineIO(mediaDurations: durations)
    }
}
