import Foundation
import TestSupport
import Testing
import TimeMaps

@testable import Alignment

@Suite("Two recordings of one event")
struct DriftEstimatorTests {
    /// Seconds. The bound for clean sound, which is usually found to within some nanoseconds to a microsecond.
    private static let clean = 0.0001
    /// Seconds. The bound for sound that isn't clean: far less than lip sync needs.
    private static let fair = 0.001

    @Test("44.1 kHz at +145 ppm lies on 48 kHz to a tenth of a millisecond")
    func commonRates() throws {
        let event = try Fixtures.event(.noise)
        let reference = Fixtures.take(of: event, sampleRate: 48000, from: 1, seconds: 70)
        let recording = Fixtures.take(
            of: event, sampleRate: 44100, from: 3.3, seconds: 60, ppm: 145)
        let found = try align(recording, to: reference)
        #expect(largestError(of: found, recording, reference) < Self.clean)
        #expect(abs(found.offsetSeconds - 2.3) < Self.clean)
        // An error of 0.1 ms over a minute.
        #expect(abs(found.ppm - 145) < 1.7)
        #expect(found.lines.count == 1)
        #expect(found.windowsMatched * 10 > found.windowCount * 9)
    }

    @Test("a clock is followed whatever the sound", arguments: SyntheticEvent.Kind.allCases)
    func kinds(_ kind: SyntheticEvent.Kind) throws {
        let event = try Fixtures.event(kind)
        let reference = Fixtures.take(of: event, from: 1, seconds: 100)
        for ppm in [145.0, -145] {
            let recording = Fixtures.take(
                of: event, sampleRate: 11025, from: 3.3, seconds: 90, ppm: ppm)
            let found = try align(recording, to: reference)
            #expect(largestError(of: found, recording, reference) < Self.clean, "\(ppm)")
            #expect(found.lines.count == 1, "\(ppm): \(found.lines)")
        }
    }

    @Test(
        "another microphone is followed to a millisecond", arguments: SyntheticEvent.Kind.allCases)
    func anotherMicrophone(_ kind: SyntheticEvent.Kind) throws {
        let event = try Fixtures.event(kind)
        let reference = Fixtures.take(of: event, from: 1, seconds: 100)
        let recording = Fixtures.take(of: event, from: 3.3, seconds: 90, ppm: -145)
            .throughAnotherMicrophone(seed: 5)
        let found = try align(recording, to: reference)
        #expect(largestError(of: found, recording, reference) < Self.fair)
        #expect(found.lines.count == 1, "\(found.lines)")
    }

    @Test("a clock that changes twice gives three lines", arguments: SyntheticEvent.Kind.allCases)
    func threePieces(_ kind: SyntheticEvent.Kind) throws {
        let event = try Fixtures.event(kind)
        let reference = Fixtures.take(of: event, from: 1, seconds: 100)
        let recording = Take(
            of: event, sampleRate: 16000, seconds: 96,
            clock: ClockPiece.following(from: 3.3, [(32, 145), (32, -80), (32, 30)]))
        let found = try align(recording, to: reference)
        #expect(found.lines.count == 3, "\(found.lines)")
        #expect(largestError(of: found, recording, reference, apartFrom: [32, 64]) < Self.clean)
        #expect(found.windows.count >= found.windowsMatched)
        #expect(found.windows.map(\.time) == found.windows.map(\.time).sorted())
        for window in found.windows {
            // A window around a break has two speeds.
            let distance = window.referenceTime - found.referenceTime(of: window.time)
            #expect(abs(distance) < Self.fair, "\(window)")
        }
        // The bound holds even at the breaks: the crossing of two lines is more precise than a single window.
        #expect(largestError(of: found, recording, reference) < Self.fair)
    }

    @Test("the largest ratio is followed", arguments: [3000.0, -3000])
    func largestRatio(_ ppm: Double) throws {
        let event = try Fixtures.event(.speech)
        let reference = Fixtures.take(of: event, sampleRate: 8000, from: 5, seconds: 100)
        let recording = Fixtures.take(of: event, sampleRate: 8000, from: 20, seconds: 80, ppm: ppm)
        let found = try align(recording, to: reference)
        #expect(largestError(of: found, recording, reference) < Self.clean)
    }

