import ArgumentParser
import Media
import TestSupport
import Testing

@testable import TimeWarpCLI

@Suite("Settings that errors name")
struct SettingTests {
    static let settings: [(setting: Setting, command: any ParsableCommand.Type)] =
        [
            .overwriting, .range, .videoCodec, .audioCodec, .quality, .preset, .copiedVideo,
            .keptSound, .muting, .anyRate, .frameSynthesis, .shutter, .memory, .jobs,
            .container, .frameRate,
        ].map { ($0, WarpCommand.self) } + [
            (.match("a.wav"), StretchCommand.self), (.length(1.5), StretchCommand.self),
            (.workspace, StudioCommand.self),
        ]

    @Test("each is an option of a command", arguments: settings)
    func flags(setting: Setting, command: any ParsableCommand.Type) throws {
        let flag = try #require(
            setting.flag.split(separator: " ").first { $0.hasPrefix("--") }, "\(setting)")
        let help = command.helpMessage(columns: 100)
        #expect(help.contains(flag + " ") || help.contains(flag + "\n"), "\(flag)")
        #expect(!setting.description.contains("--"))
    }
}
