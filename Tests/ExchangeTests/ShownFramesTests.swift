import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

/// A project around a file `a.mp4` of 120 numbered frames at 25 frames a second, and which of them it shows.
struct ShownProject: Sendable, CustomTestStringConvertible {
    let name: String
    let ending: String
    let text: String
    let frames: [Int]

    var testDescription: String { name }

    init(_ name: String, _ ending: String, showing frames: [Int], _ text: String) {
        (self.name, self.ending, self.frames, self.text) = (name, ending, frames, text)
    }

    /// A frame again and again.
    static func held(_ frame: Int, _ count: Int) -> [Int] { Array(repeating: frame, count: count) }
}

extension ShownProject {
    private static let fcpxmlHead = """
        <fcpxml version="1.10"><resources><format id="r1" frameDuration="100/2500s" width="160" height="120"/>
        <asset id="r2" src="a.mp4" start="0s" duration="12000/2500s" hasVideo="1" format="r1"/></resources>
        <library><event><project><sequence format="r1"><spine>
        """
    private static let fcpxmlTail = "</spine></sequence></project></event></library></fcpxml>"

    private static func xmeml(_ frames: Int, first: Int = 0, _ parameters: String) -> String {
        """
        <xmeml version="4"><sequence><rate><timebase>25</timebase><ntsc>FALSE</ntsc></rate><media><video><track>
        <clipitem><name>a</name><start>0</start><end>\(frames)</end><in>\(first)</in><out>\(first + frames)</out>
        <file id="f"><pathurl>a.mp4</pathurl><rate><timebase>25</timebase></rate><duration>120</duration></file>
        <filter><effect><effectid>timeremap</effectid>\(parameters)</effect></filter></clipitem>
        </track></video></media></sequence></xmeml>
        """
    }

    private static func parameter(_ name: String, _ value: String, _ keys: String = "") -> String {
        "<parameter><parameterid>\(name)</parameterid><value>\(value)</value>\(keys)</parameter>"
    }

    private static func key(_ when: Double, _ value: Double, _ more: String = "") -> String {
        "<keyframe><when>\(when)</when><value>\(value)</value>\(more)</keyframe>"
    }

    private static func virtualKey(_ when: Double, _ value: Double, _ kind: String) -> String {
        key(
            when, value,
            "<speedvirtualkf>TRUE</speedvirtualkf><speedkf\(kind)>TRUE</speedkf\(kind)>")
    }

    private static func mlt(_ body: String) -> String {
        """
        <mlt LC_NUMERIC="C"><profile width="160" height="120" frame_rate_num="25" frame_rate_den="1"/>
        \(body)</mlt>
        """
    }

    private static func remapped(_ map: String, _ frames: Int) -> String {
        mlt(
            """
            <chain id="c" out="\(frames - 1)"><property name="resource">a.mp4</property><link>
            <property name="mlt_service">timeremap</property><property name="time_map">\(map)</property></link></chain>
            <playlist id="v"><entry producer="c" in="0" out="\(frames - 1)"/></playlist>
            <tractor><track producer="v"/></tractor>
            """)
    }

    private static func list(_ events: String) -> String { "* FRAME RATE: 25\n" + events }

