import Figures
import Foundation
import TimeWarp

/// How long a player waits for the first frame and its sound after a seek, when it plays a render while that is made.
struct PlayingBenchmarks {
    /// The answers for one kind of render.
    struct Starts: Sendable {
        let clip: String
        let frames: String
        let seconds: [Double]
    }

    let workshop: Workshop
    let clips: Clips
    let seconds: Double

    static let name = "playing"
    static let heading = """
        Half speed, at the clip's own size, from fifty instants: from asking for the stream until its first frames are \
        there. Each stream starts afresh, as a page's first one does, and decodes from the keyframe before, of which \
        there is one in up to 250 frames: that is what the worst ones wait for. The studio's player keeps decoded frames.
        """

    func measure(_ tell: (String) -> Void) async throws -> [Starts] {
        var starts: [Starts] = []
        for (width, height) in [(640, 360), (1280, 720), (1920, 1080)] {
            let clip = try clips.clip(width: width, height: height, seconds: seconds)
            for frames in ["hold", "motion"] {
                tell("\(Self.name), \(height) lines, \(frames)")
                let plan = try plan(of: clip, frames: frames)
                var waits: [Double] = []
                for index in 0..<50 {
                    // Spread evenly over the output, in an order without a direction (Kronecker's sequence).
                    let share = (Double(index) * 0.618_033_988_75).truncatingRemainder(
                        dividingBy: 1)
                    waits.append(try await wait(for: plan, at: share * (2 * seconds - 1)))
                }
                starts.append(Starts(clip: "\(width)x\(height)", frames: frames, seconds: waits))
            }
        }
        return starts
    }

    private func plan(of clip: String, frames: String) throws -> RenderPlan {
        let job = workshop.path("playing.json")
        let printed = try workshop.ask([
            workshop.timewarp, "scale", clip, "-o", workshop.path("ours.mp4"), "--factor", "2",
            "--frames",
            frames, "--print-job",
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
        var table = MarkdownTable(["clip", "frames", "median, ms", "worst, ms"])
        for start in starts {
            table.add([
                start.clip, start.frames, figure(1000 * (median(start.seconds) ?? .nan)),
                figure(1000 * (start.seconds.max() ?? .nan)),
            ])
        }
        return table
    }
}
