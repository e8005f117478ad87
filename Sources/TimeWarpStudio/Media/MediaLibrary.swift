import Exchange
import Foundation
import LocalServer
import Media
import SampleMedia
import TimeWarp

/// The clips of a workspace.
actor MediaLibrary {
    let workspace: Workspace
    let store: StudioStore
    let events: StudioEvents
    private var opened: [String: OpenedMedia] = [:]
    /// Clips that still need their poster, film strip and waveform: files, and compositions, which take long.
    let files = AsyncStream<String>.makeStream()
    let compositions = AsyncStream<String>.makeStream()
    /// The running tasks that make these files, by clip.
    var making: [String: [Task<Void, Never>]] = [:]
    /// The running searches for beats, by clip.
    var beatSearches: [String: Task<String, any Error>] = [:]

    /// An opened clip, with the sizes and dates that its files had then.
    private struct OpenedMedia {
        let source: MediaSource
        private let stamps: [String: FileStamp?]

        init(_ source: MediaSource) {
            self.source = source
            stamps = Dictionary(
                uniqueKeysWithValues: source.files.map { ($0, try? FileStamp(of: $0)) })
        }

        var isCurrent: Bool { stamps.allSatisfy { (try? FileStamp(of: $0)) == $1 } }
    }

    init(_ workspace: Workspace, _ store: StudioStore, _ events: StudioEvents) {
        self.workspace = workspace
        self.store = store
        self.events = events
    }

    /// Removes unfinished files of a studio that was killed, and makes the sample clip in a new workspace.
    func open() async throws {
        workspace.removeRemains()
        await forgetRemoved()
        let known = await store.media.list()
        if known.isEmpty {
            try await addSample()
        }
        for var record in known {
            let needed: [CachedFile] =
                [record.facts.video == nil ? .waveform : .strip]
                + (record.isComposition ? [.copy] : [])
            if record.analysis == .ready, !needed.allSatisfy({ isThere($0, record.id) }) {
                record.analysis = .waiting
                try await store.media.save(record)
            }
            look(at: record)
        }
    }

    private func isThere(_ file: CachedFile, _ id: String) -> Bool {
        FileManager.default.fileExists(atPath: path(of: file, id))
    }

    func look(at record: MediaRecord) {
        if record.analysis == .waiting {
            (record.isComposition ? compositions : files).continuation.yield(record.id)
        }
    }

    private func addSample() async throws {
        try await add(named: "sample.mp4", origin: .sample) { path in
            try await runBlocking { checkCancelled in
                try SampleClip.write(
                    try SampleScene(
                        width: 640, height: 360, frameRate: (numerator: 30, denominator: 1),
                        frameCount: 300),
                    to: path, existing: .overwrite, checking: checkCancelled)
            }
        }
    }

    /// All clips, the newest first.
    func list() async throws -> [MediaRecord] {
        await store.media.list()
    }

    /// The edits whose clips are in the library, sorted by name.
    func edits() async -> [EditRecord] {
        var found: [EditRecord] = []
        for edit in await store.edits.all() where await store.media.find(edit.id) != nil {
            found.append(edit)
        }
        return found.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// - Throws: ``StudioError`` if there is no clip with that identity.
    func record(_ id: String) async throws -> MediaRecord {
        guard let record = await store.media.find(id) else {
            throw StudioError(.notFound, "This clip no longer exists.")
        }
        return record
    }

    /// The name of a clip; nil for none, or one that no longer exists.
    func name(of id: String?) async -> String? {
        guard let id else {
            return nil
        }
        return await store.media.find(id)?.name
    }

    func path(of record: MediaRecord) -> String {
        workspace.path(to: record.file)
    }

    /// A clip and its opened file. The file stays open, and is opened again after it was changed.
    ///
    /// - Throws: ``StudioError`` if the clip or its file no longer exists.
    func open(_ id: String) async throws -> (record: MediaRecord, source: MediaSource) {
        let record = try await record(id)
        if let opened = opened[id], opened.isCurrent {
            return (record, opened.source)
        }
        let source = try await open(path(of: record), name: record.name, failing: .notFound)
        opened[id] = OpenedMedia(source)
        return (record, source)
    }

    private func open(
        _ path: String, name: String, failing status: Response.Status
    ) async throws -> MediaSource {
        do {
            return try await runBlocking { _ in try MediaSource(at: path, formats: .all) }
        } catch let error as MediaError {
            // Of a composition, a file of its own may be what is missing.
            let file = error.file == path ? "" : (error.file as NSString).lastPathComponent + ": "
            throw StudioError(status, "\(name): \(file)\(error.sentence)")
        }
    }

    /// The clip of one of the user's files in the workspace: the one that it is already, unless the file was changed since.
    ///
    /// - Throws: ``StudioError`` if it isn't a media file.
    func pick(_ file: String) async throws -> MediaRecord {
        let known = await store.media.list().first { $0.file == file && $0.origin == .workspace }
        if let known {
            let bytes = (try? FileStamp(of: workspace.path(to: file)))?.bytes
            let isSame = known.bytes == bytes && opened[known.id]?.isCurrent != false
            return isSame ? known : try await renew(known.id, named: known.name)
        }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return try await add(file, name: name, origin: .workspace)
    }

    /// Makes a clip of a rendered file. The clip stays when the render is removed: both are names of one file where the file
    /// system can do that.
    ///
    /// - Throws: ``StudioError`` if it isn't a media file.
    func take(_ rendered: String, name: String) async throws -> MediaRecord {
        try await add(named: name, origin: .upload) { path in
            try await runBlocking { _ in
                do {
                    try FileManager.default.linkItem(atPath: rendered, toPath: path)
                } catch {
                    try FileManager.default.copyItem(atPath: rendered, toPath: path)
                }
            }
        }
    }

    /// Adds a file of the studio's own to the library. If that fails, nothing of it stays.
    ///
    /// - Parameter write: puts the file where it belongs.
    /// - Throws: ``StudioError`` if it isn't a media file, and what `write` throws.
    @discardableResult
    func add(
        named name: String, origin: MediaRecord.Origin,
        writing write: @Sendable (_ path: String) async throws -> Void
    ) async throws -> MediaRecord {
        let id = Secret.make(bytes: 8)
        let file = workspace.file(of: id, named: name, in: .media)
        do {
            try await write(try workspace.makeFolder(of: file))
            return try await add(file, id: id, name: name, origin: origin)
        } catch {
            workspace.removeWithFolder(file)
            throw error
        }
    }

    /// Adds a file of the workspace to the library.
    ///
    /// - Parameter file: the path relative to the workspace.
    /// - Throws: ``StudioError`` if it isn't a media file.
    @discardableResult
    func add(
        _ file: String, id: String = Secret.make(bytes: 8), name: String,
        origin: MediaRecord.Origin
    ) async throws -> MediaRecord {
        let path = workspace.path(to: file)
        let source = try await open(path, name: name, failing: .unsupportedMediaType)
        let facts = MediaFacts(source)
        guard facts.duration > 0, facts.video != nil || facts.audio != nil else {
            throw StudioError(
                .unsupportedMediaType, "\(name): The file has neither video nor audio.")
        }
        let record = MediaRecord(
            id: id, name: name, file: file, bytes: (try? FileStamp(of: path))?.bytes ?? 0,
            added: Date(),
            origin: origin, facts: facts, analysis: .waiting, strip: nil)
        try await store.media.save(record)
        opened[id] = OpenedMedia(source)
        look(at: record)
        events.send(.media, MediaResponse(record))
        return record
    }

    /// Looks at a clip again whose file the studio has changed: what was made from the file is made again.
    func renew(_ id: String, named name: String) async throws -> MediaRecord {
        var record = try await record(id)
        record.name = name
        await stopWork(on: id)
        let path = path(of: record)
        let source = try await open(path, name: record.name, failing: .conflict)
        // The pictures stay until there are new ones: a page that hasn't heard of the change may be fetching them.
        workspace.remove(cacheFolder(of: id) + "/" + CachedFile.beats.rawValue)
        record.facts = MediaFacts(source)
        record.bytes = (try? FileStamp(of: path))?.bytes ?? 0
        record.added = Date()
        record.analysis = .waiting
        record.strip = nil
        try await store.media.save(record)
        opened[id] = OpenedMedia(source)
        look(at: record)
        events.send(.media, MediaResponse(record))
        return record
    }

    /// Removes a clip. It can be brought back until another one is removed or the studio is started again. Then its
    /// file is removed too, unless it is one of the user's own files.
    ///
    /// - Throws: ``StudioError`` if an edit uses the clip.
    func remove(_ id: String) async throws {
        let record = try await record(id)
        let users = await edits().filter { $0.all.contains { $0.segment.media == id } }
        guard users.isEmpty else {
            throw StudioError(
                .conflict,
                "\(record.name) is used in the edit "
                    + users.map(\.name).joined(separator: ", ") + ". Take it out there first.")
        }
        await forgetRemoved()
        try await store.media.setAside(id)
        try await store.edits.setAside(id)
        await stopWork(on: id)
        opened[id] = nil
        events.send(.removed, Removal(kind: .media, id: id))
    }

    /// Ends the work that is done for a clip.
    private func stopWork(on id: String) async {
        for task in making[id] ?? [] {
            task.cancel()
            await task.value
        }
        beatSearches[id]?.cancel()
        _ = await beatSearches[id]?.result
    }

    /// Brings back the clip that was removed last.
    ///
    /// - Throws: ``StudioError`` if it is another one.
    func bringBack(_ id: String) async throws -> MediaRecord {
        guard let record = try await store.media.bringBack(id) else {
            throw StudioError(.notFound, "This clip can't be brought back any more.")
        }
        _ = try await store.edits.bringBack(id)
        look(at: record)
        events.send(.returned, Removal(kind: .media, id: id))
        return record
    }

    private func forgetRemoved() async {
        _ = await store.edits.takeAside()
        for record in await store.media.takeAside() {
            workspace.remove(cacheFolder(of: record.id))
            if record.origin != .workspace {
                workspace.removeWithFolder(record.file)
            }
        }
    }

    func cacheFolder(of id: String) -> String {
        workspace.file(id, in: .cache)
    }

    /// The files that are made from a clip for the page.
    enum CachedFile: String {
        case poster = "poster.png"
        case strip = "strip.png"
        case waveform = "waveform.json"
        case beats = "beats.json"
        /// A composition as a file, of which the others are made.
        case copy = "copy.mp4"
    }

    func path(of file: CachedFile, _ id: String) -> String {
        workspace.path(to: cacheFolder(of: id) + "/" + file.rawValue)
    }
}
