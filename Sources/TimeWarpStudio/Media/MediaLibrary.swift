import Foundation
import Media
import TimeWarp

/// The clips of a workspace.
actor MediaLibrary {
    private let workspace: Workspace
    private let store: StudioStore
    private let events: StudioEvents
    private var assets: [String: Asset] = [:]
    /// Clips whose poster, strip, waveform or playable copy are to be made, told to whoever makes them.
    private let waiting = AsyncStream<String>.makeStream()
    private var making: (id: String, task: Task<Void, any Error>)?

    init(_ workspace: Workspace, _ store: StudioStore, _ events: StudioEvents) {
        self.workspace = workspace
        self.store = store
        self.events = events
    }

    /// Removes what a studio that was killed left half done, and makes the sample in a new workspace.
    func open() async throws {
        workspace.removeRemains()
        let known = try await store.media()
        if known.isEmpty {
            try await addSample()
        }
        for record in known where record.analysis == .waiting || record.playback == .waiting {
            waiting.continuation.yield(record.id)
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
        try await store.media()
    }

    /// - Throws: ``StudioError`` when there is none of that identity.
    func record(_ id: String) async throws -> MediaRecord {
        guard let record = try await store.find(MediaRecord.self, id) else {
            throw StudioError(.notFound, "There is no such clip any more.")
        }
        return record
    }

    func path(of record: MediaRecord) -> String {
        workspace.path(to: record.file)
    }

    /// The clip's file, opened once.
    ///
    /// - Throws: ``StudioError`` when it is gone.
    func asset(_ id: String) async throws -> Asset {
        if let asset = assets[id] {
            return asset
        }
        let record = try await record(id)
        let path = path(of: record)
        do {
            let asset = try await runBlocking { _ in try Asset(at: path) }
            assets[id] = asset
            return asset
        } catch let error as MediaError {
            throw StudioError(.notFound, "\(record.name): \(error.sentence)")
        }
    }

    /// Takes a file of the workspace into the library.
    ///
    /// - Parameter file: from the workspace on.
    /// - Throws: ``StudioError`` when it is no media.
    @discardableResult
    func add(
        _ file: String, id: String = Secret.make(bytes: 8), name: String,
        origin: MediaRecord.Origin
    ) async throws -> MediaRecord {
        let path = workspace.path(to: file)
        let asset: Asset
        do {
            asset = try await runBlocking { _ in try Asset(at: path) }
        } catch let error as MediaError {
            throw StudioError(.unsupportedMediaType, "\(name): \(error.sentence)")
        }
        guard asset.duration > .zero, !asset.videoStreams.isEmpty || !asset.audioStreams.isEmpty
        else {
            throw StudioError(
                .unsupportedMediaType, "\(name): There is neither picture nor sound in it.")
        }
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        let record = MediaRecord(
            id: id, name: name, file: file, bytes: size?.int64Value ?? 0, added: Date(),
            origin: origin, facts: MediaFacts(asset), analysis: .waiting, strip: nil,
            playback: asset.playsInBrowsers ? .direct : .waiting)
        try await store.save(record)
        assets[id] = asset
        waiting.continuation.yield(id)
        events.send("media", MediaAnswer(record))
        return record
    }

    /// Forgets a clip. Its file goes too, unless it is a person's own.
    func remove(_ id: String) async throws {
        let record = try await record(id)
        if making?.id == id {
            making?.task.cancel()
        }
        try await store.remove(MediaRecord.self, id)
        assets[id] = nil
        workspace.remove(cacheFolder(of: id))
        if record.origin != .workspace {
            workspace.remove(record.file)
        }
        events.send("removed", Removal(kind: .media, id: id))
    }

    private func cacheFolder(of id: String) -> String {
        workspace.file(id, in: .cache)
    }

    /// What is made of clips for the page to show.
    enum Picture: String {
        case poster = "poster.png"
        case strip = "strip.png"
        case waveform = "waveform.json"
        case proxy = "proxy.mp4"
    }

    func path(of picture: Picture, _ id: String) -> String {
        workspace.path(to: cacheFolder(of: id) + "/" + picture.rawValue)
    }

    /// Makes posters, strips, waveforms and playable copies, one clip after another, until the task is
    /// cancelled.
    func makePictures() async {
        for await id in waiting.stream {
            let task = Task(priority: .utility) { try await self.makePictures(of: id) }
            making = (id, task)
            await withTaskCancellationHandler {
                _ = await task.result
            } onCancel: {
                task.cancel()
            }
            making = nil
        }
    }

    private func makePictures(of id: String) async throws {
        guard var record = try await store.find(MediaRecord.self, id) else {
            return
        }
        let folder = workspace.path(to: cacheFolder(of: id))
        let asset = try await asset(id)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        if record.analysis == .waiting {
            do {
                record.strip = try await MediaPictures.make(of: asset, in: folder)
                record.analysis = .ready
            } catch is MediaError {
                record.analysis = .failed
            }
            try await tell(record)
        }
        if record.playback == .waiting {
            do {
                try await MediaPictures.makeProxy(of: asset, at: path(of: .proxy, id))
                record.playback = .proxy
            } catch is MediaError {
                record.playback = .failed
            }
            try await tell(record)
        }
    }

    private func tell(_ record: MediaRecord) async throws {
        // It may have been removed meanwhile.
        try Task.checkCancellation()
        try await store.save(record)
        events.send("media", MediaAnswer(record))
    }
}
