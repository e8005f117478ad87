import Documents
import Foundation
import Testing

@testable import TimeMaps

/// Times at the limits of their range.
@Suite("Hostile times")
struct HostileTimeTests {
    @Test("no map lasts longer than can be counted")
    func longest() throws {
        let far = RationalTime(9_000_000_000_000_000_000, over: 1)
        let ten = RationalTime(10, over: 1)
        let keyframes = [
            Keyframe(.seconds(.zero), speed: 1, easing: .linear),
            Keyframe(.seconds(far), speed: 0, easing: .linear),
        ]
        #expect(throws: CurveError.self) { try TimeMap(keyframes: keyframes, sourceDuration: far) }
        #expect(throws: CurveError.self) { try TimeMap.uniform(from: far, to: far) }
        #expect(throws: CurveError.self) {
            try TimeMap(
                through: [
                    TimeAnchor(source: .zero, output: .zero), TimeAnchor(source: ten, output: far),
                ], sourceDuration: ten)
        }
        #expect(throws: CurveError.self) {
            try TimeMap(warping: ten, by: BuiltInCurve.ramp.timeScale(), lasting: far)
        }
    }

    @Test(
        "no duration that people write is longer than can be counted, or its error endless",
        arguments: [
            "9223372036854775807", "9223372036854775807/1", "999999999:00:00", "10000000001s",
            String(repeating: "9", count: 1_000_000), String(repeating: "x", count: 1_000_000),
        ])
    func durations(text: String) throws {
        let error = try #require(throws: TimeError.self) { try RationalTime(parsing: text) }
        #expect(error.description.utf8.count < 300)
        #expect(throws: DocumentError.self) {
            try TimeMapDocument(
                json: Data(
                    "{\"timewarp\":\"time-map/1\",\"points\":[{\"output\":0,\"source\":1e11}]}".utf8
                ))
        }
    }

    @Test("what no initialiser makes, no file makes")
    func decoding() throws {
        let decoder = JSONDecoder()
        for text in ["{\"value\":1,\"timescale\":0}", "{\"value\":1,\"timescale\":-5}"] {
            #expect(throws: DecodingError.self) {
                try decoder.decode(RationalTime.self, from: Data(text.utf8))
            }
        }
        let range = try TimeRange(
            start: RationalTime(1, over: 3), duration: RationalTime(2, over: 5))
        let json = try JSONEncoder().encode(range)
        #expect(try decoder.decode(TimeRange.self, from: json) == range)
        let wrong = String(decoding: json, as: UTF8.self).replacing(
            "\"value\":2", with: "\"value\":3")
        #expect(throws: (any Error).self) {
            try decoder.decode(TimeRange.self, from: Data(wrong.utf8))
        }
    }
}
