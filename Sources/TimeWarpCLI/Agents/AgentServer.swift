import Documents
import Foundation
import Guides
import Media
import Synchronization
import TimeWarp

/// Answers the requests of an agent: the Model Context Protocol over stdin and stdout.
///
/// Calls of tools run beside each other; all else is answered at once, in order.
final class AgentServer: Sendable {
    /// The revisions of the protocol that are spoken, the newest first.
    private static let versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    /// The most calls at a time: what comes then is refused.
    private static let mostCalls = 8

    private let tools: [AgentTool]
    private let schema: String
    private let folders: AgentFolders
    private let send: @Sendable (Data) throws -> Void
    private let calls = Mutex<[AgentMessage.ID: Task<Void, Never>]>([:])

    /// - Parameter send: writes a message, whole and with the end of its line. It is called by several threads.
    /// - Throws: what making the schema of jobs throws.
    init(_ folders: AgentFolders, send: @escaping @Sendable (Data) throws -> Void) throws {
        self.folders = folders
        self.send = send
        let jobs = try RenderJob.documentSchema()
        tools = AgentTool.all(jobs)
        schema = String(decoding: try JSONDocument.data(of: jobs), as: UTF8.self)
    }

    /// Answers messages until there are no more, and then ends what runs. Cancelling ends it as well.
    ///
    /// - Throws: what `send` throws.
    func answer(_ lines: some AsyncSequence<Data, any Error>) async throws {
        defer {
            for call in running {
                call.cancel()
            }
        }
        for try await line in lines where !line.isEmpty {
            try answer(line)
        }
        for call in running {
            call.cancel()
            await call.value
        }
        try Task.checkCancellation()
    }

    private var running: [Task<Void, Never>] { calls.withLock { Array($0.values) } }

    private func answer(_ line: Data) throws {
        do throws(AgentMessage.Unread) {
            guard let request = try AgentMessage.request(line) else {
                return
            }
            do {
                try answer(request)
            } catch let fault as AgentMessage.Fault {
                try? refuse(request.id, fault)
            } catch {
                // Whoever reads is gone: the next message finds that, too.
            }
        } catch {
            try refuse(error.id, error.fault)
        }
    }

    private func answer(_ request: AgentMessage.Request) throws {
        guard let id = request.id else {
            if request.method == "notifications/cancelled",
                let id = request.parameters["requestId"].id
            {
                calls.withLock { $0[id] }?.cancel()
            }
            return
        }
        switch request.method {
        case "initialize":
            let asked = request.parameters["protocolVersion"].string ?? ""
            try reply(
                to: id,
                Welcome(
                    protocolVersion: Self.versions.contains(asked) ? asked : Self.versions[0],
                    instructions: Self.instructions(folders)))
        case "ping": try reply(to: id, [String: String]())
        case "tools/list": try reply(to: id, ["tools": tools.map(Listed.init)])
        case "tools/call": try call(request.parameters, id)
        case "resources/list": try reply(to: id, ["resources": resources])
        case "resources/templates/list": try reply(to: id, ["resourceTemplates": [String]()])
        case "resources/read": try read(request.parameters, id)
        default: throw AgentMessage.Fault.unknown(request.method)
        }
    }

    // MARK: - Tools

    private func call(_ parameters: AgentMessage.Parameters, _ id: AgentMessage.ID) throws {
        guard let tool = tools.first(where: { $0.name == parameters["name"].string }) else {
            throw AgentMessage.Fault.wrong(
                "the tools are \(tools.map(\.name).joined(separator: ", "))")
        }
        let arguments = parameters["arguments"]
        if let unknown = arguments.keys.first(where: { tool.input.properties[$0] == nil }) {
            throw AgentMessage.Fault.wrong("\(tool.name) takes no \(unknown)")
        }
        let token = parameters["_meta"]["progressToken"].id
        let call = AgentCall(arguments: arguments, folders: folders) { [weak self] fraction, text in
            guard let token else {
                return
            }
            try? self?.write(
                AgentMessage.Notice(
                    method: "notifications/progress",
                    params: Progress(progressToken: token, progress: fraction, message: text)))
        }
        try calls.withLock { calls in
            guard calls[id] == nil else {
                throw AgentMessage.Fault.wrong("a request with the same id still runs")
            }
            guard calls.count < Self.mostCalls else {
                throw AgentMessage.Fault.wrong("\(Self.mostCalls) calls run already: wait for one")
            }
            calls[id] = Task {
                await self.run(tool, call, id)
                _ = self.calls.withLock { $0.removeValue(forKey: id) }
            }
        }
    }

