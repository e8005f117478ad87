import Foundation
import Synchronization

/// What a client sends along with a request. It is read as it comes, once, and never held as a whole.
public struct RequestBody: Sendable {
    private let exchange: Exchange

    init(of exchange: Exchange) {
        self.exchange = exchange
    }

    /// Reads all of it.
    ///
    /// - Parameter take: is handed each piece, one after another, on a thread of the connection's own, which
    ///   it may block: the client is not read from meanwhile. What it throws ends the reading.
    /// - Throws: what `take` throws, ``BrokenOff``, `CancellationError`.
    public func read(
        _ take: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws {
        try await exchange.readBody(take)
    }

    /// All of it.
    ///
    /// - Parameter most: bytes that it may have.
    /// - Throws: ``TooLarge``, ``BrokenOff``, `CancellationError`.
    public func data(most: Int) async throws -> Data {
        let collected = Collected()
        try await read { piece in
            try collected.append(piece, most: most)
        }
        return collected.data
    }

    /// The connection ended before the body did.
    public struct BrokenOff: Error, Hashable {}

    /// There is more than may be read.
    public struct TooLarge: Error, Hashable {}
}

/// Pieces that become one.
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
