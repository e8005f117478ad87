import Foundation
import TestSupport
import Testing
import TimeMaps

@testable import Media
@testable import TimeWarp

@Suite("Packets of sound are kept where it is heard as it is")
struct SmartSoundTests {
    private static let files = KeptFiles()

    /// Two sweeps that are loud everywhere, without noise that a decoder makes up.
    private static func source(
        _ name: String = "sweeps.mp4", _ encoder: [String] = ["-c:a", "aac", "-aac_pns", "0"]
    ) throws -> Asset {
        let sound =
            "0.3*sin(2*PI*(300+20*t)*t)|0.3*sin(2*PI*(500-5*t)*t):s=48000:d=12"
        return try Asset(
            at: try files.file(name) { path in
                _ = try ReferenceTools.ffmpeg(
                    [
                        "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=12", "-f",
                        "lavfi", "-i", "aevalsrc=" + sound, "-c:v", "libx264", "-preset",
                        "ultrafast", "-g", "25",
                    ] + encoder + [path])
            })
    }

    private static var settings: RenderSettings {
        RenderSettings { $0.video.keepsPackets = true }
    }

    /// Half speed from 6 s to 6.5 s.
    private static func slowed(_ asset: Asset) throws -> Clip {
        let anchors = [(0, 0), (60, 60), (65, 70), (120, 125)].map { source, output in
            TimeAnchor(
                source: RationalTime(source, over: 10), output: RationalTime(output, over: 10))
        }
        return try Clip(of: MediaSource(asset)) { duration in
            try TimeMap(through: anchors, sourceDuration: duration)
        }
    }

