import Foundation
import TimeMaps
import TimeWarp

/// A format that is read into an ``ExchangeTimeline`` and written from one.
protocol TimelineFormat: ExchangeFormat {
    /// What it can say about speeds.
    var rules: TimelineRules { get }

    /// Reads a file that isn't larger than ``largestFile``.
    func timeline(of file: Data, _ media: ProjectMedia) throws -> ReadTimeline

    /// Writes a timeline that keeps to the ``rules``.
    ///
    /// - Parameter notes: takes what the format can't hold.
    func text(
        of timeline: ExchangeTimeline, _ media: ProjectMedia, _ notes: inout TimelineNotes
    ) throws -> String
}

/// What a reader found.
struct ReadTimeline {
    var timeline: ExchangeTimeline
    var notes: TimelineNotes
    /// How long media files last, by their paths as they stand in the file.
    var mediaDurations: [String: RationalTime] = [:]
    /// Names of clips whose files the project itself says are missing.
    var placeholders: Set<String> = []

    /// The composition, and how it is rendered.
    consuming func project() throws -> ReadProject {
        timeline.joinVideoAndSound()
        let settings = timeline.settingsOfClips(&notes)
        let composition = try timeline.composition(&notes)
        return ReadProject(
            composition, settings: settings, notes: notes.list, mediaDurations: mediaDurations,
            placeholders: placeholders)
    }
}

extension TimelineFormat {
    public func read(_ file: Data, _ media: ProjectMedia) throws -> ReadProject {
        try requireSmall(file)
        return try timeline(of: file, media).project()
    }

    public func write(
        _ composition: Composition, _ settings: ProjectSettings, _ media: ProjectMedia
    ) throws -> (file: Data, notes: [String]) {
        var notes = lossNotes(of: composition, settings)
        var timeline = try ExchangeTimeline(of: composition, rules, media, &notes)
        timeline.settings = settings
        if settings.frames?.followsMotion == true, case .closely = abilities[.frameSampling] {
            notes.add("The file blends frames, as it can't say that they are made from motion.")
        }
        let text = try text(of: timeline, media, &notes)
        return (Data(text.utf8), notes.list)
    }
}
