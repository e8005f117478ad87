import Documents
import Foundation
import Media
import ProcessorTime
import RandomCompositions
import TestSupport
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

/// Every number of a file of every format is replaced by numbers that nobody means.
@Suite("Numbers that nobody means")
struct HostileNumbersTests {
    private static let numbers = [
        "1e300", "-1e300", "nan", "inf", "\(Int64.min)", "\(Int64.max)", "4294967296", "0", "-1",
        "", "1e-300", "99999999999",
    ]

    /// A valid file of a format that has everything that is read.
    struct Sample: Sendable, CustomTestStringConvertible {
        let format: String
        let name: String

        var testDescription: String { name }

        var text: String {
            get throws {
                let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                    .deletingLastPathComponent().deletingLastPathComponent()
                    .appendingPathComponent("Fuzzing/Corpus/\(name)")
                return try String(contentsOf: corpus, encoding: .utf8)
            }
        }
    }

    static let samples = [
        Sample(format: "fcpxml", name: "fcpxml/editor.fcpxml"),
        Sample(format: "xml", name: "xmeml/editor.xml"),
        Sample(format: "mlt", name: "mlt/editor.mlt"),
        Sample(format: "edl", name: "edl/editor.edl"),
        Sample(format: "otio", name: "otio/timeline.otio"),
        Sample(format: "otio", name: "otio/ours.otio"),
    ]

    @Test(
        "each is read or refused with a sentence, and what is read is written", arguments: samples)
    func numbers(sample: Sample) throws {
        let text = try sample.text
        let format = TestFormat.named(sample.format)
        #expect(throws: Never.self) { try read(text, format) }
        var written: Set<Composition> = []
        // Each number of the file is replaced by every other of these, and the next one by the others.
        for (index, place) in text.ranges(of: #/-?\d+(\.\d+)?/#).enumerated() {
            for number in Self.numbers.enumerated().filter({ ($0.offset + index) % 2 == 0 }) {
                let number = number.element
                let changed = text.replacingCharacters(in: place, with: number)
                let words = "\(text[..<place.lowerBound].suffix(40))[\(number)]"
                let spent = processorSeconds { attempt(changed, format, words, &written) }
                #expect(spent < 20, "\(words): \(spent) s")
            }
        }
    }

    /// Reads a file whose media last ten seconds.
    private func read(_ text: String, _ format: TestFormat) throws -> ReadProject {
        let media = ProjectMedia(
            duration: { _ in seconds(10) },
            open: { throw MediaError(.noInput, file: $0, reason: "it is a test's") })
        return try format.format.read(Data(text.utf8), media)
    }

    /// Reads a file and writes it in its own format and in one of the others, each in its turn, unless an equal composition
    /// was written before.
    private func attempt(
        _ text: String, _ format: TestFormat, _ words: String, _ written: inout Set<Composition>
    ) {
        do {
            let read = try read(text, format)
            guard written.insert(read.composition).inserted else {
                return
            }
            let others = TestFormat.all
            for other in [format, others[written.count % others.count]] {
                do {
                    _ = try other.write(read.composition, read.settings)
                } catch {
                    #expect(isTold(error), "\(words), written as \(other): \(error)")
                }
            }
        } catch {
            #expect(isTold(error), "\(words): \(error)")
        }
    }

    /// Whether an error is one that says what is wrong with the file.
    private func isTold(_ error: any Error) -> Bool {
        error is CompositionError || error is CurveError || error is TimeError
            || error is DocumentError
    }

    @Test("a file with an impossible time is damaged, and named")
    func damaged() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("edit.otio")
        let time = #"{"OTIO_SCHEMA":"RationalTime.1","value":9e9,"rate":1}"#
        try Data(
            #"""
            {"OTIO_SCHEMA":"Timeline.1","global_start_time":\#(time),"tracks":{"OTIO_SCHEMA":"Stack.1","children":[
            {"OTIO_SCHEMA":"Track.1","kind":"Video","children":[{"OTIO_SCHEMA":"Gap.1","source_range":
            {"OTIO_SCHEMA":"TimeRange.1","start_time":\#(time),"duration":\#(time)}},{"OTIO_SCHEMA":"Gap.1","source_range":
            {"OTIO_SCHEMA":"TimeRange.1","start_time":\#(time),"duration":
            {"OTIO_SCHEMA":"RationalTime.1","value":1,"rate":2147483647}}}]}]}}
            """#.utf8
        ).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: MediaError.self) {
            try CompositionProject(contentsOfFile: path, formats: .all)
        }
        #expect(error?.code == .damaged && error?.file == path)
    }

    @Test("a number behind a clip's name may be any")
    func reference() throws {
        let folder = try TemporaryFolder()
        try TestClip { $0.frameCount = 30 }.write(to: folder.path("a.mp4"))
        let path = folder.path("edit.edl")
        try Data(
            """
            * FRAME RATE: 30
            001  A  V  C  00:00:00:00 00:00:01:00 01:00:00:00 01:00:01:00
            * SOURCE FILE: a.mp4
            """.utf8
        ).write(to: URL(fileURLWithPath: path))
        let asset = try Asset(at: folder.path("a.mp4"))
        for number in ["\(Int64.min)", "\(Int64.max)", "-1", "0", "2"] {
            let error = #expect(throws: MediaError.self) {
                try Clip(of: MediaSource(asset), timeMap: "\(path)#a.mp4#\(number)")
            }
            #expect(error?.reason.contains("no number \(number)") == true)
        }
        _ = try Clip(of: MediaSource(asset), timeMap: "\(path)#a.mp4#1")
    }
}
