import Foundation

/// Serves the files of a folder to browsers on this machine only.
///
/// It listens on the loopback interface, refuses requests whose `Host` header names another machine, and sends
/// no file outside of the folder. It supports byte ranges, and sends large files in pieces.
public struct FolderServer: Sendable {
    private let folder: String
    private let port: Int
    private let replies: [String: Router.Handler]

    /// - Parameters:
    ///   - folder: the path of the folder. Its `index.html` is sent for `/`.
    ///   - port: from 0 to 65535; 0 picks a free port.
    ///   - replies: what makes the response to requests for these paths, such as `story.json`, in place of a file. It handles
    ///     every method.
    public init(_ folder: String, port: Int = 0, replies: [String: Router.Handler] = [:]) {
        self.replies = replies
        self.folder = URL(fileURLWithPath: folder, isDirectory: true).resolvingSymlinksInPath().path
        self.port = port
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter ready: called once with the server's URL, as soon as the server accepts requests.
    /// - Throws: ``PortTaken`` if the port is in use, `POSIXError` if the server can't start, and
    ///   `CancellationError` when the task is cancelled.
    public func run(ready: @escaping @Sendable (_ address: String) async -> Void) async throws {
        try await LoopbackServer(port: port).run(respond) { port in
            await ready("http://127.0.0.1:\(port)/")
        }
    }

    @Sendable
    private func respond(to request: Request) async throws -> Response {
        if let reply = replies[request.path.joined(separator: "/")] {
            return try await reply(request)
        }
        guard request.method == .get || request.method == .head else {
            return .methodNotAllowed(["GET"])
        }
        return response(to: request, at: request.path)
    }

    /// The response with a file of the folder, for a server that has it among other things.
    ///
    /// - Parameter path: the parts of the file's path inside the folder.
    public func response(to request: Request, at path: [String]) -> Response {
        guard let path = self.path(to: path), let file = FileResponse(path) else {
            return .error("There is no such file.", status: .notFound)
        }
        return file.response(to: request)
    }

    /// The path of a file; nil if it lies outside of the folder, also by way of a symbolic link.
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
