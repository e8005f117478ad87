import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// Dissolves, fades and gains of rendered compositions, checked with independent programs.
@Suite("Dissolves and gain")
struct DissolveTests {
    /// Clips of two seconds at 30 frames a second that are evenly grey, with a tone each.
    private struct Clips {
        let folder: TemporaryFolder
        let dark: String
        let light: String
        static let (darkLevel, lightLevel) = (40.0, 200.0)

        init() throws {
            folder = try TemporaryFolder()
            dark = folder.path("dark.mkv")
            light = folder.path("light.mkv")
            try Self.make(dark, level: Int(Self.darkLevel), hertz: 400)
            try Self.make(light, level: Int(Self.lightLevel), hertz: 1000)
        }

        private static func make(_ path: String, level: Int, hertz: Int) throws {
            try ReferenceTools.ffmpeg([
                "-f", "lavfi", "-i", "nullsrc=s=160x120:r=30:d=2,format=gray,lutyuv=y=\(level)",
                "-f", "lavfi", "-i", "aevalsrc=0.5*sin(2*PI*\(hertz)*t):s=48000:d=2",
                "-c:v", "ffv1", "-c:a", "pcm_f32le", path,
            ])
        }

        func segment(
            _ path: String, _ start: Double, _ end: Double, _ blending: Blending = .none,
            lasting: Double? = nil
        ) throws -> Segment {
            let time = { try RationalTime(seconds: $0, timescale: 1000, rounding: .nearest) }
            return try Segment(
                PlacedClip(path, range: TimeRange(start: time(start), end: time(end))),
                lasting: lasting.map(time), blending: blending)
        }

        /// A second of dissolve between the two; three seconds in all.
        func dissolve() throws -> Composition {
            try Composition(tracks: [
                Track(segments: [
                    segment(dark, 0, 1.5),
                    segment(light, 0.5, 2, Blending(dissolve: .seconds(1))),
                ])
            ])
        }
    }

    private func render(
        _ plan: (String, RenderSettings) throws -> RenderPlan, in folder: TemporaryFolder
    )
        async throws -> String
    {
        let path = folder.path("\(UUID().uuidString).mkv")
        let settings = RenderSettings {
            $0.video.codec = .ffv1
            $0.audio.codec = .pcm
        }
        try await Renderer().render(try plan(path, settings))
        return path
    }

    private func render(_ composition: Composition, in folder: TemporaryFolder) async throws
        -> String
    {
        try await render({ try RenderPlan(composition, to: $0, settings: $1) }, in: folder)
    }

    private func levels(_ path: String) throws -> [Double] {
        try Finding.shownFrames(in: path).map(\.brightness)
    }

    /// The amplitude of a tone in a window of sound.
    private func amplitude(_ hertz: Double, _ samples: [Float], _ window: Range<Int>) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for index in window {
            let angle = 2 * .pi * hertz * Double(index) / 48_000
            real += Double(samples[index]) * cos(angle)
            imaginary += Double(samples[index]) * sin(angle)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(window.count)
    }

    /// Levels are rounded to 8 bits of limited range, and then to those of full range. A frame's step is 5.3.
    private static let rounding = 1.5

    /// The level that a mix of the two clips has.
    private func mixed(_ share: Double) -> Double {
        Clips.darkLevel + share * (Clips.lightLevel - Clips.darkLevel)
    }

    @Test("a dissolve mixes evenly, half before the cut and half after")
    func picture() async throws {
        let clips = try Clips()
        let shown = try levels(try await render(clips.dissolve(), in: clips.folder))
        #expect(shown.count == 90)
        for (frame, level) in shown.enumerated() {
            let share = min(max((Double(frame) + 0.5 - 30) / 30, 0), 1)
            #expect(abs(level - mixed(share)) <= Self.rounding, "frame \(frame)")
        }
    }

