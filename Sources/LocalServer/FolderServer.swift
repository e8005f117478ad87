import Foundation

/// Serves a folder to browsers on this machine, and to nobody else.
///
/// It listens on the loopback interface alone, answers only requests that were meant for it, and hands out
/// what lies in the folder. Ranges are served, and whole files are sent piece by piece.
public struct FolderServer: Sendable {
    private let folder: String
    private let port: Int

    /// - Parameters:
    ///   - folder: whose `index.html` is shown first.
    ///   - port: 0 takes a free one.
    public init(_ folder: String, port: Int = 0) {
        self.folder = URL(fileURLWithPath: folder, isDirectory: true).resolvingSymlinksInPath().path
        self.port = port
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter ready: called with the address when requests are heard.
    /// - Throws: ``PortTaken`` when the port is in use, `CancellationError`, `POSIXError`.
    public func run(ready: @escaping @Sendable (_ address: String) async -> Void) async throws {
        try await LoopbackServer(port: port).run(respond) { port in
            await ready("http://127.0.0.1:\(port)/")
        }
    }

    @Sendable
    private func respond(to request: Request) -> Response {
        guard request.method == .get || request.method == .head else {
            return .methodNotAllowed(["GET"])
        }
        guard let path = path(to: request.path), let file = FileResponse(path) else {
            return .error("There is no such file.", status: .notFound)
        }
        return file.response(to: request)
    }

    /// Nil for what lies outside of the folder, links followed.
    private func path(to parts: [String]) -> String? {
        var parts = parts
        if parts.last == "" {
            parts[parts.count - 1] = "index.html"
        }
        guard
            parts.allSatisfy({
                !["", ".", ".."].contains($0) && !$0.contains { "/\0".contains($0) }
            })
        else {
            return nil
        }
        let path = URL(fileURLWithPath: folder + "/" + parts.joined(separator: "/"))
            .resolvingSymlinksInPath().path
        return path.hasPrefix(folder == "/" ? "/" : folder + "/") ? path : nil
    }
}
