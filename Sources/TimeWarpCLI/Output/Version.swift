import Foundation
import Media

/// The text that `--version` prints.
enum Version {
    static let number = "0.9.0"

    /// The program's name, version and commit.
    static var program: String { "timewarp \(number), \(commit)" }

    static var text: String {
        let libraries = LoadedFFmpeg.libraries
            .map { "  \($0.name.padding(toLength: 15, withPad: " ", startingAt: 0))\($0.version)" }
            .joined(separator: "\n")
        let licence = ProgramLicence(ofFFmpeg: LoadedFFmpeg.licences)
        return """
            \(program)
            FFmpeg \(LoadedFFmpeg.release)
            \(libraries)

            \(licence.text)
            """
    }

    /// The commit that the program was built from. `Scripts/commit-flags` makes the linker define it as the
    /// address of a symbol, so that no source file changes with each commit.
    private static var commit: String {
        guard let address = symbol("timewarp_commit") else {
            return "unknown commit"
        }
        let digits = String(UInt(bitPattern: address), radix: 16)
        let name = String(repeating: "0", count: max(0, 12 - digits.count)) + digits
        return "commit \(name)\(symbol("timewarp_commit_changed") == nil ? "" : " with changes")"
    }

    private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
        dlsym(dlopen(nil, RTLD_NOW), name)
    }
}

/// The licence under which the program, together with its linked libraries, may be distributed.
struct ProgramLicence {
    /// The licences that FFmpeg's libraries report, such as "LGPL version 2.1 or later".
    let ofFFmpeg: [String]

    var text: String {
        [
            "Licence of the program as a whole: \(whole)",
            "  TimeWarp           MIT",
            "  FFmpeg             \(ofFFmpeg.joined(separator: ", "))",
            "  Swift's libraries  Apache License 2.0, with a runtime library exception",
        ].joined(separator: "\n")
    }

    /// Version 3 is the only version of the GPL that is compatible with the Apache License.
    private var whole: String {
        if ofFFmpeg.contains(where: { $0.hasPrefix("nonfree") }) {
            return "it may not be distributed"
        }
        if ofFFmpeg.contains(where: { $0.hasPrefix("GPL") }) {
            return "GPL version 3 or later"
        }
        return "MIT, with libraries that can be replaced"
    }
}
