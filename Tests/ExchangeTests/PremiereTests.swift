import Foundation
import RandomCompositions
import TestSupport
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

/// What files of Premiere, Final Cut Pro 7, Resolve and Hiero mean. Each case has the form of a real file.
@Suite("Premiere files")
struct PremiereTests {
    private let format = TestFormat.named("xml")

    /// A sequence at 25 frames a second with these video and audio tracks.
    private func sequence(video: [String] = [], audio: [String] = []) throws -> ReadProject {
        func tracks(_ tracks: [String]) -> String {
            tracks.map { "<track>\($0)</track>" }.joined(separator: "\n")
        }
        return try format.read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE xmeml>
            <xmeml version="4"><sequence id="s1"><name>film</name>
              <rate><timebase>25</timebase><ntsc>FALSE</ntsc></rate>
              <media><video><format><samplecharacteristics><width>1280</width><height>720</height>
                </samplecharacteristics></format>\(tracks(video))</video>
              <audio>\(tracks(audio))</audio></media>
            </sequence></xmeml>
            """)
    }

    private func expect(
        _ outline: [String], video: [String] = [], audio: [String] = []
    ) throws {
        let found = try sequence(video: video, audio: audio).composition.outline
        #expect(found == outline)
    }

    /// A clip of a file of 1000 frames, with places in frames.
    private func clip(
        _ start: Int, _ end: Int, _ first: Int, _ last: Int, file: String = "a", more: String = ""
    ) -> String {
        """
        <clipitem id="c"><name>\(file)</name><duration>1000</duration>
          <rate><timebase>25</timebase><ntsc>FALSE</ntsc></rate>
          <start>\(start)</start><end>\(end)</end><in>\(first)</in><out>\(last)</out>
          <file id="\(file)"><pathurl>file://localhost/films/\(file).mov</pathurl>
            <rate><timebase>25</timebase><ntsc>FALSE</ntsc></rate><duration>1000</duration></file>
        \(more)</clipitem>
        """
    }

    /// The filter for a speed in percent, with keyframes as `when:value`.
    private func remap(
        _ speed: String, reversed: Bool = false, variable: Bool = false, keys: [String] = [],
        virtual: Bool = false
    ) -> String {
        let frames = keys.map { key in
            let parts = key.split(separator: ":")
            return "<keyframe><when>\(parts[0])</when><value>\(parts[1])</value>"
                + (virtual ? "<speedvirtualkf>TRUE</speedvirtualkf>" : "") + "</keyframe>"
        }
        return """
            <filter><effect><name>Time Remap</name><effectid>timeremap</effectid>
            <parameter><parameterid>variablespeed</parameterid><value>\(variable ? 1 : 0)</value></parameter>
            <parameter><parameterid>speed</parameterid><value>\(speed)</value></parameter>
            <parameter><parameterid>reverse</parameterid><value>\(reversed ? "TRUE" : "FALSE")</value></parameter>
            <parameter><parameterid>graphdict</parameterid>\(frames.joined())</parameter>
            </effect></filter>
            """
    }

    @Test("clips in frames of the sequence, and gaps between them")
    func cuts() throws {
        try expect(
            ["video: a.mov 1...3 | gap 1 | b.mov 0...4"],
            video: [clip(0, 50, 25, 75) + clip(75, 175, 0, 100, file: "b")])
    }

    @Test("in and out of a clip at another speed are in frames of the retimed clip")
    func constantSpeed() throws {
        try expect(
            ["video: a.mov 4...8 in 2"],
            video: [clip(0, 50, 50, 100, more: remap("200"))])
        try expect(
            ["video: a.mov 1...2 in 2"],
            video: [
                clip(0, 50, 50, 100, more: remap("50", keys: ["0:0", "2000:1000"], virtual: true))
            ])
    }

    @Test("backwards, in counts from the end of the file")
    func reversed() throws {
        try expect(
            ["video: a.mov 38...34 in 2"],
            video: [clip(0, 50, 25, 75, more: remap("200", reversed: true))])
        try expect(
            ["video: a.mov 38...34 in 2"],
            video: [clip(0, 50, 25, 75, more: remap("-200"))])
    }

    @Test(
        "a speed that changes: when is in retimed frames, value in frames of the file, with holds")
    func ramp() throws {
        let keys = ["0:0", "100:100", "150:100", "250:400"]
        try expect(
            ["video: a.mov 0:2 2:4 4:4 6:10"],
            video: [clip(0, 150, 50, 200, more: remap("100", variable: true, keys: keys))])
    }

    @Test("handles from which no curve follows become straight lines, and a note says so")
    func oddHandles() throws {
        let keys = ["0:0", "100:100", "200:400"]
        let plain = remap("100", variable: true, keys: keys)
        let odd = plain.replacing(
            "<value>100</value>",
            with: "<value>100</value><inbez><horiz>20</horiz><vert>20</vert></inbez>",
            maxReplacements: 2)
        for (filter, isNoted) in [(plain, false), (odd, true)] {
            let read = try sequence(video: [clip(0, 150, 50, 200, more: filter)])
            #expect(try read.composition.outline == ["video: a.mov 0:2 2:4 6:16"])
            #expect(read.notes.contains { $0.contains("straight lines") } == isNoted)
        }
    }

    @Test(
        "no two keyframes that are written are at one frame, and each kind is there once at the most"
    )
    func writtenKeys() throws {
        let folder = try TemporaryFolder()
        try TestClip { ($0.rate, $0.frameCount, $0.audioCodec) = (FrameRate(known: 25), 100, nil) }
            .write(to: folder.path("a.mp4"))
        let clips = try [
            (range(0, 4), Retiming.uniform), (range(0, 2), .uniform), (range(2, 4), .uniform),
            (range(1, 3), .reversed), (range(0, 4), .reversed),
            (range(1, 2), .frozen(at: seconds(1))),
        ]
        for (range, retiming) in clips {
            var track = Track(carries: .video)
            try track.append(
                Segment(PlacedClip("a.mp4", range: range, retiming: retiming), lasting: seconds(5)))
            let composition = Composition(
                format: .init(frameRate: FrameRate(known: 25)), tracks: [track])
            let json = folder.path("edit.json")
            try composition.json().write(to: URL(fileURLWithPath: json))
            let file = try CompositionProject(contentsOfFile: json, formats: .all)
                .file(named: folder.path("edit.xml")).data
            let text = String(decoding: file, as: UTF8.self)
            let whens = text.matches(of: #/<when>([-0-9.]+)</when>/#).compactMap {
                Double($0.output.1)
            }
            #expect(
                whens.count >= 2 && zip(whens, whens.dropFirst()).allSatisfy { $0 < $1 }, "\(whens)"
            )
            for kind in ["start", "in", "out", "end"] {
                #expect(text.components(separatedBy: "<speedkf\(kind)>").count <= 2)
            }
        }
    }

    @Test("a freeze frame")
    func freeze() throws {
        let held = remap("0", keys: ["0:75", "50:75"], virtual: true)
        try expect(
            ["video: a.mov held at 3 for 2"], video: [clip(0, 50, 0, 50, more: held)])
    }

    @Test("a clip beside a transition has no start or end of its own; the cut is in the middle")
    func transitions() throws {
        let dissolve =
            "<transitionitem><start>40</start><end>60</end><alignment>center</alignment>"
            + "<effect><name>Cross Dissolve</name></effect></transitionitem>"
        try expect(
            ["video: a.mov 1...3 | b.mov 4.4...6.4, dissolve 0.8"],
            video: [clip(0, -1, 25, 85) + dissolve + clip(-1, 100, 100, 160, file: "b")])
        let out =
            "<transitionitem><start>25</start><end>50</end><alignment>end-black</alignment>"
            + "<effect><name>Cross Dissolve</name></effect></transitionitem>"
        try expect(
            ["video: a.mov 1...3, fade out 1"], video: [clip(0, -1, 25, 75) + out])
    }

    @Test(
        "pictures and sound that lie alike are one track; further channels are no tracks of their own"
    )
    func linked() throws {
        func sound(_ channel: Int, _ more: String = "") -> String {
            clip(
                0, 50, 25, 75,
                more:
                    "<sourcetrack><mediatype>audio</mediatype><trackindex>\(channel)</trackindex></sourcetrack>"
                    + more)
        }
        try expect(
            ["both: a.mov 1...3"], video: [clip(0, 50, 25, 75)], audio: [sound(1), sound(2)])
        let level =
            "<filter><effect><effectid>audiolevels</effectid><parameter>"
            + "<parameterid>level</parameterid><value>0.501187</value></parameter></effect></filter>"
        try expect(
            ["both: a.mov 1...3, dB 0:-6.0"], video: [clip(0, 50, 25, 75)], audio: [sound(1, level)]
        )
    }

    @Test("markers of clips and of the sequence")
    func markers() throws {
        let marker =
            "<marker><name>beat</name><in>50</in><out>-1</out></marker>"
            + "<marker><name>part</name><in>50</in><out>75</out></marker>"
        try expect(
            ["video: a.mov 1...3, \"beat\" at 2, \"part\" at 2 for 1"],
            video: [clip(0, 50, 25, 75, more: marker)])
    }

    @Test("a nested sequence shows its clips, retimed")
    func nested() throws {
        let inner = """
            <clipitem><name>n</name><duration>200</duration><start>0</start><end>50</end>
            <in>10</in><out>60</out>\(remap("200"))
            <sequence id="s2"><name>inner</name><rate><timebase>25</timebase><ntsc>FALSE</ntsc></rate>
            <media><video><track>\(clip(0, 50, 0, 50))\(clip(50, 200, 100, 250, file: "b"))</track></video></media>
            </sequence></clipitem>
            """
        try expect(["video: a.mov 0.8...2 in 0.6 | b.mov 4...6.8 in 1.4"], video: [inner])
    }

    @Test("blended frames are a setting of the render")
    func blending() throws {
        let blended = remap("200").replacing(
            "<parameter><parameterid>speed<",
            with: "<parameter><parameterid>frameblending</parameterid><value>TRUE</value>"
                + "</parameter><parameter><parameterid>speed<")
        let read = try sequence(video: [clip(0, 50, 50, 100, more: blended)])
        #expect(read.settings == ProjectSettings(frames: .blend))
        for (frames, written) in [
            (RenderSettings.FrameSynthesis.blend, RenderSettings.FrameSynthesis.blend),
            (.hold, .hold), (.motion, .blend),
        ] {
            let settings = ProjectSettings(sound: .keepPitch, frames: frames)
            let file = try format.write(read.composition, settings)
            #expect(try format.read(file.file).settings == ProjectSettings(frames: written))
            #expect(file.notes.contains { $0.contains("made from motion") } == (frames == .motion))
            #expect(file.notes.contains { $0.contains("pitch") })
        }
    }

    @Test("29.97 is written as 30 with ntsc")
    func ntsc() throws {
        let file = try sequence(video: [clip(0, 50, 25, 75)])
        #expect(file.composition.format.frameRate == FrameRate(known: 25))
        let text = """
            <xmeml version="5"><sequence><rate><timebase>30</timebase><ntsc>TRUE</ntsc></rate><media><video><track>
            \(clip(30, 60, 0, 30))</track></video></media></sequence></xmeml>
            """
        let read = try format.read(text)
        #expect(read.composition.format.frameRate == FrameRate(known: 30_000, over: 1001))
        #expect(read.composition.tracks[0].segments[0].duration == seconds(1001, 1000))
    }
}