    @Test("a fifth of other sound changes nothing", arguments: SyntheticEvent.Kind.allCases)
    func otherSoundBetween(_ kind: SyntheticEvent.Kind) throws {
        let event = try Fixtures.event(kind)
        let other = Fixtures.take(
            of: try Fixtures.otherEvent(kind), sampleRate: 8000, from: 1, seconds: 20)
        let reference = Fixtures.take(of: event, sampleRate: 8000, from: 1, seconds: 90)
        var recording = Fixtures.take(
            of: event, sampleRate: 8000, from: 3.3, seconds: 80, ppm: 145)
        for start in stride(from: 4.0, to: 80, by: 20) {
            recording = recording.replaced(start..<(start + 4), by: other)
        }
        let found = try align(recording, to: reference)
        #expect(largestError(of: found, recording, reference) < Self.clean)
        #expect(found.lines.count == 1, "\(found.lines)")
    }

    @Test("twenty shared seconds are enough, whichever starts first")
    func partialOverlap() throws {
        for kind in SyntheticEvent.Kind.allCases {
            let event = try Fixtures.event(kind)
            let early = Fixtures.take(of: event, sampleRate: 8000, from: 1, seconds: 70, ppm: 60)
            let late = Fixtures.take(of: event, sampleRate: 8000, from: 51, seconds: 70)
            let found = try align(late, to: early)
            #expect(largestError(of: found, late, early) < Self.fair, "\(kind)")
            let reverse = try align(early, to: late)
            #expect(largestError(of: reverse, early, late) < Self.fair, "\(kind)")
            #expect(reverse.lines[0].referenceStart >= -1e-9)
        }
    }

    @Test("a short piece is found within a long recording, both ways")
    func contained() throws {
        let event = try Fixtures.event(.speech)
        let long = Fixtures.take(of: event, from: 1, seconds: 120)
        let short = Fixtures.take(of: event, from: 77, seconds: 12, ppm: -40)
        let found = try align(short, to: long)
        #expect(largestError(of: found, short, long) < Self.clean)
        let reverse = try align(long, to: short)
        let line = reverse.lines[0]
        #expect(abs(line.start - 76) < Self.clean)
        #expect(abs(line.referenceStart) < Self.clean)
    }

    @Test("sound lost in the middle shows as a jump", arguments: [0.25, -0.25])
    func jump(_ seconds: Double) throws {
        for kind in SyntheticEvent.Kind.allCases {
            let event = try Fixtures.event(kind)
            let reference = Fixtures.take(of: event, sampleRate: 8000, from: 1, seconds: 90)
            let recording = Take(
                of: event, sampleRate: 8000, seconds: 80,
                clock: [
                    ClockPiece(start: 0, eventStart: 3, slope: 1),
                    ClockPiece(start: 45, eventStart: 48 + seconds, slope: 1),
                ])
            let found = try align(recording, to: reference)
            #expect(found.lines.count == 3, "\(kind) \(found.lines)")
            let error = largestError(of: found, recording, reference, apartFrom: [45], margin: 3)
            #expect(error < Self.clean, "\(kind)")
        }
    }

    @Test("lines end where the sound no longer matches")
    func jumpNearTheEnd() throws {
        let event = try Fixtures.event(.noise)
        let reference = Fixtures.take(of: event, sampleRate: 8000, from: 1, seconds: 70)
        let recording = Take(
            of: event, sampleRate: 8000, seconds: 60,
            clock: [
                ClockPiece(start: 0, eventStart: 3, slope: 1),
                ClockPiece(start: 52, eventStart: 55.8, slope: 1),
            ])
        let found = try align(recording, to: reference)
        let end = try #require(found.lines.last?.end)
        for time in stride(from: 0, to: end, by: 0.5) where abs(time - 52) > 3 {
            let truth = reference.time(ofEvent: recording.eventTime(of: time))
            #expect(abs(found.referenceTime(of: time) - truth) < Self.clean, "at \(time)")
        }
    }

    @Test("any clock within the bounds is followed")
    func anyClock() throws {
        for seed in UInt64(1)...6 {
            var generator = SplitMix64(seed: seed)
            let event = try Fixtures.event(.noise)
            let start = 2 + 40 * Double(generator.unit())
            let ppm = 4000 * Double(generator.unit()) - 2000
            let rate = [8000.0, 12000, 22050][Int(generator.unit() * 3)]
            let reference = Fixtures.take(
                of: event, sampleRate: 8000, from: 40 * Double(generator.unit()) + 1, seconds: 60)
            let recording = Fixtures.take(
                of: event, sampleRate: rate, from: start, seconds: 60, ppm: ppm)
            let found = try align(recording, to: reference)
            let error = largestError(of: found, recording, reference)
            #expect(error < Self.fair, "seed \(seed)")
        }
    }
}