    @Test("backwards, and along a curve, it is what it was at that time")
    func retimed() async throws {
        let clips = try Clips()
        let source = try MediaSource(clips.dissolve())
        for clip in [
            try Clip(reversing: source), try Clip(of: source, scaled: .factor(1, over: 2)),
            try Clip(of: source, warpedBy: .builtIn(.ramp, factor: 2, modifier: 0.5)),
        ] {
            let path = try await render(
                { try RenderPlan(clip, to: $0, settings: $1) }, in: clips.folder)
            for (frame, level) in try levels(path).enumerated() {
                let time = clip.map.sourceTime(at: (Double(frame) + 0.5) / 30)
                let share = min(max(time - 1, 0), 1)
                #expect(abs(level - mixed(share)) <= Self.rounding, "frame \(frame)")
            }
        }
    }

    @Test("the sound goes over with even power, and its gain follows keyframes in decibels")
    func sound() async throws {
        let clips = try Clips()
        let path = try await render(clips.dissolve(), in: clips.folder)
        let sound = try Finding.sound(in: path, channelCount: 1)[0]
        #expect(sound.count == 144_000)
        for (second, share) in [(0.5, 0.0), (1.25, 0.25), (1.5, 0.5), (1.75, 0.75), (2.5, 1)] {
            // A window of 20 ms, in which the fade is nearly even.
            let middle = Int(second * 48_000)
            let window = middle - 480..<middle + 480
            let (low, high) = (amplitude(400, sound, window), amplitude(1000, sound, window))
            #expect(abs(low - 0.5 * cos(share * .pi / 2)) < 0.002, "\(second) s")
            #expect(abs(high - 0.5 * sin(share * .pi / 2)) < 0.002, "\(second) s")
        }
        let gain = try Gain([(at: .seconds(0), decibels: -6), (at: .seconds(2), decibels: -26)])
        let loud = try await render(
            Composition(tracks: [
                Track(segments: [clips.segment(clips.dark, 0, 2, Blending(gain: gain))])
            ]), in: clips.folder)
        let softer = try Finding.sound(in: loud, channelCount: 1)[0]
        for second in [0.1, 1, 1.9] {
            let middle = Int(second * 48_000)
            let decibels = 20 * log10(amplitude(400, softer, middle - 240..<middle + 240) / 0.5)
            #expect(abs(decibels - (-6 - 10 * second)) < 0.02, "\(second) s")
        }
    }

    @Test("fades come from black and go to what lies below")
    func fades() async throws {
        let clips = try Clips()
        let below = try Track(
            carries: .video,
            segments: [
                .gap(lasting: .seconds(1)), clips.segment(clips.light, 0, 1),
            ])
        let above = try Track(segments: [
            clips.segment(
                clips.dark, 0, 2, Blending(dissolve: .seconds(1), fadeOut: .milliseconds(500)))
        ])
        let path = try await render(Composition(tracks: [below, above]), in: clips.folder)
        let shown = try levels(path)
        #expect(shown.count == 60)
        // Grey's black is 0 here.
        for frame in 0..<30 {
            let level = Clips.darkLevel * (Double(frame) + 0.5) / 30
            #expect(abs(shown[frame] - level) <= Self.rounding)
        }
        for frame in 45..<60 {
            #expect(abs(shown[frame] - mixed((Double(frame) - 44.5) / 15)) <= Self.rounding)
        }
        let sound = try Finding.sound(in: path, channelCount: 1)[0]
        #expect(sound.prefix(5).allSatisfy { abs($0) < 1e-4 })
        #expect(sound.suffix(5).allSatisfy { abs($0) < 2e-4 })
    }

    @Test("a nested composition fades as a whole")
    func nested() throws {
        // In a group at half opacity, one of two opaque frames hides the other.
        let range = try TimeRange(start: .zero, end: .seconds(2))
        let item = DissolveLane.Item(
            segment: try Segment(PlacedClip("a.mp4", range: range)), segmentStart: .zero,
            range: range, fades: [DissolveLane.Fade(zero: 0, one: 2, isSeen: true)])
        let clock = Envelope.Clock(map: nil, outputStart: 0, trackStart: 0)
        let outer = try #require(Envelope(item, clock, group: 1))
        let inner = try #require(Envelope(item, clock, group: 2))
        #expect(Opacities.weights(of: [[], [outer], [outer]], at: 1) == [0.5, 0, 0.5])
        #expect(Opacities.weights(of: [[], [outer], [outer, inner]], at: 1) == [0.5, 0.25, 0.25])
        #expect(Opacities.weights(of: [[outer], [inner]], at: 1) == [0.25, 0.5])
    }

