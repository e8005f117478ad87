import Foundation

/// A web server that this machine alone reaches.
///
/// It listens on 127.0.0.1, and answers only requests that were meant for it. It takes 512 connections at a
/// time and 64 KiB of a request's header; it drops clients that send nothing, or too slowly; bodies and
/// files pass through in pieces, so its memory doesn't grow with them.
public struct LoopbackServer: Sendable {
    private let port: Int
    private let idleSeconds: Int

    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - idleSeconds: how long a client may leave a request unfinished, or a response unread. A request may
    ///     take a second more for each kilobyte.
    public init(port: Int = 0, idleSeconds: Int = 60) {
        self.port = port
        self.idleSeconds = idleSeconds
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameters:
    ///   - respond: answers requests, many at a time.
    ///   - ready: called with the port when requests are heard.
    /// - Throws: ``PortTaken`` when the port is in use, `CancellationError`, `POSIXError`.
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
        // Waits for threads, so it needs one of its own.
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

    /// A foreign page may have a name of its own that leads here.
    private static func isMeantForUs(_ request: Request) -> Bool {
        let hosts = request.headers.values(of: .host)
        let name = hosts.first?.split(separator: ":").first
        return hosts.count == 1 && (name == "127.0.0.1" || name == "localhost")
    }

    private static let refusal = Response.error(
        "This server answers for 127.0.0.1 alone.", status: .forbidden)
}
