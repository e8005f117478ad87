import Foundation
import LocalServer
import Media
import Stories
import Synchronization
import TimeWarp

/// Writes down what happens in a story that is played from this machine.
///
/// The page sends lines to the address in its manifest. So the manifest is served with an address of this server.
final class VisitRecorder: Sendable {
    private let manifest: Data
    private let log: Mutex<VisitLog>

    private static let address = "visits"
    /// Browsers send no larger beacons.
    private static let largestBody = 64 << 10

    /// - Throws: `MediaError` and ``StoryError`` if the log can't be written or the manifest can't be read.
    init(logging path: String, storyIn folder: String) throws {
        let file = folder + "/story.json"
        var manifest = try StoryManifest(
            json: SmallFile.data(
                at: file, kind: "a story manifest", largest: StoryManifest.largestFile))
        manifest.analytics = Self.address
        self.manifest = try manifest.json()
        log = Mutex(try VisitLog(appendingTo: path))
    }

    /// What is replied instead of files, by path.
    var replies: [String: Router.Handler] {
        ["story.json": { self.manifest(for: $0) }, Self.address: { try await self.record($0) }]
    }

    private func manifest(for request: Request) -> Response {
        guard request.method == .get || request.method == .head else {
            return Response(status: .methodNotAllowed, headers: [.allow: "GET"])
        }
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .data(manifest))
    }

    /// Appends the lines of a request, if all of them are valid.
    private func record(_ request: Request) async throws -> Response {
        guard request.method == .post else {
            return Response(status: .methodNotAllowed, headers: [.allow: "POST"])
        }
        guard request.isOfOwnOrigin else {
            return Response(status: .forbidden)
        }
        let body: Data
        do {
            body = try await request.body.data(most: Self.largestBody)
        } catch is RequestBody.TooLarge {
            return Response(status: .contentTooLarge)
        }
        let lines: [StoryVisitLine]
        do {
            lines = try body.split(separator: UInt8(ascii: "\n")).enumerated().map {
                try StoryVisitLine(json: Data($1), number: $0 + 1)
            }
        } catch {
            return Response(
                status: .badRequest, headers: [.contentType: "text/plain; charset=utf-8"],
                body: .data(Data("\(error)\n".utf8)))
        }
        do {
            try log.withLock { try $0.append(lines) }
        } catch {
            Message.note("\(error)")
            return Response(status: .insufficientStorage)
        }
        return Response(status: .noContent)
    }
}
