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

            Add --fps, --frames, --skip-repeats, --smart, --shutter, --audio, --freeze-sound, --fade-in, --fade-out and \
            --gain if they were used. IN may be a project with every command. Or name OUT alone and, with --job, \
            what the command printed with --print-job: that says everything. Files that stretch made with --match, \
            --like or --anchors are verified like that.

              timewarp verify in.mp4 out.mp4 --curve triangle --factor 3
              timewarp verify in.mp4 out.mp4 --curve constant --factor 2 --fps 60
              timewarp verify in.mp4 backwards.mp4 --reverse
              timewarp verify in.mp4 out.mp4 --time-map map.json --page report.html
              timewarp verify edit.json film.mp4
              timewarp verify out.mp4 --job job.json

            Exit codes: 0 nothing is wrong; 1 something is wrong, and is printed; otherwise as for \
            all commands. Notes say what couldn't be measured.
            """)

    @Argument(
        help: ArgumentHelp(
            "The file that the measured file was made from (not with --job), and the file to measure.",
            valueName: "file"),
        completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "The job by which OUT was made, instead of options; - is stdin.", valueName: "file"),
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

    @OptionGroup
    var result: ResultOptions

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

    @Flag(
        help:
            "OUT was made with --smart: frames whose packets are kept have to be the source's, bit for bit."
    )
    var smart = false

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
        timeMap != nil || reverse || unchanged || curveOptions.isGiven || range != nil
    }

    func validate() throws {
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
        guard !format.isGiven || !isRetimed else {
            throw ValidationError(
                "--size and --crossfade are for a project as it is: a curve over it has its size.")
        }
        guard sample.map({ $0 > 0 }) ?? true else {
            throw ValidationError("--sample takes 1 or more.")
        }
        try FrameOptions.require(shutter: shutter)
        try FrameOptions.require(skipRepeats: skipRepeats, with: frames)
        guard page != "-" else {
            throw ValidationError("--page takes the name of a file; stdout gets the measurements.")
        }
    }

    /// Whether OUT is compared with the curve that `warp` takes if no option names one.
    private var isAlongDefaultCurve: Bool {
        job == nil && timeMap == nil && !reverse && !unchanged && curveOptions.isDefault
            && (isRetimed || !ProjectFormats.all.includes(input))
    }

    /// Whether an option says how OUT was made.
    private var saysHow: Bool {
        isRetimed || result.isGiven || fps != nil || frames != nil || skipRepeats || smart
            || shutter != nil
            || format.isGiven
            || sound.audio != nil || sound.freezeSound != .silence
    }

    private var settings: RenderSettings {
        RenderSettings {
            $0.video.rate = rate
            $0.video.frames = frames ?? $0.video.frames
            $0.video.skipsRepeats = skipRepeats
            $0.video.keepsPackets = smart
            $0.video.shutterDegrees = shutter
            $0.audio.mode = sound.audio ?? $0.audio.mode
            $0.audio.freeze = sound.freezeSound
        }
    }

    func run() async throws {
        // The parser tells of an unknown option only after `validate`, and counts its value as a file.
        guard files.count == (job == nil ? 2 : 1) else {
            throw ValidationError(
                job == nil
                    ? "Name two files: the one that OUT was made from, and OUT."
                    : "With --job name one file, OUT: the job says what it was made from.")
        }
        if let page {
            let read = [
                input, output, job, timeMap.map { TimeMapReference($0).path },
                curveOptions.curveFile,
            ].compactMap { $0 }
            try FileOutput.requireWritable(page, apartFrom: read, existing: existing)
        }
        var verifier =
            try job.map { path in
                let (job, media) = try RenderJob.named(path)
                return try Verifier(output, madeBy: job, media)
            } ?? verifier()
        verifier.stretches = sample
        let verification = try await verifier.verify()
        if let page {
            try FileOutput.write(Array(try verification.page().utf8), to: page, existing: existing)
        }
        try StandardOutput.print(
            json ? try JSONOutput.text(verification, as: "verification/1") : verification.text)
        guard verification.isRight else {
            if isAlongDefaultCurve {
                Message.note(
                    "OUT was compared with warp's default curve. Give the options by which it was made, such as "
                        + "--curve constant for scale, or its job: see timewarp help verify")
            }
            throw ExitCode(1)
        }
    }

    /// The measurement against the job that the options describe.
    private func verifier() throws -> Verifier {
        let media = MediaCatalogue(projects.formats)
        guard isRetimed || !ProjectFormats.all.includes(input) else {
            var project = try CompositionProject(contentsOfFile: input, media)
            for note in project.notes {
                Message.note(note)
            }
            format.apply(to: &project.composition, rate: settings.video.rate)
            try result.apply(to: &project, media, at: rate)
            let asked = project.settings
            let settings = RenderSettings(settings) {
                $0.video.frames = frames ?? asked.frames ?? $0.video.frames
                $0.audio.mode = sound.audio ?? asked.sound ?? $0.audio.mode
            }
            return try Verifier(
                output, madeBy: RenderJob(project.timeline, to: output, settings: settings), media)
        }
        let source = try projects.source(at: input, in: media)
        var segment = try segment(of: source)
        try result.apply(to: &segment, of: source, at: rate)
        return try Verifier(
            output,
            madeBy: RenderJob(Composition(of: segment), to: output, settings: settings), media)
    }

    private func segment(of source: MediaSource) throws -> Segment {
        let range = try range?.timeRange(of: source)
        if let timeMap {
            return try Segment(
                of: source, range: range, timeMap: timeMap, rate: rate, formats: projects.formats)
        }
        guard !reverse, !unchanged else {
            return try Segment(of: source, range: range, retiming: reverse ? .reversed : .uniform)
        }
        return try Segment(
            of: source, range: range, retiming: .curve(curveOptions.makeCurve()),
            lasting: curveOptions.fit?.time)
    }
}
