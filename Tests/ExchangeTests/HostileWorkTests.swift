import Foundation
import ProcessorTime
import RandomCompositions
import TestSupport
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

/// Files that are small and would mean very much work, or memory.
@Suite("Projects that mean much work")
struct HostileWorkTests {
    private func fcpxml(_ spine: String, resources: String = "") -> String {
        """
        <fcpxml version="1.10"><resources><asset id="r2" src="file:///a.mp4" duration="99s" hasVideo="1"/>
        \(resources)</resources><project><sequence><spine>\(spine)</spine></sequence></project></fcpxml>
        """
    }

    private func xmeml(video: String, audio: String = "", more: String = "") -> String {
        """
        <xmeml version="4"><sequence><rate><timebase>25</timebase></rate>\(more)<media><video>\(video)</video>
        <audio>\(audio)</audio></media></sequence></xmeml>
        """
    }

    private func clipitem(_ start: Int, _ end: Int) -> String {
        "<clipitem><start>\(start)</start><end>\(end)</end><in>0</in><out>\(end - start)</out>"
            + "<file id=\"f\"><pathurl>file:///a.mp4</pathurl></file></clipitem>"
    }

    private func mlt(_ body: String) -> String {
        "<mlt><profile frame_rate_num=\"25\" frame_rate_den=\"1\"/>\(body)</mlt>"
    }

    private func chain(_ property: String, _ value: String) -> String {
        """
        <chain id="c"><property name="resource">a.mov</property><link><property name="mlt_service">timeremap</property>
        <property name="\(property)">\(value)</property></link></chain>
        """
    }

    /// Reads a file within seconds.
    @discardableResult
    private func read(_ text: String, as format: String) throws -> ReadProject {
        var read: ReadProject?
        let seconds = try processorSeconds {
            read = try TestFormat.named(format).read(text)
        }
        #expect(seconds < 20)
        return try #require(read)
    }

    /// Refuses a file within seconds, with these words.
    private func refuses(_ text: String, as format: String, _ words: String) {
        let seconds = processorSeconds {
            let error = #expect(throws: CompositionError.self) {
                try TestFormat.named(format).read(text)
            }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
        #expect(seconds < 20)
    }

    @Test("clips that all overlap are refused")
    func overlaps() {
        let clip = "<asset-clip ref=\"r2\" offset=\"0s\" duration=\"9s\"/>"
        refuses(fcpxml(String(repeating: clip, count: 50_000)), as: "fcpxml", "overlap")
    }

    @Test("many markers over many clips are attached in order")
    func markers() throws {
        let count = 30_000
        let markers = (0..<count).map {
            "<marker><name>m</name><in>\($0 * 10 + 5)</in><out>-1</out></marker>"
        }
        let clips = (0..<count).map { clipitem($0 * 10, $0 * 10 + 10) }
        let read = try read(
            xmeml(video: "<track>\(clips.joined())</track>", more: markers.joined()), as: "xml")
        let segments = read.composition.tracks[0].segments
        #expect(segments.count == count && segments.allSatisfy { $0.markers.count == 1 })
    }

    @Test("a marker goes to the clip of the lowest track that is shown there, also under others")
    func markerPlaces() throws {
        let marker = "<marker><name>m</name><in>%</in><out>-1</out></marker>"
        let markers = [5, 25, 60, 99].map { marker.replacing("%", with: "\($0)") }
        let read = try read(
            xmeml(
                video: "<track>\(clipitem(0, 10))\(clipitem(50, 80))</track>"
                    + "<track>\(clipitem(0, 30))</track>",
                more: markers.joined()), as: "xml")
        let found = read.composition.tracks.map { $0.segments.map(\.markers.count) }
        #expect(found == [[1, 0, 1], [1]])
        #expect(read.notes.contains("Markers over gaps were dropped."))
    }

    @Test("tracks that repeat each other are found by what they show; too many are refused")
    func tracks() throws {
        func tracks(_ count: Int, _ shift: Int) -> String {
            (0..<count).map { track in
                let clips = (0..<20).map {
                    clipitem($0 * 10, $0 * 10 + 5 + track % 2 * shift)
                }
                return "<track>\(clips.joined())</track>"
            }.joined()
        }
        let read = try read(
            xmeml(video: tracks(1, 0), audio: tracks(900, 1)), as: "xml")
        #expect(read.composition.tracks.map(\.carries) == [.both, .sound])
        refuses(xmeml(video: tracks(1001, 1)), as: "xml", "more than 1000 tracks")
    }

