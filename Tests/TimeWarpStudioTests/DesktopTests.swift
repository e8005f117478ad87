import Foundation
import TestSupport
import Testing

@testable import TimeWarpStudio

@Suite("Desktop")
struct DesktopTests {
    /// A program that writes its arguments into a file beside it, each on a line.
    private func recorder(in folder: TemporaryFolder) throws -> (program: String, told: String) {
        let (program, told) = (folder.path("opener"), folder.path("told"))
        try "#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(told).part'; mv '\(told).part' '\(told)'\n"
            .write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        return (program, told)
    }

    @Test("a file is shown in its folder: by its name where the program can, else by the folder")
    func show() async throws {
        for (reveals, expected) in [(true, "-R\n/a b/c.mp4\n"), (false, "/a b\n")] {
            let folder = try TemporaryFolder()
            let (program, told) = try recorder(in: folder)
            #expect(Desktop(program: program, revealsFiles: reveals).show("/a b/c.mp4"))
            try await waitUntil("the program runs") {
                FileManager.default.fileExists(atPath: told)
            }
            #expect(try String(contentsOfFile: told, encoding: .utf8) == expected)
        }
    }

    @Test("an address is given in a page that only the user can read, not in arguments")
    func open() async throws {
        let folder = try TemporaryFolder()
        let (program, told) = try recorder(in: folder)
        let desktop = Desktop(program: program, revealsFiles: false)
        var page = desktop.open("http://127.0.0.1:1/?token=a")
        try await waitUntil("the program runs") { FileManager.default.fileExists(atPath: told) }
        let path = try String(contentsOfFile: told, encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        #expect(path == page?.path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("url=http://127.0.0.1:1/?token=a\""))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        page = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a program that can't be started is told")
    func absent() throws {
        let folder = try TemporaryFolder()
        let desktop = Desktop(program: folder.path("none"), revealsFiles: false)
        #expect(!desktop.show("/a/b.mp4"))
    }
}
