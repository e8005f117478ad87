import Foundation
import Media

/// The description of an asset that the command `inspect` prints, as JSON or as text.
package struct AssetDescription: Encodable {
    /// A stream.
    package struct Stream: Encodable {
        /// Its index in the file.
        let index: Int
        /// Its kind: video, audio, subtitles, attachment, cover or data.
        let kind: String
        /// FFmpeg's name of its codec.
        let codec: String
        /// When it starts, in seconds.
        var startSeconds: Double?
        /// When it ends, in seconds.
        var endSeconds: Double?
        /// How many packets it has, where the file says so.
        var frameCount: Int?
        /// The width of a frame, in pixels.
        var width: Int?
        /// The height of a frame, in pixels.
        var height: Int?
        /// How pixels are stored, such as yuv420p.
        var pixelFormat: String?
        /// Frames a second as a fraction; an average if they are uneven.
        var frameRate: String?
        /// The rate of the film whose frames are shown for three and two fields in turn; nil if it isn't that.
        var filmRate: String?
        /// Whether frames are uneven; nil if the file doesn't say when each of them comes.
        var hasVariableRate: Bool?
        /// By how much frames are turned clockwise to be shown; nil if they aren't.
        var rotationDegrees: Double?
        /// Samples a second.
        var sampleRate: Int?
        /// The channel layout, such as stereo.
        var channelLayout: String?
        /// Its tags.
        let tags: [String: String]
    }
    /// A chapter.
    package struct Chapter: Encodable {
        /// When it starts, in seconds.
        let startSeconds: Double
        /// When it ends, in seconds.
        let endSeconds: Double
        /// Its title.
        let title: String?
    }
    /// The file.
    let file: String
    /// FFmpeg's name of its format.
    let format: String
    /// Its duration, in seconds.
    let durationSeconds: Double
    /// Its streams.
    let streams: [Stream]
    /// Its chapters.
    let chapters: [Chapter]
    /// Its tags.
    let tags: [String: String]
    /// What is wrong with it, or worth knowing; one sentence each.
    let warnings: [String]

    package init(_ asset: Asset) {
        file = asset.path
        format = asset.formatName
        durationSeconds = asset.duration.seconds
        streams = asset.streams.map(Stream.init)
        chapters = asset.chapters.map {
            Chapter(
                startSeconds: $0.range.start.seconds, endSeconds: $0.range.end.seconds,
                title: $0.tags["title"])
        }
        tags = asset.tags
        warnings = asset.warnings
    }

    /// The description as text, one line per track, chapter and warning.
    package var text: String {
        let head = "\(file): \(format), \(Self.seconds(durationSeconds))"
        let marks = chapters.map {
            "  chapter  \(Self.seconds($0.startSeconds)) to \(Self.seconds($0.endSeconds))  "
                + ($0.title ?? "")
        }
        let notes = warnings.map { "  note     \($0)" }
        return ([head] + streams.map(\.text) + marks + notes).joined(separator: "\n")
    }

    static func seconds(_ seconds: Double) -> String {
        String(format: "%.6g s", seconds)
    }
}

extension AssetDescription.Stream {
    init(_ stream: Asset.Stream) {
        index = stream.index
        kind = stream.kindName
        codec = stream.codecName
        startSeconds = stream.start?.seconds
        endSeconds = stream.end?.seconds
        frameCount = stream.frameCount
        tags = stream.tags
        if let video = stream.videoFormat {
            width = video.width
            height = video.height
            pixelFormat = video.pixelFormat.description
            frameRate = video.frameRate?.description
            switch video.cadence {
            case .constant(let rate): (frameRate, hasVariableRate) = (rate.description, false)
            case .telecined(let film):
                (frameRate, hasVariableRate) = (video.usualRate.description, false)
                filmRate = film.description
            case .variable: hasVariableRate = true
            case .unknown: break
            }
            rotationDegrees = stream.rotation == 0 ? nil : stream.rotation
        }
        if let audio = stream.audioFormat {
            sampleRate = audio.sampleRate
            channelLayout = audio.layout.description
        }
    }

    var text: String {
        var words = ["  \(index)  \(kind)  \(codec)"]
        if let width, let height {
            words.append("\(width)×\(height) \(pixelFormat ?? "")")
            let rate = frameRate.map { "\($0) frames/s" } ?? "unknown rate"
            words.append(hasVariableRate == true ? "about \(rate), uneven" : rate)
            if let filmRate {
                words.append("telecined film of \(filmRate) frames/s")
            }
        }
        if let sampleRate, let channelLayout {
            words.append("\(sampleRate) Hz \(channelLayout)")
        }
        if let rotationDegrees {
            words.append(String(format: "rotated by %.4g°", rotationDegrees))
        }
        if let startSeconds, let endSeconds {
            words.append(
                AssetDescription.seconds(startSeconds) + " to "
                    + AssetDescription.seconds(endSeconds))
        }
        if let language = tags["language"], language != "und" {
            words.append(language)
        }
        return words.joined(separator: ", ")
    }
}
