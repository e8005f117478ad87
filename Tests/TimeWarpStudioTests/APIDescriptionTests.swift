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
}
