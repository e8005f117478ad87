import CMicroHTTPD
import Foundation
import Synchronization

/// An HTTP server built on GNU libmicrohttpd, with one thread for each connection.
///
/// The callbacks of libmicrohttpd get two kinds of context pointers. The daemon isn't retained, because it
/// outlives all callbacks: ``stop()`` waits for them. Each connection and each exchange is retained from its
/// first callback to its last.
final class Daemon: Sendable {
    /// Limits on what clients can use.
    private enum Limit {
        static let connections = 512
        /// The buffer of a connection, in bytes. The request line and the headers must fit into it, and a body
        /// arrives in pieces of at most this size.
        static let buffer = 64 << 10
        /// How many bytes of a body are read and discarded if no handler reads it. Clients look at the response
        /// only after they have sent the whole request, so closing at once would hide the response.
        static let unwanted = 16 << 20
        /// The stack of a connection's thread, in bytes.
        static let stack = 512 << 10
    }

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var isStopping = false
    }
    private let state = Mutex(State())
    private let idleSeconds: Int
    private let respond: @Sendable (Request) async -> Response?
    /// Unchecked, but safe: it is set in `init` and read only once, in `stop`.
    nonisolated(unsafe) private var handle: OpaquePointer?

    /// Starts to accept connections.
    ///
    /// - Parameters:
    ///   - socket: a listening socket. The daemon owns and closes it.
    ///   - respond: makes the response to a request; nil closes the connection without a response.
    /// - Throws: `POSIXError` if the system has no threads or file descriptors left.
    init(
        listeningOn socket: Int32, idleSeconds: Int,
        _ respond: @escaping @Sendable (Request) async -> Response?
    ) throws {
        self.idleSeconds = idleSeconds
        self.respond = respond
        let context = Unmanaged.passUnretained(self).toOpaque()
        var options = [
            MHD_OptionItem(.LISTEN_SOCKET, Int(socket)),
            MHD_OptionItem(.CONNECTION_LIMIT, Limit.connections),
            MHD_OptionItem(.CONNECTION_MEMORY_LIMIT, Limit.buffer),
            MHD_OptionItem(.CONNECTION_TIMEOUT, idleSeconds),
            MHD_OptionItem(.THREAD_STACK_SIZE, Limit.stack),
            MHD_OptionItem(.STRICT_FOR_CLIENT, 1),
            MHD_OptionItem(
                .NOTIFY_CONNECTION, unsafeBitCast(connectionChanged, to: Int.self), context),
            MHD_OptionItem(
                .URI_LOG_CALLBACK, unsafeBitCast(targetArrived, to: Int.self), nil),
            MHD_OptionItem(
                .NOTIFY_COMPLETED, unsafeBitCast(requestCompleted, to: Int.self), context),
            MHD_OptionItem(.END, 0),
        ]
        let flags =
            MHD_USE_THREAD_PER_CONNECTION.rawValue | MHD_USE_INTERNAL_POLLING_THREAD.rawValue
            | MHD_USE_POLL.rawValue | MHD_USE_ITC.rawValue
        handle = tw_start_daemon(flags, requestArrived, context, &options)
        guard handle != nil else {
            let error = POSIXError.last
            close(socket)
            throw error
        }
    }

    /// Closes the connections whose clients take too long to send a request.
    func closeOverdue() {
        // This happens under the lock because a descriptor may be reused as soon as its connection leaves the
        // list.
        state.withLock { state in
            for connection in state.connections.values {
                connection.closeIfOverdue(idleSeconds: idleSeconds)
            }
        }
    }

    /// Closes all connections and waits until their threads have ended. Blocks.
    func stop() {
        let connections = state.withLock { state in
            state.isStopping = true
            return Array(state.connections.values)
        }
        for connection in connections {
            connection.cancel()
        }
        MHD_stop_daemon(handle)
    }

    // MARK: Callbacks of libmicrohttpd, on its own threads

    fileprivate func connected(_ connection: Connection) {
        let isStopping = state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = connection
            return state.isStopping
        }
        if isStopping {
            connection.cancel()
        }
    }

    fileprivate func disconnected(_ connection: Connection) {
        state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    /// The headers of a request have arrived.
    ///
    /// - Returns: `.YES` if the connection stays open.
    fileprivate func begin(
        _ exchange: Exchange, _ method: String, on handle: OpaquePointer, _ connection: Connection
    ) -> MHD_Result {
        guard connection.begin(exchange) else {
            return .NO
        }
        let headers = Headers(of: handle)
        let request = Request(
            method: .init(rawValue: method), target: connection.target, headers: headers,
            body: RequestBody(of: exchange))
        let respond = respond
        exchange.start {
            guard headers.stateOneLength else {
                return .unreadable("The request states its length twice.")
            }
            guard let request else {
                return .unreadable("The request target isn't a valid path.")
            }
            return await respond(request)
        }
        // A client that sent `Expect` waits before it sends the body. If no handler reads that, or a body that is too large
        // to be thrown away, the response goes out at once instead.
        let length = headers[.contentLength].flatMap { Int($0) } ?? 0
        if headers[.expect] != nil || length > Limit.unwanted, !exchange.waitForDemand() {
            return send(exchange.waitForResponse(), on: handle, connection)
        }
        return .YES
    }

    /// A piece of the body has arrived.
    fileprivate func receive(
        _ bytes: UnsafeRawBufferPointer, for exchange: Exchange, _ connection: Connection
    ) -> MHD_Result {
        connection.received(bytes.count)
        if exchange.receive(bytes) {
            return .YES
        }
        return exchange.discard(bytes.count) <= Limit.unwanted ? .YES : .NO
    }

    /// The request is complete.
    fileprivate func answer(
        _ exchange: Exchange, on handle: OpaquePointer, _ connection: Connection
    ) -> MHD_Result {
        connection.isAnswered()
        exchange.finishBody()
        return send(exchange.waitForResponse(), on: handle, connection)
    }

    private func send(
        _ response: Response?, on handle: OpaquePointer, _ connection: Connection
    ) -> MHD_Result {
        guard let response, let message = OutgoingMessage(response) else {
            return .NO
        }
        connection.isAnswered(by: message.feed)
        return MHD_queue_response(handle, UInt32(response.status.rawValue), message.handle)
    }
}

