import Media
import TimeWarp

/// The description of a composition that the command `inspect` prints, as JSON or as text.
package struct CompositionDescription: Encodable {
    package struct Track: Encodable {
        let name: String
        let carries: String
        let segments: [Segment]
    }
    package struct Segment: Encodable {
        let startSeconds: Double
        let endSeconds: Double
        /// Nil in a gap.
        let media: String?
        /// The range of the file that is retimed.
        var mediaStartSeconds: Double?
        var mediaEndSeconds: Double?
        /// In words; nil at normal speed.
        var retiming: String?
        /// Of the file's seconds for each second on the track, over the whole segment: below 0 backwards, 0 for a freeze frame.
        var speed: Double?
        /// For how long it dissolves with what is before it, or fades in; nil if it doesn't.
        var dissolveSeconds: Double?
        var fadeOutSeconds: Double?
    }
    package struct Marker: Encodable {
        let seconds: Double
        let name: String
    }
    let file: String
    let durationSeconds: Double
    let frameRate: String?
    let tracks: [Track]
    let markers: [Marker]
    let media: [AssetDescription]
    let notes: [String]

    /// - Throws: `CurveError` or `TimeError` if a segment's time map can't be made.
    package init(_ source: MediaSource) throws {
        try self.init(
            source.composition ?? Composition(), file: source.path,
            frameRate: source.videoFormat?.usualRate, media: source.assets, notes: source.notes)
    }

    /// The description of a project without its media files, some of which can't be found.
    ///
    /// - Throws: `CurveError` or `TimeError` if a segment's time map can't be made.
    package init(withoutMedia project: CompositionProject, file: String) throws {
        try self.init(
            project.composition, file: file, frameRate: project.composition.format.frameRate,
            media: [], notes: project.notes)
    }

    private init(
        _ composition: Composition, file: String, frameRate: FrameRate?, media: [Asset],
        notes: [String]
    ) throws {
        self.file = file
        durationSeconds = composition.duration.seconds
        self.frameRate = frameRate?.description
        tracks = try composition.tracks.map(Track.init)
        markers = try composition.markers.map {
            Marker(seconds: $0.time.seconds, name: $0.marker.name)
        }
        self.media = media.map(AssetDescription.init)
        self.notes = notes
    }

    /// The description as text, one line per track, segment, marker, file and note.
    package var text: String {
        let rate = frameRate.map { ", \($0) frames/s" } ?? ""
        let head = "\(file): composition, \(AssetDescription.seconds(durationSeconds))\(rate)"
        let lines = tracks.enumerated().flatMap { number, track in
            ["  track    \(track.name.isEmpty ? "\(number + 1)" : track.name), \(track.carries)"]
                + track.segments.map(\.text)
        }
        let marks = markers.map { "  marker   \(AssetDescription.seconds($0.seconds))  \($0.name)" }
        let files = media.map {
            "  media    \($0.file): \($0.format), \(AssetDescription.seconds($0.durationSeconds))"
        }
        return ([head] + lines + marks + files + notes.map { "  note     \($0)" })
            .joined(separator: "\n")
    }
}

extension CompositionDescription.Track {
    init(_ track: TimeWarp.Track) throws {
        name = track.name
        carries = track.carries.rawValue
        segments = try track.placed.map { placed in
            var segment = CompositionDescription.Segment(
                startSeconds: placed.range.start.seconds, endSeconds: placed.range.end.seconds,
                media: placed.segment.clip?.media)
            if let clip = placed.segment.clip {
                try segment.describe(clip, in: placed.segment)
            }
            return segment
        }
    }
}

extension CompositionDescription.Segment {
    fileprivate mutating func describe(_ clip: PlacedClip, in segment: Segment) throws {
        mediaStartSeconds = clip.range.start.seconds
        mediaEndSeconds = clip.range.end.seconds
        let map = try segment.timeMap()
        let shown = map.sourceTime(at: map.outputDuration) - map.sourceTime(at: 0)
        // Rounded, so that twice as fast is 2.
        let average = (shown / segment.duration.seconds * 1e9).rounded() / 1e9
        speed = average
        retiming = Self.text(of: clip.retiming, average: average)
        dissolveSeconds = segment.blending.dissolve.seconds.nonzero
        fadeOutSeconds = segment.blending.fadeOut.seconds.nonzero
    }

    private static func text(of retiming: Retiming, average: Double) -> String? {
        switch retiming {
        case .uniform: average == 1 ? nil : "speed \(average)"
        case .reversed: "backwards" + (average == -1 ? "" : ", speed \(-average)")
        case .frozen(let instant): "held at \(AssetDescription.seconds(instant.seconds))"
        case .curve: "along a curve, speed \(average) on average"
        case .timeMap(let map): "along \(map.points.count) points"
        case .thereAndBack: "there and back"
        }
    }

    fileprivate var text: String {
        let place =
            "    " + AssetDescription.seconds(startSeconds) + " to "
            + AssetDescription.seconds(endSeconds)
        guard let media, let mediaStartSeconds, let mediaEndSeconds else {
            return place + "  nothing"
        }
        let range =
            "\(AssetDescription.seconds(mediaStartSeconds)) to "
            + AssetDescription.seconds(mediaEndSeconds)
        let fades = [
            dissolveSeconds.map { "dissolve \(AssetDescription.seconds($0))" },
            fadeOutSeconds.map { "fade out \(AssetDescription.seconds($0))" },
        ]
        return place + "  "
            + ([media, range, retiming] + fades).compactMap { $0 }.joined(separator: ", ")
    }
}

extension Double {
    fileprivate var nonzero: Double? { self == 0 ? nil : self }
}
