import Foundation
import LocalServer
import Media
import Pages
import TimeMaps
import TimeWarp

/// A page with nothing but a player, served to this machine's browser. It plays what a job would write, which is rendered
/// while it plays.
public struct PlayerPage: Sendable {
    private let job: RenderJob
    private let source: MediaSource
    private let port: Int
    private let token = Secret.make(bytes: 16)

    /// - Parameters:
    ///   - job: what is played; nothing is written.
    ///   - source: the media of the job's clips.
    ///   - port: the port to listen on; 0 chooses a free one.
    public init(_ job: RenderJob, of source: MediaSource, port: Int = 0) {
        self.job = job
        self.source = source
        self.port = port
    }

    /// Serves the page until the task is cancelled.
    ///
    /// - Parameter ready: called with the address to open. The address contains a secret token.
    /// - Throws: what the job's plan can't be made for, see ``RenderPlan``; ``PortTaken`` if the port is in use, and
    ///   `CancellationError`.
    public func run(ready: @escaping @Sendable (_ address: String) async -> Void) async throws {
        let played = Played(try plan(nil), named: source.path)
        var router = Router()
        PageRoutes.addFiles(first: WebPages.playerPage, to: &router)
        router.get("clip") { _ in try Response.json(played) }
        let streams = PlayedStreams()
        router.get("stream") { request in
            try await streams.response(of: "", at: PlayedStreams.Place(request), plan)
        }
        let gate = StudioAuthentication(token: token, router: router)
        let token = token
        try await LoopbackServer(port: port).run(gate.respond) { port in
            await ready("http://127.0.0.1:\(port)/?token=\(token)")
        }
    }

    @Sendable
    private func plan(_ shortSide: Int?) throws -> RenderPlan {
        try RenderPlan(streaming: job, shortSide: shortSide, MediaCatalogue(holding: source))
    }
}

/// What the page is told about what it plays. Times are in seconds.
private struct Played: Encodable {
    let name: String
    let length: Double
    let frameRate: Double?
    /// Nil if it has parts with speeds of their own.
    let map: JobEvaluation.Points?

    init(_ plan: RenderPlan, named path: String) {
        let format = plan.source.videoFormat
        name = URL(fileURLWithPath: path).lastPathComponent
        length = plan.outputDuration
        frameRate = format.map { plan.settings.video.outputRate(of: $0) }.flatMap { rate in
            guard case .fixed(let rate) = rate else {
                return format?.usualRate.framesPerSecond
            }
            return rate.framesPerSecond
        }
        map = plan.clip.map {
            JobEvaluation.Points($0.map, frameRate: format?.usualRate.framesPerSecond)
        }
    }
}
