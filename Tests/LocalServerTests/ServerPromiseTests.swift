import Foundation
import TestSupport
import Testing

@testable import LocalServer

/// What the server promises, tested with requests from hostile clients.
@Suite("Promises of the server")
struct ServerPromiseTests {
    /// A server whose responses repeat what it received.
    private static let router: Router = {
        var router = Router()
        router.get("hello") { _ in Self.text("hello", status: .ok) }
        router.post("echo") { request in
            Response(status: .ok, body: .data(try await request.body.data(most: 1 << 20)))
        }
        router.post("count") { request in
            let count = Counted()
            try await request.body.read { count.add($0.count) }
            return Self.text("\(count.value)", status: .ok)
        }
        router.post("refuse") { _ in Self.text("no", status: .contentTooLarge) }
        router.get("ticks") { _ in
            Response(
                status: .ok,
                body: .stream(
                    AsyncStream { continuation in
                        for number in 1...3 {
                            continuation.yield(Data("tick \(number)\n".utf8))
                        }
                        continuation.finish()
                    }))
        }
        router.get("forever") { _ in
            Response(status: .ok, body: .stream(AsyncStream { _ in }))
        }
        return router
    }()

    private static func text(_ text: String, status: Response.Status) -> Response {
        Response(status: status, body: .data(Data((text + "\n").utf8)))
    }

    private final class Counted: @unchecked Sendable {
        private(set) var value = 0
        func add(_ count: Int) { value += count }
    }

    private func serving(
        idleSeconds: Int = 60, _ work: @escaping @Sendable (_ port: Int) throws -> Void
    ) async throws {
        let (ports, found) = AsyncStream<Int>.makeStream()
        let server = Task(priority: .high) {
            try await LoopbackServer(idleSeconds: idleSeconds).run(Self.router.respond) {
                found.yield($0)
            }
        }
        for await port in ports {
            let result = await withCheckedContinuation { continuation in
                Thread { continuation.resume(returning: Result { try work(port) }) }.start()
            }
            server.cancel()
            await #expect(throws: CancellationError.self) { try await server.value }
            try result.get()
            return
        }
    }

    private func ask(_ port: Int, _ text: String) throws -> String {
        let client = try RawClient(port: port)
        client.send(text)
        return client.receiveAll()
    }

    private static let host = "Host: 127.0.0.1\r\n"
    private static let closing = host + "Connection: close\r\n"