    @Test("several jobs and a variable rate make the same mixes")
    func jobs() async throws {
        let clips = try Clips()
        let composition = try clips.dissolve()
        let whole = try await render(composition, in: clips.folder)
        let parts = try await render(
            {
                try RenderPlan(
                    composition, to: $0, settings: RenderSettings($1) { $0.resources.jobs = 3 })
            }, in: clips.folder)
        #expect(try Finding.frameChecksums(in: whole) == Finding.frameChecksums(in: parts))
        let variable = try await render(
            {
                try RenderPlan(
                    composition, to: $0, settings: RenderSettings($1) { $0.video.rate = .any })
            }, in: clips.folder)
        let shown = try Finding.shownFrames(in: variable)
        for (frame, next) in zip(shown, shown.dropFirst()) {
            let middle = (frame.seconds + next.seconds) / 2
            #expect(abs(frame.brightness - mixed(min(max(middle - 1, 0), 1))) <= Self.rounding)
        }
    }

    @Test("a clip that is cut in its dissolve dissolves as before")
    func cut() async throws {
        let clips = try Clips()
        var composition = try clips.dissolve()
        let whole = try await render(composition, in: clips.folder)
        for place in [1.3, 1.6, 1.9] {
            try composition.tracks[0].split(
                at: RationalTime(seconds: place, timescale: 10, rounding: .nearest))
        }
        #expect(composition.tracks[0].segments.count == 5)
        let cut = try await render(composition, in: clips.folder)
        #expect(try Finding.frameChecksums(in: whole) == Finding.frameChecksums(in: cut))
        #expect(
            try Finding.sound(in: whole, channelCount: 1)
                == Finding.sound(in: cut, channelCount: 1))
    }

    @Test("what a dissolve takes beyond a clip's cut goes on along its curve")
    func handles() throws {
        let clips = try Clips()
        let curve = Retiming.curve(.builtIn(.ramp, factor: 4))
        let range = try TimeRange(start: .zero, end: .seconds(2))
        let lasts = try curve.duration(of: range)
        let whole = try Segment(PlacedClip(clips.light, range: range, retiming: curve))
        // Half of the dissolve is all that the clip has before its cut.
        let part = try TimeRange(start: RationalTime(1, over: 2), end: lasts)
        let composition = try Composition(tracks: [
            Track(segments: [
                clips.segment(clips.dark, 0, 1.5),
                Segment(
                    PlacedClip(clips.light, range: range, retiming: curve, window: part),
                    blending: Blending(dissolve: .seconds(1))),
            ])
        ])
        let source = try MediaSource(composition)
        var flattening = Flattening(for: .pictures)
        let layers = try flattening.layers(
            of: source,
            Flattening.Part(
                range: TimeRange(start: .zero, duration: composition.duration), map: nil,
                start: .zero))
        let incoming = try #require(layers.joined().first { $0.asset.path == clips.light })
        #expect(incoming.range.start == .seconds(1))
        let along = try whole.timeMap()
        for tenths in 0...10 {
            let time = Double(tenths) / 10
            let shown = incoming.start.seconds + incoming.map.sourceTime(at: time)
            #expect(abs(shown - along.sourceTime(at: time)) < 1e-6)
        }
    }

    @Test("without handles, or with fades that overlap, an error says what is missing")
    func refused() throws {
        let clips = try Clips()
        func refusal(_ segments: [Segment]) -> String {
            do {
                _ = try RenderPlan(
                    Composition(tracks: [try Track(segments: segments)]),
                    to: clips.folder.path("x.mkv"))
                return ""
            } catch {
                return "\(error)"
            }
        }
        let second = Blending(dissolve: .seconds(1))
        #expect(
            try refusal([
                clips.segment(clips.dark, 0, 2), clips.segment(clips.light, 0.5, 2, second),
            ])
            .contains("dark.mkv from 0.0 s to 2.5 s, and it lasts from 0 s to 2.0 s"))
        #expect(
            try refusal([
                clips.segment(clips.dark, 0, 1), clips.segment(clips.light, 0.5, 0.9, second),
            ]).contains("shorter than the fades"))
    }
}
