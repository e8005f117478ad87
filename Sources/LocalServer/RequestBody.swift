import Foundation
import Synchronization

/// The body of a request. It can be read once, while it arrives, and isn't held in memory as a whole.
public struct RequestBody: Sendable {
    private let exchange: Exchange

    init(of exchange: Exchange) {
        self.exchange = exchange
    }

    /// Reads the whole body in pieces.
    ///
    /// - Parameter take: called with each piece in order, on the connection's thread. It may block that thread;
    ///   nothing more is read from the client meanwhile. The bytes are valid only during the call. An error
    ///   that it throws ends the reading.
    /// - Throws: what `take` throws, ``BrokenOff`` if the connection breaks off, and `CancellationError`.
    public func read(
        _ take: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws {
        try await exchange.readBody(take)
    }

    /// Reads the whole body into memory.
    ///
    /// - Parameter most: the largest permitted size in bytes.
    /// - Throws: ``TooLarge`` if the body is larger, ``BrokenOff`` if the connection breaks off, and
    ///   `CancellationError`.
    public func data(most: Int) async throws -> Data {
        let collected = Collected()
        try await read { piece in
            try collected.append(piece, most: most)
        }
        return collected.data
    }

    /// The connection broke off before the body was complete.
    public struct BrokenOff: Error, Hashable {}

    /// The body is larger than permitted.
    public struct TooLarge: Error, Hashable {}
}

/// Collects the pieces of a body.
private final class Collected: Sendable {
    private let pieces = Mutex(Data())

    var data: Data { pieces.withLock { $0 } }

    func append(_ piece: UnsafeRawBufferPointer, most: Int) throws {
        try pieces.withLock { data in
            guard piece.count <= most - data.count else {
                throw RequestBody.TooLarge()
            }
            data.append(contentsOf: piece)
        }
    }
}
