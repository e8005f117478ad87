import TimeWarp

// swift run WarpWithClosures IN OUT: warps a clip by a closure, and prints the progress and the report.
guard CommandLine.arguments.count == 3 else {
    print("usage: WarpWithClosures IN OUT")
    throw CancellationError()
}
let source = try MediaSource(at: CommandLine.arguments[1])
let clip = try Clip(of: source, warpedBy: ClosureScale { t in 1 + 2 * smoothstep(t) })
let rate = try FrameRate(30)
let settings = RenderSettings {
    $0.video.rate = .fixed(rate)
    $0.output.existing = .overwrite
}
let plan = try RenderPlan(clip, to: CommandLine.arguments[2], settings: settings)
for try await event in Renderer().run(plan) {
    switch event {
    case .progress(let progress): print("\(Int(progress.fraction * 100)) %")
    case .preview: break
    case .finished(let report): print("lasts \(report.outputDurationSeconds) s")
    }
}
