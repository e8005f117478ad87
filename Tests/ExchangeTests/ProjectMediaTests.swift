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

    @Test("all that is missing is told at once; written in another format it may be missing")
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
            try Clip(of: source, timeMap: reference).map.outputDuration
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
        let clip = try Clip(of: source, warpedBy: curve)
        let text = try clip.frameCurve().text
        let file = folder.path("one.framecurve.txt")
        try write(text, to: file)
        let again = try Clip(of: source, timeMapFile: file)
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
