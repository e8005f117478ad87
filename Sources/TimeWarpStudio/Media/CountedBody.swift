import Hummingbird
import Synchronization

/// A request's body that ends with an error when it grows too large, and knows how large it became.
final class CountedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private let body: RequestBody
    private let most: Int64
    private let read = Atomic<Int64>(0)

    init(_ body: RequestBody, most: Int64) {
        self.body = body
        self.most = most
    }

    /// Bytes read so far.
    var count: Int64 { read.load(ordering: .relaxed) }

    func makeAsyncIterator() -> Iterator {
        Iterator(owner: self, base: body.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        let owner: CountedBody
        var base: RequestBody.AsyncIterator

        mutating func next() async throws -> ByteBuffer? {
            guard let part = try await base.next() else {
                return nil
            }
            let count = owner.read.add(Int64(part.readableBytes), ordering: .relaxed).newValue
            guard count <= owner.most else {
                throw StudioError(.contentTooLarge, "The file is too large.")
            }
            return part
        }
    }
}
