import ArgumentParser
import Exchange
import Foundation
import LocalServer
import Media
import Stories
import StoryBuilding
import TimeWarp
import TimeWarpStudio

struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play a clip along a curve at once in the browser, as it would be rendered.",
        discussion: """
            Opens a page with nothing but a player. What plays is the render itself, made while it plays: \
            its frames and its sound, from any file or project that can be read, in frames as large as the \
            machine keeps up with. Without a curve the clip plays as it is. Ctrl-C ends it.

              timewarp play in.mp4 --curve triangle --factor 3
              timewarp play in.mp4 --curve constant --factor 4 --frames motion
              timewarp play in.mp4 --keyframes '0:1, 50%:-1, 1:1' --range 0:10..0:20
              timewarp play edit.json
              timewarp play story.json                 build an interactive video, and play it
            """)

    @Argument(
        help:
            "The clip, project (\(ProjectOptions.endings)) or story (.json, or the folder that was built).",
        completion: .file())
    var input: String

    @OptionGroup(title: "Curve")
    var curveOptions: CurveOptions

    @Option(
        help: ArgumentHelp(
            """
            Instead of a curve: a time map as JSON, a framecurve, or a clip of a project, such as \
            'edit.fcpxml#clip name'.
            """, valueName: "file"),
        completion: .file())
    var timeMap: String?

    @Option(
        help: ArgumentHelp(
            "Use only this part of the input, such as 1:30..1:45.", valueName: "start..end"))
    var range: RangeArgument?

    @OptionGroup
    var result: ResultOptions

    @OptionGroup(title: "Video")
    var frames: FrameOptions

    @OptionGroup(title: "Sound")
    var sound: RetimedSound

    @OptionGroup(title: "Projects")
    var projects: ProjectOptions

    @OptionGroup
    var page: PageOptions

    func validate() throws {
        if timeMap != nil && curveOptions.isGiven {
            throw ValidationError("--time-map replaces the curve; omit the curve options.")
        }
    }

    func run() async throws {
        if StoryBuilder.isBuiltStory(at: input) {
            try await playStory(in: input)
        } else if SmallFile.head(of: input).contains("\"\(Story.version)\"") {
            try await buildStory()
        } else {
            try await playClip()
        }
    }

    private func playClip() async throws {
        let source = try projects.source(at: input)
        var segment = try segment(of: source)
        try result.apply(to: &segment, of: source, at: frames.fps)
        let job = RenderJob(
            try Composition(of: segment), to: "",
            settings: RenderSettings {
                frames.apply(to: &$0)
                sound.apply(to: &$0)
                projects.apply(to: &$0)
            })
        try await page.serve(PlayerPage(job, of: source, port: page.port).run)
    }

    private func segment(of source: MediaSource) throws -> Segment {
        let range = try range?.timeRange(of: source)
        if let timeMap {
            return try Segment(
                of: source, range: range, timeMap: timeMap, rate: frames.fps,
                formats: projects.formats)
        }
        guard curveOptions.isGiven else {
            return try Segment(of: source, range: range, retiming: .uniform)
        }
        return try Segment(
            of: source, range: range, retiming: .curve(curveOptions.makeCurve()),
            lasting: curveOptions.fit?.time)
    }

    // MARK: - Stories

    private func playStory(in folder: String) async throws {
        guard !curveOptions.isGiven, timeMap == nil, range == nil else {
            throw ValidationError("\(input) is a story, and plays without a curve.")
        }
        try await page.serve(FolderServer(folder, port: page.port).run)
    }

    /// Builds a story quickly into a folder that is removed afterwards.
    private func buildStory() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("timewarp-\(UUID().uuidString)", isDirectory: true).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let settings = RenderSettings {
            $0.video.preset = "veryfast"
            $0.audio.codec = .aac
        }
        let builder = StoryBuilder(
            try StoryProject(contentsOfFile: input), settings: settings)
        let printer = SegmentPrinter(.auto)
        do {
            defer { printer.finish() }
            _ = try await builder.build(to: .folder(folder)) { printer.show($0) }
        }
        try await playStory(in: folder)
    }
}
