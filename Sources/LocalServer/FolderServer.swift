import Hummingbird

/// Serves a folder to browsers on this machine, and to nobody else.
///
/// It listens on the loopback interface alone, answers only requests that were meant for it, and hands out
/// what lies in the folder. Ranges are served, and whole files are sent piece by piece.
public struct FolderServer: Sendable {
    private let folder: String
    private let port: Int

    /// - Parameters:
    ///   - folder: whose `index.html` is shown first.
    ///   - port: 0 takes a free one.
    public init(_ folder: String, port: Int = 0) {
        self.folder = folder
        self.port = port
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter ready: called with the address when requests are heard.
    /// - Throws: ``PortTaken`` when the port is in use, `CancellationError`.
    public func run(ready: @escaping @Sendable (_ address: String) async -> Void) async throws {
        let router = Router()
        router.add(middleware: LoopbackGuard())
        router.add(
            middleware: FileMiddleware(
                folder, searchForIndexHtml: true, logger: LoopbackServer.logger
            )
            .withAdditionalMediaTypes(forFileExtensions: [
                "m4s": MediaType(type: .video, subType: "mp4"),
                "vtt": MediaType(type: .text, subType: "vtt"),
            ]))
        try await LoopbackServer(port: port).run(router) { port in
            await ready("http://127.0.0.1:\(port)/")
        }
    }
}
