import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Composed sound")
struct ComposedSoundTests {
    private func tone(_ hertz: Double, seconds: Double, rate: Int, to path: String) throws {
        let samples = (0..<Int(seconds * Double(rate))).map {
            Float(0.5 * sin(2 * .pi * hertz * Double($0) / Double(rate)))
        }
        try ReferenceTools.writeSound([samples], sampleRate: rate, to: path)
    }

    private func composed(
        _ segments: [Segment], crossfade: RationalTime = Composition.Format.usualCrossfade,
        channels: String? = nil, in folder: TemporaryFolder
    ) async throws -> [[Float]] {
        let output = folder.path("out-\(UUID().uuidString).wav")
        var composition = Composition(tracks: [try Track(segments: segments)])
        composition.format.crossfade = crossfade
        composition.format.channels = channels
        let plan = try RenderPlan(composition, to: output)
        try await Renderer().render(plan)
        return try Finding.sound(
            in: output, channelCount: plan.audio.first?.format.channelCount ?? 1)
    }

    private func segment(
        _ path: String, _ start: RationalTime, _ end: RationalTime, _ retiming: Retiming = .uniform
    ) throws -> Segment {
        try Segment(
            PlacedClip(path, range: TimeRange(start: start, end: end), retiming: retiming))
    }

    /// The largest second difference. It is tiny for a smooth wave, and as large as the step at a step.
    private func largestBend(_ samples: [Float]) -> Float {
        zip(zip(samples, samples.dropFirst()), samples.dropFirst(2)).reduce(0) {
            max($0, abs($1.0.0 - 2 * $1.0.1 + $1.1))
        }
    }

    @Test("a clip cut in two and put together again sounds as it did, bit for bit")
    func cutAndJoined() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("tone.wav")
        try tone(440, seconds: 3, rate: 48_000, to: source)
        // One cut on a sample, and one between two samples.
        for cut in [RationalTime(1, over: 1), RationalTime(100_001, over: 90_000)] {
            let end = RationalTime(3, over: 1)
            let joined = try await composed(
                [segment(source, .zero, cut), segment(source, cut, end)], in: folder)
            let whole = try await composed([segment(source, .zero, end)], in: folder)
            #expect(joined[0].count == 144_000)
            let off = zip(joined[0], whole[0]).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
            // The sum of two crossfaded shares may round once.
            #expect(off <= 1.2e-7, "cut at \(cut)")
        }
    }

    @Test("nothing clicks at cuts: between strangers, into gaps, backwards, and where a file ends")
    func noClicks() async throws {
        let folder = try TemporaryFolder()
        let (a, b) = (folder.path("a.wav"), folder.path("b.wav"))
        try tone(440, seconds: 3.001, rate: 48_000, to: a)
        try tone(317, seconds: 2.0013, rate: 44_100, to: b)
        let segments = [
            try segment(a, .zero, RationalTime(100_007, over: 90_000)),
            try segment(b, RationalTime(1, over: 3), RationalTime(20_013, over: 10_000)),
            try segment(a, RationalTime(7, over: 5), RationalTime(3001, over: 1000)),
            try Segment.gap(lasting: RationalTime(1, over: 3)),
            try segment(b, .zero, RationalTime(1, over: 1), .reversed),
            try segment(a, RationalTime(2, over: 1), RationalTime(3, over: 1)),
        ]
        let faded = try await composed(segments, in: folder)
        // The second difference of 440 Hz at half of full scale is 0.0017; fades of 5 ms add as much again.
        #expect(largestBend(faded[0]) < 0.005)
        let sharp = try await composed(segments, crossfade: .zero, in: folder)
        // Without fades there are steps.
        #expect(largestBend(sharp[0]) > 0.1)
        let expected = segments.reduce(0.0) { $0 + $1.duration.seconds } * 48_000
        #expect(abs(Double(faded[0].count) - expected) <= 0.5)
    }

    @Test("sound of any layout and rate becomes that of the first, as loud as is usual")
    func layouts() async throws {
        let folder = try TemporaryFolder()
        let (stereo, mono, surround) = (
            folder.path("stereo.wav"), folder.path("mono.wav"), folder.path("surround.wav")
        )
        let level = [Float](repeating: 0.25, count: 48_000)
        let silence = [Float](repeating: 0, count: 48_000)
        try ReferenceTools.writeSound([level, level.map { -$0 }], sampleRate: 48_000, to: stereo)
        try ReferenceTools.writeSound([level], sampleRate: 48_000, to: mono)
        // FL FR FC LFE BL BR
        try ReferenceTools.writeSound(
            [level, silence, level, silence, silence, level], sampleRate: 48_000, to: surround)
        let second = RationalTime(1, over: 1)
        let sound = try await composed(
            [
                segment(stereo, .zero, second), segment(mono, .zero, second),
                segment(surround, .zero, second),
            ], in: folder)
        #expect(sound.count == 2)
        #expect(sound[0][24_000] == 0.25 && sound[1][24_000] == -0.25)
        #expect(abs(sound[0][72_000] - 0.25) < 1e-6 && abs(sound[1][72_000] - 0.25) < 1e-6)
        // ITU-R BS.775: sides plus 0.7071 of centre and surround, scaled so that the gains add up to at most 1.
        let scale = 1 / (1 + 2 * Float(0.5).squareRoot())
        #expect(abs(sound[0][120_000] - 0.25 * (1 + Float(0.5).squareRoot()) * scale) < 1e-5)
        #expect(abs(sound[1][120_000] - 0.25 * 2 * Float(0.5).squareRoot() * scale) < 1e-5)
    }

    @Test("tracks that sound together are added up, and a freeze is silent")
    func mixing() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("level.wav")
        try ReferenceTools.writeSound(
            [[Float](repeating: 0.25, count: 96_000)], sampleRate: 48_000, to: source)
        let second = RationalTime(1, over: 1)
        let lower = try Track(segments: [
            segment(source, .zero, second),
            Segment(
                PlacedClip(
                    source, range: TimeRange(start: .zero, end: second),
                    retiming: .frozen(at: RationalTime(1, over: 2)))),
        ])
        let upper = try Track(
            carries: .sound,
            segments: [.gap(lasting: RationalTime(1, over: 2)), segment(source, .zero, second)])
        let output = folder.path("out.wav")
        let plan = try RenderPlan(Composition(tracks: [lower, upper]), to: output)
        try await Renderer().render(plan)
        let sound = try Finding.sound(in: output, channelCount: 1)[0]
        #expect(sound.count == 96_000)
        #expect(sound[12_000] == 0.25)
        #expect(sound[36_000] == 0.5)
        #expect(sound[60_000] == 0.25)
        #expect(sound[84_000] == 0)
    }

    @Test("fades that meet add up to one")
    func fadesMeet() {
        let cut = SegmentFades(rise: 0..<0, fall: 96.3..<336.3)
        let next = SegmentFades(rise: 96.3..<336.3, fall: 0..<0)
        var (out, into) = ([[Float](repeating: 1, count: 400)], [[Float](repeating: 1, count: 400)])
        cut.apply(to: &out, first: 0)
        next.apply(to: &into, first: 0)
        for index in 97..<336 {
            #expect(abs(out[0][index] + into[0][index] - 1) < 1e-6)
        }
        #expect(out[0][96] == 1)
    }
}
