import ArgumentParser
import Documents

/// What to write instead of what people write who know other programs, or other commands of this one.
enum UsageHint {
    /// What other programs call what a command does.
    private static let commands: [(words: Set<String>, hint: String)] = [
        (
            ["freeze", "hold", "pause"],
            "A freeze is a speed of 0: timewarp warp in.mp4 -o out.mp4 --keyframes '0s:1, 2s:0, 4s:1' --easing hold."
        ),
        (["ramp", "speedramp", "remap", "retime"], "For speed ramps use timewarp warp."),
        (
            ["slow", "slowmo", "slowmotion", "speed", "fast", "timelapse", "interpolate"],
            "For one speed use timewarp scale."
        ),
        (["backwards", "backward"], "To play backwards use timewarp reverse."),
        (
            ["cut", "trim"],
            "To use a part of a clip add --range to any command, such as --range 0:04..0:06."
        ),
        (
            ["concat", "merge", "edit", "append", "dissolve"],
            "To put clips on a timeline use timewarp compose."
        ),
        (["convert", "remux", "mux"], "For another container use timewarp copy."),
        (["info", "probe"], "To see what a file holds use timewarp inspect."),
        (
            ["sync", "align", "drift"],
            "To put a recording onto another use timewarp stretch --match."
        ),
    ]

    /// What other programs call an option.
    private static let options = [
        "-y": "To replace the output add --overwrite.",
        "-i": "Name the input without an option: timewarp scale in.mp4 -o out.mp4 --speed 2.",
    ]

    /// What to say of a command that there isn't: what is meant, or the nearest name.
    static func forCommand(_ word: String, names: [String]) -> String {
        commands.first { $0.words.contains(word.lowercased()) }.map { " " + $0.hint }
            ?? Spelling.hint(for: word, in: names)
    }

    /// The parser's message, with the commands that have an unknown option.
    ///
    /// - Parameter words: those of the command line.
    static func improved(_ message: String, _ words: some Sequence<String>) -> String {
        if let hint = words.lazy.compactMap({ options[$0] }).first {
            return message.replacing(/^(Error: )?[^\n]*/, maxReplacements: 1) {
                "\($0.output.0)\($0.output.0.hasSuffix(".") ? "" : ".") \(hint)"
            }
        }
        return message.replacing(/Unknown option '(--[a-z-]+)'\.?( Did you mean '[^']*'\?)?/) {
            match in
            let owners = TimeWarpCommand.names(having: String(match.output.1))
            return owners.isEmpty
                ? String(match.output.0)
                : "Unknown option '\(match.output.1)'. These commands have it: \(owners.joined(separator: ", "))."
        }
    }
}

extension TimeWarpCommand {
    /// The names of the subcommands that have an option.
    fileprivate static func names(having option: String) -> [String] {
        var names: [String] = []
        for command in configuration.subcommands {
            // "  -o, --output <file>      The file …"
            let lines = command.helpMessage(columns: 200).split(separator: "\n")
            let options = lines.filter { $0.hasPrefix("  -") }
                .flatMap { $0.split(separator: " ").prefix(2) }
            if options.contains(where: { $0 == option }),
                let name = command.configuration.commandName
            {
                names.append(name)
            }
        }
        return names
    }
}
