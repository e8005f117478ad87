import Foundation
import Media
import TestSupport
import Testing

@testable import TimeWarp

/// Video that begins between two ticks of its rate, because its sound begins earlier.
@Suite("Pictures beside the grid")
struct BesideGridTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let rate: Int
        /// How much later than the sound the video begins, in frames.
        let late: Double
        let ending: String
        var testDescription: String { "\(late) frames at \(rate)/s to .\(ending)" }
    }

    static let cases =
        [(1, 0.4), (1, 1.7), (25, 0.475), (25, 0.9), (30, 3.3)].flatMap { rate, late in
            ["mp4", "mov", "mkv"].map { Case(rate: rate, late: late, ending: $0) }
        }

    private static let files = KeptFiles()

    /// Video whose first frame is shown later than its sound begins.
    private static func source(_ test: Case) throws -> String {
        let seconds = test.rate == 1 ? 8 : 2
        return try files.file("\(test.rate) \(test.late).mov") { path in
            let folder = try TemporaryFolder()
            let video = folder.path("video.mov")
            try ReferenceTools.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=64x64:r=\(test.rate):d=\(seconds)", "-c:v",
                "libx264", "-bf", "0", "-video_track_timescale", "90000", video,
            ])
            try ReferenceTools.ffmpeg([
                "-itsoffset", "\(test.late / Double(test.rate))", "-i", video, "-f", "lavfi", "-i",
                "sine=r=48000:d=\(seconds + 2)", "-map", "0", "-map", "1", "-c:v", "copy", "-c:a",
                "pcm_s16le", path,
            ])
        }
    }

    /// The times of a file's video packets, counted from the start of its sound.
    private static func times(of path: String) throws -> [Double] {
        let asset = try Asset(at: path)
        let sound = asset.audioStreams[0].start?.seconds ?? 0
        let lines = try ReferenceTools.ffprobe([
            "-select_streams", "v", "-show_entries", "packet=pts_time", path,
        ])
        return lines.compactMap(Double.init).sorted().map { $0 - asset.origin.seconds - sound }
    }

    @Test("they are exactly where they belong, beside their sound", arguments: cases)
    func exact(test: Case) async throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: try Self.source(test))
        let start = try #require(asset.videoStreams[0].start?.seconds)
        #expect(abs(start - test.late / Double(test.rate)) < 1e-4)
        let end = try #require(asset.videoStreams[0].end?.seconds)
        let clips: [(clip: Clip, first: Double)] = try [
            (Clip(of: MediaSource(asset), scaled: .factor(1, over: 1)), start),
            (Clip(of: MediaSource(asset), scaled: .factor(2, over: 1)), 2 * start),
            (Clip(reversing: MediaSource(asset)), asset.duration.seconds - end),
        ]
        // In which container a time can be written doesn't depend on how the clip is retimed.
        for (clip, first) in test.ending == "mp4" ? clips : [clips[1]] {
            let output = folder.path("out." + test.ending)
            let settings = RenderSettings { $0.output.existing = .overwrite }
            let plan = try RenderPlan(clip, to: output, settings: settings)
            let report = try await Renderer().render(plan)
            let times = try Self.times(of: output)
            let precision = test.ending == "mkv" ? 1.1e-3 : 3e-5
            #expect(abs(times[0] - first) < precision, "\(times[0]) for \(first)")
            for (index, time) in times.enumerated() {
                let expected = times[0] + Double(index) / Double(test.rate)
                #expect(abs(time - expected) < precision)
            }
            #expect((report.video.first?.largestTimeErrorSeconds ?? 1) < precision)
        }
    }
}
