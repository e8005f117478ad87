import ArgumentParser
import Foundation

/// The program: finds the subcommand, runs it, and turns what it throws into a sentence and an
/// exit code.
@main
struct TimeWarpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timewarp",
        abstract: "Change when things happen in video and sound.",
        discussion: """
            A curve on [0,1] says how long every instant of the source lasts: 2 is half speed, \
            0.5 is double speed. Picture, sound, subtitles and chapters all obey the same map, \
            so nothing drifts.

              timewarp demo                                    see it work on a made-up clip
              timewarp warp in.mp4 -o out.mp4                  a ramp: slow in the middle
              timewarp warp in.mp4 -o out.mp4 --keyframes '0:1, 50%:0.25, 1:1'
              timewarp scale in.mp4 -o out.mp4 --speed 2
              timewarp reverse in.mp4 -o out.mp4
              timewarp stretch in.wav -o out.wav --match camera.mp4
              timewarp compose a.mp4 b.mov -o film.mp4
              timewarp story build story.json -o film         a film that asks
              timewarp plot --curve cosine -o curve.svg
              timewarp verify in.mp4 out.mp4                  measure out against the map
              timewarp studio --open                          all of it in a page, to look at

            Exit codes: 0 done; 1 verify found something wrong; 64 wrong usage; 65 the input is \
            damaged or unsupported, or the curve is invalid; 66 no input; 70 our own fault; 73 the \
            output exists or can't be created; 74 reading or writing failed; 130 interrupted (129 \
            by SIGHUP, 143 by SIGTERM).
            """,
        version: Version.text,
        subcommands: [
            WarpCommand.self, ScaleCommand.self, ReverseCommand.self, StretchCommand.self,
            ComposeCommand.self, StoryCommand.self, CopyCommand.self, PlotCommand.self,
            InspectCommand.self, VerifyCommand.self, StudioCommand.self, DemoCommand.self,
        ])

    static func main() async {
        StandardStreams.hold()
        OwnProcess.quietenEncoders()
        do {
            try await Interruption.cancelling {
                try await runCommandLine()
            }
        } catch {
            guard let failure = Failure(error) else {
                // Wrong usage and --help: the parser knows best how to say it.
                say(error)
            }
            end(failure)
        }
    }

    private static func say(_ error: any Error) -> Never {
        guard exitCode(for: error) == .success else {
            exit(withError: error)
        }
        do {
            try StandardOutput.print(fullMessage(for: error))
        } catch {
            Failure(error).map(end)
        }
        Foundation.exit(0)
    }

    private static func end(_ failure: Failure) -> Never {
        StandardError.print("timewarp: \(failure.message)")
        Foundation.exit(failure.exitCode)
    }
}

extension TimeWarpCommand {
    private static func runCommandLine() async throws {
        let command = try parseAsRoot()
        guard var asynchronous = command as? any AsyncParsableCommand else {
            var synchronous = command
            try synchronous.run()
            return
        }
        try await asynchronous.run()
    }
}
