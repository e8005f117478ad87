import Foundation
import TestSupport
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

/// A project as a program writes it, shortened and with other names and numbers, and what it shows.
struct RealProject: Sendable, CustomTestStringConvertible {
    let program: String
    let ending: String
    let outline: [String]
    let text: String

    var testDescription: String { program }

    init(_ program: String, _ ending: String, _ outline: [String], _ text: String) {
        (self.program, self.ending, self.outline, self.text) = (program, ending, outline, text)
    }
}

extension RealProject {
    static let lists = [
        RealProject(
            "Final Cut Pro 7, a whole clip backwards: 25 frames a second, as it is as long as its record",
            "edl", ["video: TEST_20S.MOV 3620...3600"],
            """
            TITLE: BACK
            FCM: NON-DROP FRAME

            001  TEST     V     C        01:00:19:24 01:00:39:24 01:00:00:00 01:00:20:00
            * FROM CLIP NAME:  TEST_20S.MOV
            * COMMENT:
            M2   TEST          -025.0                01:00:19:24
            """),
        RealProject(
            "Final Cut Pro 7, faster, and a fade of 25 frames in a record of one second", "edl",
            ["video: TEST_20S.MOV 3600...3619.992 in 14.28, fade out 1"],
            """
            TITLE: FAST
            FCM: NON-DROP FRAME

            001  TEST     V     C        01:00:00:00 01:00:18:14 01:00:00:00 01:00:13:07
            001        BL V     D    025 00:00:00:00 00:00:01:00 01:00:13:07 01:00:14:07
            * EFFECT NAME: CROSS DISSOLVE
            * FROM CLIP NAME:  TEST_20S.MOV
            M2   TEST           035.0                01:00:00:00
            """),
        RealProject(
            "Avid, whose sources count in drop frames here and there, and dissolves without a letter",
            "edl",
            [
                "video: SHOP 3603.6...3605.602 in 1.6683 | STREET 5400.6619...5400.9956 | "
                    + "STREET 5400.9956...5401.396 | ROOF 61.6469...62.2775 in 0.3337, dissolve 0.2669"
            ],
            """
            TITLE: ROUGH
            FCM: NON-DROP FRAME
            001  SHOP     V     C        01:00:00:00 01:00:02:00 01:00:00:00 01:00:01:20
            M2   SHOP           036.0                01:00:00:00
            FCM: DROP FRAME
            002  STREET   V     C        01:30:00:20 01:30:01:00 01:00:01:20 01:00:02:00
            003  STREET   V     C        01:30:01:00 01:30:01:08 01:00:02:00 01:00:02:08
            004  STREET   V     C        01:30:01:08 01:30:01:08 01:00:02:08 01:00:02:08
            FCM: NON-DROP FRAME
            004  ROOF     V      008     00:01:01:10 00:01:01:20 01:00:02:08 01:00:02:22
            M2   STREET         030.0                01:30:01:08
            M2   ROOF           056.7                00:01:01:10
            """),
        RealProject(
            "Smoke, a reversed clip that goes on through a dissolve", "edl",
            ["video: B 120.4...117.44 | C 55...55.56, dissolve 0.88"],
            """
            TITLE: SPOT
            * FRAME RATE: 25
            001  B        V     C        00:02:00:09 00:02:02:11 10:00:00:00 10:00:02:13
            M2   B             -025.0                00:02:00:09
            002  B        V     C        00:01:57:21 00:01:57:21 10:00:02:13 10:00:02:13
            002  C        V     D    022 00:00:54:14 00:00:55:14 10:00:02:13 10:00:03:13
            M2   B             -025.0                00:01:57:21
            """),
        RealProject(
            "Premiere, a dissolve out of a clip that wasn't shown before", "edl",
            ["video: A.mov 4...6 | B.mov 9...9.5 | C.mov 30.5...32, dissolve 1"],
            """
            * FRAME RATE: 24
            001  AX       V     C        00:00:04:00 00:00:06:00 01:00:00:00 01:00:02:00
            * FROM CLIP NAME: A.mov
            002  AX       V     C        00:00:09:00 00:00:09:00 01:00:02:00 01:00:02:00
            002  AX       V     D    024 00:00:30:00 00:00:32:00 01:00:02:00 01:00:04:00
            EFFECTS NAME IS CROSS DISSOLVE
            * FROM CLIP NAME: B.mov
            * TO CLIP NAME: C.mov
            """),
        RealProject(
            "Premiere, a dissolve that is all of its event, and sound that fades out alone", "edl",
            [
                "video: B.mov 9...9.48 | C.mov 30.48...31, dissolve 1",
                "sound: M.wav 29.04...30.04, fade out 1",
            ],
            """
            * FRAME RATE: 25
            001  AX       V     C        00:00:09:00 00:00:09:00 01:00:00:00 01:00:00:00
            001  AX       V     D    025 00:00:30:00 00:00:31:00 01:00:00:00 01:00:01:00
            * FROM CLIP NAME: B.mov
            * TO CLIP NAME: C.mov
            002  AX       AA    C        00:00:29:01 00:00:29:01 01:00:00:00 01:00:00:00
            002  BL       AA    W001 025 00:00:00:00 00:00:10:20 01:00:00:00 01:00:10:20
            EFFECTS NAME IS Constant Power
            * FROM CLIP NAME: M.wav
            * TO CLIP NAME: BL
            """),
        RealProject(
            "Premiere, backwards from the file's end", "edl",
            ["both: take 30.04...0"],
            """
            * FRAME RATE: 25
            009  AX       V     C        00:00:00:00 00:00:30:01 00:02:10:21 00:02:40:22
            * FROM CLIP NAME: take
            M2   AX       -25.0                      00:00:00:00
            010  AX       AA    C        00:00:00:00 00:00:30:01 00:02:10:21 00:02:40:22
            * FROM CLIP NAME: take
            M2   AX       -25.0                      00:00:00:00
            """),
    ]

