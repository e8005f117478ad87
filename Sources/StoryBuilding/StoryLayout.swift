import TimeMaps
import TimeWarp

/// The media files of a story, and where each of them begins on the common timeline.
struct StoryLayout {
    let format: StoryFormat
    let parts: [StoryMediaPart]
    /// The start of each part.
    let starts: [RationalTime]

    /// The gap between segments on the common timeline, which keeps the additional sound of neighbouring
    /// segments apart.
    private static let secondsBetween = 1.0

    /// - Parameter destination: the path of an output file that is used to decide on settings.
    init(
        of project: StoryProject, _ settings: RenderSettings, probing destination: String
    ) throws {
        let planning = try SegmentPlanning(project)
        format = try planning.format(settings: settings, probing: destination)
        // A frame may be decoded some frames before its presentation, so the gap is at least 8 frames.
        let gap = max(
            Int64((Self.secondsBetween * format.rate.framesPerSecond).rounded(.up)), 8)
        parts = try StoryMediaPart.all(of: project.story, planning, format)
        var place = gap
        var starts: [RationalTime] = []
        for part in parts {
            starts.append(try format.rate.frameDuration.multiplied(by: place, over: 1))
            place += Int64(part.frames) + gap
        }
        self.starts = starts
    }
}
