import Documents
import Foundation
import LocalServer
import Media
import Overview
import Stories
import StoryBuilding
import TimeMaps
import TimeWarp

/// A time of a segment that is moved on its frames.
struct StoryTimeRequest: SentJSON, Sendable {
    /// Which time of the segment.
    enum Place: Decodable, Sendable {
        case event(Int)
        case start
        case end

        private enum CodingKeys: String, CodingKey {
            case event, edge
        }

        private enum Edge: String, Decodable, CaseIterable {
            case start, end
        }

        /// An event by its number, or else an edge: the end, if neither is named.
        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            let edge = try values.decodeIfPresent(Edge.self, forKey: .edge)
            self =
                try values.decodeIfPresent(Int.self, forKey: .event).map(Place.event)
                ?? (edge == .start ? .start : .end)
        }

        func path(in segment: String) -> DocumentPath {
            let path = DocumentPath.segment(segment)
            return switch self {
            case .event(let number): path.key("events").index(number).key("at")
            case .start: path.key("range").index(0)
            case .end: path.key("range").index(1)
            }
        }
    }

    let segment: String
    let place: Place
    /// In seconds of the media file; it is moved to the nearest frame. Nil if `text` has the time.
    let at: Double?
    /// The time as it was written in the file: a JSON number or text.
    let text: String?
    /// The version of the story that the page shows.
    let version: String

    private enum CodingKeys: String, CodingKey {
        case segment, at, text, version
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        segment = try values.decode(String.self, forKey: .segment)
        place = try Place(from: decoder)
        at = try values.decodeIfPresent(Double.self, forKey: .at)
        text = try values.decodeIfPresent(String.self, forKey: .text)
        version = try values.decode(String.self, forKey: .version)
    }
}

extension StoryTimeRequest {
    /// The story's text with the time changed.
    ///
    /// - Throws: ``StudioError`` if the file is another one by now, or there is no such time.
    func changed(_ project: StoryProject, _ data: Data) throws -> Data {
        guard StoryResponse.version(of: data) == version else {
            throw StudioError(
                .conflict,
                "The story file was changed by another program. Look at it, and try again.")
        }
        guard let segment = project.story.segments[segment] else {
            throw StudioError(.notFound, "The story has no segment of this name.")
        }
        let path = place.path(in: self.segment)
        let isNumber = project.file.writtenTime(at: path).map { !$0.hasPrefix("\"") } ?? false
        let written =
            try text
            ?? at.map { seconds in
                let time = try Self.text(seconds, in: project.resolve(segment.media))
                return isNumber && Double(time) != nil ? time : "\"\(time)\""
            }
        guard let written, let changed = project.file.text(replacingTimeAt: path, by: written)
        else {
            throw StudioError(.unprocessableContent, "There is no time that could be changed.")
        }
        return changed
    }

    /// A time on the nearest frame of a file at a constant rate, exactly; else to the millisecond.
    private static func text(_ seconds: Double, in path: String) throws -> String {
        guard seconds.isFinite, seconds >= 0, seconds <= TimeMap.longestOutput else {
            throw StudioError(.unprocessableContent, "A time lies within the media file.")
        }
        guard let asset = try? Asset(at: path), let stream = asset.mainVideo,
            case .constant(let rate)? = stream.videoFormat?.cadence
        else {
            return decimal((seconds * 1000).rounded() / 1000)
        }
        let start = stream.start ?? .zero
        let frame = ((seconds - start.seconds) * rate.framesPerSecond).rounded()
        let time = try start + rate.frameDuration.multiplied(by: Int64(max(0, frame)), over: 1)
        let milliseconds = time.seconds * 1000
        // Frames of 29.97 a second have no decimals that are exact.
        return abs(milliseconds - milliseconds.rounded()) < 1e-9
            ? decimal(time.seconds) : "\(time.value)/\(time.timescale)"
    }

    private static func decimal(_ seconds: Double) -> String {
        DecimalFraction(rounding: (seconds * 1000).rounded() / 1000)?.text ?? "\(seconds)"
    }
}

extension StoryLibrary {
    /// Changes a time in a story file, and returns the story as it is then. Nothing else of the file changes.
    ///
    /// - Throws: ``StudioError`` if that isn't possible.
    func change(_ change: StoryTimeRequest, of id: String) async throws -> StoryResponse {
        let file = try await file(id)
        try await runBlocking { _ in
            do {
                let data = try Data(contentsOf: URL(fileURLWithPath: file.path))
                let project = try StoryProject(contentsOfFile: file.path)
                let output = try AtomicFile(at: file.path, existing: .overwrite)
                try output.write(try change.changed(project, data))
                try output.publish()
            } catch let error as MediaError {
                throw StudioError(.unprocessableContent, error.sentence)
            }
        }
        return try await story(id)
    }

    /// Frames of a segment's media between two times, as one PNG image of 24 frames side by side.
    ///
    /// - Throws: ``StudioError`` if there is no such segment or nothing to show.
    func strip(of id: String, segment name: String, from: Double, to: Double) async throws -> Data {
        let file = try await file(id)
        return try await runBlocking { checkCancelled in
            guard let project = try? StoryProject(contentsOfFile: file.path),
                let segment = project.story.segments[name]
            else {
                throw StudioError(.notFound, "The story has no segment of this name.")
            }
            do {
                let asset = try Asset(at: project.resolve(segment.media))
                return try Self.strip(of: asset, from: from, to: to, checkCancelled)
            } catch let error as MediaError {
                throw StudioError(.unprocessableContent, error.sentence)
            }
        }
    }

    private static func strip(
        of asset: Asset, from: Double, to: Double, _ checkCancelled: @escaping () throws -> Void
    ) throws -> Data {
        let end = min(to, asset.duration.seconds)
        guard from >= 0, from < end else {
            throw StudioError(.badRequest, "A part of the media rises and lies within it.")
        }
        let range = try TimeRange(
            start: RationalTime(seconds: from, timescale: 1_000_000, rounding: .nearest),
            end: RationalTime(seconds: end, timescale: 1_000_000, rounding: .nearest))
        let strip = try FilmStrip(
            of: asset, range: range, index: nil, checkCancelled: checkCancelled)
        return Data(try strip.image.png())
    }
}
