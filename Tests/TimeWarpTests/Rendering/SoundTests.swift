import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// Renders clips that click and flash each second, and measures when the clicks and flashes come out.
@Suite("Warping sound")
struct WarpSoundTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var source: String
        var output: String
        var codec: AudioCodec
        var sampleRate = 48_000
        var channels = 2
        var testDescription: String {
            "\(source) \(codec.rawValue) \(sampleRate) Hz ×\(channels) to \(output)"
        }
    }

    static let cases = [
        Case(source: "mp4", output: "mp4", codec: .aac),
        Case(source: "mov", output: "mov", codec: .pcm),
        Case(source: "mkv", output: "mkv", codec: .aac),
        Case(source: "mkv", output: "mp4", codec: .pcm, sampleRate: 44_100, channels: 1),
        Case(source: "mp4", output: "mkv", codec: .aac, sampleRate: 44_100, channels: 6),
        Case(source: "mov", output: "mp4", codec: .aac, sampleRate: 44_100, channels: 1),
        Case(source: "mkv", output: "mov", codec: .flac, channels: 6),
        Case(source: "mp4", output: "mkv", codec: .opus),
        Case(source: "mkv", output: "webm", codec: .opus),
    ]

    @Test("a click lands where the map says, on its flash", arguments: cases)
    func clicksAndFlashes(c: Case) async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("in.\(c.source)")
        try TestClip {
            $0.frameCount = 120
            $0.audioCodec = c.codec
            $0.sampleRate = c.sampleRate
            $0.channelCount = c.channels
        }.write(to: source)
        try await expectClicks(in: source, to: folder.path("out.\(c.output)"), c, shift: 0)
    }

    @Test("a source whose streams start late keeps video and sound together")
    func lateStart() async throws {
        let folder = try TemporaryFolder()
        let plain = folder.path("plain.mp4")
        try TestClip { $0.frameCount = 120 }.write(to: plain)
        for container in ["mp4", "mkv", "ts"] {
            let late = folder.path("late.\(container)")
            try ReferenceTools.ffmpeg([
                "-i", plain, "-c", "copy", "-output_ts_offset", "1.4", "-muxdelay", "0", late,
            ])
            let c = Case(source: container, output: "mp4", codec: .aac)
            try await expectClicks(in: late, to: folder.path("\(container).mp4"), c, shift: 0)
        }
    }

    /// Renders along the default curve, and compares the output with the map.
    private func expectClicks(
        in source: String, to output: String, _ c: Case, shift: Double
    ) async throws {
        let clip = try Clip(
            of: MediaSource(at: source),
            warpedBy: .builtIn(.doubleSmoothstep, factor: 1.5, modifier: 0.5))
        let settings = RenderSettings {
            $0.video.rate = .fixed(FrameRate(known: 60))
            $0.video.preset = output.hasSuffix("webm") ? nil : "veryfast"
        }
        try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
        let channels = try Finding.sound(in: output, channelCount: c.channels)
        let isOpus = c.codec == .opus || output.hasSuffix("webm") || output.hasSuffix("mkv")
        let outputRate = isOpus ? 48_000 : c.sampleRate
        let expected = [1.0, 2, 3].map { clip.map.outputTime(of: $0) }
        for (number, channel) in channels.enumerated() where !(c.channels >= 6 && number == 3) {
            let clicks = Finding.clicks(in: channel, sampleRate: outputRate)
            #expect(clicks.count == 3, "channel \(number) of \(c)")
            for (click, instant) in zip(clicks, expected) {
                #expect(abs(click - instant) < 0.001, "channel \(number) of \(c): \(click)")
            }
        }
        let flashes = try flashes(in: output)
        #expect(flashes.count == 3)
        for (flash, instant) in zip(flashes, expected) {
            // Half an output frame on either side, and Matroska's millisecond.
            #expect(
                flash >= instant - 0.002 && flash - instant < 1.0 / 60 + 0.001, "\(c): \(flash)")
        }
    }

    /// When each flash begins to be visible.
    private func flashes(in path: String) throws -> [Double] {
        let shown = try Finding.shownFrames(in: path)
        let starts = shown.indices.filter {
            shown[$0].isFlash && ($0 == 0 || !shown[$0 - 1].isFlash)
        }
        return starts.map { shown[$0].seconds }
    }

    @Test("every sound track is kept, each exactly as long as the clip")
    func allTracks() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("in.mkv")
        try TestClip {
            $0.audioTrackCount = 3
            $0.audioCodec = .flac
        }.write(to: source)
        let clip = try Clip(of: MediaSource(at: source), scaled: .factor(3, over: 2))
        let plan = try RenderPlan(
            clip, to: folder.path("out.mkv"), settings: RenderSettings { $0.audio.codec = .flac })
        try await Renderer().render(plan)
        let expected = Int((clip.map.outputDuration * 48_000).rounded())
        for track in 0..<3 {
            let sound = try Finding.sound(in: plan.destination, track: track, channelCount: 2)
            #expect(sound[0].count == expected)
        }
    }

    @Test("sound keeps its bits where the codec has them", arguments: [16, 24])
    func bits(count: Int) async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("in.wav")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "sine=d=1", "-c:a", "pcm_s\(count)le", source,
        ])
        let clip = try Clip(of: MediaSource(at: source), scaled: .factor(3, over: 2))
        for codec in [AudioCodec.flac, .pcm] {
            let output = folder.path("\(codec.rawValue).mkv")
            let settings = RenderSettings { $0.audio.codec = codec }
            try await Renderer().render(RenderPlan(clip, to: output, settings: settings))
            let found = try ReferenceTools.ffprobe([
                "-show_entries", "stream=bits_per_sample,bits_per_raw_sample", output,
            ])
            #expect(found[0].split(separator: ",").contains("\(count)"), "\(codec) \(found)")
        }
    }

    @Test("channels stay in their places")
    func channelOrder() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("in.mkv")
        let test = TestClip {
            $0.videoCodec = nil
            $0.audioCodec = .flac
            $0.channelCount = 6
            $0.frameCount = 30
        }
        try test.write(to: source)
        let clip = try Clip(of: MediaSource(at: source), scaled: .factor(1, over: 1))
        let plan = try RenderPlan(
            clip, to: folder.path("out.mkv"), settings: RenderSettings { $0.audio.codec = .flac })
        try await Renderer().render(plan)
        let before = try test.scene.sound(from: 0, count: 24_000)
        let after = try Finding.sound(in: plan.destination, channelCount: 6)
        for channel in 0..<6 {
            let difference = zip(before[channel], after[channel]).map { abs($0 - $1) }.max() ?? 1
            // 16 bits on either side.
            #expect(difference < 1e-4, "channel \(channel)")
        }
    }

    @Test("sound alone goes to every audio format with its exact length")
    func audioFormats() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("in.wav")
        try TestClip {
            $0.videoCodec = nil
            $0.audioCodec = .pcm
        }.write(to: source)
        let clip = try Clip(of: MediaSource(at: source), scaled: .factor(5, over: 4))
        for container in Container.allCases where container.isAudioOnly {
            let ending = container.rawValue
            let plan = try RenderPlan(clip, to: folder.path("out.\(ending)"))
            let report = try await Renderer().render(plan)
            let heard = try Finding.sound(in: plan.destination, channelCount: 2)[0]
            let clicks = Finding.clicks(in: heard, sampleRate: 48_000)
            #expect(clicks.count == 1, "\(ending)")
            #expect(abs((clicks.first ?? 0) - 1.25) < 0.001, "\(ending)")
            #expect(abs(report.durationErrorSeconds) < 0.022, "\(ending)")
        }
    }
}
