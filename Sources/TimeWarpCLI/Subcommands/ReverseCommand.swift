import ArgumentParser
import Media
import TimeWarp

struct ReverseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reverse",
        abstract: "Play a clip backwards, however long it is.",
        discussion: """
            Each frame is shown as long as in the source, audio is reversed sample by sample, and \
            subtitles and chapters are mirrored with them. GOPs are decoded one after another from \
            the end. Frames that don't fit into --memory are kept in a temporary file (in TMPDIR, \
            or /var/tmp), which is removed when the program ends.

              timewarp reverse in.mp4 -o out.mp4
              timewarp reverse in.mov -o out.mov --fps any --audio keep
              timewarp reverse in.mp4 -o out.mp4 --range 1:30..1:45 --boomerang
            """)

    @Argument(
        help: "The clips or projects (\(ProjectOptions.endings)) to reverse.", completion: .file())
    var inputs: [String]

    @OptionGroup(title: "Output")
    var outputOptions: OutputOptions<ReversedSound>

    func run() async throws {
        try await outputOptions.render(inputs) {
            try Segment(of: $0, range: $1, retiming: .reversed)
        }
    }
}
