import TimeMaps
import TimeWarp

/// A timeline as exchange formats have it: clips of straight lines at places on tracks, with cuts or dissolves between them.
///
/// All formats are read into one. All but OpenTimelineIO, which has places between frames, are written from one. It is made
/// from a composition and into one.
struct ExchangeTimeline {
    var name = ""
    var format = Composition.Format()
    /// How it is rendered, as far as that is known, when it is written.
    var settings = ProjectSettings()
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
        /// Whether it is only there for a transition to go out of it.
        var goesOut = false

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
    /// Its number in the composition that was written; nil if another program wrote the file. The video and the sound of one
    /// track have the same.
    var number: Int?
    /// How long it lasts, if that is longer than to the end of its last clip.
    var length = RationalTime.zero

    /// What a track shows when: equal for tracks that show the same at the same times.
    struct Showing: Hashable {
        private struct Clip: Hashable {
            let start: RationalTime
            let media: String
            let points: [TimeAnchor]
            let blending: Blending
        }
        private let clips: [Clip]
        private let transitions: [TimeRange]
        private let number: Int?
        private let length: RationalTime

        /// - Parameters:
        ///   - track: its clips are in the order of their starts.
        ///   - withGain: whether tracks are equal only if they are as loud.
        init(_ track: ExchangeTrack, withGain: Bool = false) {
            clips = track.clips.map { placed in
                var blending = placed.clip.blending
                if !withGain {
                    blending.gain = .unity
                }
                return Clip(
                    start: placed.start, media: placed.clip.media, points: placed.clip.points,
                    blending: blending)
            }
            length = track.length
            transitions = track.transitions
            number = track.number
        }
    }
}

/// A marker of a whole timeline.
struct TimelineMarker {
    let name: String
    /// In track time.
    let at: RationalTime
    var comment: String?
    var colour: String?
}

extension ExchangeTimeline {
    /// Throws if there are more tracks than can be worked with.
    func requireFewTracks() throws {
        guard tracks.count <= ReaderBounds.mostTracks else {
            throw CompositionError(
                .unsupported, "the timeline has more than \(ReaderBounds.mostTracks) tracks")
        }
    }

    /// Adds each marker to the clip of the lowest track that is shown at its time, with a note on those over gaps.
    ///
    /// - Complexity: O(n log n) in the number of clips and markers, and O(n) in markers for each track.
    mutating func attach(_ markers: [TimelineMarker], _ notes: inout TimelineNotes) throws {
        guard !markers.isEmpty else {
            return
        }
        try requireFewTracks()
        var left = markers.sorted { $0.at < $1.at }
        for index in tracks.indices {
            left = try tracks[index].attach(left)
        }
        notes.add("Markers of the timeline were attached to the clips shown at their times.")
        if !left.isEmpty {
            notes.add("Markers over gaps were dropped.")
        }
    }
}

extension ExchangeTrack {
    /// Adds markers to the clips that are shown at their times.
    ///
    /// - Parameter markers: in the order of their times.
    /// - Returns: those at whose times no clip is shown.
    fileprivate mutating func attach(_ markers: [TimelineMarker]) throws -> [TimelineMarker] {
        clips.sort { $0.start < $1.start }
        var left: [TimelineMarker] = []
        // A clip that has ended before a marker has ended before all that follow, too.
        var index = 0
        for marker in markers {
            while index < clips.count, try clips[index].end <= marker.at {
                index += 1
            }
            guard index < clips.count, clips[index].start <= marker.at else {
                left.append(marker)
                continue
            }
            let place = try marker.at.difference(clips[index].start)
            try clips[index].clip.addMarker(
                marker.name, at: place, comment: marker.comment, colour: marker.colour)
        }
        return left
    }
}
