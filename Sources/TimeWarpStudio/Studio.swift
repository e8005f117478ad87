import Foundation
import LocalServer
import Media

/// The studio: a web page for this machine's own browser, and the workspace behind it.
///
/// ```
///  page ──► gate ──► routes ──► library ─┬─► store (SQLite)
///   ▲       token,       └────► queue ───┤
///   │       origin                       └─► renderer, probe: the library that commands use
///   └──────────────── events ◄───────────
/// ```
public struct Studio: Sendable {
    /// What a studio allows.
    public struct Limits: Sendable {
        /// Bytes of a file that is uploaded.
        public var largestUpload: Int64 = 256 << 30
        /// How long a client may leave a request unfinished; see ``LoopbackServer``.
        public var idleSeconds = 60

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
    ///   - path: of its folder, which is made if need be; nil for the usual one.
    ///   - port: 0 takes a free one.
    /// - Throws: ``MediaError`` when it can't be used, or another studio uses it.
    public init(workspace path: String? = nil, port: Int = 0, limits: Limits = Limits()) throws {
        workspace = try Workspace(at: path ?? Workspace.usual)
        lock = try WorkspaceLock(on: workspace)
        store = try StudioStore(of: workspace)
        self.port = port
        self.limits = limits
    }

    /// Where its things are.
    public var folder: String { workspace.path }

    /// Serves until the task is cancelled; a render that runs then is interrupted, and nothing half
    /// written is left of it.
    ///
    /// - Parameter ready: called with the address to open, which nobody can guess.
    /// - Throws: ``PortTaken`` when the port is in use, `CancellationError`.
    public func run(ready: @escaping @Sendable (_ address: String) async -> Void) async throws {
        let events = StudioEvents()
        let library = MediaLibrary(workspace, store, events)
        let queue = RenderQueue(workspace, store, library, events)
        try await library.open()
        try await queue.open()
        let token = token
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await queue.run() }
            group.addTask { await library.makePictures() }
            group.addTask {
                while !Task.isCancelled {
                    try await Task.sleep(for: .seconds(15))
                    events.keepAlive()
                }
            }
            group.addTask {
                try await LoopbackServer(port: port, idleSeconds: limits.idleSeconds)
                    .run(gate(events, library, queue).respond) { port in
                        await ready("http://127.0.0.1:\(port)/?token=\(token)")
                    }
            }
            // Whatever ends first ends all.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func gate(
        _ events: StudioEvents, _ library: MediaLibrary, _ queue: RenderQueue
    ) -> StudioAuthentication {
        var router = Router()
        PageRoutes(store: store, events: events).add(to: &router)
        MediaRoutes(
            workspace: workspace, library: library, queue: queue,
            files: WorkspaceFiles(workspace), largestUpload: limits.largestUpload
        ).add(to: &router)
        CurveRoutes(store: store, library: library, events: events).add(to: &router)
        RenderRoutes(queue: queue).add(to: &router)
        return StudioAuthentication(token: token, router: router)
    }
}
