import Figures
import Foundation
import TimeWarp

/// How long a player waits for the first frame and its sound after a seek, when it plays a render while that is made.
struct PlayingBenchmarks {
    /// The answers for one kind of render.
    struct Starts: Sendable {
        let clip: String
        let gop: Int
        let frames: String
        let seconds: [Double]
        /// What ffmpeg takes to decode as many frames as there are between two keyframes.
        let decodingSeconds: Double
    }

    let workshop: Workshop
    let clips: Clips
    let seconds: Double

    static let name = "playing"
    static let heading = """
        Half speed, at the clip's own size, from fifty instants: from asking for the stream until its first frames are \
        there. Each stream starts afresh, as a page's first one does, and decodes from the keyframe before. So the worst \
        waits for a whole GOP, which is 250 frames for x264's settings, and 12 to 60 for most cameras. (The studio's player \
        keeps decoded frames, and finds them again.)
        """

    func measure(_ tell: (String) -> Void) async throws -> [Starts] {
        var starts: [Starts] = []
        for (width, height, gop) in [
            (1280, 720, Clips.longGOP), (1920, 1080, Clips.longGOP), (1920, 1080, 30),
        ] {
            var clip = try clips.clip(width: width, height: height, seconds: seconds)
            if gop != Clips.longGOP {
                clip = try clips.clip(clip, gop: gop)
            }
            let whole = try workshop.measure([
                "ffmpeg", "-nostdin", "-v", "error", "-i", clip, "-an", "-f", "null", "-",
            ]).wallSeconds
            for frames in ["hold", "motion"] {
                tell("\(Self.name), \(height) lines, \(frames)")
                starts.append(
                    Starts(
                        clip: "\(width)x\(height)", gop: gop, frames: frames,
                        seconds: try await waits(for: plan(of: clip, frames: frames)),
                        decodingSeconds: whole * min(1, Double(gop) / (30 * seconds))))
            }
        }
        return starts
    }

    private func waits(for plan: RenderPlan) async throws -> [Double] {
        var waits: [Double] = []
        for index in 0..<50 {
            // Spread evenly over the output, in an order without a direction (Kronecker's sequence).
            let share = (Double(index) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
            waits.append(try await wait(for: plan, at: share * (2 * seconds - 1)))
        }
        return waits
    }

    private func plan(of clip: String, frames: String) throws -> RenderPlan {
        let job = workshop.path("playing.json")
        let printed = try workshop.ask([
            workshop.timewarp, "scale", clip, "-o", workshop.path("ours.mp4"), "--factor", "2",
            "--frames", frames, "--print-job",
        ]).output
        try printed.write(toFile: job, atomically: true, encoding: .utf8)
        return try RenderPlan(streaming: try RenderJob(contentsOfFile: job))
    }

    /// The first `mdat` holds the first frames.
    private func wait(for plan: RenderPlan, at seconds: Double) async throws -> Double {
        let start = ContinuousClock.now
        let from = RationalTime.milliseconds(Int64(1000 * seconds))
        for try await piece in Renderer().stream(plan, from: from)
        where piece.range(of: Data("mdat".utf8)) != nil {
            break
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }

    static func table(_ starts: [Starts]) -> MarkdownTable {
        var table = MarkdownTable([
            "clip", "GOP", "frames", "median, ms", "worst, ms", "ffmpeg decodes a GOP, ms",
        ])
        for start in starts {
            table.add([
                start.clip, "\(start.gop)", start.frames,
                figure(1000 * (median(start.seconds) ?? .nan)),
                figure(1000 * (start.seconds.max() ?? .nan)), figure(1000 * start.decodingSeconds),
            ])
        }
        return table
    }
}
