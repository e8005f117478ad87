import Documents
import Foundation
import LocalServer
import Media
import Stories
import StoryBuilding
import TimeMaps
import TimeWarp

/// Changes to the text of a story file. What they don't name keeps its bytes.
struct StoryChangeRequest: SentJSON, Sendable {
    /// One change: exactly one of `value`, `time` and `key`, or none to remove what is there.
    struct Change: Decodable, Sendable {
        /// A JSON Pointer (RFC 6901), such as `/segments/door/choices/0/label`; `-` is the place after a list's last element.
        let path: String
        /// The new value, as JSON text.
        let value: String?
        /// The new value, as a time of the segment's media file in seconds; it is moved to the nearest frame.
        let time: Double?
        /// Another key for the value.
        let key: String?
    }

    /// The version of the story that the page shows.
    let version: String
    /// Changes, each to what the one before it left.
    let changes: [Change]?
    /// The whole text, instead of changes.
    let text: String?
}

extension StoryChangeRequest {
    /// The text of a story file with the changes.
    ///
    /// - Parameter folder: that of the file, from which it names its media.
    /// - Throws: ``StudioError`` if the file is another one by now, or a change isn't possible, or would make a file that can't
    ///   be read as a story any more.
    func changed(_ data: Data, in folder: String) throws -> Data {
        guard StoryResponse.version(of: data) == version else {
            throw StudioError(
                .conflict,
                "The story file was changed by another program. Look at it, and try again.")
        }
        if let text {
            return Data(text.utf8)
        }
        do {
            let changed = try (changes ?? []).reduce(data) { data, change in
                try change.applied(to: JSONDocument(data), in: folder)
            }
            if (try? StoryFile(json: data)) != nil {
                _ = try StoryFile(json: changed)
            }
            return changed
        } catch let error as StoryError {
            throw StudioError(
                .unprocessableContent, error.problems.first.map { $0.message } ?? "\(error)")
        } catch let error as DocumentError {
            throw StudioError(
                .unprocessableContent, "The story can't be changed: \(error.problem.message).")
        }
    }
}

extension StoryChangeRequest.Change {
    fileprivate func applied(to document: JSONDocument, in folder: String) throws -> Data {
        let path = try document.path(path)
        if let key {
            return try document.text(renaming: path, to: key)
        }
        guard
            let written = try value
                ?? time.map({ try written($0, at: path, of: document, in: folder) })
        else {
            return try document.text(removing: path)
        }
        return try document.text(setting: path, to: JSONDocument(Data(written.utf8)))
    }

    /// A time of a segment's media, as JSON: a number if there is one and it is exact, otherwise a text.
    private func written(
        _ seconds: Double, at path: DocumentPath, of document: JSONDocument, in folder: String
    ) throws -> String {
        let segment = DocumentPath(Array(path.steps.prefix(2)))
        guard let media = document.value(at: segment.key("media"))?.text else {
            throw StudioError(.unprocessableContent, "The segment has no media file.")
        }
        let time = try Self.text(seconds, in: MediaPath.resolve(media, in: folder))
        let isNumber = document.value(at: path)?.number != nil && Double(time) != nil
        return isNumber ? time : "\"\(time)\""
    }

    /// A time on the nearest frame of a file at a constant rate, exactly; else to the millisecond.
    private static func text(_ seconds: Double, in path: String) throws -> String {
        guard seconds.isFinite, seconds >= 0, seconds <= TimeMap.longestOutput else {
            throw StudioError(.unprocessableContent, "A time lies within the media file.")
        }
        guard let asset = try? Asset(at: path), let stream = asset.mainVideo,
            case .constant(let rate)? = stream.videoFormat?.cadence
        else {
            return EditClip.text(seconds)
        }
        let start = stream.start ?? .zero
        let frame = ((seconds - start.seconds) * rate.framesPerSecond).rounded()
        let time = try start + rate.frameDuration.multiplied(by: Int64(max(0, frame)), over: 1)
        let milliseconds = time.seconds * 1000
        // Frames of 29.97 a second have no decimals that are exact.
        return abs(milliseconds - milliseconds.rounded()) < 1e-9
            ? EditClip.text(time.seconds) : "\(time.value)/\(time.timescale)"
    }
}

extension StoryLibrary {
    /// Changes a story file, and returns the story as it is then.
    ///
    /// - Throws: ``StudioError`` if that isn't possible.
    func change(_ change: StoryChangeRequest, of id: String) async throws -> StoryResponse {
        let file = try await file(id)
        // One change ends before another begins, so that each sees the version that the other made.
        try await changes.run {
            try await Self.write(file, replacing: .overwrite) {
                let data = try Data(contentsOf: URL(fileURLWithPath: file.path))
                return try change.changed(
                    data, in: (file.path as NSString).deletingLastPathComponent)
            }
        }.value
        return try await story(id)
    }

    /// Writes a new story file into the workspace, under a free name.
    ///
    /// - Throws: ``StudioError`` if that isn't possible.
    func add(_ story: NewStory) async throws -> StoryResponse {
        let stem = FileName.usable(story.name, else: "story")
        let file = try await changes.run { [workspace, files] in
            let name = workspace.freeFile(stem)
            let file = StoryFileOnDisk(
                id: await files.identity(of: name), name: name, in: workspace)
            try await Self.write(file, replacing: .refuse) { Data(story.text.utf8) }
            return file
        }.value
        return try await self.story(file.id)
    }

    private static func write(
        _ file: StoryFileOnDisk, replacing existing: ExistingOutput,
        _ content: @escaping @Sendable () throws -> Data
    ) async throws {
        try await runBlocking { _ in
            do {
                let output = try AtomicFile(at: file.path, existing: existing)
                try output.write(try content())
                try output.publish()
            } catch let error as MediaError {
                throw StudioError(.unprocessableContent, error.sentence)
            }
        }
    }
}

/// A story file that the page writes.
struct NewStory: SentJSON, Sendable {
    /// The name of the file, without its extension.
    let name: String
    let text: String
}
