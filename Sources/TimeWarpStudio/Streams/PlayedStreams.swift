import Foundation
import LocalServer
import Media
import Synchronization
import TimeMaps
import TimeWarp

/// Streams of what jobs make, for players: the render itself, from any instant on, as it is made.
///
/// The plans that were used last are kept, since a player that seeks asks for the same one again, and so are the frames that
/// were decoded last, until nothing has been played for a while.
final class PlayedStreams: Sendable {
    /// What the query of a request for a stream says.
    struct Place: Sendable {
        static let queries: [Endpoint.Query] = [.number("from"), .integer("size")]

        /// Where it starts, in output time.
        var start = RationalTime.zero
        /// How many pixels the shorter side of a frame has at most; nil for those of the job.
        var shortSide: Int?
    }

    /// How many plans are kept: a few players, each at a few sizes.
    private static let mostPlans = 16
    /// The plans by what they were made from, the one used last at the end.
    private let cache = FrameCache(bytes: 256 << 20)
    private let plans = Mutex<[(key: String, plan: RenderPlan)]>([])
    private let open = Mutex((count: 0, last: 0))
    private let rest: Duration

    /// - Parameter rest: for how long nothing is played before the frames are forgotten.
    init(rest: Duration = .seconds(30)) {
        self.rest = rest
    }

    /// Whether no frames are kept.
    var isEmpty: Bool { cache.isEmpty }

    /// The stream of a job.
    ///
    /// - Parameters:
    ///   - key: names the job; another one if what it plays has changed.
    ///   - make: makes the plan for frames whose shorter side has this many pixels.
    /// - Throws: what `make` throws.
    func response(
        of key: String, at place: Place,
        _ make: @escaping @Sendable (_ shortSide: Int?) throws -> RenderPlan
    ) async throws -> Response {
        let key = "\(place.shortSide ?? 0) \(key)"
        if let plan = plan(of: key) {
            return response(plan, from: place.start)
        }
        let plan = try await runBlocking { _ in try make(place.shortSide) }
        plans.withLock { plans in
            plans.append((key, plan))
            plans.removeFirst(max(0, plans.count - Self.mostPlans))
        }
        return response(plan, from: place.start)
    }

    /// What a plan makes, from an instant on. Its end before that of the output means that a file can't be read further.
    private func response(_ plan: RenderPlan, from start: RationalTime) -> Response {
        let codecs =
            (plan.video.isEmpty ? [] : ["avc1.640028"]) + (plan.audio.isEmpty ? [] : ["mp4a.40.2"])
        let stream = Renderer().stream(plan, from: start, cache: cache)
        let use = Use(of: self)
        return Response(
            status: .ok,
            headers: [
                .contentType: "video/mp4; codecs=\"\(codecs.joined(separator: ", "))\"",
                .cacheControl: "no-store",
            ],
            body: .stream(
                AsyncStream {
                    withExtendedLifetime(use) {}
                    var pieces = stream.makeAsyncIterator()
                    return try? await pieces.next()
                }))
    }

    /// One stream, for as long as it may still be read.
    private final class Use: Sendable {
        private let streams: PlayedStreams

        init(of streams: PlayedStreams) {
            self.streams = streams
            streams.open.withLock { $0 = ($0.count + 1, $0.last + 1) }
        }

        deinit {
            streams.open.withLock { $0.count -= 1 }
            Task { [streams] in await streams.forgetLater() }
        }
    }

    /// Forgets the frames if nothing is played for a while from now on.
    private func forgetLater() async {
        let last = open.withLock(\.last)
        try? await Task.sleep(for: rest)
        if open.withLock({ $0 == (0, last) }) {
            cache.removeAll()
            FreedMemory.giveBack()
        }
    }

    private func plan(of key: String) -> RenderPlan? {
        plans.withLock { plans in
            guard let index = plans.lastIndex(where: { $0.key == key }) else {
                return nil
            }
            let found = plans.remove(at: index)
            plans.append(found)
            return found.plan
        }
    }
}

extension PlayedStreams.Place {
    /// - Throws: ``StudioError`` if the query can't be read.
    init(_ request: Request) throws {
        guard let start = try? RationalTime(parsing: request.query["from"] ?? "0") else {
            throw StudioError(.badRequest, "A stream starts at a number of seconds.")
        }
        self.start = start
        shortSide = try request.query["size"].map { text in
            guard let size = Int(text), (16...8192).contains(size) else {
                throw StudioError(.badRequest, "A frame's shorter side has 16 to 8192 pixels.")
            }
            return size
        }
    }
}

extension RenderJob {
    /// Plays a source as it is.
    init(asIs source: MediaSource) throws {
        self.init(try Composition(of: Segment(of: source, retiming: .uniform)), to: "")
    }
}