    /// The digests of the packets of a file's sound.
    private static func packets(of path: String) throws -> [Substring] {
        let result = try ReferenceTools.run(
            "ffmpeg",
            ["-v", "warning", "-i", path, "-map", "0:a:0", "-c", "copy", "-f", "framemd5", "-"])
        return result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: ",").last ?? "" }
    }

    /// The first channel of a file's sound, as FFmpeg decodes it.
    private static func samples(of path: String) throws -> [Float] {
        let folder = try TemporaryFolder()
        _ = try ReferenceTools.ffmpeg([
            "-i", path, "-map", "0:a:0", "-af", "pan=mono|c0=c0", "-f", "f32le",
            folder.path("raw"),
        ])
        return try Data(contentsOf: URL(fileURLWithPath: folder.path("raw")))
            .withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// How far sound is from what it should be, over 512 samples, where that is worst.
    private static func worst(_ made: [Float], _ wanted: [Float], in range: Range<Int>) -> Float {
        stride(from: range.lowerBound, to: range.upperBound - 511, by: 512).map { start in
            let sum = (start..<start + 512).reduce(Float(0)) {
                let error = made[$1] - wanted[$1]
                return $0 + error * error
            }
            return (sum / 512).squareRoot()
        }.max() ?? 0
    }

    @Test(
        "around slow motion packets are the source's, and seams can't be told from encoded sound",
        arguments: [RenderSettings.AudioMode.varispeed, .keepPitch], ["sweeps.mp4", "sweeps.mkv"])
    func slowMotion(mode: RenderSettings.AudioMode, name: String) async throws {
        let folder = try TemporaryFolder()
        let asset = try Self.source(name)
        let clip = try Self.slowed(asset)
        let settings = RenderSettings(Self.settings) {
            $0.audio.mode = mode
            $0.resources.jobs = mode == .varispeed ? 1 : 2
        }
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"), settings: settings)
        let keeping = try #require(plan.audio.first?.keeping)
        #expect(keeping.keptSeconds > 5.5 && keeping.keptSeconds < 6)
        #expect(abs(keeping.keptSeconds + keeping.encodedSeconds - 12.5) < 0.01)
        #expect(keeping.encoded.contains { $0.reason.contains("out of step") })
        let report = try await Renderer().render(plan)
        #expect(report.audio[0].samplesOut == 600_000)
        #expect(abs(report.audio[0].lengthErrorSamples) <= 1)
        #expect(abs(Double(report.audio[0].samplesKept) / 48_000 - keeping.keptSeconds) < 1e-6)
        // Of the first packet the digest is of what the container says beside it.
        let same = zip(
            try Self.packets(of: plan.destination), try Self.packets(of: asset.path)
        ).dropFirst().prefix { $0 == $1 }.count
        #expect(Double(same) * 1024 / 48_000 > 5.5)

        let whole = RenderSettings(settings) { $0.video.keepsPackets = false }
        let lossless = try RenderPlan(clip, to: folder.path("out.wav"), settings: whole)
        try await Renderer().render(lossless)
        let made = try Self.samples(of: plan.destination)
        let wanted = try Self.samples(of: lossless.destination)
        #expect(wanted.count == 600_000 && abs(made.count - wanted.count) < 1024)
        let seam = Int(keeping.keptSeconds * 48_000)
        #expect(Self.worst(made, wanted, in: 0..<seam - 1024) < 1e-4)
        #expect(Self.worst(made, wanted, in: seam - 1024..<seam + 4096) < 0.006)
    }

    @Test("a part of a file is kept whole, wherever it begins, and begins at its sample")
    func range() async throws {
        let folder = try TemporaryFolder()
        let asset = try Self.source()
        let source = try Self.samples(of: asset.path)
        for (start, end) in [(0, 9000), (1360, 4720), (2001, 7777)] {
            let clip = try Clip(of: MediaSource(asset)) { .identity($0) }
                .playing(from: .milliseconds(Int64(start)), to: .milliseconds(Int64(end)))
            let plan = try RenderPlan(
                clip, to: folder.path("\(start).mp4"), settings: Self.settings)
            let keeping = try #require(plan.audio.first?.keeping)
            #expect(keeping.encoded.isEmpty, "\(keeping.encoded)")
            try await Renderer().render(plan)
            let made = try Self.samples(of: plan.destination)
            let wanted = Array(source[(start * 48)...])
            let count = (end - start) * 48
            #expect(made.count >= count && made.count < count + 1024)
            #expect(Self.worst(made, wanted, in: 0..<count) < 1e-5)
        }
    }

    @Test("of a composition the clips that are in step are kept, and those that aren't are encoded")
    func composition() async throws {
        let folder = try TemporaryFolder()
        let asset = try Self.source()
        var track = Track()
        // Three packets are 64 ms. The first two clips and the last are whole multiples apart, the third isn't.
        for (start, end) in [(1000, 4000), (5216, 7016), (2000, 2808), (8208, 11_000)] {
            try track.append(
                TimeRange(start: .milliseconds(Int64(start)), end: .milliseconds(Int64(end))),
                of: asset.path)
        }
        let composition = Composition(tracks: [track])
        let plan = try RenderPlan(
            composition, to: folder.path("out.mp4"), settings: Self.settings)
        try await Renderer().render(plan)
        let lossless = try RenderPlan(composition, to: folder.path("out.wav"))
        try await Renderer().render(lossless)
        let encoded = try RenderPlan(composition, to: folder.path("encoded.mp4"))
        try await Renderer().render(encoded)
        let made = try Self.samples(of: plan.destination)
        let wanted = try Self.samples(of: lossless.destination)
        let others = try Self.samples(of: encoded.destination)
        #expect(
            Self.worst(made, wanted, in: 0..<wanted.count)
                < Self.worst(others, wanted, in: 0..<wanted.count))
        let keeping = try #require(plan.audio.first?.keeping)
        #expect(keeping.keptSeconds > 3 && keeping.keptSeconds < 8)
        #expect(keeping.encoded.contains { $0.reason.contains("out of step") })
        let known = Set(try Self.packets(of: asset.path))
        let kept = try Self.packets(of: plan.destination).count { known.contains($0) }
        #expect(abs(Double(kept) * 1024 / 48_000 - keeping.keptSeconds) < 0.05)
    }

    @Test("pieces rendered apart and joined give the same packets")
    func pieces() async throws {
        let folder = try TemporaryFolder()
        let clip = try Self.slowed(try Self.source())
        let settings = RenderSettings(Self.settings) { $0.resources.pieces = 3 }
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"), settings: settings)
        try await Renderer().render(plan, inPiecesIn: folder)
        let whole = try RenderPlan(clip, to: folder.path("whole.mp4"), settings: settings)
        try await Renderer().render(whole)
        #expect(
            try Self.packets(of: plan.destination) == Self.packets(of: whole.destination))
    }

    @Test(
        "sound whose packets can't be kept is encoded, and the plan says why",
        arguments: [
            ("mp3.mp4", ["-c:a", "libmp3lame"], "out.mp4", "plain AAC"),
            ("sweeps.mp4", ["-c:a", "aac", "-aac_pns", "0"], "out.mkv", ".m4a"),
            ("adts.ts", ["-c:a", "aac"], "out.mp4", "plain AAC"),
            ("flac.mkv", ["-c:a", "flac"], "out.mkv", "encoded as a whole"),
        ])
    func encoded(
        name: String, encoder: [String], destination: String, reason: String
    ) async throws {
        let folder = try TemporaryFolder()
        let clip = try Clip(of: MediaSource(Self.source(name, encoder))) { .identity($0) }
            .playing(from: .seconds(1), to: .seconds(2))
        let settings = RenderSettings(Self.settings) {
            $0.audio.codec = name == "flac.mkv" ? .flac : .aac
        }
        let plan = try RenderPlan(clip, to: folder.path(destination), settings: settings)
        let keeping = try #require(plan.audio.first?.keeping)
        #expect(keeping.keptSeconds == 0)
        #expect(keeping.encoded.first?.reason.contains(reason) == true, "\(keeping.encoded)")
        #expect(try await Renderer().render(plan).audio[0].samplesOut == 48_000)
    }
}
