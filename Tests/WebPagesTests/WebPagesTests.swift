import Foundation
import Testing

@testable import WebPages

@Suite("The pages' files")
struct WebPagesTests {
    private static var sources: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
    }

    @Test(
        "every file of a page is built in as it is, and nothing else",
        arguments: [
            ("TimeWarpStudio/Public", WebPages.studio), ("StoryBuilding/Player", WebPages.player),
        ])
    func complete(folder: String, builtIn: [String: Data]) throws {
        let folder = Self.sources.appendingPathComponent(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(builtIn.keys) == Set(names), "CWebPages lists others")
        for name in names {
            let content = try Data(contentsOf: folder.appendingPathComponent(name))
            #expect(builtIn[name] == content, "\(name)")
        }
    }

    @Test("the studio's document is the one in the folder")
    func document() throws {
        let file = Self.sources.appendingPathComponent("TimeWarpStudio/openapi.json")
        #expect(try Data(contentsOf: file) == WebPages.studioAPI)
    }
}
