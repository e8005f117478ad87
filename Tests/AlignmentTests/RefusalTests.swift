import Foundation
import Testing

@testable import Alignment

@Suite("What can't be laid over each other is refused")
struct RefusalTests {
    private struct Stopped: Error {}

    @Test("different events are refused")
    func differentEvents() throws {
        for kind in SyntheticEvent.Kind.allCases {
            let recording = Fixtures.take(
                of: try Fixtures.event(kind), sampleRate: 8000, from: 1, seconds: 40)
            for otherKind in SyntheticEvent.Kind.allCases {
                let other = Fixtures.take(
                    of: try Fixtures.otherEvent(otherKind), sampleRate: 8000, from: 1, seconds: 40)
                let code = try refusal(of: recording, to: other)
                #expect(code == .unrelated, "\(kind) and \(otherKind)")
            }
        }
    }

    @Test("silence is refused")
    func silence() throws {
        let sound = Fixtures.take(of: try Fixtures.event(.noise), from: 1, seconds: 20)
        var silent = sound
        silent.values = [Float](repeating: 0, count: sound.values.count)
        #expect(try refusal(of: silent, to: sound) == .silent)
        #expect(try refusal(of: sound, to: silent) == .silent)
    }

    @Test("what is too short is refused, and nothing at all too")
    func tooShort() throws {
        let sound = Fixtures.take(of: try Fixtures.event(.noise), from: 1, seconds: 20)
        let short = Fixtures.take(of: try Fixtures.event(.noise), from: 1, seconds: 2)
        #expect(try refusal(of: short, to: sound) == .tooShort)
        var empty = short
        empty.values = []
        #expect(try refusal(of: sound, to: empty) == .tooShort)
    }

    @Test("rates out of bounds are refused")
    func rates() throws {
        let sound = Fixtures.take(of: try Fixtures.event(.noise), from: 1, seconds: 8)
        for rate in [0, 7999, 192_001, Double.nan] {
            let odd = MonoSound(sampleRate: rate, open: sound.sound.open)
            #expect {
                try DriftEstimator().align(odd, to: sound.sound, checkCancelled: {})
            } throws: {
                ($0 as? AlignmentError)?.code == .unsupportedRate
            }
        }
    }

    @Test("sound that repeats itself is refused, short period or long", arguments: [0.02, 1, 7])
    func repetition(_ period: Double) throws {
        let noise = try Fixtures.event(.noise)
        let count = Int(period * SyntheticEvent.rate)
        let loop = noise.values[0..<count]
        let times = Int(40 / period)
        let event = SyntheticEvent(values: (0..<times).flatMap { _ in loop })
        let reference = Fixtures.take(of: event, sampleRate: 8000, from: 0.1, seconds: 38)
        let recording = Fixtures.take(of: event, sampleRate: 8000, from: 3.3, seconds: 30)
        let code = try refusal(of: recording, to: reference)
        #expect(code == .ambiguous || code == .unrelated, "\(period)")
    }

    @Test("samples that are no numbers do no harm")
    func notNumbers() throws {
        let event = try Fixtures.event(.noise)
        let reference = Fixtures.take(of: event, sampleRate: 8000, from: 1, seconds: 40)
        var recording = Fixtures.take(of: event, sampleRate: 8000, from: 2, seconds: 30)
        recording.values[100_000] = .nan
        recording.values[180_000] = .infinity
        let found = try align(recording, to: reference)
        // Clean sound except for two samples: the error stays far below a tenth of a millisecond.
        #expect(largestError(of: found, recording, reference) < 0.0001)
    }

    @Test("what reading or the caller throws comes through")
    func errorsComeThrough() throws {
        let sound = Fixtures.take(of: try Fixtures.event(.noise), from: 1, seconds: 8).sound
        let broken = MonoSound(sampleRate: 16000) { throw Stopped() }
        #expect(throws: Stopped.self) {
            try DriftEstimator().align(sound, to: broken, checkCancelled: {})
        }
        #expect(throws: Stopped.self) {
            try DriftEstimator().align(sound, to: sound, checkCancelled: { throw Stopped() })
        }
    }
}
