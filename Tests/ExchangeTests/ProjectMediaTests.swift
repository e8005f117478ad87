import Foundation
import Media
import RandomCompositions
import TestSupport
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

@Suite("Projects and the files they name")
struct ProjectMediaTests {
    /// A list of edits that names two files.
    private static let list = """
        * FRAME RATE: 30
        001  A  V  C  00:00:00:00 00:00:01:00 01:00:00:00 01:00:01:00
        * SOURCE FILE: /gone/reel/one.mp4
        002  B  V  C  00:00:00:00 00:00:01:00 01:00:01:00 01:00:02:00
        * FROM CLIP NAME: two
        """

    private func write(_ text: String, to path: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func clip(_ path: String, frames: Int = 60) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try TestClip { $0.frameCount = frames }.write(to: path)
    }

    @Test("one error names all that is missing; written in another format it may be missing")
    func missing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("edit.edl")
        try write(Self.list, to: path)
        let error = #expect(throws: MediaError.self) {
            try CompositionProject(contentsOfFile: path, formats: .all)
        }
        let words = error?.description ?? ""
        #expect(words.contains("/gone/reel/one.mp4") && words.contains("two"))
        let project = try CompositionProject(
            contentsOfFile: path, formats: .all, missingMedia: .noted)
        #expect(project.notes.contains { $0.contains("one.mp4") && $0.contains("two") })
        #expect(project.composition.duration == seconds(2))
    }

    @Test("all that is missing is told as well where the project doesn't say how long it lasts")
    func missingWithoutDurations() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("edit.json")
        try write(
            #"""
            {"timewarp":"composition/1","tracks":[{"segments":[{"media":"one.mp4"},
            {"media":"two.mp4"},{"media":"three.mp4","range":["0","1"]}]}]}
            """#, to: path)
        for missing in [CompositionProject.MissingMedia.refused, .noted] {
            let error = #expect(throws: MediaError.self) {
                try CompositionProject(
                    contentsOfFile: path, formats: .all, missingMedia: missing)
            }
            #expect(error?.code == .noInput)
            for name in ["one.mp4", "two.mp4", "three.mp4", "2 of them"] {
                #expect(error?.description.contains(name) == true, "\(String(describing: error))")
            }
        }
    }

    @Test("a list that names itself as a file is refused")
    func namesItself() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("edit.edl")
        try write(
            """
            001  A        V     C        00:00:00:00 00:00:01:00 01:00:00:00 01:00:01:00
            * SOURCE FILE: edit.edl
            """, to: path)
        let error = #expect(throws: MediaError.self) {
            try CompositionProject(contentsOfFile: path, formats: .all)
        }
        #expect(error?.reason.contains("contains itself") == true)
    }

    @Test(
        "files are found beside the project, and in folders by name, with or without an extension")
    func found() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("edit.edl")
        try write(Self.list, to: path)
        try clip(folder.path("one.mp4"))
        try clip(folder.path("card/deep/two.mp4"))
        let project = try CompositionProject(
            contentsOfFile: path, formats: .all.searching([folder.path("card")]))
        #expect(project.notes.filter { $0.contains("was found at") }.count == 2)
        let media = project.composition.tracks[0].segments.compactMap(\.clip?.media)
        #expect(media.map { ($0 as NSString).lastPathComponent } == ["one.mp4", "two.mp4"])
    }

    @Test(
        "a name without an ending is that of the recording beside the project, not of what belongs to it"
    )
    func stems() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("two.edl")
        try write(Self.list.replacing("/gone/reel/one.mp4", with: "One"), to: path)
        try clip(folder.path("one.mp4"))
        try clip(folder.path("two.mov"))
        try write("1\n00:00:00,000 --> 00:00:01,000\nHello\n", to: folder.path("two.srt"))
        try write("notes", to: folder.path("two.txt"))
        let project = try CompositionProject(contentsOfFile: path, formats: .all)
        let media = project.composition.tracks[0].segments.compactMap(\.clip?.media)
        #expect(media.map { ($0 as NSString).lastPathComponent } == ["one.mp4", "two.mov"])
    }

    @Test("the reel finds a file where the clip's name doesn't")
    func reels() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("edit.edl")
        try write(
            """
            * FRAME RATE: 30
            001  A001C002  V  C  00:00:00:00 00:00:01:00 01:00:00:00 01:00:01:00
            * FROM CLIP NAME: 12B-09 (B)
            """, to: path)
        try clip(folder.path("A001C002.mp4"))
        let project = try CompositionProject(contentsOfFile: path, formats: .all)
        let clip = project.composition.tracks[0].segments[0].clip
        #expect(clip?.media.hasSuffix("A001C002.mp4") == true && clip?.name == "12B-09 (B)")
    }

    @Test("all that is missing is named, however many")
    func manyMissing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("edit.edl")
        let grid = FrameGrid(FrameRate(known: 30))
        let events = (0..<250).map { number in
            let (start, end) = (grid.timecode(Int64(number)), grid.timecode(Int64(number + 1)))
            return "\(number)  R\(number)  V  C  00:00:00:00 00:00:00:01 \(start) \(end)\n"
                + "* SOURCE FILE: /gone/\(number).mov"
        }
        try write("* FRAME RATE: 30\n" + events.joined(separator: "\n"), to: path)
        let error = #expect(throws: MediaError.self) {
            try CompositionProject(contentsOfFile: path, formats: .all)
        }
        let words = error?.description ?? ""
        #expect((0..<250).allSatisfy { words.contains("/gone/\($0).mov") })
        let project = try CompositionProject(
            contentsOfFile: path, formats: .all, missingMedia: .noted)
        #expect(project.missingMedia.count == 250)
        #expect(project.notes.contains { $0.contains("/gone/249.mov") })
    }

    @Test(
        "paths of Windows are written as they were, in every format",
        arguments: [
            #"C:\films\a b.mov"#, "C:/films/a b.mov", #"\\server\films\a.mov"#,
            "//server/films/a.mov",
            "/films/a b.mov",
        ])
    func windowsPaths(_ path: String) throws {
        let folder = try TemporaryFolder()
        var track = Track(carries: .video)
        try track.append(Segment(PlacedClip(path, range: range(0, 2))))
        let json = folder.path("x/edit.json")
        let composition = Composition(
            format: .init(frameRate: FrameRate(known: 25)), tracks: [track])
        try write(String(decoding: composition.json(), as: UTF8.self), to: json)
        let project = try CompositionProject(
            contentsOfFile: json, formats: .all, missingMedia: .noted)
        for format in TestFormat.all {
            let target = folder.path("y/edit." + format.description)
            let file = try project.file(named: target).data
            try write(String(decoding: file, as: UTF8.self), to: target)
            let again = try CompositionProject(
                contentsOfFile: target, formats: .all, missingMedia: .noted)
            let media = again.composition.tracks[0].segments[0].clip?.media
            // URLs have other slashes.
            #expect(
                media?.replacing("\\", with: "/") == path.replacing("\\", with: "/"), "\(format)")
            if ["edl", "mlt", "otio"].contains(format.description), path.contains("\\") {
                #expect(media == path, "\(format)")
            }
        }
    }

    @Test(
        "every spelling of a file's place is a path",
        arguments: [
            (#"C:\films\a.mov"#, #"C:\films\a.mov"#),
            ("file:///C:/films/a%20b.mov", "C:/films/a b.mov"),
            ("file://localhost/C%3a/films/a.mov", "C:/films/a.mov"),
            ("file://C:/films/a.mov", "C:/films/a.mov"), ("file:/films/a.mov", "/films/a.mov"),
            ("file://localhost/films/a.mov", "/films/a.mov"),
            ("file:///films/a.mov", "/films/a.mov"),
            ("file://server/films/a.mov", "//server/films/a.mov"), ("a b%20.mov", "a b%20.mov"),
            ("https://example.com/a.mov", "https://example.com/a.mov"),
        ])
    func spellings(_ pair: (String, String)) {
        #expect(MediaLocation.path(ofURL: pair.0) == pair.1)
    }

    @Test(
        "photos are held for their place, also where it begins late or dissolves",
        arguments: ["fcpxml", "mlt", "kdenlive", "xml"])
    func photos(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "color=red:s=160x120", "-frames:v", "1", folder.path("p.png"),
        ])
        try clip(folder.path("one.mp4"))
        let project =
            switch ending {
            case "fcpxml":
                """
                <fcpxml version="1.10"><resources><format id="r1" frameDuration="1/25s" width="160" height="120"/>
                <asset id="r2" src="p.png" start="0s" duration="0s" hasVideo="1"/>
                <asset id="r3" src="one.mp4" start="0s" duration="2s" hasVideo="1"/></resources>
                <project><sequence format="r1"><spine>
                <video ref="r2" offset="0s" start="86400s" duration="2s"/>
                <video ref="r2" offset="2s" start="0s" duration="2s"/>
                <transition offset="3.5s" duration="1s"/>
                <asset-clip ref="r3" offset="4s" start="0.5s" duration="1s"/>
                </spine></sequence></project></fcpxml>
                """
            case "xml":
                """
                <xmeml version="4"><sequence><rate><timebase>25</timebase></rate><media><video><track>
                <clipitem><start>0</start><end>50</end><in>2159986</in><out>2160036</out>
                <file id="p"><pathurl>p.png</pathurl><duration>1</duration></file></clipitem>
                <clipitem><start>50</start><end>-1</end><in>0</in><out>62</out><file id="p"/></clipitem>
                <transitionitem><start>88</start><end>112</end></transitionitem>
                <clipitem><start>-1</start><end>125</end><in>0</in><out>37</out>
                <file id="o"><pathurl>one.mp4</pathurl><duration>50</duration></file></clipitem>
                </track></video></media></sequence></xmeml>
                """
            default:
                """
                <mlt><profile width="160" height="120" frame_rate_num="25" frame_rate_den="1"/>
                <producer id="p" out="100"><property name="resource">p.png</property>
                <property name="mlt_service">\(ending == "mlt" ? "pixbuf" : "qimage")</property></producer>
                <producer id="o"><property name="resource">one.mp4</property></producer>
                <playlist id="a"><entry producer="p" in="5000000" out="5000049"/><entry producer="p" in="0" out="61"/></playlist>
                <playlist id="b"><blank length="88"/><entry producer="o" in="0" out="36"/></playlist>
                <tractor id="t"><track producer="a"/><track producer="b"/></tractor>
                <tractor><track producer="t"/></tractor></mlt>
                """
            }
        let path = folder.path("edit." + ending)
        try write(project, to: path)
        let output = folder.path("out.mp4")
        try await Renderer().render(
            RenderPlan(MediaSource(at: path, formats: .all), to: output))
        let shown = try Finding.shownFrames(in: output)
        #expect(shown.count == 125)
        // Red is 76 or 81 of luma.
        #expect(shown.prefix(87).allSatisfy { (70...90).contains($0.brightness) })
        #expect(shown.last?.number != nil)
    }

    @Test("of several files with the name, the one that lasts as the project says is taken")
    func byDuration() throws {
        let folder = try TemporaryFolder()
        try clip(folder.path("card/x/one.mp4"), frames: 30)
        try clip(folder.path("card/y/one.mp4"), frames: 90)
        let path = folder.path("edit.fcpxml")
        try write(
            """
            <fcpxml version="1.10"><resources><asset id="r1" src="file:///gone/one.mp4" duration="3s" hasVideo="1"/></resources>
            <project><sequence><spine><asset-clip ref="r1" duration="1s"/></spine></sequence></project></fcpxml>
            """, to: path)
        let project = try CompositionProject(
            contentsOfFile: path, formats: .all.searching([folder.path("card")]))
        #expect(
            project.composition.tracks[0].segments[0].clip?.media.hasSuffix("y/one.mp4") == true)
    }

    @Test("a clip of a project is a time map: by its name, its file's, its number, or alone")
    func reference() throws {
        let folder = try TemporaryFolder()
        let source = try Asset(
            at: {
                try clip(folder.path("one.mp4"), frames: 90)
                return folder.path("one.mp4")
            }())
        let path = folder.path("edit.fcpxml")
        func project(_ names: [String]) -> String {
            let clips = names.enumerated().map { number, name in
                """
                <asset-clip ref="r1" name="\(name)" duration="\(number + 1)s"><timeMap>
                <timept time="0s" value="0s"/><timept time="6s" value="3s"/></timeMap></asset-clip>
                """
            }
            return """
                <fcpxml version="1.10"><resources><asset id="r1" src="one.mp4" duration="3s" hasVideo="1"/></resources>
                <project><sequence><spine>\(clips.joined())</spine></sequence></project></fcpxml>
                """
        }
        try write(project(["fast", "slow", "slow"]), to: path)
        func duration(_ reference: String) throws -> Double {
            try Clip(of: MediaSource(source), timeMap: reference).map.outputDuration
        }
        #expect(try duration(path + "#fast") == 1)
        #expect(try duration(path + "#slow#2") == 3)
        for wrong in ["#slow", "#other", "", "#slow#3"] {
            let error = #expect(throws: MediaError.self) { try duration(path + wrong) }
            #expect(error?.description.contains("edit.fcpxml") == true)
        }
        try write(project(["only"]), to: path)
        #expect(try duration(path) == 1)
        // A file may have the sign in its name.
        let odd = folder.path("a#b.json")
        try write(
            #"{"timewarp": "time-map/1", "points": [{"output": 0, "source": 0}, {"output": 4, "source": 2}]}"#,
            to: odd)
        #expect(try duration(odd) == 4)
    }

    @Test("a bundle of Final Cut Pro is read, and isn't written")
    func bundle() throws {
        let folder = try TemporaryFolder()
        try clip(folder.path("one.mp4"))
        try write(
            """
            <fcpxml version="1.11"><resources><asset id="r1" src="one.mp4" duration="2s" hasVideo="1"/></resources>
            <project><sequence><spine><asset-clip ref="r1" duration="1s"/></spine></sequence></project></fcpxml>
            """, to: folder.path("edit.fcpxmld/Info.fcpxml"))
        for path in ["edit.fcpxmld", "edit.fcpxmld/"].map({ folder.url.path + "/" + $0 }) {
            let project = try CompositionProject(contentsOfFile: path, formats: .all)
            #expect(project.composition.duration == seconds(1))
            let error = #expect(throws: MediaError.self) { try project.file(named: path) }
            #expect(error?.code == .unsupported)
        }
    }

    @Test("a frame curve is written and read again")
    func frameCurve() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("one.mp4")
        try clip(path, frames: 90)
        let source = try Asset(at: path)
        let curve = Curve.builtIn(.doubleSmoothstep, factor: 2)
        let clip = try Clip(of: MediaSource(source), warpedBy: curve)
        let text = try clip.frameCurve().text
        let file = folder.path("one.framecurve.txt")
        try write(text, to: file)
        let again = try Clip(of: MediaSource(source), timeMapFile: file)
        #expect(text.hasPrefix("# http://framecurve.org/specification-v1\n"))
        for frame in 0..<Int(clip.map.outputDuration * 30) {
            let at = Double(frame) / 30
            #expect(abs(clip.map.sourceTime(at: at) - again.map.sourceTime(at: at)) < 0.5 / 30)
        }
    }

    @Test("the guide's table is what the formats say of themselves")
    func table() throws {
        var root = URL(fileURLWithPath: #filePath)
        while !FileManager.default.fileExists(atPath: root.appending(path: "Package.swift").path) {
            root.deleteLastPathComponent()
        }
        let guide = try String(
            contentsOf: root.appending(path: "Documentation/guides/interchange.md"), encoding: .utf8
        )
        #expect(
            guide.contains(FormatAbilities.table), "the table should be:\n\(FormatAbilities.table)")
    }
}
