import Documents
import Foundation
import TimeMaps

/// A segment of an edit file.
package struct FileSegment: Codable, Sendable, SchemaNaming {
    package static let schemaName = "segment"

    package enum Content: Sendable {
        case gap(RationalTime)
        case clip(FileClip)
    }

    package var content: Content

    private enum Key: String, CodingKey {
        case gap
    }

    package init(_ segment: Segment) {
        guard let clip = segment.clip else {
            content = .gap(segment.duration)
            return
        }
        content = .clip(FileClip(clip, of: segment))
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard container.contains(.gap) else {
            content = .clip(try FileClip(from: decoder))
            return
        }
        content = .gap(try container.decode(FileTime.self, forKey: .gap).time)
    }

    package func encode(to encoder: any Encoder) throws {
        switch content {
        case .clip(let clip):
            try clip.encode(to: encoder)
        case .gap(let duration):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(FileTime(time: duration), forKey: .gap)
        }
    }

    /// Reads a segment from a JSON text that holds nothing else.
    package init(text: String) throws {
        self = try JSONDocument(
            Data(text.utf8), kind: "segment", largest: Composition.largestFile
        ).decode(FileSegment.self)
    }

    /// The segment as a JSON text in one line.
    package func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// The segment of a track.
    ///
    /// - Parameters:
    ///   - path: the path of this segment in the JSON of its file, for error messages.
    ///   - carried: what its track carries.
    ///   - mediaEnd: returns where a media file ends; called if that decides what is played.
    package func segment(
        at path: DocumentPath = DocumentPath(), carrying carried: Track.Content = .both,
        mediaEnd: (String, Track.Content) throws -> RationalTime
    ) throws -> Segment {
        switch content {
        case .clip(let clip):
            return try clip.segment(at: path, carrying: carried, mediaEnd: mediaEnd)
        case .gap(let duration):
            return try about(path.key("gap")) { try .gap(lasting: duration) }
        }
    }
}

/// Runs `body`, whose errors are about the value at a path.
///
/// - Parameter curve: the key in it that errors of curves are about.
func about<Result>(
    _ path: DocumentPath, curve: String? = nil, _ body: () throws -> Result
) throws -> Result {
    do {
        return try body()
    } catch let error as CurveError {
        throw DocumentError(error, at: curve.map(path.key) ?? path)
    } catch  where error is CompositionError || error is TimeError {
        throw DocumentError(error, at: path)
    }
}
