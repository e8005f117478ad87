import Foundation
import Hummingbird
import Logging

/// A web server that this machine alone reaches.
public struct LoopbackServer: Sendable {
    private let port: Int
    private let idleSeconds: Int64

    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - idleSeconds: how long a client may keep a request unfinished without sending anything.
    public init(port: Int = 0, idleSeconds: Int64 = 60) {
        self.port = port
        self.idleSeconds = idleSeconds
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameters:
    ///   - router: what answers.
    ///   - ready: called with the port when requests are heard.
    /// - Throws: ``PortTaken`` when the port is in use, `CancellationError`.
    public func run(
        _ router: Router<BasicRequestContext>,
        ready: @escaping @Sendable (_ port: Int) async -> Void
    ) async throws {
        let application = Application(
            router: router,
            server: .http1(configuration: .init(idleTimeout: .seconds(idleSeconds))),
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in await ready(channel.localAddress?.port ?? 0) },
            logger: Self.logger)
        do {
            try await application.run()
        } catch let error where Self.isTaken(error) {
            throw PortTaken(port: port)
        }
        try Task.checkCancellation()
    }

    /// The server's own: what goes wrong is told to the client.
    static var logger: Logger {
        var logger = Logger(label: "timewarp.server")
        logger.logLevel = .critical
        return logger
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
