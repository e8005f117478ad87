import Foundation
import Media
import TimeWarp

/// Runs jobs one after another, in the order in which they were made.
actor RenderQueue {
    private let workspace: Workspace
    private let store: StudioStore
    private let library: MediaLibrary
    private let events: StudioEvents
    private var running: Running?
    private var progress: RenderProgress?
    private var lastTurn: Int64 = 0
    /// Renders that the user cancelled or removed. Other renders that are cancelled were interrupted by the end
    /// of the studio.
    private var unwanted: Set<String> = []
    /// Wakes `run` for each queued render; a wake-up without a queued render does no harm.
    private let wishes = AsyncStream<Void>.makeStream()

    private struct Running {
        let id: String
        let work: Task<RenderReport, any Error>
        /// Ends when the result of the work is stored.
        let isStored: Task<Void, Never>
    }

    init(
        _ workspace: Workspace, _ store: StudioStore, _ library: MediaLibrary,
        _ events: StudioEvents
    ) {
        self.workspace = workspace
        self.store = store
        self.library = library
        self.events = events
    }

    /// Continues with the stored queue. Renders that were running when the last studio ended are marked as
    /// interrupted, unless their files are there: a file gets its name when it is complete.
    func open() async throws {
        await forgetRemoved()
        let renders = await store.renders.list()
        lastTurn = renders.map(\.turn).max() ?? 0
        for var record in renders where record.state == .running {
            if let file = try? FileStamp(of: workspace.path(to: record.file)) {
                (record.state, record.ended, record.bytes) = (.finished, file.changed, file.bytes)
            } else {
                (record.state, record.ended) = (.interrupted, Date())
                record.error = Self.interruption
                workspace.removeWithFolder(record.file)
            }
            try await store.renders.save(record)
        }
        wishes.continuation.yield()
    }

    /// All renders, the newest first.
    func list() async -> [RenderResponse] {
        let records = await store.renders.list()
        var responses: [RenderResponse] = []
        for record in records {
            responses.append(await response(record, among: records))
        }
        return responses
    }

    /// - Throws: ``StudioError`` if there is no render with that identity.
    func find(_ id: String) async throws -> RenderResponse {
        let records = await store.renders.list()
        guard let record = records.first(where: { $0.id == id }) else {
            throw Self.unknown
        }
        return await response(record, among: records)
    }

    private static var unknown: StudioError {
        StudioError(.notFound, "This render no longer exists.")
    }

    private func record(_ id: String) async throws -> RenderRecord {
        guard let record = await store.renders.find(id) else {
            throw Self.unknown
        }
        return record
    }

    /// The path of a finished file, and its name for downloads.
    func result(_ id: String) async throws -> (path: String, name: String) {
        let record = try await record(id)
        guard record.state == .finished else {
            throw StudioError(.notFound, "\(record.name) hasn't been rendered yet.")
        }
        return (workspace.path(to: record.file), record.name)
    }

    private func response(
        _ record: RenderRecord, among records: [RenderRecord]
    ) async -> RenderResponse {
        let before = records.filter { $0.state == .queued && $0.turn < record.turn }.count
        return RenderResponse(
            record, position: record.state == .queued ? before + 1 : nil,
            progress: running?.id == record.id ? progress : nil,
            isRecorded: await store.renders.isWritten(record.id))
    }

    /// Puts a job into the queue.
    ///
    /// - Throws: ``JobError`` if it can't be run, ``StudioError`` if its clip no longer exists.
    func add(_ request: JobRequest) async throws -> RenderResponse {
        let (media, source) = try await library.open(request.clip.media)
        let id = Secret.make(bytes: 8)
        let name = request.name
        let reference = await library.name(of: request.reference)
        let file = workspace.file(of: id, named: name, in: .results)
        // Planned now, so that a request that can't be run fails at once and not when it is next in the queue.
        let duration = try await outputDuration(of: request, source, to: file)
        lastTurn += 1
        let record = RenderRecord(
            id: id, media: media.id, name: name, file: file, request: request,
            command: RequestCommand(of: request, input: media.name, reference: reference).text,
            state: .queued, turn: lastTurn, created: Date(), outputDuration: duration,
            picture: request.curve.flatMap { try? CurvePicture(of: $0) })
        return try await enqueue(record)
    }

    private func outputDuration(
        of request: JobRequest, _ source: MediaSource, to file: String
    ) async throws -> Double {
        // A plan wants the file's folder to be there.
        let path = try workspace.makeFolder(of: file)
        defer { workspace.removeWithFolder(file) }
        return try await runBlocking { _ in
            try Self.plan(request, source, to: path).outputDuration
        }
    }

    /// Queues an interrupted, failed or cancelled render again.
    func runAgain(_ id: String) async throws -> RenderResponse {
        var record = try await record(id)
        guard record.state.canRunAgain else {
            throw StudioError(
                .conflict, "\(record.name) is \(record.state.rawValue) and can't be run again.")
        }
        unwanted.remove(id)
        lastTurn += 1
        record.turn = lastTurn
        record.state = .queued
        record.ended = nil
        record.error = nil
        return try await enqueue(record)
    }

    private func enqueue(_ record: RenderRecord) async throws -> RenderResponse {
        try await store.renders.save(record)
        await writeLate()
        wishes.continuation.yield()
        return await tell(record)
    }

    @discardableResult
    private func tell(_ record: RenderRecord) async -> RenderResponse {
        let response = await response(record, among: await store.renders.list())
        events.send(.render, response)
        return response
    }

    /// Tries again to write records that couldn't be written, and tells of those that are written now.
    func writeLate() async {
        for record in await store.renders.writeLate() {
            await tell(record)
        }
    }

    /// Cancels a queued or running render; its unfinished file is removed.
    func cancel(_ id: String) async throws -> RenderResponse {
        let cancelled = await store.renders.change(id, from: .queued) { record in
            record.state = .cancelled
            record.ended = Date()
        }
        if let cancelled {
            workspace.removeWithFolder(cancelled.file)
            return await tell(cancelled)
        }
        let record = try await record(id)
        guard record.state == .running else {
            throw StudioError(.conflict, "\(record.name) is already \(record.state.rawValue).")
        }
        await stop(id)
        return try await find(id)
    }

    private func stop(_ id: String) async {
        // The render may have left the queue without running yet; `carryOut` cancels it then.
        unwanted.insert(id)
        guard let running, running.id == id else {
            return
        }
        running.work.cancel()
        await running.isStored.value
    }

    /// Removes a render. A finished one can be brought back until another one is removed or the studio is started
    /// again; then its file is removed too. A running one is cancelled.
    func remove(_ id: String) async throws {
        let record = try await record(id)
        await forgetRemoved()
        if record.state == .finished {
            try await store.renders.setAside(id)
        } else {
            try await store.renders.remove(id)
            await stop(id)
            workspace.removeWithFolder(record.file)
        }
        events.send(.removed, Removal(kind: .render, id: id))
    }

    /// Brings back the finished render that was removed last.
    ///
    /// - Throws: ``StudioError`` if it is another one.
    func bringBack(_ id: String) async throws -> RenderResponse {
        guard try await store.renders.bringBack(id) != nil else {
            throw StudioError(.notFound, "This render can't be brought back any more.")
        }
        events.send(.returned, Removal(kind: .render, id: id))
        return try await find(id)
    }

    private func forgetRemoved() async {
        for record in await store.renders.takeAside() {
            workspace.removeWithFolder(record.file)
        }
    }

    /// Whether a queued or running render needs a clip, alone or in an edit.
    func needs(_ media: String) async throws -> Bool {
        let file = await library.path(of: try await library.record(media))
        let waiting = await store.renders.list().filter { [.queued, .running].contains($0.state) }
        for needed in Set(waiting.map(\.media)) {
            let files = needed == media ? [file] : try? await library.open(needed).source.files
            if files?.contains(file) == true {
                return true
            }
        }
        return false
    }

    /// Runs queued renders until the task is cancelled; an unfinished file is removed then.
    func run() async {
        for await _ in wishes.stream {
            while !Task.isCancelled, let next = await store.renders.claimNext() {
                await carryOut(next)
            }
        }
    }

    private func carryOut(_ record: RenderRecord) async {
        progress = nil
        let work = Task { try await self.render(record) }
        let isStored = Task { await self.end(record, with: await work.result) }
        running = Running(id: record.id, work: work, isStored: isStored)
        if unwanted.contains(record.id) {
            work.cancel()
        }
        await withTaskCancellationHandler {
            await isStored.value
        } onCancel: {
            work.cancel()
        }
    }

    private func end(_ record: RenderRecord, with result: Result<RenderReport, any Error>) async {
        let bytes = (try? FileStamp(of: workspace.path(to: record.file)))?.bytes
        let isUnwanted = unwanted.remove(record.id) != nil
        let ended = await store.renders.change(record.id, from: .running) { record in
            record.ended = Date()
            switch result {
            case .success(let report):
                record.state = .finished
                record.report = report
                record.bytes = bytes
            case .failure(is CancellationError) where isUnwanted:
                record.state = .cancelled
            case .failure(is CancellationError):
                record.state = .interrupted
                record.error = Self.interruption
            case .failure(let error):
                record.state = .failed
                record.error = Self.sentence(error)
            }
        }
        running = nil
        progress = nil
        FreedMemory.giveBack()
        guard let ended else {
            // The render was removed meanwhile; its file may have been finished just before.
            workspace.removeWithFolder(record.file)
            return
        }
        if ended.state != .finished {
            workspace.removeWithFolder(record.file)
        }
        await tell(ended)
    }

    private static let interruption = "The studio ended during this render."

    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as MediaError: error.sentence
        case let error as JobError: error.message
        case let error as StudioError: error.message
        default: "\(error)"
        }
    }

    private func render(_ record: RenderRecord) async throws -> RenderReport {
        await tell(record)
        let (media, source) = try await library.open(record.media)
        _ = await store.renders.change(record.id, from: .running) { $0.mediaStamp = media.stamp }
        let path = try workspace.makeFolder(of: record.file)
        let plan = try await runBlocking { _ in try Self.plan(record.request, source, to: path) }
        for try await event in Renderer(secondsBetweenPreviews: 0.5).run(plan) {
            switch event {
            case .progress(let progress):
                self.progress = progress
                events.send(.progress, ProgressEvent(id: record.id, progress: progress))
            case .preview(let image):
                events.send(.preview, try PreviewEvent(record.id, image))
            case .finished(let report):
                return report
            }
        }
        throw CancellationError()
    }

    private static func plan(_ request: JobRequest, _ source: MediaSource, to path: String)
        throws
        -> RenderPlan
    {
        var job = try request.job(of: source, to: path)
        job.settings.output.existing = .overwrite
        do {
            return try RenderPlan(job, MediaCatalogue(holding: source))
        } catch {
            // What is wrong with the clip is said of the field that it comes from; the rest is about the output.
            _ = try request.clip(of: source)
            guard let error = error as? MediaError else {
                throw error
            }
            throw JobError(message: error.sentence, field: .container)
        }
    }
}
