import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// Recordings that were joined byte by byte, so that times start again in the middle.
@Suite("Times that start again")
struct RestartedTimesTests {
    private static let kept = KeptFiles()

    struct Joined: Sendable, CustomTestStringConvertible {
        let ending: String
        var encoder = ["-c:v", "libx264", "-bf", "2", "-g", "25", "-c:a", "aac"]
        /// How late each part's own times begin, in seconds.
        var offsets = [0, 0]
        var testDescription: String { "\(ending) \(offsets)" }
    }

    static let joined = [
        Joined(ending: "ts"), Joined(ending: "ts", offsets: [36_000, 0]),
        Joined(ending: "ts", offsets: [50, 20, 7]),
        Joined(
            ending: "ts", encoder: ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-c:a", "mp2"]),
        Joined(
            ending: "vob", encoder: ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-c:a", "ac3"]),
    ]

    /// Parts of two seconds at 25 frames per second, each with a click after a second, and the file that they make.
    private func file(_ joined: Joined) throws -> (parts: [String], whole: String) {
        var parts: [String] = []
        for offset in joined.offsets {
            let encoder = joined.encoder.joined(separator: " ")
            parts.append(
                try Self.kept.file("\(encoder) \(offset).\(joined.ending)") { path in
                    try ReferenceTools.ffmpeg(
                        [
                            "-f", "lavfi", "-i", "testsrc2=s=176x96:r=25:d=2", "-f", "lavfi", "-i",
                            "aevalsrc='if(lt(abs(t-1),0.001),0.8,0)':s=48000:d=2", "-pix_fmt",
                            "yuv420p",
                        ] + joined.encoder + ["-output_ts_offset", "\(offset)", path])
                })
        }
        let whole = try Self.kept.file("\(joined.testDescription)\(joined.encoder[1])") { path in
            let bytes = try parts.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            try bytes.reduce(Data(), +).write(to: URL(fileURLWithPath: path))
        }
        return (parts, whole)
    }

    static let unreadable = [
        Joined(ending: "flv", encoder: ["-c:v", "flv", "-c:a", "adpcm_swf", "-ar", "44100"]),
        Joined(ending: "wmv", encoder: ["-c:v", "msmpeg4", "-c:a", "wmav2"]),
        Joined(ending: "mkv"), Joined(ending: "mkv", encoder: ["-c:v", "mpeg4", "-c:a", "flac"]),
        Joined(ending: "nut", encoder: ["-c:v", "mpeg4", "-c:a", "flac"]),
    ]

    @Test("in files that must not be joined so, what is lost is said", arguments: unreadable)
    func unread(joined: Joined) throws {
        let (parts, whole) = try file(joined)
        #expect(try Asset(at: parts[0]).warnings.isEmpty)
        let warnings = try Asset(at: whole).warnings
        #expect(
            warnings.contains {
                $0.contains("bytes can't be read") || $0.contains("what follows is left out")
            }, "\(warnings)")
    }

    private func rendered(_ clip: Clip, in folder: TemporaryFolder) async throws -> String {
        let output = folder.path("out.mkv")
        let settings = RenderSettings {
            $0.output.existing = .overwrite
            $0.video.codec = .ffv1
            $0.audio.codec = .pcm
        }
        try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
        return output
    }

    @Test("each part plays on where the one before it ends", arguments: joined)
    func playsOn(joined: Joined) async throws {
        let folder = try TemporaryFolder()
        let (parts, whole) = try file(joined)
        let asset = try Asset(at: whole)
        #expect(asset.warnings.contains { $0.contains("start again") }, "\(asset.warnings)")
        let frames = try parts.flatMap { try Finding.frameChecksums(in: $0) }
        #expect(frames.count == 50 * parts.count)
        let clip = try Clip(of: MediaSource(asset)) { .identity($0) }
        let forward = try await rendered(clip, in: folder)
        #expect(try Finding.frameChecksums(in: forward) == frames)
        // The sound of some begins a few milliseconds before the picture.
        let start = try #require(asset.videoStreams.first?.start?.seconds)
        for (number, frame) in try Finding.decodedFrames(in: forward).enumerated() {
            #expect(abs(frame.seconds - start - Double(number) / 25) < 0.0011)
        }
        let clicks = Finding.clicks(
            in: try Finding.sound(in: forward, channelCount: 1)[0], sampleRate: 48_000)
        #expect(clicks.count == parts.count, "\(clicks)")
        for (number, click) in clicks.enumerated() {
            #expect(abs(click - 1 - 2 * Double(number)) < 0.02, "\(clicks)")
        }
        let backward = try await rendered(Clip(reversing: MediaSource(asset)), in: folder)
        #expect(try Finding.frameChecksums(in: backward) == frames.reversed())
    }

    @Test("a place in a later part is found, and packets are copied", arguments: joined)
    func later(joined: Joined) async throws {
        let folder = try TemporaryFolder()
        let (parts, whole) = try file(joined)
        let asset = try Asset(at: whole)
        let frames = try parts.flatMap { try Finding.frameChecksums(in: $0) }
        // In the middle of a frame, because the sound of some begins a few milliseconds before the picture.
        let part = try Clip(of: MediaSource(asset), scaled: .factor(1, over: 1))
            .playing(from: .milliseconds(2420), to: .milliseconds(3620))
        let played = try await rendered(part, in: folder)
        #expect(try Finding.frameChecksums(in: played) == frames[60..<90].map { $0 })
        let copy = folder.path("copy.mkv")
        try await Renderer().render(try RenderPlan(copying: asset, to: copy))
        #expect(try Finding.frameChecksums(in: copy) == frames)
        let clicks = Finding.clicks(
            in: try Finding.sound(in: copy, channelCount: 1)[0], sampleRate: 48_000)
        #expect(clicks.count == parts.count, "\(clicks)")
        for (number, click) in clicks.enumerated() {
            // Decoded without the file's times, each part is up to half a packet (512 to 768 samples) early or late.
            let reach = 0.001 + 0.016 * Double(number)
            #expect(abs(click - clicks[0] - 2 * Double(number)) < reach, "\(clicks)")
        }
    }

    @Test("a jump forward stays a hole, and one wrong time is no part")
    func hole() throws {
        let (parts, _) = try file(Joined(ending: "ts", offsets: [0, 20]))
        let folder = try TemporaryFolder()
        let path = folder.path("hole.ts")
        let bytes = try parts.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        try bytes.reduce(Data(), +).write(to: URL(fileURLWithPath: path))
        let asset = try Asset(at: path)
        #expect(abs(asset.duration.seconds - 22) < 0.1)
        #expect(!asset.warnings.contains { $0.contains("start again") })
    }
}