    static let freezes = [
        ShownProject(
            "EDL, held", "edl", showing: held(50, 6),
            list(
                """
                001  A  V  C  00:00:02:00 00:00:02:01 01:00:00:00 01:00:00:06
                M2   A  000.0  00:00:02:00
                * SOURCE FILE: a.mp4
                """)),
        ShownProject(
            "EDL, the file's last frame held", "edl", showing: held(119, 3),
            list(
                """
                001  A  V  C  00:00:04:19 00:00:04:20 01:00:00:00 01:00:00:03
                M2   A  000.0  00:00:04:19
                * SOURCE FILE: a.mp4
                """)),
        ShownProject(
            "EDL, the file's first frame held, after a clip", "edl",
            showing: [50, 51] + held(0, 3),
            list(
                """
                001  A  V  C  00:00:02:00 00:00:02:02 01:00:00:00 01:00:00:02
                * SOURCE FILE: a.mp4
                002  A  V  C  00:00:00:00 00:00:00:01 01:00:00:02 01:00:00:05
                M2   A  000.0  00:00:00:00
                * SOURCE FILE: a.mp4
                """)),
        ShownProject(
            "FCPXML, held", "fcpxml", showing: held(50, 5),
            fcpxmlHead
                + """
                <asset-clip ref="r2" offset="0s" start="1s" duration="500/2500s">
                <timeMap><timept time="0s" value="2s"/><timept time="4s" value="2s"/></timeMap></asset-clip>
                """ + fcpxmlTail),
        ShownProject(
            "FCPXML, played into a hold and on", "fcpxml",
            showing: [48, 49] + held(50, 3) + [51, 52],
            fcpxmlHead
                + """
                <asset-clip ref="r2" offset="0s" start="0s" duration="700/2500s">
                <timeMap><timept time="0s" value="4800/2500s"/><timept time="200/2500s" value="2s"/>
                <timept time="400/2500s" value="2s"/><timept time="700/2500s" value="5300/2500s"/></timeMap></asset-clip>
                """ + fcpxmlTail),
        ShownProject(
            "FCPXML, played into a hold that ends the clip", "fcpxml",
            showing: [48, 49] + held(50, 4),
            fcpxmlHead
                + """
                <asset-clip ref="r2" offset="0s" start="0s" duration="600/2500s">
                <timeMap><timept time="0s" value="4800/2500s"/><timept time="200/2500s" value="2s"/>
                <timept time="600/2500s" value="2s"/></timeMap></asset-clip>
                """ + fcpxmlTail),
        ShownProject(
            "XMEML, held", "xml", showing: held(75, 4),
            xmeml(
                4,
                parameter("speed", "0")
                    + parameter(
                        "graphdict", "0", virtualKey(0, 75, "in") + virtualKey(4, 75, "out")))),
        ShownProject(
            "XMEML, played into a hold", "xml", showing: [70, 71, 72, 73, 74] + held(75, 3),
            xmeml(
                8,
                parameter("variablespeed", "1")
                    + parameter(
                        "graphdict", "0",
                        key(0, 70) + key(5, 75) + virtualKey(8, 75, "out")
                            + virtualKey(20, 75, "end")))),
        ShownProject(
            "MLT, played into a hold", "mlt", showing: [23, 24] + held(25, 3),
            remapped("0=0.92;2=1;5=1", 5)),
        ShownProject("MLT, held", "mlt", showing: held(25, 5), remapped("0=1;5=1", 5)),
        ShownProject(
            "MLT, a filter that freezes", "mlt", showing: held(30, 4),
            mlt(
                """
                <producer id="p"><property name="resource">a.mp4</property><filter>
                <property name="mlt_service">freeze</property><property name="frame">30</property></filter></producer>
                <playlist id="v"><entry producer="p" in="0" out="3"/></playlist><tractor><track producer="v"/></tractor>
                """)),
    ]

