import Foundation
import TestSupport

@testable import TimeWarpStudio

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A studio on this machine that runs as long as a test uses it.
struct RunningStudio: Sendable {
    let port: Int
    let token: String

    /// Runs a studio in a folder, and ends it afterwards.
    ///
    /// The workspace already has the sample clip, from an earlier studio, because drawing it takes seconds.
    static func run<Result: Sendable>(
        in folder: TemporaryFolder, limits: Studio.Limits = Studio.Limits(),
        _ work: @escaping @Sendable (RunningStudio) async throws -> Result
    ) async throws -> Result {
        let workspace = folder.path("workspace")
        if !FileManager.default.fileExists(atPath: workspace) {
            try FileManager.default.copyItem(
                atPath: try await Self.prepared.value.path("workspace"), toPath: workspace)
        }
        return try await run(workspace, limits: limits, work)
    }

    /// A folder with a workspace in which the sample clip and everything derived from it are ready.
    private static let prepared = Task {
        let folder = try KeptFiles.newFolder()
        try await run(folder.path("workspace")) { studio in
            let sample = try await studio.sample()
            try await waitUntil("the sample is analysed") {
                try await studio.ask("GET", "/api/media/\(sample)")["analysis"] == "ready"
            }
        }
        return folder
    }

    /// Runs a studio in a workspace, which it creates if there is none.
    static func run<Result: Sendable>(
        _ workspace: String, limits: Studio.Limits = Studio.Limits(),
        _ work: @escaping @Sendable (RunningStudio) async throws -> Result
    ) async throws -> Result {
        let studio = try Studio(workspace: workspace, limits: limits)
        let (addresses, found) = AsyncStream<String>.makeStream()
        let server = Task(priority: .high) {
            try await studio.run { found.yield($0) }
            found.finish()
        }
        defer { server.cancel() }
        guard let address = await addresses.first(where: { _ in true }),
            let components = URLComponents(string: address), let port = components.port,
            let token = components.queryItems?.first?.value
        else {
            try await server.value
            throw NoAnswer(reason: "the studio told no address")
        }
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await work(RunningStudio(port: port, token: token)))
        } catch {
            outcome = .failure(error)
        }
        server.cancel()
        _ = await server.result
        return try outcome.get()
    }

    struct NoAnswer: Error {
        let reason: String
    }

    struct Answer: Sendable {
        let status: Int
        let body: Data

        /// The body as JSON.
        subscript<Value>(_ key: String, as _: Value.Type = Value.self) -> Value? {
            (try? JSONSerialization.jsonObject(with: body) as? [String: Any])?[key] as? Value
        }

        /// The message of an error.
        var message: String? {
            self["error", as: [String: Any].self]?["message"] as? String
        }
    }

    func ask(_ method: String, _ path: String, _ body: Data? = nil) async throws -> Answer {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
            throw NoAnswer(reason: "\(path) is no address")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        // A long timeout, because a slow response on a busy machine isn't a fault of the studio.
        request.timeoutInterval = 600
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        return Answer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: data)
    }

    func ask(_ method: String, _ path: String, json: [String: Any]) async throws -> Answer {
        try await ask(method, path, try JSONSerialization.data(withJSONObject: json))
    }

    /// The identifier of the sample clip in a new workspace.
    func sample() async throws -> String {
        let media: [[String: Any]] = try await ask("GET", "/api/media")["media"] ?? []
        return media.first { $0["origin"] as? String == "sample" }?["id"] as? String ?? ""
    }

    /// Waits until a render is in one of some states, or isn't there.
    ///
    /// - Returns: its state; "none" when it isn't there.
    func wait(for render: String, until states: Set<String>) async throws -> String {
        var state = ""
        try await waitUntil("the render is \(states.sorted().joined(separator: " or "))") {
            state = try await ask("GET", "/api/renders/\(render)")["state"] ?? "none"
            return states.contains(state) || state == "none"
        }
        return state
    }
}
