import Foundation
import Media
import TimeMaps

/// The bytes of a render, which is played while it is made: a fragmented MP4, of which each piece is sent on as it comes.
///
/// ```
/// ftyp moov │ moof mdat │ moof mdat │ …      fragments of about 0.2 s
/// ```
/// The track times are those of the plan's output, later by ``lead``: sound has samples before its first one that are not
/// heard, and no time may be before zero. Iterating throws ``MediaError`` if a file can't be read, or `CancellationError`.
public struct RenderStream: AsyncSequence, Sendable {
    /// A part of the stream.
    public typealias Element = Data

    /// By how much all times in the stream are later than the output's.
    public static let lead = RationalTime(1, over: 1)

    /// How many bytes wait for whoever takes them: about a second of video of 1080 lines.
    private static let waitingBytes = 1 << 20

    let owner: Owner

    init(_ plan: RenderPlan, from start: RationalTime, cache: FrameCache?) {
        precondition(plan.settings.output.isStream, "the plan is for a file")
        owner = Owner(plan, from: start, cache: cache, capacity: Self.waitingBytes)
    }

    /// An iterator over the pieces that no other iterator has returned yet. When the last one is let go, the render stops.
    public func makeAsyncIterator() -> Iterator {
        Iterator(owner: owner)
    }

    /// Returns the pieces of one stream.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let owner: Owner

        /// The next piece, or nil after the last. It waits for one if there is none yet.
        ///
        /// - Throws: ``MediaError`` or `CancellationError`; see ``RenderStream``.
        public mutating func next() async throws -> Data? {
            try await owner.next()
        }
    }

    /// The render, which ends with its owner.
    final class Owner: Sendable {
        let stages = StageGroup()
        private let pieces: BoundedChannel<Data>

        init(_ plan: RenderPlan, from start: RationalTime, cache: FrameCache?, capacity: Int) {
            let pieces = BoundedChannel<Data>(capacity: capacity)
            let stages = stages
            self.pieces = pieces
            stages.register(pieces)
            let thread = Thread {
                do {
                    try RenderRun(plan, from: start, cache: cache, stages: stages) { _ in }.stream {
                        try pieces.send($0, cost: $0.count)
                    }
                    pieces.finish()
                } catch {
                    stages.stop(because: error)
                }
                stages.markEnded()
            }
            thread.name = "timewarp.stream"
            thread.stackSize = 8 << 20
            thread.start()
        }

        deinit {
            stages.stop(because: CancellationError())
        }

        func next() async throws -> Data? {
            try await withTaskCancellationHandler {
                try await runBlocking { [stages, pieces] _ in
                    do {
                        return try pieces.receive()
                    } catch is RenderAborted {
                        // Throws what stopped it.
                        try stages.wait()
                        throw CancellationError()
                    }
                }
            } onCancel: {
                stages.stop(because: CancellationError())
            }
        }
    }
}
