import TimeMaps
import TimeWarp

/// A timeline as exchange formats have it: clips of straight lines at places on tracks, with cuts or dissolves between them.
///
/// All formats but OpenTimelineIO are read into one and written from one; it is made from a composition and into one.
struct ExchangeTimeline {
    var name = ""
    var format = Composition.Format()
    /// From the lowest to the topmost.
    var tracks: [ExchangeTrack] = []
}

/// Clips at places on a track.
struct ExchangeTrack {
    /// A clip and where it starts.
    struct Placed {
        /// In track time.
        var start: RationalTime
        var clip: TimelineClip

        /// In track time.
        var end: RationalTime { get throws { try start.sum(clip.duration) } }

        /// The same clip from one time on its track to another, along its own lines.
        func placed(from new: RationalTime, to end: RationalTime) throws -> Placed {
            let part = try clip.part(from: new.difference(start), to: end.difference(start))
            return Placed(start: new, clip: part)
        }
    }

    var name = ""
    var carries = Track.Content.both
    /// In any order while the track is read, then in the order of their starts.
    var clips: [Placed] = []
    /// Where two clips dissolve, or one of them fades: ranges of track time, as the format says them. A composition's own
    /// dissolves are in its clips' ``TimelineClip/blending`` instead.
    var transitions: [TimeRange] = []

    /// Whether both show the same at the same times.
    func matches(_ other: ExchangeTrack) -> Bool {
        clips.count == other.clips.count && transitions == other.transitions
            && zip(clips, other.clips).allSatisfy {
                $0.start == $1.start && $0.clip.media == $1.clip.media
                    && $0.clip.points == $1.clip.points
            }
    }
}

extension ExchangeTimeline {
    /// Adds a marker of the timeline to the clip of the lowest track that is shown there.
    ///
    /// - Returns: false if no clip is.
    mutating func attach(
        marker name: String, at time: RationalTime, comment: String? = nil, colour: String? = nil
    ) throws -> Bool {
        for track in tracks.indices {
            for index in tracks[track].clips.indices {
                let placed = tracks[track].clips[index]
                guard try placed.start <= time && time < placed.end else {
                    continue
                }
                let source = try max(.zero, placed.clip.source(at: time.difference(placed.start)))
                tracks[track].clips[index].clip.markers.append(
                    try Marker(name, at: source, comment: comment, colour: colour))
                return true
            }
        }
        return false
    }

    /// Adds markers of the timeline to the clips that are shown there, with a note on how many aren't on any.
    mutating func attach(
        _ markers: [(name: String, at: RationalTime, comment: String?, colour: String?)],
        _ notes: inout TimelineNotes
    ) throws {
        let lost = try markers.filter {
            try !attach(marker: $0.name, at: $0.at, comment: $0.comment, colour: $0.colour)
        }
        if !markers.isEmpty {
            notes.add("Markers of the timeline were attached to the clips shown at their times.")
        }
        if !lost.isEmpty {
            notes.add("Markers over gaps were dropped.")
        }
    }
}
