import ArgumentParser
import Exchange
import Foundation
import Media
import TimeMaps
import TimeWarp
import Verification

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Measure a retimed file and compare it with its source and time map.",
        discussion: """
            Reads IN and OUT and compares them: the time of every frame, which source frame each \
            output frame shows, when sound is heard and in which channel, durations, aspect ratio, \
            rotation and damage. OUT may come from any program that shows, at each output frame, \
            the last source frame that begins no later. Give the options by which OUT was made:

              warp              the same curve, --range, --boomerang, --time-map
              scale, stretch    --curve constant, and --factor or --fit
              reverse           --reverse
              copy              --unchanged
              compose           --size and --crossfade; IN is the project that was rendered

            (IN may be a project with the other commands, too)

            and, if they were used, --fps, --frames, --shutter and --audio. Or name OUT alone, and with --job what the \
            command printed with --print-job, which says all of that; files made by stretch with --match, --like \
            or --anchors are verified so.

              timewarp verify in.mp4 out.mp4 --curve triangle --factor 3
              timewarp verify in.mp4 out.mp4 --curve constant --factor 2 --fps 60
              timewarp verify in.mp4 backwards.mp4 --reverse
              timewarp verify in.mp4 out.mp4 --time-map map.json --page report.html
              timewarp verify edit.json film.mp4
              timewarp verify out.mp4 --job job.json

            Exit codes: 0 nothing is wrong; 1 something is wrong, and is printed; otherwise as for \
            all commands. A note tells what couldn't be measured.
            """)

    @Argument(
        help: ArgumentHelp(
            "The file that the measured file was made from (not with --job), and the file to measure.",
            valueName: "file"),
        completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp("The job by which OUT was made, instead of options.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var job: String?

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

    @Flag(help: "Instead of a curve: OUT plays backwards.")
    var reverse = false

    @Flag(help: "Instead of a curve: OUT has unchanged times, as made by copy.")
    var unchanged = false

    @Option(
        help: ArgumentHelp("The part of the input that was used.", valueName: "start..end"))
    var range: RangeArgument?

    @Flag(help: "OUT plays forwards and then backwards to its start.")
    var boomerang = false

    @Option(
        help: ArgumentHelp(
            "The --fps that OUT was made with. (default: source; with --unchanged, any)",
            valueName: "rate"))
    var fps: RenderSettings.OutputRate?

    @Option(
        help: "The --frames that OUT was made with. (default: hold, or what a project says)")
    var frames: RenderSettings.FrameSynthesis?

    @Flag(help: "OUT was made with --skip-repeats.")
    var skipRepeats = false

    @Option(help: ArgumentHelp("The --shutter that OUT was made with.", valueName: "degrees"))
    var shutter: Double?

    @OptionGroup(title: "Composition")
    var format: CompositionFormatOptions

    @OptionGroup(title: "Sound")
    var sound: RetimedSound

    @Option(
        help: ArgumentHelp(
            """
            Compare frames and sound only in this many stretches of one second, spread evenly, \
            instead of everywhere.
            """, valueName: "number"))
    var sample: Int?

    @Flag(help: "Print the measurements as JSON.")
    var json = false

    @OptionGroup(title: "Projects")
    var projects: ProjectOptions

    @Option(
        help: ArgumentHelp("Write the measurements as a web page.", valueName: "file"),
        completion: .file(extensions: ["html"]))
    var page: String?

    @Flag(help: "Replace the page if it exists.")
    var overwrite = false

    private var rate: RenderSettings.OutputRate { fps ?? (unchanged ? .any : .source) }

    private var input: String { files[0] }

    private var output: String { files[files.count - 1] }

    private var existing: ExistingOutput { overwrite ? .overwrite : .refuse }

    /// Whether OUT was made from IN along a map. Without one, the output of a project is the project as it is.
    private var isRetimed: Bool {
        timeMap != nil || reverse || unchanged || curveOptions.isGiven || range != nil || boomerang
    }

    func validate() throws {
        guard files.count == (job == nil ? 2 : 1) else {
            throw ValidationError(
                job == nil
                    ? "Name two files: the one that OUT was made from, and OUT."
                    : "With --job name one file, OUT: the job says what it was made from.")
        }
        guard job == nil || !saysHow else {
            throw ValidationError(
                "--job says how OUT was made: leave out the options that say it, too.")
        }
        let ways = [timeMap != nil, reverse, unchanged, curveOptions.isGiven].filter { $0 }
        guard ways.count <= 1 else {
            throw ValidationError(
                "Give one of --time-map, --reverse, --unchanged and the curve options.")
        }
        guard !format.isGiven || ProjectFormats.all.includes(input) else {
            throw ValidationError(
                "--size and --crossfade are for projects, and \(input) isn't one.")
        }
        guard sample.map({ $0 > 0 }) ?? true else {
            throw ValidationError("--sample takes 1 or more.")
        }
        try VideoOptions.require(shutter: shutter)
        try VideoOptions.require(skipRepeats: skipRepeats, with: frames)
        guard page != "-" else {
            throw ValidationError("--page takes the name of a file; stdout gets the measurements.")
        }
    }

    /// Whether an option says how OUT was made.
    private var saysHow: Bool {
        isRetimed || fps != nil || frames != nil || skipRepeats || shutter != nil || format.isGiven
            || sound.audio != nil || sound.freezeSound != .silence
    }

    private var settings: RenderSettings {
        RenderSettings {
            $0.video.rate = rate
            $0.video.frames = frames ?? $0.video.frames
            $0.video.skipsRepeats = skipRepeats
            $0.video.shutterDegrees = shutter
            $0.audio.mode = sound.audio ?? $0.audio.mode
            $0.audio.freeze = sound.freezeSound
        }
    }

    func run() async throws {
        if let page {
            let read = [
                input, output, job, timeMap.map { TimeMapReference($0).path },
                curveOptions.curveFile,
            ].compactMap { $0 }
            try FileOutput.requireWritable(page, apartFrom: read, existing: existing)
        }
        let verification =
            if let job { try await verification(of: job) } else { try await verification() }
        if let page {
            try FileOutput.write(Array(try verification.page().utf8), to: page, existing: existing)
        }
        try StandardOutput.print(json ? try JSONOutput.text(verification) : verification.text)
        guard verification.isRight else {
            throw ExitCode(1)
        }
    }

    private func verification(of path: String) async throws -> Verification {
        let (job, media) = try RenderJob.read(path, formats: .all)
        return try await PlanVerifier.verify(output, madeBy: job, media, stretches: sample)
    }

    private func verification() async throws -> Verification {
        guard isRetimed || !ProjectFormats.all.includes(input) else {
            var project = try CompositionProject(contentsOfFile: input, formats: projects.formats)
            for note in project.notes {
                StandardError.print("timewarp: note: \(note)")
            }
            format.apply(to: &project.composition, rate: settings.video.rate)
            let asked = project.settings
            let settings = RenderSettings(settings) {
                $0.video.frames = frames ?? asked.frames ?? $0.video.frames
                $0.audio.mode = sound.audio ?? asked.sound ?? $0.audio.mode
            }
            let plan = try RenderPlan(
                measuring: output, madeFrom: MediaSource(project, path: input),
                settings: settings)
            var verifier = PlanVerifier(plan)
            verifier.stretches = sample
            return try await verifier.verify()
        }
        let clip = try makeClip()
        var verifier = Verifier(
            boomerang ? try clip.thereAndBack(at: settings.video.rate) : clip, settings: settings)
        verifier.stretches = sample
        return try await verifier.verify(output)
    }

    private func makeClip() throws -> Clip {
        let curve = try curveOptions.makeCurve()
        let source = try projects.source(at: input)
        let range = try range?.timeRange(of: source)
        if let timeMap {
            return try Clip(
                of: source, range: range, timeMap: timeMap, rate: rate, formats: projects.formats)
        }
        if reverse {
            return try Clip(reversing: source, range: range)
        }
        if unchanged {
            return try Clip(of: source, range: range) { .identity($0) }
        }
        return try Clip(
            of: source, range: range, warpedBy: curve, lasting: curveOptions.fit?.time)
    }
}
