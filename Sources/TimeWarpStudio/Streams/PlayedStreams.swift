import Foundation
import LocalServer
import Media
import Synchronization
import TimeMaps
import TimeWarp

/// Streams of what jobs make, for players: the render itself, from any instant on, as it is made.
///
/// The plans that were used last are kept, since a player that seeks asks for the same one again.
final class PlayedStreams: Sendable {
    /// What the query of a request for a stream says.
    struct Place: Sendable {
        static let queries: [Endpoint.Query] = [.number("from"), .integer("size")]

        /// Where it starts, in output time.
        let start: RationalTime
        /// How many pixels the shorter side of a frame has at most; nil for those of the job.
        let shortSide: Int?

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

    /// How many plans are kept: a few players, each at a few sizes.
    private static let mostPlans = 16
    /// The plans by what they were made from, the one used last at the end.
    private let cache = FrameCache(bytes: 512 << 20)
    private let plans = Mutex<[(key: String, plan: RenderPlan)]>([])

    /// The stream of a job.
    ///
    /// - Parameters:
    ///   - key: names the job; another one if what it plays has changed.
    ///   - make: makes the plan for frames whose shorter side has so many pixels.
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
        return Response(
            status: .ok,
            headers: [
                .contentType: "video/mp4; codecs=\"\(codecs.joined(separator: ", "))\"",
                .cacheControl: "no-store",
            ],
            body: .stream(
                AsyncStream {
                    var pieces = stream.makeAsyncIterator()
                    return try? await pieces.next()
                }))
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

extension RenderJob {
    /// Plays a source as it is.
    init(asIs source: MediaSource) throws {
        self.init(try Composition(of: Segment(of: source, retiming: .uniform)), to: "")
    }
}
