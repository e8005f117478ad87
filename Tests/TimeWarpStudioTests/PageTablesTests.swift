import Foundation
import Media
import Testing
import TimeMaps
import TimeWarp

/// Lists that the page, the description of its API, and the guides have of their own are those of the library.
@Suite("The page's tables")
struct PageTablesTests {
    private func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private func page(_ name: String) throws -> String {
        try text("Sources/Pages/\(name)")
    }

    private func guide(_ name: String) throws -> String {
        try text("Documentation/guides/\(name)")
    }

    private func quoted(_ text: Substring) -> [String] {
        text.matches(of: /"([a-z0-9-]+)"/).map { String($0.1) }
    }

    /// The keys of `{ key: "label", … }`.
    private func keys(_ text: Substring) -> [String] {
        text.matches(of: /([a-z0-9]+): "/).map { String($0.1) }
    }

    @Test("every container with video has the codecs that it can hold, in their order")
    func containers() throws {
        let table = try #require(
            try page("studio/app/draft.js").firstMatch(
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

    @Test("every container and codec in a menu has a label")
    func labels() throws {
        let table = try #require(
            try page("studio/app/output-form.js").firstMatch(of: /const NAMES = \{([^}]*)\}/))
        let offered = Container.allCases.filter { !$0.isAudioOnly }
        let codecs = offered.flatMap {
            $0.videoCodecs.map(\.rawValue) + $0.audioCodecs.map(\.rawValue)
        }
        #expect(Set(keys(table.1)) == Set(offered.map(\.rawValue) + codecs))
    }

    @Test("the guide's table has every container, with its codecs in their order")
    func containersInTheGuide() throws {
        let rows = try guide("files.md").split(separator: "\n").filter { $0.hasPrefix("| `.") }
        // A row may describe several containers; a dot then separates their codecs.
        let described = rows.flatMap { row in
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let names = cells[1].split(separator: " ").map {
                $0.filter { $0.isLetter || $0.isNumber }
            }
            let video = Array(repeating: cells[2], count: names.count)
            let audio = cells[3].components(separatedBy: " · ")
            return zip(names, zip(video, audio)).map { "\($0): \($1.0) + \($1.1)" }
        }
        let expected = Container.allCases.map { container in
            let video = container.videoCodecs.map(\.rawValue).joined(separator: ", ")
            let audio = container.audioCodecs.map(\.rawValue).joined(separator: ", ")
            return "\(container.rawValue): \(video) + \(audio)"
        }
        #expect(described == expected)
    }

    @Test("the page, the API's description and the guide have every easing")
    func easings() throws {
        let table = try #require(
            try page("studio/keyframes/keyframe-text.js").firstMatch(
                of: /export const EASINGS = \{([^}]*)\}/))
        #expect(keys(table.1) == Easing.names)
        let keyframe = try #require(
            try text("Sources/Pages/openapi.json")
                .firstMatch(of: /"The easing to the next keyframe: ([^"]*)\."/))
        #expect(keyframe.1.matches(of: /[a-z]{3,}/).map { String($0.0) } == Easing.names)
        #expect(
            try guide("curves.md").contains(
                "--easing \(Easing.names.joined(separator: "|"))(x1,y1,x2,y2)`"))
    }

    @Test("the guide has every built-in curve")
    func curvesInTheGuide() throws {
        let rows = try guide("curves.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        let described = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([a-z-]+)`/).map { String($0.1) }
        }
        // The first row is the heading, `--curve`.
        #expect(Set(described.dropFirst()) == Set(BuiltInCurve.allCases.map(\.rawValue)))
    }

    @Test(
        "the page's buttons are the library's choices",
        arguments: [
            ("frames", RenderSettings.FrameSynthesis.allCases.map(\.rawValue)),
            ("sound-mode", RenderSettings.AudioMode.allCases.map(\.rawValue)),
        ])
    func choices(name: String, values: [String]) throws {
        let pattern = try Regex(
            "name=\"\(name)\" value=\"([a-z-]+)\"", as: (Substring, Substring).self)
        #expect(try page("index.html").matches(of: pattern).map { String($0.output.1) } == values)
    }

    @Test(
        "the API's description has the library's values",
        arguments: [
            ("video.codec", VideoCodec.allCases.map(\.rawValue)),
            ("video.frames", RenderSettings.FrameSynthesis.allCases.map(\.rawValue)),
            ("audio.codec", AudioCodec.allCases.map(\.rawValue)),
            ("audio.mode", RenderSettings.AudioMode.allCases.map(\.rawValue)),
        ])
    func description(field: String, values: [String]) throws {
        let document = try JSONSerialization.jsonObject(
            with: Data(try text("Sources/Pages/openapi.json").utf8))
        var keys = ["components", "schemas", "Job"]
        for name in field.split(separator: ".") {
            keys += ["properties", String(name)]
        }
        let schema = keys.reduce(document as Any?) { ($0 as? [String: Any])?[$1] }
        #expect((schema as? [String: Any])?["enum"] as? [String] == values)
    }
}
