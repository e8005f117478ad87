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
        var mediaStartSeconds: Double?
        var mediaEndSeconds: Double?
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
    package init(_ source: CompositionAsset) throws {
        let composition = source.composition
        file = source.path
        durationSeconds = source.duration.seconds
        frameRate = source.frameRate?.description
        tracks = composition.tracks.map(Track.init)
        markers = try composition.markers.map {
            Marker(seconds: $0.time.seconds, name: $0.marker.name)
        }
        media = source.assets.map(AssetDescription.init)
        notes = source.notes
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
    init(_ track: TimeWarp.Track) {
        name = track.name
        carries = track.carries.rawValue
        segments = track.placed.map { placed in
            let clip = placed.segment.clip
            return CompositionDescription.Segment(
                startSeconds: placed.range.start.seconds, endSeconds: placed.range.end.seconds,
                media: clip?.media, mediaStartSeconds: clip?.range.start.seconds,
                mediaEndSeconds: clip?.range.end.seconds)
        }
    }
}

extension CompositionDescription.Segment {
    fileprivate var text: String {
        let place =
            "    " + AssetDescription.seconds(startSeconds) + " to "
            + AssetDescription.seconds(endSeconds)
        guard let media, let mediaStartSeconds, let mediaEndSeconds else {
            return place + "  nothing"
        }
        return place + "  \(media), \(AssetDescription.seconds(mediaStartSeconds)) to "
            + AssetDescription.seconds(mediaEndSeconds)
    }
}