    @Test("transitions, blanks and markers of containers that multiply count as well")
    func multiplied() {
        let transition = "<transition offset=\"0s\" duration=\"1s\"/>"
        let marker = "<marker start=\"0s\" value=\"m\"/>"
        for content in [
            String(repeating: transition, count: 2000),
            "<asset-clip ref=\"r2\" duration=\"1s\">\(String(repeating: marker, count: 2000))</asset-clip>",
        ] {
            let media =
                "<media id=\"r7\"><sequence duration=\"1s\"><spine>\(content)</spine></sequence></media>"
            let clips = String(repeating: "<ref-clip ref=\"r7\" duration=\"1s\"/>", count: 2000)
            refuses(fcpxml(clips, resources: media), as: "fcpxml", "clips, transitions and markers")
        }
        let blanks = String(repeating: "<blank length=\"1\"/>", count: 2000)
        let lists = (0..<2000).map { _ in "<entry producer=\"t\" in=\"0\" out=\"9\"/>" }
        refuses(
            mlt(
                "<producer id=\"p\"><property name=\"resource\">a.mov</property></producer>"
                    + "<playlist id=\"l\">\(blanks)<entry producer=\"p\" in=\"0\" out=\"9\"/></playlist>"
                    + "<tractor id=\"t\"><track producer=\"l\"/></tractor>"
                    + "<playlist id=\"m\">\(lists.joined())</playlist>"
                    + "<tractor id=\"main\"><track producer=\"m\"/></tractor>"),
            as: "mlt", "clips, transitions and markers")
    }

    @Test("what is large and referred to everywhere isn't read without end")
    func repeated() {
        let notes = String(repeating: "<x/>", count: 20_000)
        let media =
            "<media id=\"r7\"><sequence duration=\"1s\">\(notes)<spine>"
            + "<asset-clip ref=\"r2\" duration=\"1s\"/></spine></sequence></media>"
        let clips = String(repeating: "<ref-clip ref=\"r7\" duration=\"1s\"/>", count: 20_000)
        refuses(fcpxml(clips, resources: media), as: "fcpxml", "elements")
    }

    @Test("time maps with too many points become gaps, before they are made")
    func points() throws {
        let entries = String(
            repeating: "<entry producer=\"c\" in=\"0\" out=\"199000\"/>", count: 20)
        for (property, value) in [
            ("time_map", "0~=0;99999999999~=1000"), ("speed_map", "0=1;199999=0.5"),
            ("time_map", (0..<100_001).map { "\($0)=1" }.joined(separator: ";")),
        ] {
            let file =
                chain(property, value)
                + "<playlist id=\"v\">\(entries)</playlist><tractor><track producer=\"v\"/></tractor>"
            let read = try read(mlt(file), as: "mlt")
            #expect(read.notes.contains { $0.contains("points") || $0.contains("keyframes") })
        }
    }

    @Test("a rounded corner anywhere in time has as many points as it needs")
    func corner() throws {
        for start in ["9000000000s", "-9000000000s", "0s", "9223372036854775807/3s"] {
            let clip = """
                <asset-clip ref="r2" offset="0s" start="\(start)" duration="4s"><timeMap>
                <timept time="0s" value="0s"/><timept time="5000000s" value="4s" inTime="4000000s" outTime="4000000s"/>
                <timept time="9000000s" value="0s"/></timeMap></asset-clip>
                """
            let seconds = processorSeconds {
                _ = try? TestFormat.named("fcpxml").read(fcpxml(clip))
            }
            #expect(seconds < 5)
        }
    }

    @Test("a time map with many jumps is read in order")
    func jumps() throws {
        let keys = (0..<50_000).map { "\($0 * 2)|=\($0 % 7)" }.joined(separator: ";")
        let file =
            chain("time_map", keys)
            + "<playlist id=\"v\"><entry producer=\"c\" in=\"0\" out=\"99999\"/></playlist>"
            + "<tractor><track producer=\"v\"/></tractor>"
        let read = try read(mlt(file), as: "mlt")
        #expect(read.composition.tracks[0].segments.count == 50_000)
    }

    @Test(
        "many files of one name, none of which is known, are written in time",
        arguments: TestFormat.all)
    func files(format: TestFormat) throws {
        var track = Track(carries: .video)
        for number in 0..<8000 {
            try track.append(
                Segment(PlacedClip("/films/\(number)/take.mov", range: range(0, 1))))
        }
        let composition = Composition(
            format: .init(frameRate: FrameRate(known: 25)), tracks: [track])
        let seconds = try processorSeconds { _ = try format.write(composition) }
        #expect(seconds < 20)
    }
}
