import ArgumentParser
import Documents
import Foundation
import Media

/// The program: it finds the subcommand, runs it, and turns an error into a message and an exit code.
@main
struct TimeWarpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timewarp",
        abstract: "Time remapping for video and sound: slow motion, speed ramps, reverse, edits.",
        discussion: """
            A curve on [0,1] gives the time scale at every instant of the source: 2 is half speed, \
            0.5 is double speed. Keyframes give speeds: there 0.5 is half speed. Video, audio, subtitles and chapters are retimed by the same time \
            map, so they stay in sync.

              timewarp demo                                    try it on a generated clip
              timewarp warp in.mp4 -o out.mp4                  slow in the middle
              timewarp warp in.mp4 -o out.mp4 --keyframes '0:1, 50%:0.25, 1:1'
              timewarp warp in.mp4 -o out.mp4 --keyframes '0s:1, 2s:0, 4s:1' --easing hold
                                                               freeze 2 s at 2 s
              timewarp scale in.mp4 -o out.mp4 --speed 2
              timewarp reverse in.mp4 -o out.mp4
              timewarp stretch in.wav -o out.wav --match camera.mp4
              timewarp compose a.mp4 b.mov -o film.mp4
              timewarp render job.json                         what --print-job prints
              timewarp story build story.json -o film          an interactive video
              timewarp play in.mp4 --curve ramp                play it without rendering
              timewarp warp in.mp4 -o - --format nut | mpv -   into another program
              timewarp plot --curve cosine -o curve.svg
              timewarp beats song.mp3                          tempo, beats and onsets
              timewarp verify in.mp4 out.mp4                   measure the result
              timewarp studio --open                           an editor in the browser
              timewarp warp in.mp4 -o out.mp4 --plan job --pieces 64   for many machines:
                                                               piece, join, job

            Exit codes: 0 done; 1 verify found something wrong; 64 wrong usage; 65 the input is \
            damaged or unsupported, or the curve is invalid; 66 no such input; 70 internal error; \
            73 the output exists or can't be created; 74 reading or writing failed; 75 pieces of a job \
            are missing, try again; 130 interrupted (129 by SIGHUP, 143 by SIGTERM); 141 the reader of the pipe is gone.
            """,
        version: Version.text,
        subcommands: [
            WarpCommand.self, ScaleCommand.self, ReverseCommand.self, StretchCommand.self,
            ComposeCommand.self, StoryCommand.self, CopyCommand.self, RenderCommand.self,
            PlotCommand.self,
            PlayCommand.self, InspectCommand.self, BeatsCommand.self, VerifyCommand.self,
            StudioCommand.self, MCPCommand.self,
            DemoCommand.self, PieceCommand.self, JoinCommand.self, JobCommand.self,
        ])

    static func main() async {
        StandardStreams.hold()
        OwnProcess.quietenEncoders()
        LibAVLog.capture()
        do {
            try await Interruption.cancelling {
                try await runCommandLine()
            }
        } catch {
            guard let failure = Failure(error) else {
                // The parser prints its own errors and the text of --help.
                say(error)
            }
            end(failure)
        }
    }

    private static func say(_ error: any Error) -> Never {
        let code = exitCode(for: error)
        guard code == .success else {
            let words = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
            if Message.isForPrograms {
                let message = UsageHint.improved(message(for: error), words)
                end(Failure(exitCode: code.rawValue, message: message))
            }
            let text = UsageHint.improved(fullMessage(for: error), words)
            // A command may end with a code alone.
            if !text.isEmpty {
                StandardError.print(text)
            }
            Foundation.exit(code.rawValue)
        }
        do {
            try StandardOutput.print(fullMessage(for: error))
        } catch {
            Failure(error).map(end)
        }
        Foundation.exit(0)
    }

    private static func end(_ failure: Failure) -> Never {
        Message.failed(failure)
        Foundation.exit(failure.exitCode)
    }
}

extension TimeWarpCommand {
    /// Throws if an argument that the parser would take for options is the name of a file.
    private static func requireNoDashedNames() throws {
        let words = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
        // Long options have two dashes.
        for word in words
        where word.count > 2 && word.hasPrefix("-") && !word.hasPrefix("--")
            && FileManager.default.fileExists(atPath: word)
        {
            throw ValidationError(
                "\(word) begins with a dash and is taken for options. Write ./\(word).")
        }
    }

    /// Throws if the first argument is meant for a subcommand that there isn't. The parser would complain of the options
    /// behind it.
    private static func requireSubcommand() throws {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"),
            !names.contains(word)
        else {
            return
        }
        throw ValidationError(
            "timewarp has no command \"\(word)\"." + UsageHint.forCommand(word, names: names))
    }

    private static func runCommandLine() async throws {
        try requireNoDashedNames()
        try requireSubcommand()
        let command = try parseAsRoot()
        guard var asynchronous = command as? any AsyncParsableCommand else {
            var synchronous = command
            try synchronous.run()
            return
        }
        try await asynchronous.run()
    }
}
