import Foundation
import LocalServer
import Media
import Stories
import StoryBuilding
import TimeWarp

/// The stories of a workspace: story files are found, checked, drawn, changed and built there.
actor StoryLibrary {
    let workspace: Workspace
    let files: WorkspaceFiles
    private let events: StudioEvents
    /// The last build of each story since the studio started, by its identity.
    private var builds: [String: StoryBuild] = [:]
    var changes = SerialWork()
    private var running: (id: String, work: Task<Void, Never>)?

    init(_ workspace: Workspace, _ files: WorkspaceFiles, _ events: StudioEvents) {
        self.workspace = workspace
        self.files = files
        self.events = events
    }

    /// The path of the workspace's folder.
    nonisolated var folder: String { workspace.path }

    func list() async throws -> WorkspaceFiles.Listing {
        try await files.stories()
    }

    /// A story as it is now in its file.
    ///
    /// - Throws: ``StudioError`` if the file isn't there.
    func story(_ id: String) async throws -> StoryResponse {
        let (file, build) = (try await file(id), builds[id])
        return try await runBlocking { _ in
            do {
                return try StoryResponse(file, build: build)
            } catch {
                throw Self.unknown
            }
        }
    }

    /// The graph of a story, an SVG document.
    func graph(_ id: String) async throws -> Data {
        let file = try await file(id)
        return try await runBlocking { _ in
            guard let project = try? StoryProject(contentsOfFile: file.path) else {
                throw StudioError(.notFound, "This file has no graph, because it isn't a story.")
            }
            return Data(StoryResponse.picture(of: project, project.findings()).svg.utf8)
        }
    }

    /// The folder of the built story.
    ///
    /// - Throws: ``StudioError`` if it wasn't built.
    func film(_ id: String) async throws -> String {
        let output = try await file(id).output
        guard StoryBuilder.isBuiltStory(at: output) else {
            throw StudioError(.notFound, "This story hasn't been built yet.")
        }
        return output
    }

    private static let unknown = StudioError(.notFound, "This story file no longer exists.")

    func file(_ id: String) async throws -> StoryFileOnDisk {
        guard let name = await files.file(id) else {
            throw Self.unknown
        }
        return StoryFileOnDisk(id: id, name: name, in: workspace)
    }

    // MARK: Building

    /// Starts to build a story into the workspace. One is built at a time.
    ///
    /// - Throws: ``StudioError`` if one is being built.
    func build(_ id: String) async throws -> StoryBuild {
        let file = try await file(id)
        guard running == nil else {
            throw StudioError(.conflict, "A story is being built. Wait for it, or cancel it.")
        }
        let build = StoryBuild(state: .building)
        running = (id, Task { await self.carryOut(file) })
        note(build, of: id)
        return build
    }

    /// Cancels the build of a story; nothing of it stays.
    func cancel(_ id: String) async throws {
        _ = try await file(id)
        guard let running, running.id == id else {
            throw StudioError(.conflict, "This story isn't being built.")
        }
        running.work.cancel()
        await running.work.value
    }

    /// Waits until the task is cancelled, as when the studio ends, and ends what is being built.
    func stopAtEnd() async {
        while (try? await Task.sleep(for: .seconds(3600))) != nil {}
        running?.work.cancel()
        await running?.work.value
    }

    private func carryOut(_ file: StoryFileOnDisk) async {
        let id = file.id
        let (steps, told) = AsyncStream<StoryBuild>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let telling = Task {
            for await step in steps {
                self.note(step, of: id)
            }
        }
        let end = await Self.build(file) { told.yield($0) }
        told.finish()
        await telling.value
        running = nil
        note(end, of: id)
    }

    private func note(_ build: StoryBuild, of id: String) {
        builds[id] = build
        events.send(.story, StoryEvent(id: id, build: build))
    }

    private static func build(
        _ file: StoryFileOnDisk, _ tell: @escaping @Sendable (StoryBuild) -> Void
    ) async -> StoryBuild {
        do {
            let project = try await runBlocking { _ in
                try StoryProject(contentsOfFile: file.path)
            }
            let settings = RenderSettings { $0.output.existing = .overwrite }
            let report = try await StoryBuilder(project, settings: settings)
                .build(to: .folder(file.output)) { progress in
                    tell(
                        StoryBuild(
                            state: .building, segment: progress.name, number: progress.number,
                            count: progress.count, fraction: progress.render.fraction))
                }
            return StoryBuild(state: .built, notes: report.warnings)
        } catch is CancellationError {
            return StoryBuild(state: .cancelled)
        } catch is StoryCheckError {
            return StoryBuild(state: .failed, notes: ["Correct the story file's errors first."])
        } catch let error as MediaError {
            return StoryBuild(state: .failed, notes: [error.sentence])
        } catch {
            return StoryBuild(state: .failed, notes: ["\(error)"])
        }
    }
}

/// The event that a build of a story has begun, goes on, or has ended.
struct StoryEvent: Codable {
    let id: String
    let build: StoryBuild
}

extension StudioEvents.Kind<StoryEvent> {
    static var story: Self { Self(name: "story") }
}