    static let others = [
        RealProject(
            "Premiere, a ramp in a nested sequence", "xml",
            ["video: m.mov 0:0.8 1.04:1.84 3.56:4.84 3.76:5.04"],
            """
            <xmeml version="4"><sequence id="s1"><rate><timebase>25</timebase><ntsc>FALSE</ntsc></rate><media><video><track>
            <clipitem><start>0</start><end>94</end><in>20</in><out>114</out>
            <sequence id="s2"><rate><timebase>25</timebase><ntsc>FALSE</ntsc></rate><media><video><track>
            <clipitem><name>m.mov</name><duration>142</duration><start>0</start><end>142</end><in>0</in><out>142</out>
            <pproTicksIn>0</pproTicksIn><file id="f"><name>m.mov</name><pathurl>file://localhost/v/m.mov</pathurl>
            <rate><timebase>25</timebase><ntsc>FALSE</ntsc></rate><duration>155</duration></file>
            <filter><effect><name>Time Remap</name><effectid>timeremap</effectid>
            <parameter authoringApp="PremierePro"><parameterid>variablespeed</parameterid><value>1</value></parameter>
            <parameter authoringApp="PremierePro"><parameterid>speed</parameterid><value>108.451</value></parameter>
            <parameter authoringApp="PremierePro"><parameterid>graphdict</parameterid><value>0</value>
            <keyframe><when>0</when><value>0</value><speedvirtualkf>TRUE</speedvirtualkf><speedkfin>TRUE</speedkfin></keyframe>
            <keyframe><when>1</when><value>1</value></keyframe><keyframe><when>46</when><value>46</value></keyframe>
            <keyframe><when>109</when><value>121</value></keyframe>
            <keyframe><when>142</when><value>154</value><speedvirtualkf>TRUE</speedvirtualkf><speedkfout>TRUE</speedkfout></keyframe>
            <interpolation><name>FCPCurve</name></interpolation></parameter></effect></filter></clipitem>
            </track></video></media></sequence></clipitem></track></video></media></sequence></xmeml>
            """),
        RealProject(
            "Premiere, backwards, with keys from the file's end", "xml",
            ["video: r.mov 800...799.76"],
            """
            <xmeml version="4"><sequence><rate><timebase>25</timebase><ntsc>FALSE</ntsc></rate><media><video><track>
            <clipitem><name>r.mov</name><duration>37000</duration><start>0</start><end>6</end><in>17000</in><out>17006</out>
            <file id="f"><pathurl>file://localhost/r.mov</pathurl><duration>37000</duration></file>
            <filter><effect><effectid>timeremap</effectid>
            <parameter><parameterid>variablespeed</parameterid><value>0</value></parameter>
            <parameter><parameterid>speed</parameterid><value>100</value></parameter>
            <parameter><parameterid>reverse</parameterid><value>TRUE</value></parameter>
            <parameter><parameterid>graphdict</parameterid><value>0</value>
            <keyframe><when>0</when><value>37000</value><speedvirtualkf>TRUE</speedvirtualkf><speedkfstart>TRUE</speedkfstart></keyframe>
            <keyframe><when>17000</when><value>20000</value><speedvirtualkf>TRUE</speedvirtualkf><speedkfin>TRUE</speedkfin></keyframe>
            <keyframe><when>17006</when><value>19994</value><speedvirtualkf>TRUE</speedvirtualkf><speedkfout>TRUE</speedkfout></keyframe>
            <keyframe><when>37000</when><value>1</value><speedvirtualkf>TRUE</speedvirtualkf><speedkfend>TRUE</speedkfend></keyframe>
            </parameter></effect></filter></clipitem></track></video></media></sequence></xmeml>
            """),
        RealProject(
            "Resolve, a hundredth of the speed, whose keys are more exact than its percentage",
            "xml",
            ["video: s.mov 125.5395...125.5762 in 3.6667"],
            """
            <xmeml version="5"><sequence><rate><timebase>60</timebase><ntsc>FALSE</ntsc></rate><media><video><track>
            <clipitem><name>s.mov</name><start>0</start><end>220</end><in>755411</in><out>755631</out>
            <file id="f"><pathurl>file://localhost/s.mov</pathurl><duration>124719</duration></file>
            <filter><effect><effectid>timeremap</effectid>
            <parameter><parameterid>speed</parameterid><value>1</value></parameter>
            <parameter><parameterid>reverse</parameterid><value>FALSE</value></parameter>
            <parameter><parameterid>variablespeed</parameterid><value>0</value></parameter>
            <parameter><parameterid>graphdict</parameterid>
            <keyframe><when>0</when><value>0</value><speedvirtualkf>TRUE</speedvirtualkf><speedkfstart>TRUE</speedkfstart></keyframe>
            <keyframe><when>755411</when><value>7532.37</value><speedvirtualkf>TRUE</speedvirtualkf><speedkfin>TRUE</speedkfin></keyframe>
            <keyframe><when>755631</when><value>7534.56</value><speedvirtualkf>TRUE</speedvirtualkf><speedkfout>TRUE</speedkfout></keyframe>
            <keyframe><when>12507799</when><value>124719</value><speedvirtualkf>TRUE</speedvirtualkf><speedkfend>TRUE</speedkfend></keyframe>
            </parameter></effect></filter></clipitem></track></video></media></sequence></xmeml>
            """),
        RealProject(
            "OpenTimelineIO from a list: the track's range is a timecode, and files are missing",
            "otio",
            ["video: SHOT_7 10...12 | SHOT_8 4.0333...8 in 2"],
            #"""
            { "OTIO_SCHEMA": "Timeline.1", "name": "cut", "tracks": { "OTIO_SCHEMA": "Stack.1", "children": [
              { "OTIO_SCHEMA": "Track.1", "name": "V", "kind": "Video", "source_range": { "OTIO_SCHEMA": "TimeRange.1",
                  "start_time": { "OTIO_SCHEMA": "RationalTime.1", "rate": 24.0, "value": -86400.0 },
                  "duration": { "OTIO_SCHEMA": "RationalTime.1", "rate": 24.0, "value": 96.0 } },
                "children": [
                  { "OTIO_SCHEMA": "Clip.1", "name": "SHOT_7", "media_reference": { "OTIO_SCHEMA": "MissingReference.1" },
                    "source_range": { "OTIO_SCHEMA": "TimeRange.1",
                      "start_time": { "OTIO_SCHEMA": "RationalTime.1", "rate": 24.0, "value": 240.0 },
                      "duration": { "OTIO_SCHEMA": "RationalTime.1", "rate": 24.0, "value": 48.0 } } },
                  { "OTIO_SCHEMA": "Clip.1", "name": "SHOT_8", "media_reference": { "OTIO_SCHEMA": "MissingReference.1" },
                    "effects": [ { "OTIO_SCHEMA": "LinearTimeWarp.1", "effect_name": "", "time_scalar": 1.98333333333 } ],
                    "source_range": { "OTIO_SCHEMA": "TimeRange.1",
                      "start_time": { "OTIO_SCHEMA": "RationalTime.1", "rate": 24.0, "value": 96.8 },
                      "duration": { "OTIO_SCHEMA": "RationalTime.1", "rate": 24.0, "value": 48.0 } } } ] } ] } }
            """#),
        RealProject(
            "Final Cut Pro X 10.0, an event: clips in a project without a sequence", "fcpxml",
            ["both: a.mov 0...9"],
            """
            <fcpxml version="1.2"><project name="Event"><resources>
            <format id="r1" frameDuration="100/2500s"/><asset id="r2" name="a" src="file:///v/a.mov" start="0s" duration="22500/2500s"
              hasVideo="1" hasAudio="1" format="r1"/></resources>
            <clip name="a" duration="9s" format="r1"><video offset="0s" ref="r2" duration="9s">
              <audio lane="-1" offset="0s" ref="r2" duration="9s"/></video></clip>
            <clip name="b" duration="9s" format="r1"><video offset="0s" ref="r2" duration="9s"/></clip>
            </project></fcpxml>
            """),
        RealProject(
            "Shotcut 20, fades of a track", "mlt", ["both: b.mp4 0...20, dissolve 1, fade out 1"],
            """
            <mlt LC_NUMERIC="C" version="6.23.0" title="Shotcut version 20.09.27" producer="main_bin">
            <profile width="1920" height="1080" frame_rate_num="25" frame_rate_den="1"/>
            <playlist id="main_bin"><property name="xml_retain">1</property></playlist>
            <producer id="black" in="00:00:00.000" out="00:00:19.960"><property name="length">00:00:20.000</property>
              <property name="resource">0</property><property name="mlt_service">color</property></producer>
            <playlist id="background"><entry producer="black" in="00:00:00.000" out="00:00:19.960"/></playlist>
            <producer id="producer0" in="00:00:00.000" out="00:00:19.960"><property name="resource">b.mp4</property></producer>
            <playlist id="playlist0"><property name="shotcut:video">1</property><property name="shotcut:name">V1</property>
              <entry producer="producer0" in="00:00:00.000" out="00:00:19.960"/>
              <filter out="00:00:19.960"><property name="level">00:00:00.000=0;00:00:00.960=1</property>
                <property name="mlt_service">brightness</property><property name="shotcut:filter">fadeInBrightness</property>
                <property name="shotcut:animIn">00:00:01.000</property></filter>
              <filter out="00:00:19.960"><property name="level">00:00:18.960=1;00:00:19.960=0</property>
                <property name="mlt_service">brightness</property><property name="shotcut:filter">fadeOutBrightness</property>
                <property name="shotcut:animOut">00:00:01.000</property></filter></playlist>
            <tractor id="tractor0"><property name="shotcut">1</property><track producer="background"/><track producer="playlist0"/>
            </tractor></mlt>
            """),
    ]
}

@Suite("Projects as programs write them")
struct RealProjectsTests {
    @Test("lists of edits", arguments: RealProject.lists)
    func lists(project: RealProject) throws {
        #expect(
            try TestFormat.named("edl").read(project.text).composition.outline == project.outline)
    }

    @Test("other projects", arguments: RealProject.others)
    func others(project: RealProject) throws {
        let read = try TestFormat.named(project.ending).read(project.text)
        #expect(try read.composition.outline == project.outline)
    }

    @Test("a clip may end up to a frame after its file, whose last frame is shown")
    func pastTheEnd() async throws {
        let folder = try TemporaryFolder()
        try TestClip { ($0.frameCount, $0.audioCodec) = (60, nil) }.write(to: folder.path("m.mp4"))
        let path = folder.path("edit.mlt")
        // As auto-editor writes it for Shotcut: the last frame is written, and not where the clip ends.
        let text = """
            <mlt><profile width="160" height="120" frame_rate_num="30" frame_rate_den="1"/>
            <producer id="p" out="00:00:04.000"><property name="length">00:00:04.000</property>
            <property name="resource">0.5:m.mp4</property><property name="warp_speed">0.5</property>
            <property name="warp_pitch">1</property><property name="mlt_service">timewarp</property></producer>
            <playlist id="v"><entry producer="p" in="00:00:03.000" out="00:00:04.000"/></playlist>
            <tractor><track producer="v"/></tractor></mlt>
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let output = folder.path("out.mp4")
        try await Renderer().render(
            RenderPlan(MediaSource(at: path, formats: .all), to: output))
        let shown = try Finding.shownFrames(in: output).map(\.number)
        #expect(shown == (0..<31).map { min(45 + $0 / 2, 59) })
    }
}
