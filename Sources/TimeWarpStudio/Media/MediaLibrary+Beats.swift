import Foundation
import LocalServer
import Media
import Overview

extension MediaLibrary {
    /// The path of a file with a clip's beats. They are found when they are first asked for, because few clips are cut
    /// to music, and kept.
    ///
    /// - Throws: ``StudioError`` if the clip has no sound, or it can't be decoded.
    func beats(of id: String) async throws -> String {
        let record = try await record(id)
        guard record.facts.audio != nil else {
            throw StudioError(.unprocessableContent, "\(record.name) has no sound.")
        }
        let path = path(of: .beats, id)
        guard !FileManager.default.fileExists(atPath: path) else {
            return path
        }
        // Whoever asks meanwhile waits for the same search.
        let task = beatSearches[id] ?? Task { try await self.findBeats(of: record) }
        beatSearches[id] = task
        defer { beatSearches[id] = nil }
        do {
            return try await task.value
        } catch is CancellationError {
            throw StudioError(.notFound, "This clip no longer exists.")
        } catch let error as MediaError {
            throw StudioError(.unprocessableContent, "\(record.name): \(error.sentence)")
        }
    }

    private func findBeats(of record: MediaRecord) async throws -> String {
        let asset = try await shownAsset(of: record)
        let folder = try folder(for: record.id)
        return try await runBlocking { checkCancelled in
            let beats = try Beats(of: asset, checkCancelled: checkCancelled)
            return try MediaPictures.write(
                Array(StudioJSON.encoder.encode(beats)), .beats, folder)
        }
    }
}