    private func run(_ tool: AgentTool, _ call: AgentCall, _ id: AgentMessage.ID) async {
        do {
            try reply(to: id, Answer(content: try await tool.run(call), isError: false))
        } catch is CancellationError {
            // Whoever cancels a call waits for no answer.
        } catch let fault as AgentMessage.Fault {
            try? refuse(id, fault)
        } catch {
            let failure = Failure(error) ?? Failure(exitCode: 64, message: "\(error)")
            try? reply(to: id, Answer(content: [.text(failure.message)], isError: true))
        }
    }

    // MARK: - Resources

    private var resources: [Resource] {
        [
            Resource(
                uri: "timewarp://schema/job", name: "The JSON Schema of jobs",
                mimeType: "application/schema+json")
        ]
            + Guides.all.map {
                Resource(
                    uri: "timewarp://guides/" + $0.name, name: "Guide: " + $0.name,
                    mimeType: "text/markdown")
            }
    }

    private func read(_ parameters: AgentMessage.Parameters, _ id: AgentMessage.ID) throws {
        let uri = parameters["uri"].string
        guard let resource = resources.first(where: { $0.uri == uri }) else {
            throw AgentMessage.Fault(code: -32002, message: "there is no such resource")
        }
        let guide = Guides.all.first { resource.uri.hasSuffix("guides/" + $0.name) }
        try reply(to: id, ["contents": [Text(of: resource, guide?.text ?? schema)]])
    }

    // MARK: - Messages

    private func reply(to id: AgentMessage.ID, _ result: some Encodable) throws {
        try write(AgentMessage.Reply(id: id, result: result))
    }

    private func refuse(_ id: AgentMessage.ID?, _ fault: AgentMessage.Fault) throws {
        try write(AgentMessage.Refusal(id: id, error: fault))
    }

    private func write(_ message: some Encodable) throws {
        try send(Data((try JSONOutput.line(message) + "\n").utf8))
    }
}

extension AgentServer {
    private static func instructions(_ folders: AgentFolders) -> String {
        """
        TimeWarp changes when things happen in video and sound. A render is one value, a job: read timewarp://guides/jobs, \
        inspect the media, plan the job, render it, verify what was written. Relative paths start at \(folders.places[0]); \
        files elsewhere than below \(folders.places.joined(separator: ", ")) are neither read nor written.
        """
    }

    private struct Welcome: Encodable {
        let protocolVersion: String
        let capabilities = ["tools": [String: String](), "resources": [:]]
        let serverInfo = [
            "name": "timewarp", "title": "TimeWarp", "version": Version.number,
        ]
        let instructions: String
    }

    private struct Listed: Encodable {
        let name, description: String
        let inputSchema: AgentInput
        let annotations: [String: Bool]

        init(_ tool: AgentTool) {
            (name, description, inputSchema) = (tool.name, tool.description, tool.input)
            annotations = [
                "readOnlyHint": tool.isReadOnly, "destructiveHint": false, "openWorldHint": false,
            ]
        }
    }

    private struct Answer: Encodable {
        let content: [AgentContent]
        let isError: Bool
    }

    private struct Progress: Encodable {
        let progressToken: AgentMessage.ID
        let progress: Double
        let total = 1
        let message: String
    }

    private struct Resource: Encodable {
        let uri, name, mimeType: String
    }

    private struct Text: Encodable {
        let uri, mimeType, text: String

        init(of resource: Resource, _ text: String) {
            (uri, mimeType, self.text) = (resource.uri, resource.mimeType, text)
        }
    }
}