    @Test("a request that is as it should be is answered")
    func plain() async throws {
        try await serving { port in
            let answer = try ask(port, "GET /hello HTTP/1.1\r\n\(Self.closing)\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.hasSuffix("\r\n\r\nhello\n"))
            let head = try ask(port, "HEAD /hello HTTP/1.1\r\n\(Self.closing)\r\n")
            #expect(head.contains("Content-Length: 6\r\n"))
            #expect(head.hasSuffix("\r\n\r\n"))
            let none = try ask(port, "GET /none HTTP/1.1\r\n\(Self.closing)\r\n")
            #expect(none.hasPrefix("HTTP/1.1 404 "))
            #expect(none.hasSuffix("{\"error\":{\"message\":\"There is nothing here.\"}}"))
            let method = try ask(port, "PUT /echo HTTP/1.1\r\n\(Self.closing)\r\n")
            #expect(method.contains(" 405 ") && method.contains("allow: POST"))
        }
    }

    @Test("a body is read, with a length and in chunks")
    func bodies() async throws {
        try await serving { port in
            let whole = try ask(
                port, "POST /echo HTTP/1.1\r\n\(Self.closing)Content-Length: 5\r\n\r\nabcde")
            #expect(whole.hasSuffix("\r\n\r\nabcde"))
            let chunks = try ask(
                port,
                "POST /echo HTTP/1.1\r\n\(Self.closing)Transfer-Encoding: chunked\r\n\r\n"
                    + "2\r\nab\r\n3;x=y\r\ncde\r\n0\r\n\r\n")
            #expect(chunks.hasSuffix("\r\n\r\nabcde"))
        }
    }

    @Test("pieces of a stream are sent as they come, and its end is told")
    func streams() async throws {
        try await serving { port in
            let answer = try ask(port, "GET /ticks HTTP/1.1\r\n\(Self.closing)\r\n")
            for number in 1...3 {
                #expect(answer.contains("tick \(number)\n"))
            }
        }
    }

    @Test(
        "a header that doesn't end is refused, in whatever it doesn't end",
        arguments: ["GET /", "GET /hello HTTP/1.1\r\n\(host)X: ", "GET /hello HTTP/1.1\r\n"])
    func endlessHeader(start: String) async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            client.send(start)
            let more = start.hasSuffix("\r\n") ? "X-Y: z\r\n" : "aaaaaaaa"
            let block = Array(String(repeating: more, count: 1 << 13).utf8)
            var sent = 0
            while sent < 256 << 20, client.send(block) {
                sent += block.count
            }
            #expect(sent < 32 << 20, "as much as fits into the sockets")
            #expect(try ask(port, "GET /hello HTTP/1.1\r\n\(Self.closing)\r\n").contains(" 200 "))
        }
    }

    @Test(
        "a request that comes too slowly is ended, though it never stops",
        arguments: [
            "GET /hello HTTP/1.1\r\nX: ",
            "POST /echo HTTP/1.1\r\n\(host)Content-Length: 1000\r\n\r\n",
        ])
    func drip(start: String) async throws {
        try await serving(idleSeconds: 1) { port in
            let client = try RawClient(port: port)
            client.send(start)
            // The slow pace is what is tested: a byte every tenth of a second is never a second of silence.
            var bytes = 0
            while bytes < 300, !client.seesEnd(withinMilliseconds: 100) {
                client.send("a")
                bytes += 1
            }
            #expect(bytes < 300, "the server let a request drip in for half a minute")
        }
    }

    @Test("a client that says nothing more is let go")
    func idle() async throws {
        try await serving(idleSeconds: 1) { port in
            let half = try ask(port, "GET /hel")
            #expect(half == "")
            let whole = try ask(port, "GET /hello HTTP/1.1\r\n\(Self.host)\r\n")
            #expect(whole.contains("hello"))
        }
    }

    @Test("a body that nobody wants is read for a while, and then no more")
    func endlessBody() async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            client.send("POST /refuse HTTP/1.1\r\n\(Self.host)Transfer-Encoding: chunked\r\n\r\n")
            let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 97, count: 1 << 16) + [13, 10]
            var sent = 0
            while sent < 1 << 30, client.send(chunk) {
                sent += chunk.count
            }
            #expect(sent < 64 << 20)
        }
    }

    @Test("a body that is refused is not taken for further requests")
    func refusedBody() async throws {
        try await serving { port in
            let inner = String(repeating: "GET /hello HTTP/1.1\r\n\(Self.host)\r\n", count: 1000)
            let answer = try ask(
                port,
                "POST /refuse HTTP/1.1\r\n\(Self.closing)Content-Length: \(inner.utf8.count)\r\n\r\n"
                    + inner)
            #expect(answer.contains(" 413 "))
            #expect(!answer.contains("hello"))
        }
    }

    @Test("who asks before sending is told no before it sends")
    func expectation() async throws {
        try await serving { port in
            let head = "\(Self.host)Content-Length: 99999999999\r\nExpect: 100-continue\r\n\r\n"
            let refused = try ask(port, "POST /refuse HTTP/1.1\r\n" + head)
            #expect(refused.hasPrefix("HTTP/1.1 413 "))
            let client = try RawClient(port: port)
            client.send("POST /count HTTP/1.1\r\n" + head)
            let answer = client.receive() ?? []
            #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 100 "))
        }
    }

    @Test("a body that is refused, and too large to be thrown away, isn't waited for")
    func largeRefusal() async throws {
        try await serving { port in
            let head = "\(Self.host)Content-Length: 100000000000000\r\n\r\n"
            for (path, status) in [("refuse", 413), ("nowhere", 404)] {
                let answer = try ask(port, "POST /\(path) HTTP/1.1\r\n" + head)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            }
        }
    }

    @Test(
        "a request whose end can be read in two ways is refused",
        arguments: [
            "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
            "Content-Length: 4\r\nContent-Length: 5\r\n", "Content-Length: -4\r\n",
            "Content-Length: 99999999999999999999999\r\n", "Content-Length: 4x\r\n",
        ])
    func lengths(fields: String) async throws {
        try await serving { port in
            let answer = try ask(
                port, "POST /echo HTTP/1.1\r\n\(Self.host)\(fields)\r\n0\r\n\r\nGET /hello ")
            #expect(answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
            #expect(!answer.contains("hello"))
        }
    }

    @Test("a chunk of impossible size is refused")
    func chunkSize() async throws {
        try await serving { port in
            let answer = try ask(
                port,
                "POST /echo HTTP/1.1\r\n\(Self.closing)Transfer-Encoding: chunked\r\n\r\n"
                    + "FFFFFFFFFFFFFFFFFF\r\nabc")
            #expect(!answer.contains(" 200 "))
        }
    }

    @Test(
        "requests under another name are refused",
        arguments: [
            "Host: example.com\r\n", "Host: 127.0.0.1.example.com\r\n", "Host: \r\n", "",
            "Host: example.com\r\nHost: 127.0.0.1\r\n", "Host: 127.0.0.1\r\nHost: example.com\r\n",
        ])
    func hosts(fields: String) async throws {
        try await serving { port in
            let answer = try ask(
                port, "GET /hello HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 40"), "\(answer)")
        }
    }

    @Test("two hundred half requests hold up nobody")
    func manyClients() async throws {
        try await serving { port in
            let clients = try (0..<200).map { _ in try RawClient(port: port) }
            for client in clients {
                client.send("GET /hel")
            }
            #expect(try ask(port, "GET /hello HTTP/1.1\r\n\(Self.closing)\r\n").contains("hello"))
            for client in clients {
                client.send("lo HTTP/1.1\r\n\(Self.closing)\r\n")
            }
            #expect(clients.allSatisfy { $0.receiveAll().hasSuffix("hello\n") })
        }
    }

    @Test("a server that ends doesn't wait for streams, bodies or silent clients")
    func ending() async throws {
        let kept = Clients()
        try await serving { port in
            for start in [
                "GET /forever HTTP/1.1\r\n\(Self.host)\r\n", "GET /hel",
                "POST /count HTTP/1.1\r\n\(Self.host)Content-Length: 1000\r\n\r\nabc",
            ] {
                let client = try RawClient(port: port)
                client.send(start)
                kept.all.append(client)
            }
            // When this request is answered, the server has received the others.
            #expect(try ask(port, "GET /hello HTTP/1.1\r\n\(Self.closing)\r\n").contains("hello"))
        }
        for client in kept.all {
            _ = client.receiveAll()
        }
    }

    private final class Clients: @unchecked Sendable {
        var all: [RawClient] = []
    }
}
