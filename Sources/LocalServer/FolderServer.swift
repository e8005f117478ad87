import Foundation
import Hummingbird
import Logging

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
        var logger = Logger(label: "timewarp.server")
        logger.logLevel = .critical
        let router = Router()
        router.add(middleware: LoopbackGuard())
        router.add(
            middleware: FileMiddleware(folder, searchForIndexHtml: true, logger: logger)
                .withAdditionalMediaTypes(forFileExtensions: [
                    "m4s": MediaType(type: .video, subType: "mp4"),
                    "vtt": MediaType(type: .text, subType: "vtt"),
                ]))
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                await ready("http://127.0.0.1:\(channel.localAddress?.port ?? 0)/")
            },
            logger: logger)
        do {
            try await application.run()
        } catch let error where Self.isTaken(error) {
            throw PortTaken(port: port)
        }
        try Task.checkCancellation()
    }

    private static func isTaken(_ error: any Error) -> Bool {
        "\(error)".contains("\(EADDRINUSE)") || "\(error)".contains("in use")
    }
}

/// Another program listens on the port.
public struct PortTaken: Error, Hashable, Sendable, CustomStringConvertible {
    public let port: Int

    public var description: String {
        "port \(port) is in use by another program; choose another --port, or none for a free one"
    }
}

/// Refuses requests that a foreign page makes through a name of its own that leads here.
private struct LoopbackGuard<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let host = request.head.authority?.split(separator: ":").first.map(String.init)
        guard let host, ["127.0.0.1", "localhost"].contains(host) else {
            throw HTTPError(.forbidden, message: "this server answers for 127.0.0.1 alone")
        }
        var response = try await next(request, context)
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}
