import Exchange
import Foundation
import LocalServer
import Media
import SampleMedia
import TimeWarp

/// The clips of a workspace.
actor MediaLibrary {
    private let workspace: Workspace
    private let store: StudioStore
    private let events: StudioEvents
    private var opened: [String: OpenedMedia] = [:]
    /// Clips that still need their poster, film strip and waveform, and clips that still need a playable copy.
    /// There are two queues, so that posters needn't wait for copies, which take long.
    private let unseen = AsyncStream<String>.makeStream()
    private let unplayable = AsyncStream<String>.makeStream()
    /// The running tasks that make these files, by clip.
    private var making: [String: [Task<Void, Never>]] = [:]
    /// The running searches for beats, by clip.
    var hearing: [String: Task<String, any Error>] = [:]

    /// An opened clip, with the sizes and dates that its files had then.
    private struct OpenedMedia {
        let source: Clip.Source
        private let stamps: [String: FileStamp?]

        init(_ source: Clip.Source) {
            self.source = source
            stamps = Dictionary(uniqueKeysWithValues: source.files.map { ($0, FileStamp($0)) })
        }

        var isCurrent: Bool { stamps.allSatisfy { FileStamp($0) == $1 } }
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
            if record.analysis == .ready,
                !isThere(record.facts.video == nil ? .waveform : .strip, record.id)
            {
                record.analysis = .waiting
                try await store.media.save(record)
            }
            if record.playback == .proxy, !isThere(.proxy, record.id) {
                record.playback = .waiting
                try await store.media.save(record)
            }
            look(at: record)
        }
    }

    private func isThere(_ picture: Picture, _ id: String) -> Bool {
        FileManager.default.fileExists(atPath: path(of: picture, id))
    }

    private func look(at record: MediaRecord) {
        // The overview of a composition is made of its playable copy.
        if record.analysis == .waiting,
            !ProjectFormats.all.includes(record.file) || record.playback == .proxy
        {
            unseen.continuation.yield(record.id)
        }
        if record.playback == .waiting {
            unplayable.continuation.yield(record.id)
        }
    }

    private func addSample() async throws {
        let id = Secret.make(bytes: 8)
        let file = workspace.file("\(id).mp4", in: .media)
        let path = workspace.path(to: file)
        try await runBlocking { checkCancelled in
            try SampleClip.write(
                try SampleScene(
                    width: 640, height: 360, frameRate: (numerator: 30, denominator: 1),
                    frameCount: 300),
                to: path, existing: .overwrite, checking: checkCancelled)
        }
        try await add(file, id: id, name: "sample.mp4", origin: .sample)
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
    func open(_ id: String) async throws -> (record: MediaRecord, source: Clip.Source) {
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
    ) async throws -> Clip.Source {
        do {
            return try await runBlocking { _ in try Clip.Source(at: path, formats: .all) }
        } catch let error as MediaError {
            // Of a composition, a file of its own may be what is missing.
            let file = error.file == path ? "" : (error.file as NSString).lastPathComponent + ": "
            throw StudioError(status, "\(name): \(file)\(error.sentence)")
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
            id: id, name: name, file: file, bytes: FileStamp(path)?.bytes ?? 0, added: Date(),
            origin: origin, facts: facts, analysis: .waiting, strip: nil,
            playback: source.playsInBrowsers ? .direct : .waiting)
        try await store.media.save(record)
        opened[id] = OpenedMedia(source)
        look(at: record)
        events.send("media", MediaResponse(record))
        return record
    }

    /// Looks at a clip again whose file the studio has changed: what was made from the file is made again.
    func renew(_ id: String) async throws -> MediaRecord {
        var record = try await record(id)
        for task in making[id] ?? [] {
            task.cancel()
            await task.value
        }
        let path = path(of: record)
        let source = try await open(path, name: record.name, failing: .conflict)
        workspace.remove(cacheFolder(of: id))
        record.facts = MediaFacts(source)
        record.bytes = FileStamp(path)?.bytes ?? 0
        record.added = Date()
        record.analysis = .waiting
        record.strip = nil
        record.playback = source.playsInBrowsers ? .direct : .waiting
        try await store.media.save(record)
        opened[id] = OpenedMedia(source)
        look(at: record)
        events.send("media", MediaResponse(record))
        return record
    }

    /// Removes a clip. It can be brought back until another one is removed or the studio is started again. Then its
    /// file is removed too, unless it is one of the user's own files.
    ///
    /// - Throws: ``StudioError`` if an edit uses the clip.
    func remove(_ id: String) async throws {
        let record = try await record(id)
        let users = await edits().filter { $0.clips.contains { $0.request.media == id } }
        guard users.isEmpty else {
            throw StudioError(
                .conflict,
                "\(record.name) is used in the edit "
                    + users.map(\.name).joined(separator: ", ") + ". Take it out there first.")
        }
        await forgetRemoved()
        try await store.media.setAside(id)
        try await store.edits.setAside(id)
        for task in making[id] ?? [] {
            task.cancel()
            await task.value
        }
        hearing[id]?.cancel()
        _ = await hearing[id]?.result
        opened[id] = nil
        events.send("removed", Removal(kind: .media, id: id))
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
        events.send("returned", Removal(kind: .media, id: id))
        return record
    }

    private func forgetRemoved() async {
        _ = await store.edits.takeAside()
        for record in await store.media.takeAside() {
            workspace.remove(cacheFolder(of: record.id))
            if record.origin != .workspace {
                workspace.remove(record.file)
            }
        }
    }

    private func cacheFolder(of id: String) -> String {
        workspace.file(id, in: .cache)
    }

    /// The files that are made from a clip for the page.
    enum Picture: String {
        case poster = "poster.png"
        case strip = "strip.png"
        case waveform = "waveform.json"
        case beats = "beats.json"
        case proxy = "proxy.mp4"
    }

    func path(of picture: Picture, _ id: String) -> String {
        workspace.path(to: cacheFolder(of: id) + "/" + picture.rawValue)
    }

    /// Makes posters, film strips, waveforms and playable copies, one clip after another, until the task is
    /// cancelled.
    func makePictures() async {
        async let seen: Void = work(through: unseen.stream) { try await self.makeOverview(of: $0) }
        async let playable: Void = work(through: unplayable.stream) {
            try await self.makeProxy(of: $0)
        }
        _ = await (seen, playable)
    }

    private func work(
        through clips: AsyncStream<String>,
        _ make: @escaping @Sendable (MediaRecord) async throws -> MediaRecord
    ) async {
        for await id in clips {
            let task = Task { await self.make(id, make) }
            making[id, default: []].append(task)
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            making[id]?.removeAll { $0 == task }
        }
    }

    private func make(
        _ id: String, _ make: @Sendable (MediaRecord) async throws -> MediaRecord
    ) async {
        // The clip may have been removed meanwhile. Cancelled work is done again at the next start.
        guard let record = await store.media.find(id),
            let made = try? await make(record), !Task.isCancelled,
            let kept = await store.media.note(made)
        else {
            return
        }
        events.send("media", MediaResponse(kept))
        if ProjectFormats.all.includes(kept.file) {
            look(at: kept)
        }
    }

    private func makeOverview(of record: MediaRecord) async throws -> MediaRecord {
        var record = record
        do {
            record.strip = try await MediaPictures.make(
                of: try await shownAsset(of: record), in: try folder(for: record.id))
            record.analysis = .ready
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            record.analysis = .failed
        }
        return record
    }

    /// The file that the page shows: a composition's playable copy, else the clip itself.
    func shownAsset(of record: MediaRecord) async throws -> Asset {
        switch try await open(record.id).source {
        case .asset(let asset):
            return asset
        case .composition:
            let path = path(of: .proxy, record.id)
            return try await runBlocking { _ in try Asset(at: path) }
        }
    }

    /// The file that the page plays.
    ///
    /// - Throws: ``StudioError`` if the clip or its file no longer exists, or isn't ready to be played.
    func shownAsset(_ id: String) async throws -> Asset {
        let record = try await record(id)
        guard record.playback == .direct else {
            guard record.playback == .proxy else {
                throw StudioError(.notFound, "This clip can't be played yet.")
            }
            let path = path(of: .proxy, id)
            return try await runBlocking { _ in try Asset(at: path) }
        }
        return try await shownAsset(of: record)
    }

    private func makeProxy(of record: MediaRecord) async throws -> MediaRecord {
        var record = record
        do {
            _ = try folder(for: record.id)
            try await MediaPictures.makeProxy(
                of: try await open(record.id).source, at: path(of: .proxy, record.id), threads: 1)
            record.playback = .proxy
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            record.playback = .failed
            if ProjectFormats.all.includes(record.file) {
                record.analysis = .failed
            }
        }
        return record
    }

    func folder(for id: String) throws -> String {
        let path = workspace.path(to: cacheFolder(of: id))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
