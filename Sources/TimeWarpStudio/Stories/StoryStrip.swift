import Foundation
import Media
import Overview
import StoryBuilding
import TimeMaps

extension StoryLibrary {
    /// Frames of a segment's media between two times, as one PNG image of frames side by side.
    ///
    /// - Throws: ``StudioError`` if there is no such segment or nothing to show.
    func strip(
        of id: String, segment name: String, from: Double, to: Double, frames: Int
    ) async throws -> Data {
        let file = try await file(id)
        return try await runBlocking { checkCancelled in
            guard let project = try? StoryProject(contentsOfFile: file.path),
                let segment = project.story.segments[name]
            else {
                throw StudioError(.notFound, "The story has no segment of this name.")
            }
            do {
                let asset = try Asset(at: project.resolve(segment.media))
                return try Self.strip(of: asset, from: from, to: to, frames, checkCancelled)
            } catch let error as MediaError {
                throw StudioError(.unprocessableContent, error.sentence)
            }
        }
    }

    private static func strip(
        of asset: Asset, from: Double, to: Double, _ frames: Int,
        _ checkCancelled: @escaping () throws -> Void
    ) throws -> Data {
        let end = min(to, asset.duration.seconds)
        guard from >= 0, from < end else {
            throw StudioError(.badRequest, "A part of the media rises and lies within it.")
        }
        let range = try TimeRange(
            start: RationalTime(seconds: from, timescale: 1_000_000, rounding: .nearest),
            end: RationalTime(seconds: end, timescale: 1_000_000, rounding: .nearest))
        let strip = try FilmStrip(
            of: asset, range: range, index: nil, count: frames, checkCancelled: checkCancelled)
        return Data(try strip.image.png())
    }
}
