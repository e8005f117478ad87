import Foundation

/// An HTTP server that only programs on this machine can reach.
///
/// It listens on 127.0.0.1 and refuses requests whose `Host` header names another machine. It accepts up to 512
/// connections at a time and up to 64 KiB of request headers, and closes connections that are idle or too slow.
/// Bodies and files pass through in pieces, so memory use doesn't grow with their length.
public struct LoopbackServer: Sendable {
    private let port: Int
    private let idleSeconds: Int

    /// - Parameters:
    ///   - port: from 0 to 65535; 0 picks a free port.
    ///   - idleSeconds: for how many seconds a client may leave a request unfinished, or a response unread. A
    ///     request gets one more second for each KiB received.
    public init(port: Int = 0, idleSeconds: Int = 60) {
        self.port = port
        self.idleSeconds = idleSeconds
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameters:
    ///   - respond: makes the response to a request. It is called for many requests at the same time. An error
    ///     that it throws becomes a response with status 500; `CancellationError` closes the connection.
    ///   - ready: called once with the server's port, as soon as the server accepts requests.
    /// - Throws: ``PortTaken`` if the port is in use, `POSIXError` if the server can't start, and
    ///   `CancellationError` when the task is cancelled.
    public func run(
        _ respond: @escaping Router.Handler,
        ready: @escaping @Sendable (_ port: Int) async -> Void
    ) async throws {
        let (socket, port) = try ListeningSocket.open(port: port)
        let daemon = try Daemon(listeningOn: socket, idleSeconds: idleSeconds) { request in
            await Self.answer(request, respond)
        }
        await ready(port)
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            daemon.closeOverdue()
        }
        // `stop` blocks, so it gets a thread of its own instead of one of Swift's cooperative pool.
        await withCheckedContinuation { (stopped: CheckedContinuation<Void, Never>) in
            Thread {
                daemon.stop()
                stopped.resume()
            }.start()
        }
        throw CancellationError()
    }

    private static func answer(
        _ request: Request, _ respond: Router.Handler
    ) async -> Response? {
        var response: Response
        do {
            response = isMeantForUs(request) ? try await respond(request) : refusal
        } catch is CancellationError {
            return nil
        } catch {
            response = .error("This didn't work: \(error)", status: .internalServerError)
        }
        response.headers[.contentTypeOptions] = "nosniff"
        return response
    }

    /// Whether the `Host` header names this machine. A foreign web page may use a domain name that resolves to
    /// 127.0.0.1 (DNS rebinding); its requests are refused.
    private static func isMeantForUs(_ request: Request) -> Bool {
        let hosts = request.headers.values(of: .host)
        let name = hosts.first?.split(separator: ":").first
        return hosts.count == 1 && (name == "127.0.0.1" || name == "localhost")
    }

    private static let refusal = Response.error(
        "This server only accepts requests to 127.0.0.1 and localhost.", status: .forbidden)
}
