import Foundation
import LocalServer
import Media
import Pages

/// The studio: an editor for time remapping as a web page, served to this machine's browser, and its workspace.
///
/// ```
///  page ──► authentication ──► routes ──► library ─┬─► store (JSON files)
///   ▲       token, origin         └─────► queue ───┤
///   │                                              └─► renderer and probe, as commands use them
///   └───────────────────── events ◄─────────────────
/// ```
public struct Studio: Sendable {
    /// The limits that a studio sets to requests.
    public struct Limits: Sendable {
        /// The largest size of an uploaded file, in bytes.
        public var largestUpload: Int64 = 256 << 30
        /// How many seconds a client may leave a request unfinished; see ``LoopbackServer``.
        public var idleSeconds = 60

        /// Makes the default limits: 256 GiB and 60 seconds.
        public init() {}
    }

    private let workspace: Workspace
    private let port: Int
    private let limits: Limits
    private let lock: WorkspaceLock
    private let store: StudioStore
    private let token = Secret.make(bytes: 16)

    /// Opens a workspace.
    ///
    /// - Parameters:
    ///   - path: the path of its folder, which is created if it doesn't exist; nil for the default folder.
    ///   - port: the port to listen on; 0 chooses a free one.
    ///   - limits: the limits for requests.
    /// - Throws: ``MediaError`` if the folder can't be used, or another studio uses it.
    public init(workspace path: String? = nil, port: Int = 0, limits: Limits = Limits()) throws {
        workspace = try Workspace(at: path ?? Workspace.usual)
        lock = try WorkspaceLock(on: workspace)
        store = try StudioStore(of: workspace)
        self.port = port
        self.limits = limits
    }

    /// The path of the workspace's folder.
    public var folder: String { workspace.path }

    /// Serves the page until the task is cancelled. A render that is running then is interrupted, and its
    /// unfinished file is removed.
    ///
    /// - Parameter ready: called with the address to open. The address contains a secret token.
    /// - Throws: ``PortTaken`` if the port is in use, and `CancellationError`.
    public func run(ready: @escaping @Sendable (_ address: String) async -> Void) async throws {
        let events = StudioEvents()
        let library = MediaLibrary(workspace, store, events)
        let queue = RenderQueue(workspace, store, library, events)
        let files = WorkspaceFiles(workspace)
        let stories = StoryLibrary(workspace, files, events)
        try await library.open()
        try await queue.open()
        let token = token
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await queue.run() }
            group.addTask { await stories.stopAtEnd() }
            group.addTask { await library.makePictures() }
            group.addTask {
                while !Task.isCancelled {
                    try await Task.sleep(for: .seconds(15))
                    events.keepAlive()
                    await queue.writeLate()
                    _ = await store.media.writeLate()
                }
            }
            group.addTask {
                try await LoopbackServer(port: port, idleSeconds: limits.idleSeconds)
                    .run(gate(events, library, queue, files, stories).respond) { port in
                        await ready("http://127.0.0.1:\(port)/?token=\(token)")
                    }
            }
            // The first task that ends, ends all of them.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func gate(
        _ events: StudioEvents, _ library: MediaLibrary, _ queue: RenderQueue,
        _ files: WorkspaceFiles, _ stories: StoryLibrary
    ) -> StudioAuthentication {
        var api = API()
        PageRoutes(store: store, events: events).add(to: &api)
        MediaRoutes(
            workspace: workspace, library: library, queue: queue,
            files: files, tiles: MediaTiles(library),
            largestUpload: limits.largestUpload
        ).add(to: &api)
        CurveRoutes(store: store, library: library, events: events).add(to: &api)
        RenderRoutes(queue: queue, library: library).add(to: &api)
        StreamRoutes(library: library, queue: queue).add(to: &api)
        StoryRoutes(stories: stories).add(to: &api)
        EditRoutes(edits: EditLibrary(workspace, store, library)).add(to: &api)
        api.describeItself()
        var router = api.router
        PageRoutes.addFiles(first: WebPages.first, to: &router)
        return StudioAuthentication(token: token, router: router)
    }
}
