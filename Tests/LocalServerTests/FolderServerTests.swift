import Foundation
import LocalServer
import TestSupport
import Testing

/// Sends requests to a running server, as any program would.
@Suite("A folder on the loopback interface")
struct FolderServerTests {
    /// The status and the body that `curl` received.
    private func ask(_ address: String, _ arguments: [String] = []) throws -> (String, String) {
        let result = try ReferenceTools.run(
            "curl", ["-s", "--path-as-is", "-w", "\n%{http_code}"] + arguments + [address])
        var lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        let status = lines.popLast().map(String.init) ?? ""
        return (status, lines.joined(separator: "\n"))
    }

    private func expect(
        _ address: String, _ arguments: [String] = [], is status: String, _ body: String? = nil
    ) throws {
        let answer = try ask(address, arguments)
        #expect(answer.0 == status)
        #expect(body == nil || answer.1 == body)
    }

    private func serving(
        _ replies: [String: Router.Handler] = [:],
        _ work: @escaping @Sendable (_ address: String, _ folder: TemporaryFolder) throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try Data("page".utf8).write(to: folder.url.appendingPathComponent("index.html"))
        try Data("0123456789".utf8).write(to: folder.url.appendingPathComponent("a.m4s"))
        let (addresses, found) = AsyncStream<String>.makeStream()
        let server = Task(priority: .high) {
            try await FolderServer(folder.url.path, replies: replies).run { address in
                found.yield(address)
            }
        }
        for await address in addresses {
            // Not on the cooperative pool, because it blocks.
            let result = await withCheckedContinuation { continuation in
                Thread { continuation.resume(returning: Result { try work(address, folder) }) }
                    .start()
            }
            server.cancel()
            await #expect(throws: CancellationError.self) { try await server.value }
            try result.get()
            return
        }
    }

    @Test("its files are served, whole and in ranges")
    func files() async throws {
        try await serving { address, _ in
            #expect(address.hasPrefix("http://127.0.0.1:"))
            try expect(address, is: "200", "page")
            try expect(address + "a.m4s", ["-r", "2-4"], is: "206", "234")
            try expect(address + "none", is: "404")
            let head = try ask(address + "a.m4s", ["-I"]).1.lowercased()
            #expect(head.contains("content-type: video/mp4"))
            #expect(head.contains("nosniff"))
        }
    }

    @Test("nothing outside of the folder is, and no request under another name is answered")
    func doors() async throws {
        try await serving { address, folder in
            let secret = folder.url.deletingLastPathComponent().lastPathComponent
            for path in ["../\(secret)", "..%2f..%2fetc/hostname"] {
                let status = try ask(address + path).0
                #expect(status != "200")
            }
            try expect(address, ["-H", "Host: example.com"], is: "403")
            try expect(address, ["-H", "Host: localhost"], is: "200")
        }
    }

    @Test("some paths may be replied to otherwise, by any method")
    func replies() async throws {
        let replies: [String: Router.Handler] = [
            "a.m4s": { request in
                Response(status: .ok, body: .data(Data(request.method.rawValue.utf8)))
            },
            "in/box": { request in
                Response(status: .created, body: .data(try await request.body.data(most: 10)))
            },
        ]
        try await serving(replies) { address, _ in
            try expect(address + "a.m4s", is: "200", "GET")
            try expect(address + "in/box", ["-d", "hello"], is: "201", "hello")
            try expect(address, is: "200", "page")
            try expect(address, ["-d", "hello"], is: "405")
            try expect(address + "in/box", ["-H", "Host: example.com", "-d", "x"], is: "403")
        }
    }

    @Test("a port that is taken is named")
    func takenPort() async throws {
        try await serving { address, folder in
            let port = Int(address.split(separator: ":").last?.dropLast() ?? "") ?? 0
            let done = DispatchSemaphore(value: 0)
            let path = folder.url.path
            Task(priority: .high) {
                await #expect(throws: PortTaken.self) {
                    try await FolderServer(path, port: port).run { _ in }
                }
                done.signal()
            }
            done.wait()
        }
    }
}
