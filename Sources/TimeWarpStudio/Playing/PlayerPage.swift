import Foundation
import LocalServer
import Media
import Pages
import TimeMaps
import TimeWarp

/// A page with nothing but a player, served to this machine's browser. It plays a clip along its time map, before anything
/// is rendered: it moves and speeds up the video as the map says.
///
/// A file that browsers play is played itself. Of others, and of compositions, a copy of the clip's range is made first.
public struct PlayerPage: Sendable {
    private let clip: Clip
    private let sound: RenderSettings.AudioMode
    private let port: Int
    private let token = Secret.make(bytes: 16)

    /// - Parameters:
    ///   - clip: what is played.
    ///   - sound: what happens to the sound; ``RenderSettings/AudioMode/keep`` is silent.
    ///   - port: the port to listen on; 0 chooses a free one.
    public init(_ clip: Clip, sound: RenderSettings.AudioMode = .varispeed, port: Int = 0) {
        self.clip = clip
        self.sound = sound
        self.port = port
    }

    /// Whether a copy is made first, which takes about as long as rendering the clip's range.
    public var needsCopy: Bool { !clip.source.playsInBrowsers }

    /// Serves the page until the task is cancelled.
    ///
    /// - Parameter ready: called with the address to open. The address contains a secret token.
    /// - Throws: ``MediaError`` if the copy can't be made, ``PortTaken`` if the port is in use, and
    ///   `CancellationError`.
    public func run(ready: @escaping @Sendable (_ address: String) async -> Void) async throws {
        guard needsCopy else {
            try await serve(
                clip.source.path, from: clip.range.start, lasting: clip.source.duration, ready)
            return
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("timewarp-\(Secret.make(bytes: 8))", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("copy.mp4").path
        try await MediaPictures.makeProxy(of: clip.source, range: clip.range, at: copy)
        try await serve(copy, from: .zero, lasting: clip.range.duration, ready)
    }

    private func serve(
        _ file: String, from start: RationalTime, lasting duration: RationalTime,
        _ ready: @escaping @Sendable (_ address: String) async -> Void
    ) async throws {
        let played = try Played(clip, sound: sound, start: start, duration: duration)
        var router = Router()
        PageRoutes.addFiles(first: WebPages.playerPage, to: &router)
        router.get("clip") { _ in try Response.json(played) }
        router.get("content") { request in try Response.file(file, for: request) }
        let frames = FrameCache()
        router.get("frames") { request in try await frames.response(for: request, in: file) }
        let gate = StudioAuthentication(token: token, router: router)
        let token = token
        try await LoopbackServer(port: port).run(gate.respond) { port in
            await ready("http://127.0.0.1:\(port)/?token=\(token)")
        }
    }
}

/// What the page is told about the clip. Times are in seconds.
private struct Played: Encodable {
    let name: String
    /// That of the file that is played.
    let duration: Double
    let frameRate: Double?
    /// Where in that file the map's source begins.
    let start: Double
    let mode: RenderSettings.AudioMode
    let hasVideo: Bool
    let map: JobEvaluation.Points

    init(
        _ clip: Clip, sound: RenderSettings.AudioMode, start: RationalTime, duration: RationalTime
    ) throws {
        let rate = clip.source.videoFormat?.usualRate.framesPerSecond
        name = URL(fileURLWithPath: clip.source.path).lastPathComponent
        self.duration = duration.seconds
        frameRate = rate
        self.start = start.seconds
        mode = sound
        hasVideo = clip.source.videoFormat != nil
        map = JobEvaluation.Points(clip.map, frameRate: rate)
    }
}
