import TimeWarp

/// How a retimed clip's sound and frames are made, as far as its project says so.
struct Sampling: Hashable {
    /// Whether the pitch of its sound stays.
    var keepsPitch: Bool?
    /// What is shown between two frames of the file.
    var frames: RenderSettings.FrameSynthesis?
}

extension ExchangeTimeline {
    /// How the timeline is to be rendered, if all retimed clips agree; a note tells if they don't.
    func settingsOfClips(_ notes: inout TimelineNotes) -> ProjectSettings {
        var pitches: Set<Bool> = []
        var frames: Set<RenderSettings.FrameSynthesis> = []
        for track in tracks {
            for clip in track.clips.map(\.clip) where !clip.isPlain && !clip.isFrozen {
                if let keepsPitch = clip.sampling.keepsPitch, track.carries != .video {
                    pitches.insert(keepsPitch)
                }
                if let synthesis = clip.sampling.frames, track.carries != .sound {
                    frames.insert(synthesis)
                }
            }
        }
        if pitches.count > 1 {
            notes.add("The pitch is kept in some clips only; a render keeps it in all or none.")
        }
        if frames.count > 1 {
            let names = frames.map(\.rawValue).sorted().joined(separator: ", ")
            notes.add(
                "Clips show different frames in between (\(names)); a render makes all alike.")
        }
        return ProjectSettings(
            sound: pitches.count == 1
                ? pitches.first.map { $0 ? .keepPitch : .varispeed } : nil,
            frames: frames.count == 1 ? frames.first : nil)
    }
}
