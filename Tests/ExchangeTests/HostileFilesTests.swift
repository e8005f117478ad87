import Foundation
import ProcessorTime
import TestSupport
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

@Suite("Project files that mean harm, and large ones", .serialized)
struct HostileFilesTests {
    private static let formats = ["fcpxml", "xml", "mlt"]
    private static let roots = ["fcpxml": "fcpxml", "xml": "xmeml", "mlt": "mlt"]

    /// A file with these declarations, whose root contains this.
    private func file(_ format: String, _ declarations: String, _ body: String) -> String {
        let root = Self.roots[format] ?? ""
        return "<?xml version=\"1.0\"?>\n\(declarations)\n<\(root)>\(body)</\(root)>"
    }

    @Test("entities are refused before they are expanded", arguments: formats)
    func entities(format: String) throws {
        let bomb = (1...40).map { "<!ENTITY e\($0) \"&e\($0 - 1);&e\($0 - 1);\">" }.joined()
        let cases = [
            file(format, "<!DOCTYPE x [<!ENTITY e0 \"ha\">\(bomb)]>", "&e40;"),
            file(format, "<!DOCTYPE x [<!ENTITY e0 SYSTEM \"file:///etc/passwd\">]>", "&e0;"),
            file(format, "<!DOCTYPE x SYSTEM \"http://127.0.0.1:9/x.dtd\">", ""),
            file(format, "<!doctype x [<!ENTITY % p SYSTEM \"file:///etc/passwd\"> %p;]>", ""),
            file(format, "<!-- a --><!DOCTYPE x [<!ENTITY e0 \"x\">]>", ""),
            file(
                format, String(repeating: " ", count: 70_000) + "<!DOCTYPE x [<!ENTITY a \"b\">]>",
                ""),
        ]
        for text in cases {
            let seconds = processorSeconds {
                let error = #expect(throws: CompositionError.self) {
                    try TestFormat.named(format).read(text)
                }
                #expect(error?.description.isEmpty == false)
            }
            #expect(seconds < 1)
        }
        // UTF-16, in which the declarations could hide.
        let wide = try #require(cases[0].data(using: .utf16))
        #expect(throws: CompositionError.self) { try TestFormat.named(format).read(wide) }
    }

    @Test(
        "an undeclared entity, elements that aren't closed and other files are refused",
        arguments: formats)
    func malformed(format: String) {
        for text in [
            file(format, "", "&nothing;"), file(format, "", "<a>"), file(format, "", "<a></b>"), "",
            "no XML", "<html><body>page</body></html>", "{\"OTIO_SCHEMA\": \"Timeline.1\"}",
        ] {
            #expect(throws: CompositionError.self) { try TestFormat.named(format).read(text) }
        }
    }

    @Test("deep nesting is refused, and containers that contain themselves", arguments: formats)
    func depth(format: String) {
        let deep =
            String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
        #expect(throws: CompositionError.self) {
            try TestFormat.named(format).read(file(format, "", deep))
        }
    }

    #if os(Linux)
        @Test("a file with a DOCTYPE takes no memory after it was read")
        func doctype() throws {
            func resident() throws -> Int {
                let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
                    .split(separator: " ")
                return try #require(Int(fields[1])) * Int(getpagesize())
            }
            let text = Data("<!DOCTYPE fcpxml><fcpxml version=\"1.10\"/>".utf8)
            let before = try resident()
            for _ in 0..<20_000 {
                _ = try XMLItem.reading(text, as: "a Final Cut Pro file")
            }
            // A document that stays takes 5 kB.
            #expect(try resident() - before < 50 << 20)
        }
    #endif

    @Test("a compound clip or tractor that contains itself is refused")
    func cycles() {
        let compound = """
            <fcpxml version="1.10"><resources><media id="r1"><sequence><spine>
            <ref-clip ref="r1" duration="5s"/><ref-clip ref="r1" duration="5s"/></spine></sequence></media></resources>
            <project><sequence><spine><ref-clip ref="r1" duration="5s"/></spine></sequence></project></fcpxml>
            """
        #expect(throws: CompositionError.self) { try TestFormat.named("fcpxml").read(compound) }
        let tractor = """
            <mlt><playlist id="p"><entry producer="t" in="0" out="9"/><entry producer="t" in="0" out="9"/></playlist>
            <tractor id="t"><track producer="p"/></tractor></mlt>
            """
        #expect(throws: CompositionError.self) { try TestFormat.named("mlt").read(tractor) }
    }

    @Test("compound clips that multiply are refused instead of being written out")
    func multiplied() {
        let media = (1...12).map { level in
            let inner = String(
                repeating: "<ref-clip ref=\"r\(level - 1)\" duration=\"5s\"/>", count: 10)
            return "<media id=\"r\(level)\"><sequence><spine>\(inner)</spine></sequence></media>"
        }
        let text = """
            <fcpxml version="1.10"><resources>
            <asset id="r0" src="a.mp4" duration="9s" hasVideo="1"/>
            <media id="r0m"/>\(media.joined().replacing("ref-clip ref=\"r0\"", with: "asset-clip ref=\"r0\""))</resources>
            <project><sequence><spine><ref-clip ref="r12" duration="99s"/></spine></sequence></project></fcpxml>
            """
        #expect(throws: CompositionError.self) { try TestFormat.named("fcpxml").read(text) }
    }

    @Test(
        "8000 retimed clips in a file of 20 MB are read in seconds", arguments: ["fcpxml", "xml"])
    func large(format: String) throws {
        let count = 8000
        let padding = String(repeating: "<note>nobody reads so far</note>", count: 76)
        let clips = (0..<count).map { number in
            format == "fcpxml"
                ? """
                <asset-clip ref="r2" offset="\(2 * number)s" start="0s" duration="2s">\(padding)
                <timeMap><timept time="0s" value="0s"/><timept time="10s" value="5s"/></timeMap></asset-clip>
                """
                : """
                <clipitem id="c\(number)"><start>\(50 * number)</start><end>\(50 * number + 50)</end><in>0</in><out>50</out>
                <file id="f1"/>\(padding)<filter><effect><effectid>timeremap</effectid><parameter>
                <parameterid>speed</parameterid><value>50</value></parameter></effect></filter></clipitem>
                """
        }.joined(separator: "\n")
        let text =
            format == "fcpxml"
            ? """
            <fcpxml version="1.10"><resources><asset id="r2" src="file:///a.mp4" duration="5s" hasVideo="1"/></resources>
            <project><sequence><spine>\(clips)</spine></sequence></project></fcpxml>
            """
            : """
            <xmeml version="4"><sequence><rate><timebase>25</timebase></rate><media><video><track>
            <clipitem id="first"><start>-1</start><end>-1</end><file id="f1"><pathurl>file:///a.mp4</pathurl></file></clipitem>
            \(clips)</track></video></media></sequence></xmeml>
            """
        let file = Data(text.utf8)
        #expect(file.count > 19 << 20)
        let seconds = try processorSeconds {
            let read = try TestFormat.named(format).read(file)
            #expect(read.composition.tracks[0].segments.count == count)
        }
        #expect(seconds < 12)
    }
}
