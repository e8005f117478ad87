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
        abstract: "Play a clip along a curve at once in the browser, without rendering.",
        discussion: """
            Opens a page with nothing but a player. It follows the curve by changing the speed of the \
            video and by seeking, as the studio's preview does; slow motion repeats frames. Without a \
            curve the clip plays as it is. Projects and files that browsers can't play are copied to \
            a temporary file first. Ctrl-C ends it.

              timewarp play in.mp4 --curve triangle --factor 3
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

    @Option(help: "varispeed, keep-pitch or mute.")
    var audio = RenderSettings.AudioMode.varispeed

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
        let player = PlayerPage(try makeClip(), sound: audio, port: page.port)
        if player.needsCopy {
            StandardError.print("timewarp: making a copy of \(input) that browsers can play")
        }
        try await page.serve(player.run)
    }

    private func makeClip() throws -> Clip {
        let source = try projects.source(at: input)
        let range = try range?.timeRange(of: source)
        if let timeMap {
            return try Clip(
                of: source, range: range, timeMap: timeMap, rate: .source, formats: projects.formats
            )
        }
        guard curveOptions.isGiven else {
            return try Clip(of: source, range: range) { .identity($0) }
        }
        return try Clip(
            of: source, range: range, warpedBy: curveOptions.makeCurve(),
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
