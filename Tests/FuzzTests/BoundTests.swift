import Documents
import Exchange
import Foundation
import ProcessorTime
import Stories
import Testing
import TimeMaps
import TimeWarp

/// Input that is too large or too deeply nested is refused before any work goes into it.
@Suite("Bounds of what is read")
struct BoundTests {
    /// A kind of input, and the largest file of that kind that is read.
    struct Door: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let largest: Int
        let read: @Sendable (Data) throws -> Void

        init(_ name: String, _ largest: Int, _ read: @escaping @Sendable (Data) throws -> Void) {
            testDescription = name
            self.largest = largest
            self.read = read
        }
    }

    static let doors = [
        Door("curve", Curve.largestFile) { _ = try Curve(json: $0) },
        Door("time map", TimeMapDocument.largestFile) { _ = try TimeMapDocument(json: $0) },
        Door("composition", Composition.largestFile) {
            _ = try Composition(json: $0) { _ in RationalTime(1, over: 1) }
        },
        Door("OpenTimelineIO", Composition.largestTimeline) {
            _ = try Composition.reading(openTimelineIO: $0) { _ in RationalTime(1, over: 1) }
        },
        door("fcpxml", FCPXMLFormat()), door("xmeml", XMEMLFormat()), door("edl", EDLFormat()),
        door("mlt", MLTFormat()),
        Door("story", 16 << 20) { _ = try StoryFile(json: $0) },
        Door("manifest", StoryManifest.largestFile) { _ = try StoryManifest(json: $0) },
    ]

    private static func door(_ name: String, _ format: some ProjectFormat) -> Door {
        Door(name, format.largestFile) {
            let media = ProjectMedia(duration: { _ in RationalTime(1, over: 1) }) {
                throw MediaError(.noInput, file: $0, reason: "there is no such file")
            }
            _ = try format.read($0, media)
        }
    }

    private static let atOnce = 0.1

    @Test("JSON larger than its kind may be is refused at once", arguments: doors)
    func large(door: Door) {
        let file = Data(repeating: UInt8(ascii: " "), count: door.largest + 1)
        let seconds = processorSeconds {
            #expect(throws: (any Error).self) { try door.read(file) }
        }
        #expect(seconds < Self.atOnce)
    }

    @Test("100 000 nested brackets are refused at once, on a small stack", arguments: doors)
    func deep(door: Door) {
        for open in ["[", "{\"children\":[", "{\"a\":"] {
            let file = Data(String(repeating: open, count: 100_000).utf8)
            let seconds = onSmallStack {
                processorSeconds { #expect(throws: (any Error).self) { try door.read(file) } }
            }
            #expect(seconds < Self.atOnce, "\(open)")
        }
    }

    @Test("timelines nested as deeply as JSON may be are refused on a small stack")
    func deepTimeline() {
        let level = "{\"OTIO_SCHEMA\":\"Track.1\",\"children\":["
        let file = Data(
            (String(repeating: level, count: 250) + String(repeating: "]}", count: 250)).utf8)
        let seconds = onSmallStack {
            processorSeconds {
                #expect(throws: DocumentError.self) {
                    try Composition.reading(openTimelineIO: file) { _ in .zero }
                }
            }
        }
        #expect(seconds < Self.atOnce)
    }

    /// Runs on a stack of 512 KiB, as macOS gives to threads.
    private func onSmallStack(_ body: @escaping @Sendable () -> Double) -> Double {
        // Written before the signal and read after it.
        nonisolated(unsafe) var seconds = 0.0
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            seconds = body()
            done.signal()
        }
        #if TIMEWARP_SANITIZED
            // Stack frames are several times as large under a sanitizer.
            thread.stackSize = 8 << 20
        #else
            thread.stackSize = 512 << 10
        #endif
        thread.start()
        done.wait()
        return seconds
    }

    @Test("formulas of 10 MB and of 100 000 brackets are refused at once")
    func formulas() {
        let texts = [
            String(repeating: "1+", count: 5_000_000), String(repeating: "(", count: 100_000),
            String(repeating: "(", count: 9000), String(repeating: "-", count: 9000),
        ]
        for text in texts {
            let seconds = processorSeconds {
                #expect(throws: FormulaError.self) { try Formula(text) }
            }
            #expect(seconds < Self.atOnce)
        }
        #expect(throws: TimeError.self) { try RationalTime(parsing: texts[0]) }
        #expect(throws: CurveError.self) { try Keyframe.list(parsing: texts[0]) }
    }

    /// A file that isn't too large, but holds more items than can be decoded in a second.
    struct Crowd: Sendable, CustomTestStringConvertible {
        let door: String
        let head: String
        let item: String
        let tail: String
        let count: Int

        var testDescription: String { "\(count) of \(item)" }
        var file: Data {
            Data((head + Array(repeating: item, count: count).joined(separator: ",") + tail).utf8)
        }
    }

    static let crowds = [
        Crowd(
            door: "composition", head: "{\"timewarp\":\"composition/1\",\"tracks\":[",
            item: "{\"segments\":[]}", tail: "]}", count: 1_000_000),
        Crowd(
            door: "composition",
            head: "{\"timewarp\":\"composition/1\",\"tracks\":[{\"segments\":[",
            item: "{\"gap\":1}", tail: "]}]}", count: 1_500_000),
        Crowd(
            door: "time map", head: "{\"timewarp\":\"time-map/1\",\"points\":[",
            item: "{\"output\":1,\"source\":2}", tail: "]}", count: 600_000),
    ]

    @Test("lists of more than is allowed are counted, not read", arguments: crowds)
    func crowded(crowd: Crowd) throws {
        let door = try #require(Self.doors.first { $0.testDescription == crowd.door })
        let file = crowd.file
        #expect(file.count <= door.largest)
        let seconds = processorSeconds {
            #expect(throws: (any Error).self) { try door.read(file) }
        }
        // Scanning such a file takes half a second on a quiet machine, and decoding its items ten times that.
        #expect(seconds < 2)
    }

    @Test("a story in which nothing leads anywhere is looked through in seconds")
    func lostStory() throws {
        let segments = (0..<20_000).map {
            "\"s\($0)\":{\"media\":\"a.mp4\",\"choices\":[{\"label\":\"x\",\"goto\":\"zz\($0)\"}]}"
        }
        let json =
            "{\"timewarp\":\"story/1\",\"title\":\"a\",\"start\":\"s0\",\"segments\":{"
            + segments.joined(separator: ",") + "}}"
        let file = try StoryFile(json: Data(json.utf8))
        var count = 0
        let seconds = processorSeconds { count = StoryLinter(file).findings().count }
        #expect(count >= 20_000)
        #expect(seconds < 5)
    }
}
