import Documents
import Foundation
import TimeMaps
import TimeWarp

extension Composition {
    /// The size of the largest OpenTimelineIO file that is read, in bytes. The format takes about 3 kB for a
    /// clip.
    public static let largestTimeline = 128 << 20

    /// The composition as an OpenTimelineIO file (`.otio`).
    ///
    /// Constant speeds, reversed clips, freeze frames, gaps and markers are stored exactly, in the format's own
    /// objects. A curve or a time map becomes a row of clips of constant speed that stays less than half a
    /// frame from the original. The original, and the largest deviation from it, are stored in the metadata
    /// under `timewarp`. A track that carries video and audio becomes one track of each. Reading the file here
    /// puts all of that together to an equal composition.
    ///
    /// - Parameter mediaDurations: the durations of media files by path, for programs that want to know them;
    ///   may be empty.
    /// - Returns: the file, and notes (sentences) on what other programs see differently.
    /// - Throws: ``CompositionError`` or ``CurveError`` if a segment's time map can't be made.
    public func openTimelineIO(
        mediaDurations: [String: RationalTime] = [:]
    ) throws -> (file: Data, notes: [String]) {
        var writer = OTIOWriter(self, mediaDurations: mediaDurations)
        let timeline = try writer.timeline()
        return (try JSONDocument.data(of: timeline), writer.notes.list)
    }

    /// Reads an OpenTimelineIO file (`.otio`) of any program.
    ///
    /// The notes report what a composition can't represent: transitions of all kinds become dissolves, effects are
    /// dropped, and clips without a file become gaps. Nested tracks and stacks are laid flat at their speeds, with tracks
    /// of their own for their upper layers. Times count from the start of the timeline, even if it starts at a timecode.
    ///
    /// - Parameters:
    ///   - file: the content of the file, at most ``largestTimeline`` bytes.
    ///   - mediaDuration: returns the duration of a media file; called if the timeline doesn't say it.
    /// - Returns: the composition, and notes (sentences) on what was changed or dropped.
    /// - Throws: ``DocumentError``, with line, column and path, if the file isn't OpenTimelineIO or is larger than 128 MiB
    ///   or 400 000 objects; ``CompositionError`` if it holds no timeline, more than 100 000 items or more than 1000
    ///   tracks; `TimeError` if a time of it can't be computed with; what
    ///   `mediaDuration` throws.
    public static func reading(
        openTimelineIO file: Data, mediaDuration: @escaping (String) throws -> RationalTime
    ) throws -> (composition: Composition, notes: [String]) {
        let media = ProjectMedia(duration: mediaDuration) {
            throw MediaError(.noInput, file: $0, reason: "only its duration is known here")
        }
        let read = try OpenTimelineIOFormat().read(file, media)
        return (read.composition, read.notes)
    }
}
