import Foundation
import Testing

@testable import Pages

@Suite("The pages' files")
struct WebPagesTests {
    private static var folder: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/Pages")
    }

    @Test("every file of a page is built in as it is, and nothing else")
    func complete() throws {
        let builtIn = WebPages.studio.merging(
            WebPages.player.map { ("player/" + $0.key, $0.value) }
        ) { old, _ in old }
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path).filter {
            [".css", ".html", ".js"].contains(where: $0.hasSuffix)
                && !$0.hasSuffix(".test.js")
        }
        #expect(Set(builtIn.keys) == Set(files))
        for file in files {
            let content = try Data(contentsOf: Self.folder.appendingPathComponent(file))
            #expect(builtIn[file] == content, "\(file)")
        }
    }

    @Test("no folder holds more than twenty modules")
    func folders() {
        let modules = (Array(WebPages.studio.keys) + WebPages.player.keys).filter {
            $0.hasSuffix(".js")
        }
        let folders = Dictionary(grouping: modules) { ($0 as NSString).deletingLastPathComponent }
        #expect(folders.filter { $1.count > 20 }.isEmpty)
    }
}
