import ArgumentParser
import Exchange
import Media
import TimeMaps
import TimeWarp

struct StretchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stretch",
        abstract: "Stretch sound to an exact duration, or correct clock drift between recordings.",
        discussion: """
            For recorders whose clocks drift. Pitch changes with the duration, as it does with a \
            slow clock: one second per hour is half a cent. --audio keep-pitch preserves the pitch.

              timewarp stretch in.wav -o out.wav --to 1:00:01
              timewarp stretch in.wav -o out.wav --by -250ms
              timewarp stretch in.wav -o out.wav --like camera.mp4
              timewarp stretch in.wav --match camera.mp4             measure only
              timewarp stretch in.wav -o out.mp4 --match camera.mp4 --with-picture
              timewarp stretch in.wav -o out.wav --anchors pairs.txt

            --like compares the durations and, if both files have sound, the sound. It refuses files \
            whose difference looks like a longer end or a later start instead of drift. --match \
            finds the offset and the drift from the sound, in several pieces if needed, and aligns \
            the recording with the reference: the output is as long as the reference.

            An anchor file has two instants per line, the one in the recording and the one where it \
            belongs: 12:03.250 12:03.875. Sound between two anchors is stretched evenly; before the \
            first and after the last anchor it continues at the speed next to that anchor.

            Only sound is stretched. If the input has video and the output can hold it, the video \
            is copied unchanged.
            """)

    @Argument(help: "The recordings, or projects (\(ProjectOptions.endings)).", completion: .file())
    var inputs: [String]

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            """
            The file to write. With --match it may be omitted. For several inputs a folder, in which they \
            keep their names.
            """, valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The duration of the output, such as 12.5s or 1:30.", valueName: "duration"))
    var to: DurationArgument?

    @Option(
        // A value may begin with a minus.
        parsing: .unconditional,
        help: ArgumentHelp(
            "How much longer or shorter the output is than the input: +1s, -250ms.",
            valueName: "±duration"))
    var by: SignedDurationArgument?

    @Option(
        help: ArgumentHelp("Make the output as long as this recording.", valueName: "reference"),
        completion: .file())
    var like: String?

    @Option(
        help: ArgumentHelp(
            "A file with instants of the recording and where they belong.", valueName: "file"),
        completion: .file())
    var anchors: String?

    @Option(
        help: ArgumentHelp(
            "Find the offset and drift from this recording of the same event.",
            valueName: "reference"),
        completion: .file())
    var match: String?

    @Flag(help: "Add the reference's video to the output, unchanged.")
    var withPicture = false

    @OptionGroup(title: "Sound")
    var sound: SoundOptions<RetimedSound>

    @OptionGroup(title: "Running")
    var running: RunOptions

    @OptionGroup(title: "Running")
    var files: FileOptions

    @OptionGroup(title: "Projects")
    var projects: ProjectOptions

    func validate() throws {
        let ways = [to != nil, by != nil, like != nil, anchors != nil, match != nil]
        guard ways.filter({ $0 }).count == 1 else {
            throw ValidationError("Give one of --to, --by, --like, --anchors and --match.")
        }
        guard output != nil || match != nil else {
            throw ValidationError("Name the file to write with -o.")
        }
        guard output != nil || inputs.count == 1 else {
            throw ValidationError("Several recordings need -o with a folder.")
        }
        guard !withPicture || (like ?? match) != nil else {
            throw ValidationError("--with-picture needs --like or --match: it copies their video.")
        }
        guard sound.choice.sound != .keep else {
            throw ValidationError("--audio keep would stretch nothing; use timewarp copy instead.")
        }
        guard sound.choice.sound != .mute else {
            throw ValidationError("--audio mute would leave nothing to stretch.")
        }
    }

    func run() async throws {
        let reference = try (like ?? match).map { try Asset(at: $0) }
        guard let output else {
            for input in inputs {
                try show(
                    try await makeStretch(
                        of: try projects.source(at: input), reference))
            }
            return
        }
        try await Batch(inputs, to: output, running).run { item in
            try await render(item, reference)
        }
    }

    /// No clock is wrong by more than this.
    private static let largestDrift = 0.01

    private func render(_ item: Batch.Item, _ reference: Asset?) async throws {
        let others = inputs + [like, match, anchors].compactMap { $0 }
        // Checked first, because measuring may take minutes.
        for file in others {
            try AtomicFile.requireWritable(
                item.output, notBeing: file, existing: running.existing)
        }
        let media = MediaCatalogue(projects.formats)
        let source = try projects.source(at: item.input, in: media)
        let stretch = try await makeStretch(of: source, reference)
        try show(stretch)
        let mode = video(for: item.output, source, reference)
        if case .copied = mode, !withPicture, abs(stretch.drift.ratio - 1) > Self.largestDrift {
            Message.note("the video isn't stretched, only its sound: scale --to stretches both")
        }
        let settings = RenderSettings {
            sound.apply(to: &$0)
            projects.apply(to: &$0)
            files.apply(to: &$0)
            item.running.apply(to: &$0)
            $0.video.mode = mode
        }
        // What --json shows without a plan has been shown.
        var running = item.running
        running.json = running.json && running.dryRun
        try await running.run(
            RenderJob(try stretch.timeline, to: item.output, settings: settings), media,
            reading: others)
    }

    private func show(_ stretch: Stretch) throws {
        let figures = StretchFigures(stretch)
        if running.json && !running.dryRun {
            try StandardOutput.print(JSONOutput.text(figures, as: "stretch/1"))
        } else if output == nil || (running.dryRun && !running.json) {
            try StandardOutput.print(figures.text)
        } else {
            StandardError.print(figures.text)
        }
    }

    private func makeStretch(
        of source: MediaSource, _ reference: Asset?
    ) async throws -> Stretch {
        if to != nil || by != nil {
            return try Stretch(source, lasting: to?.time ?? source.soundEnd + (by?.time ?? .zero))
        }
        guard let asset = source.asset else {
            throw ValidationError(
                "Sound is compared, and anchors are set, in recordings; \(source.path) is a project: "
                    + "use --to or --by.")
        }
        if let reference {
            return like != nil
                ? try await .of(asset, like: reference)
                : try await .of(asset, matching: reference)
        }
        return try Stretch(asset, through: [TimeAnchor](contentsOfFile: anchors ?? ""))
    }

    private func video(
        for output: String, _ source: MediaSource, _ reference: Asset?
    ) -> RenderSettings.VideoMode {
        guard let container = try? Container(forFileAt: output), !container.videoCodecs.isEmpty
        else {
            return .dropped
        }
        if withPicture, let reference {
            return .copied(from: reference.path)
        }
        return .besideStretchedSound(of: source)
    }
}
