import Foundation
import TestSupport
import Testing

@testable import TimeWarpStudio

@Suite("The description of the studio's API")
struct APIDescriptionTests {
    /// The types of the pages' checker. `TIMEWARP_RENEW=1` writes them anew.
    @Test("the pages' checker has the types of the server")
    func types() async throws {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/Pages/shared/server.d.ts")
        let types = try await RunningStudio.run(in: try TemporaryFolder()) { studio in
            String(
                decoding: try await studio.ask("GET", "/api/server.d.ts").body, as: UTF8.self)
        }
        if ProcessInfo.processInfo.environment["TIMEWARP_RENEW"] != nil {
            try types.write(to: file, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        #expect(
            kept == types, "run the tests of this suite with TIMEWARP_RENEW=1, and then make lint")
    }

    /// What the types alone don't say.
    @Test("says what a request needs, and refers to nothing that isn't there")
    func document() async throws {
        let body = try await RunningStudio.run(in: try TemporaryFolder()) { studio in
            try await studio.ask("GET", "/api/openapi.json").body
        }
        let text = String(decoding: body, as: UTF8.self)
        let document = try JSONSerialization.jsonObject(with: body)
        func at(_ keys: String...) -> Any? {
            keys.reduce(document as Any?) { ($0 as? [String: Any])?[$1] }
        }
        let schemas = try #require(at("components", "schemas") as? [String: Any])
        let referred = text.matches(of: /#\/components\/schemas\/(\w+)/).map { String($0.1) }
        #expect(Set(referred).isSubset(of: schemas.keys))
        let queries = at("paths", "/api/uploads", "post", "parameters") as? [[String: Any]]
        #expect(queries?.first { $0["name"] as? String == "name" }?["required"] as? Bool == true)
        #expect(
            at("paths", "/api/renders", "post", "requestBody", "required") as? Bool == true)
        #expect(at("paths", "/api/renders", "post", "responses", "201") != nil)
        #expect(at("components", "schemas", "CurveFile", "properties", "timewarp") != nil)
        #expect(
            at("components", "schemas", "StoryChangeRequest", "required") as? [String]
                == ["version"])
    }
}