    static let retimes = [
        ShownProject(
            "XMEML, the keyframes that follow from others count at the ends", "xml",
            showing: (0..<20).map { 10 + 2 * $0 } + (0..<10).map { 50 + $0 },
            xmeml(
                30,
                parameter("variablespeed", "1")
                    + parameter(
                        "graphdict", "0",
                        virtualKey(0, 10, "start") + virtualKey(10, 30, "in") + key(20, 50)
                            + virtualKey(25, 55, "out") + virtualKey(90, 120, "end")))),
        ShownProject(
            "XMEML, keyframes at impossible places don't", "xml",
            showing: (0..<10).map { 2 * $0 } + (0..<5).map { 20 + $0 },
            xmeml(
                15,
                parameter("variablespeed", "1")
                    + parameter(
                        "graphdict", "0",
                        key(0, 0) + key(10, 20) + key(20, 30)
                            + virtualKey(25, -1_815_255_671, "out")))),
        ShownProject(
            "XMEML, a constant speed whose keyframes say where it begins", "xml",
            showing: (0..<10).map { 60 + 2 * $0 },
            xmeml(
                10, first: 5,
                parameter("variablespeed", "0") + parameter("speed", "200")
                    + parameter(
                        "graphdict", "0",
                        virtualKey(0, 50, "start") + virtualKey(5, 60, "in")
                            + virtualKey(15, 80, "out") + virtualKey(35, 120, "end")))),
        ShownProject(
            "XMEML, backwards by its keyframes", "xml",
            showing: (0..<10).map { 59 - $0 },
            xmeml(
                10, first: 30,
                parameter("speed", "-100") + parameter("reverse", "TRUE")
                    + parameter(
                        "graphdict", "0",
                        virtualKey(0, 90, "start") + virtualKey(30, 60, "in")
                            + virtualKey(40, 50, "out") + virtualKey(90, 0, "end")))),
        ShownProject(
            "XMEML, curves: an ease with handles of a third", "xml",
            // 3u² − 2u³ of 60 frames.
            showing: (0..<30).map { frame in
                let u = Double(frame) / 30
                return Int((60 * (3 * u * u - 2 * u * u * u) + 1e-6).rounded(.down))
            },
            xmeml(
                30,
                parameter("variablespeed", "1")
                    + parameter(
                        "graphdict", "0",
                        key(0, 0, "<outbez><horiz>10</horiz><vert>0</vert></outbez>")
                            + key(30, 60, "<inbez><horiz>-10</horiz><vert>0</vert></inbez>")))),
        ShownProject(
            "MLT, backwards as melt shows it", "mlt", showing: (0..<10).map { 100 - $0 },
            remapped("0=4;25=3", 10)),
        ShownProject(
            "MLT, backwards twice as fast", "mlt", showing: (0..<10).map { 100 - 2 * $0 },
            remapped("0=4;25=2", 10)),
        ShownProject(
            "MLT, times without hours and minutes", "mlt",
            showing: (0..<20).map { 25 + 2 * $0 },
            remapped(":0.0=1;:0.4=1.8;00:01.000=3", 20)),
        ShownProject(
            "MLT, a framebuffer with a speed", "mlt", showing: (0..<10).map { 20 + 2 * $0 },
            mlt(
                """
                <producer id="p"><property name="resource">a.mp4?2.0</property>
                <property name="mlt_service">framebuffer</property></producer>
                <playlist id="v"><entry producer="p" in="10" out="19"/></playlist><tractor><track producer="v"/></tractor>
                """)),
        ShownProject(
            "MLT, a producer alone", "mlt", showing: Array(10...29),
            mlt(
                """
                <producer id="p" in="10" out="29"><property name="resource">a.mp4</property></producer>
                """)),
        ShownProject(
            "MLT, a producer alone that says no length", "mlt", showing: Array(0..<120),
            mlt("<producer id=\"p\"><property name=\"resource\">a.mp4</property></producer>")),
        ShownProject(
            "EDL, backwards: the in is the frame that is shown first", "edl",
            showing: (0..<8).map { 50 - $0 },
            list(
                """
                001  A  V  C  00:00:02:00 00:00:02:08 01:00:00:00 01:00:00:08
                M2   A  -025.0  00:00:02:00
                * SOURCE FILE: a.mp4
                """)),
        ShownProject(
            "EDL, backwards: where there is nothing before the in, from the out", "edl",
            showing: (0..<8).map { 7 - $0 },
            list(
                """
                001  A  V  C  00:00:00:00 00:00:00:08 01:00:00:00 01:00:00:08
                M2   A  -025.0  00:00:00:00
                * SOURCE FILE: a.mp4
                """)),
    ]
}

@Suite("Frames that projects show")
struct ShownFramesTests {
    private static let files = KeptFiles()

    private func media() throws -> String {
        try Self.files.file("a.mp4") { path in
            try TestClip { clip in
                (clip.rate, clip.frameCount, clip.audioCodec) = (FrameRate(known: 25), 120, nil)
            }.write(to: path)
        }
    }

    private func frames(of project: ShownProject) async throws -> [Int?] {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("a.mp4"), withDestinationPath: media())
        let path = folder.path("edit." + project.ending)
        try Data(project.text.utf8).write(to: URL(fileURLWithPath: path))
        let output = folder.path("out.mp4")
        try await Renderer().render(
            RenderPlan(MediaSource(at: path, formats: .all), to: output))
        return try Finding.shownFrames(in: output).map(\.number)
    }

    @Test("a frame that is held is the one that is meant", arguments: ShownProject.freezes)
    func freezes(project: ShownProject) async throws {
        let shown = try await frames(of: project)
        #expect(shown == project.frames)
    }

    @Test("a retimed clip shows what its program shows", arguments: ShownProject.retimes)
    func retimes(project: ShownProject) async throws {
        let shown = try await frames(of: project)
        #expect(shown == project.frames)
    }
}
