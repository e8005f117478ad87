import Foundation
import TestSupport
import Testing

@testable import TimeWarpStudio

@Suite("What the studio says of smart rendering")
struct KeepingTests {
    @Test("what smart rendering keeps is said without the path of the clip")
    func keeping() async throws {
        let folder = try TemporaryFolder()
        try await RunningStudio.run(in: folder) { studio in
            let sample = try await studio.sample()
            let whole = try await studio.ask(
                "POST", "/api/keeping",
                json: PageRequest(
                    media: sample, segment: ["scale": 1], output: ["path": "made.mp4"]
                ).json)
            #expect(whole["kept"] == 10.0)
            #expect(whole["encoded"] == 0.0)
            let other = try await studio.ask(
                "POST", "/api/keeping",
                json: PageRequest(
                    media: sample, segment: ["scale": 1], output: ["path": "made.webm"]
                ).json)
            #expect(other["kept"] == 0.0)
            let reason: String = other["reason"] ?? ""
            #expect(!reason.isEmpty && !reason.contains("/"))
        }
    }
}
