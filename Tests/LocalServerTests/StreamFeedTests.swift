import Foundation
import Testing

@testable import LocalServer

@Suite("Feed of a streamed body")
struct StreamFeedTests {
    /// What the maker of pieces holds; its end is told.
    private final class Held: Sendable {
        private let ended: AsyncStream<Void>.Continuation

        init(_ ended: AsyncStream<Void>.Continuation) {
            self.ended = ended
        }

        deinit {
            ended.finish()
        }
    }

    @Test("a piece that was on its way when the client left is let go, with all that made it")
    func lateness() async {
        let (asked, isAsked) = AsyncStream<Void>.makeStream()
        let (gate, isLeft) = AsyncStream<Void>.makeStream()
        let (end, ended) = AsyncStream<Void>.makeStream()
        let feed = StreamFeed(Self.pieces(of: Held(ended), asked: isAsked, gate: gate))
        for await _ in asked {}
        feed.cancel()
        isLeft.finish()
        for await _ in end {}
        let nothing = withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) {
            feed.read(into: $0)
        }
        #expect(nothing == nil)
    }

    /// One piece after another. The first comes when the gate opens, even to a task that was cancelled.
    private static func pieces(
        of held: Held, asked: AsyncStream<Void>.Continuation, gate: AsyncStream<Void>
    ) -> AsyncStream<Data> {
        AsyncStream {
            withExtendedLifetime(held) {}
            asked.finish()
            await Task { for await _ in gate {} }.value
            return Data([1])
        }
    }
}
