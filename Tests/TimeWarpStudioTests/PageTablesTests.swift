import Foundation
import Media
import Testing
import TimeMaps

/// Lists that the page has of its own are those of the library.
@Suite("The page's tables")
struct PageTablesTests {
    private func script(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let path = root.appendingPathComponent("Sources/TimeWarpStudio/Public/\(name)")
        return try String(contentsOf: path, encoding: .utf8)
    }

    private func quoted(_ text: Substring) -> [String] {
        text.matches(of: /"([a-z0-9-]+)"/).map { String($0.1) }
    }

    @Test("every container with video has the codecs that it can hold, in their order")
    func containers() throws {
        let table = try #require(
            try script("render-request.js").firstMatch(
                of: /export const CONTAINERS = \{(?<rows>[^;]*)\};/))
        let rows = String(table.rows).matches(
            of: /([a-z0-9]+): \{\s*video: \[([^\]]*)\],\s*audio: \[([^\]]*)\]/)
        let listed = rows.map { String($0.1) }
        let expected = Container.allCases.filter { !$0.isAudioOnly }
        #expect(Set(listed) == Set(expected.map(\.rawValue)))
        for row in rows {
            let container = try #require(Container(rawValue: String(row.1)))
            #expect(quoted(row.2) == container.videoCodecs.map(\.rawValue))
            #expect(quoted(row.3) == container.audioCodecs.map(\.rawValue))
        }
    }

    @Test("every easing of the page is read by the library")
    func easings() throws {
        let table = try #require(
            try script("keyframe-text.js").firstMatch(of: /export const EASINGS = \[([^\]]*)\]/))
        let names = quoted(table.1)
        #expect(names.count == 4)
        for name in names {
            let text = name == "bezier" ? "bezier(0.3,0,0.7,1)" : name
            #expect(try Easing(parsing: text).description.hasPrefix(name))
        }
    }
}
