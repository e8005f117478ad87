import Foundation
import Media
import Testing
import TimeMaps
import TimeWarp

/// Lists that the guides and the examples have of their own are those of the library.
@Suite("Tables that are written twice")
struct PageTablesTests {
    private func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private func guide(_ name: String) throws -> String {
        try text("Documentation/guides/\(name)")
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

    @Test("the guide has every easing")
    func easings() throws {
        let names = Easing.titles.map(\.name).joined(separator: "|")
        #expect(try guide("curves.md").contains("--easing \(names)(x1,y1,x2,y2)`"))
    }

    @Test("the examples have every speed ramp")
    func ramps() throws {
        for ramp in SpeedRamp.all {
            let name = ramp.name.lowercased().replacing(" ", with: "-")
            let file = try text("Examples/curves/\(name).json")
            #expect(try Curve(json: Data(file.utf8)) == .keyframes(ramp.keyframes), "\(name)")
        }
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
}
