import Foundation
import Media
import TestSupport
import Testing

@testable import TimeWarp

/// Codecs begin with some samples that aren't sound. Each codec is tested by a click in each second.
@Suite("Where the sound of each codec begins")
struct SoundDelayTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var sampleRate = 48_000
        var options: [String] = []
        /// How late the sound is by what an encoder adds and no part of the file states, in seconds.
        var unstated = 0.0
        var testDescription: String { name }
    }

    static let cases = [
        // LAME's header states the delay of encoder and decoder. At 24 kHz and less a packet is shorter than that.
        Case(name: "48.mp3"), Case(name: "24.mp3", sampleRate: 24_000),
        Case(name: "16.mp3", sampleRate: 16_000), Case(name: "8.mp3", sampleRate: 8000),
        Case(
            name: "no-header.mp3", sampleRate: 16_000, options: ["-write_xing", "0"],
            unstated: 1105.0 / 16_000),
        Case(name: "mp3.mp4", options: ["-c:a", "libmp3lame"]),
        Case(name: "mp3.avi", options: ["-c:a", "libmp3lame"], unstated: 1105.0 / 48_000),
        Case(name: "aac.m4a"), Case(name: "aac.aac", unstated: 1024.0 / 48_000),
        Case(name: "aac.ts", options: ["-c:a", "aac"], unstated: 1024.0 / 48_000),
        Case(name: "opus.opus"), Case(name: "opus.webm"),
        Case(name: "opus.mp4", options: ["-c:a", "libopus"]),
        Case(name: "opus.ts", options: ["-c:a", "libopus"], unstated: 312.0 / 48_000),
        // libav gives a block of another length in a page of Ogg the wrong time: where the click is.
        Case(name: "vorbis.ogg", options: ["-c:a", "libvorbis"]),
        Case(name: "vorbis.mkv", options: ["-c:a", "libvorbis"]),
        Case(name: "vorbis.mp4", options: ["-c:a", "libvorbis"]),
        Case(
            name: "speex.ogg", sampleRate: 16_000, options: ["-c:a", "libspeex"],
            unstated: 81.0 / 16_000),
        Case(name: "1.wma", options: ["-c:a", "wmav1"]), Case(name: "2.wma"),
        Case(name: "1-32.wma", sampleRate: 32_000, options: ["-c:a", "wmav1"]),
        Case(name: "2-32.wma", sampleRate: 32_000), Case(name: "2-22.wma", sampleRate: 22_050),
        Case(name: "wma.avi", options: ["-c:a", "wmav2"]),
        Case(name: "wma.mkv", options: ["-c:a", "wmav2"]),
        Case(name: "mp2.mp2", unstated: 481.0 / 48_000),
        Case(name: "ac3.ac3", unstated: 256.0 / 48_000),
        Case(name: "ac3.mp4", options: ["-c:a", "ac3"]),
        Case(name: "dts.dts", options: ["-ac", "2"], unstated: 512.0 / 48_000),
        Case(name: "flac.flac"), Case(name: "wavpack.wv"),
        // No packet of WavPack in Matroska says how long it lasts.
        Case(name: "wavpack.mkv", options: ["-c:a", "wavpack"]),
        Case(name: "tta.tta"), Case(name: "alac.m4a", options: ["-c:a", "alac"]),
        Case(name: "adpcm.wav", options: ["-c:a", "adpcm_ima_wav"]),
        Case(name: "alaw.wav", sampleRate: 8000, options: ["-c:a", "pcm_alaw"]),
    ]

    private static let seconds = 2
    private static let clicks = (0..<seconds).map { Double($0) + 0.5 }

    /// Two seconds with a click of 2 ms in the middle of each.
    private func write(_ c: Case, to path: String) throws {
        let folder = try TemporaryFolder()
        let wave = folder.path("clicks.wav")
        var sound = [Float](repeating: 0, count: Self.seconds * c.sampleRate)
        let reach = c.sampleRate / 1000
        for click in Self.clicks {
            let middle = Int(click * Double(c.sampleRate))
            for place in -reach...reach {
                sound[middle + place] = 0.9 * cos(Float(place) * .pi / 2)
            }
        }
        try ReferenceTools.writeSound([sound], sampleRate: c.sampleRate, to: wave)
        try ReferenceTools.ffmpeg(["-i", wave] + c.options + ["-strict", "-2", path])
    }

    @Test("its clicks come when they should, forward and backward", arguments: cases)
    func clicks(c: Case) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path(c.name)
        try write(c, to: input)
        let asset = try Asset(at: input)
        let forward = try Clip(of: MediaSource(asset), scaled: .factor(2, over: 1))
        let backward = try Clip(reversing: MediaSource(asset))
        for (clip, name) in [(forward, "forward.wav"), (backward, "backward.wav")] {
            try await Renderer().render(try RenderPlan(clip, to: folder.path(name)))
            let heard = try Finding.sound(in: folder.path(name), channelCount: asset.channelCount)[
                0]
            let clicks = Finding.clicks(in: heard, sampleRate: c.sampleRate)
            let due = Self.clicks.map { clip.map.outputTime(of: $0 + c.unstated) }.sorted()
            #expect(clicks.count == due.count, "\(name): \(clicks)")
            for (click, due) in zip(clicks, due) {
                #expect(abs(click - due) < 0.001, "\(name): \(click) s is due at \(due) s")
            }
        }
    }

    @Test(
        "where the pitch is kept, clicks come when they should at any sample rate",
        arguments: [
            Case(name: "8.wav", sampleRate: 8000), Case(name: "96.wav", sampleRate: 96_000),
            Case(name: "alaw.wav", sampleRate: 8000, options: ["-c:a", "pcm_alaw"]),
            Case(name: "aac.m4a"),
        ], [0.8, 1.25])
    func keptPitch(c: Case, factor: Double) async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path(c.name), folder.path("out.wav"))
        try write(c, to: input)
        let asset = try Asset(at: input)
        let clip = try Clip(of: MediaSource(asset), scaled: .factor(Int64(factor * 100), over: 100))
        try await Renderer().render(
            try RenderPlan(
                clip, to: output, settings: RenderSettings { $0.audio.mode = .keepPitch }))
        let heard = try Finding.sound(in: output, channelCount: asset.channelCount)[0]
        let clicks = Finding.clicks(in: heard, sampleRate: c.sampleRate)
        #expect(clicks.count == Self.clicks.count, "\(clicks)")
        for (click, due) in zip(clicks, Self.clicks) {
            #expect(abs(click - due * factor) < 0.001, "\(click) s is due at \(due * factor) s")
        }
    }
}

extension Asset {
    fileprivate var channelCount: Int { audioStreams.first?.audioFormat?.channelCount ?? 1 }
}