extension MHD_OptionItem {
    fileprivate init(_ option: MHD_OPTION, _ value: Int, _ context: UnsafeMutableRawPointer? = nil)
    {
        self.init(option: option, value: value, ptr_value: context)
    }
}

extension Response {
    /// A response that closes the connection. After a malformed request, it isn't clear where the next one
    /// begins.
    fileprivate static func unreadable(_ reason: String) -> Response {
        var response = Response.error(reason, status: .badRequest)
        response.headers[.connection] = "close"
        return response
    }
}

extension Headers {
    /// Whether the request states its length only once. Otherwise a proxy on the way might disagree about where
    /// it ends (request smuggling; RFC 9112, section 6.3).
    fileprivate var stateOneLength: Bool {
        values(of: .contentLength).count + values(of: .transferEncoding).count <= 1
    }

    /// The header fields of a request.
    fileprivate init(of connection: OpaquePointer) {
        self.init()
        withUnsafeMutablePointer(to: &self) { headers in
            _ = MHD_get_connection_values(
                connection, .HEADER_KIND,
                { context, _, name, value in
                    if let name, let value {
                        context?.assumingMemoryBound(to: Headers.self).pointee
                            .append(String(cString: value), as: .init(String(cString: name)))
                    }
                    return .YES
                }, headers)
        }
    }
}

/// The daemon that a callback got as its context.
private func daemon(_ context: UnsafeMutableRawPointer?) -> Daemon? {
    context.map { Unmanaged<Daemon>.fromOpaque($0).takeUnretainedValue() }
}

private func connection(of handle: OpaquePointer?) -> Connection? {
    tw_connection_context(handle).map {
        Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue()
    }
}

private let connectionChanged: MHD_NotifyConnectionCallback = { context, handle, slot, change in
    if change == .CONNECTION_NOTIFY_STARTED {
        let connection = Connection(tw_connection_socket(handle))
        slot?.pointee = Unmanaged.passRetained(connection).toOpaque()
        daemon(context)?.connected(connection)
    } else if let pointer = slot?.pointee {
        let connection = Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue()
        daemon(context)?.disconnected(connection)
        slot?.pointee = nil
    }
}

private let targetArrived:
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer? = { _, target, handle in
        connection(of: handle)?.target = target.map { String(cString: $0) } ?? ""
        return nil
    }

private let requestArrived: MHD_AccessHandlerCallback = {
    context, handle, _, method, _, bytes, count, slot in
    guard let daemon = daemon(context), let handle, let connection = connection(of: handle),
        let slot, let count, let method
    else {
        return .NO
    }
    guard let pointer = slot.pointee else {
        let exchange = Exchange()
        slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
        return daemon.begin(exchange, String(cString: method), on: handle, connection)
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    guard count.pointee > 0 else {
        return daemon.answer(exchange, on: handle, connection)
    }
    let piece = UnsafeRawBufferPointer(start: bytes, count: count.pointee)
    count.pointee = 0
    return daemon.receive(piece, for: exchange, connection)
}

private let requestCompleted: MHD_RequestCompletedCallback = { context, handle, slot, _ in
    if let pointer = slot?.pointee {
        // If the response was sent, this cancels nothing. It matters when the connection broke off.
        Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue().cancel()
        slot?.pointee = nil
    }
    connection(of: handle)?.end()
}
