import Foundation
import TimeMaps

extension Composition {
    /// The largest OpenTimelineIO file that is read, in bytes: the format takes some 3 kB a clip.
    public static let largestTimeline = 128 << 20

    /// The composition as an OpenTimelineIO file, `.otio`.
    ///
    /// Constant speed, reverse, freezes, gaps and markers are said in the format's own words,
    /// exactly. A curve or a time map is a row of clips of constant speed, less than half a frame
    /// from what it shows; what it is itself, and how far they are from it, stands in the metadata
    /// under `timewarp`. A track that carries picture and sound is one of each kind. Read here
    /// again, all that is put together to an equal composition.
    ///
    /// - Parameter mediaDurations: what files last, for programs that want to know; may be empty.
    /// - Returns: the file, and sentences on what other programs see differently.
    /// - Throws: ``CompositionError`` or ``CurveError`` when a segment's time map can't be made.
    public func openTimelineIO(
        mediaDurations: [String: RationalTime] = [:]
    ) throws -> (file: Data, notes: [String]) {
        var writer = TimelineWriter(self, mediaDurations: mediaDurations)
        let timeline = try writer.timeline()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try encoder.encode(timeline) + Data("\n".utf8), writer.notes.list)
    }

    /// Reads an OpenTimelineIO file, `.otio`, of any program.
    ///
    /// What a composition can't say is told in the notes: transitions become cuts, effects are left
    /// out, clips without a file and compositions that can't be flattened become gaps. Times count
    /// from the start of the file, also where the timeline counts from a timecode.
    ///
    /// - Parameter mediaDuration: what a file lasts, asked where the timeline doesn't say.
    /// - Throws: ``CompositionError`` when it is no such file, holds no timeline, or is larger than
    ///   128 MiB, 100 000 items or 400 000 objects; what `mediaDuration` throws.
    public static func reading(
        openTimelineIO file: Data, mediaDuration: @escaping (String) throws -> RationalTime
    ) throws -> (composition: Composition, notes: [String]) {
        guard file.count <= largestTimeline else {
            throw CompositionError(.malformed, "the timeline is larger than 128 MiB")
        }
        let root: OTIOObject
        do {
            let decoder = JSONDecoder()
            decoder.userInfo[OTIOCount.key] = OTIOCount()
            root = try decoder.decode(OTIOObject.self, from: file)
        } catch let error as DecodingError {
            throw CompositionError(.malformed, error.explained(as: "an OpenTimelineIO file"))
        }
        var reader = TimelineReader(mediaDuration: mediaDuration)
        let composition = try reader.composition(root)
        return (composition, reader.notes.list)
    }
}
