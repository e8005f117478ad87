import ArgumentParser
import Exchange
import Foundation
import Media
import TimeMaps
import TimeWarp

struct ComposeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compose",
        abstract: "Put clips on a timeline and render it: join, trim, retime.",
        discussion: """
              timewarp compose a.mp4 b.mov c.mp4 -o film.mp4       join clips
              timewarp compose a.mp4 b.mov -o film.mp4 --dissolve 1s
              timewarp compose edit.json -o film.mp4               render a project
              timewarp compose edit.fcpxml -o film.mp4             an editor's project
              timewarp compose a.mp4 b.mov -o edit.json            write a project
              timewarp compose edit.fcpxml -o edit.edl             convert, from any to any

            Projects are edit files (.json), OpenTimelineIO (.otio), Final Cut Pro (.fcpxml, and \
            .fcpxmld to read), Premiere (.xml), edit decision lists (.edl), MLT and Shotcut (.mlt) and \
            Kdenlive (.kdenlive). Notes say what a format can't hold. Media files that were moved are \
            looked for beside the project and with --media. A project's own settings \
            for frames and pitch apply unless --frames and --audio say otherwise.

            Ranges, speeds and curves of single clips are in a project: let compose write one (edit.json), give a \
            clip "speed": 2 or a "warp", and render it.

            A photo lasts as long as its project says, or 5 s. \
            All clips are converted to the size, frame rate and sound format of the first one. Other \
            shapes are letterboxed, and sound fades over 5 ms at cuts. Sound tracks and text subtitles \
            are kept. Markers and the clips' own chapters become chapters. With --video-codec copy --fps any, clips \
            that were encoded alike are joined at keyframes without encoding them again.
            """)

    @Argument(
        help: ArgumentHelp(
            """
            A project (\(ProjectOptions.endings)), or clips and projects to join one after another.
            """),
        completion: .file())
    var inputs: [String]

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The video file to write, or a project: \(ProjectOptions.endings). - is stdout, for a pipe.",
            valueName: "file"),
        completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "Dissolve from clip to clip for this long, such as 0.5s: they overlap.",
            valueName: "duration"))
    var dissolve: DurationArgument?

    @OptionGroup
    var format: CompositionFormatOptions

    @OptionGroup
    var result: ResultOptions

    @OptionGroup
    var sample: SampleOptions

    @OptionGroup(title: "Video")
    var video: VideoOptions

    @OptionGroup(title: "Sound")
    var sound: SoundOptions<RetimedSound>

    @OptionGroup(title: "Running")
    var running: RunOptions

    @OptionGroup(title: "Running")
    var files: FileOptions

    @OptionGroup(title: "Projects")
    var projects: ProjectOptions

    func validate() throws {
        guard !inputs.isEmpty else {
            throw ValidationError("Give a project, or clips to join one after another.")
        }
        if dissolve != nil, isProject {
            throw ValidationError("--dissolve joins clips; in a project, say it where it belongs.")
        }
    }

    func run() async throws {
        let media = MediaCatalogue(projects.formats)
        var project =
            isProject
            ? try CompositionProject(
                contentsOfFile: inputs[0],
                // What is only written as another project need not be there.
                missingMedia: ProjectFormats.all.includes(output) ? .noted : .refused, media)
            : try CompositionProject(
                clips: inputs, dissolving: dissolve?.time ?? .zero, media)
        for note in project.notes {
            Message.note(note)
        }
        format.apply(to: &project.composition, rate: video.making.fps)
        try result.apply(to: &project, media, at: video.making.fps)
        guard !ProjectFormats.all.includes(output) else {
            try write(project)
            return
        }
        let asked = project.settings
        noteSettings(of: asked)
        let settings = RenderSettings {
            $0.video.frames = asked.frames ?? $0.video.frames
            $0.audio.mode = asked.sound ?? $0.audio.mode
            video.apply(to: &$0)
            sound.apply(to: &$0)
            projects.apply(to: &$0)
            files.apply(to: &$0)
            running.apply(to: &$0)
        }
        try await running.run(
            RenderJob(
                try project.timeline, to: output,
                outputRange: sample.range,
                settings: settings), media, reading: inputs)
    }

    /// Tells what a project asks for beyond the usual, if no option says anything else.
    private func noteSettings(of asked: ProjectSettings) {
        let usual = RenderSettings()
        if let frames = asked.frames, video.making.frames == nil, frames != usual.video.frames {
            Message.note(
                "frames are made as the project asks: --frames \(frames.rawValue)")
        }
        if let kind = asked.sound, sound.choice.sound == nil, kind != usual.audio.mode {
            Message.note(
                "sound is made as the project asks: --audio \(kind.rawValue)")
        }
    }

    /// Whether a project is rendered, and not clips (or projects) one after another.
    private var isProject: Bool { inputs.count == 1 && ProjectFormats.all.includes(inputs[0]) }

    private func media(of project: CompositionProject) -> [String] {
        project.composition.mediaFiles.map {
            MediaPath.resolve($0, in: project.folder)
        }
    }

    private func write(_ project: CompositionProject) throws {
        for file in inputs + media(of: project) {
            try AtomicFile.requireApart(output, file, reason: "it is an input itself")
        }
        let settings = ProjectSettings(
            sound: sound.choice.sound ?? project.settings.sound,
            frames: video.making.frames ?? project.settings.frames)
        let (data, notes) = try project.file(named: output, settings: settings)
        for note in notes {
            Message.note(note)
        }
        guard !running.dryRun else {
            try StandardOutput.print(
                "output    \(output): a project of \(project.composition.tracks.count) tracks")
            return
        }
        try FileOutput.write(
            Array(data), to: output, existing: running.overwrite ? .overwrite : .refuse)
    }
}
