import Foundation
import RandomCompositions
import TestSupport
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

/// What files of Final Cut Pro, and of Resolve in its format, mean. Each case has the form of a real file.
@Suite("Final Cut Pro files")
struct FinalCutTests {
    private let format = TestFormat.named("fcpxml")

    /// A project at 30 frames a second with these elements in its spine.
    private func project(
        _ spine: String, resources: String = "", frame: String = "100/3000s"
    ) throws -> ReadProject {
        try format.read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE fcpxml>
            <fcpxml version="1.10"><resources>
              <format id="r1" frameDuration="\(frame)" width="1280" height="720"/>
              <asset id="r2" name="A" src="file:///films/a%20b.mov" start="0s" duration="60s"
                hasVideo="1" hasAudio="1" format="r1"/>
              <asset id="r3" name="T" start="3600s" duration="40s" hasVideo="1" hasAudio="1">
                <media-rep kind="proxy-media" src="file:///small/t.mov"/>
                <media-rep kind="original-media" src="file:///films/t.mov"/>
              </asset>
              <asset id="r4" name="S" src="file:///films/s.wav" duration="60s" hasAudio="1"/>
              \(resources)
            </resources><library><event name="e"><project name="p">
              <sequence format="r1" tcStart="3600s" audioRate="48k" audioLayout="stereo"><spine>
            \(spine)
            </spine></sequence></project></event></library></fcpxml>
            """)
    }

    /// Checks what a spine means.
    private func expect(
        _ outline: [String], _ spine: String, resources: String = "", frame: String = "100/3000s"
    ) throws {
        let found = try project(spine, resources: resources, frame: frame).composition.outline
        #expect(found == outline)
    }

    @Test("the sequence's format, its name, and what is known of files")
    func settings() throws {
        let read = try project("<asset-clip ref=\"r2\" offset=\"3600s\" duration=\"2s\"/>")
        let format = read.composition.format
        #expect(
            format.frameRate == FrameRate(known: 30)
                && format.size == .init(known: 1280, height: 720))
        #expect(format.sampleRate == 48_000 && format.channels == "stereo")
        #expect(read.composition.name == "p")
        #expect(read.mediaDurations["/films/t.mov"] == seconds(40))
        #expect(read.composition.tracks[0].segments[0].clip?.media == "/films/a b.mov")
    }

    @Test("a clip is a window of local time; gaps, and what has no offset follows what is before")
    func windows() throws {
        try expect(
            ["both: a b.mov 4...6 | gap 1 | t.mov 5...8"],
            """
            <asset-clip ref="r2" offset="3600s" start="4s" duration="2s"/>
            <gap offset="3602s" start="3600s" duration="1s"/>
            <asset-clip ref="r3" duration="3s" start="3605s"/>
            """)
    }

    @Test("half speed, as versions before 1.3 write it: start and duration are in retimed time")
    func halfSpeed() throws {
        try expect(
            ["both: a b.mov 1...4.0333 in 6.0667"],
            """
            <clip name="A" offset="3600s" start="6000/3000s" duration="18200/3000s">
              <timeMap>
                <timept time="0s" value="0s" interp="smooth2"/>
                <timept time="360000/3000s" value="180000/3000s" interp="smooth2"/>
              </timeMap>
              <video ref="r2" offset="0s" duration="180000/3000s"><audio ref="r2" offset="0s" duration="60s" lane="-1"/></video>
            </clip>
            """)
    }

    @Test("points count from the asset's timecode, as Resolve writes them")
    func timecode() throws {
        try expect(
            ["both: t.mov 0:10 5:20 10:25"],
            """
            <asset-clip ref="r3" offset="3600s" start="3605s" duration="10s">
              <timeMap>
                <timept time="3600s" value="3600s" interp="linear"/>
                <timept time="3610s" value="3620s" interp="linear"/>
                <timept time="3630s" value="3640s" interp="linear"/>
              </timeMap>
            </asset-clip>
            """)
    }

    @Test("reversed clips and freeze frames")
    func reversed() throws {
        try expect(
            ["both: a b.mov 10...6 | a b.mov held at 7 for 2"],
            """
            <asset-clip ref="r2" offset="3600s" start="50s" duration="4s">
              <timeMap><timept time="0s" value="60s"/><timept time="60s" value="0s"/></timeMap>
            </asset-clip>
            <asset-clip ref="r2" offset="3604s" start="1s" duration="2s">
              <timeMap><timept time="0s" value="7s"/><timept time="8s" value="7s"/></timeMap>
            </asset-clip>
            """)
    }

    @Test("rounded corners show the frames that Final Cut Pro shows")
    func smooth() throws {
        let read = try project(
            """
            <asset-clip ref="r2" offset="3600s" start="0s" duration="60s">
              <timeMap>
                <timept time="0s" value="0s" interp="smooth2"/>
                <timept time="460287/30720s" value="13110416666/1000000000s" interp="smooth2" inTime="1s" outTime="1s"/>
                <timept time="460287/15360s" value="22474999999/1000000000s" interp="smooth2" inTime="1s" outTime="1s"/>
                <timept time="1380861/30720s" value="28093749999/1000000000s" interp="smooth2" inTime="1s" outTime="1s"/>
                <timept time="920575/15360s" value="29966666666/1000000000s" interp="smooth2" inTime="1s" outTime="16666667/1000000000s"/>
                <timept time="23039975/384000s" value="29966666666/1000000000s" interp="smooth2" inTime="16666667/1000000000s" outTime="8333333/1000000000s"/>
                <timept time="23052775/384000s" value="30s" interp="smooth2"/>
              </timeMap>
            </asset-clip>
            """)
        // Frames of the output, and which frame of the media each shows.
        let frames = [
            0: 0, 1: 0, 2: 1, 424: 370, 449: 391, 925: 684, 1349: 841, 1374: 845, 1782: 896,
            1799: 899,
        ]
        let track = try ShownTrack(read.composition.tracks[0])
        for (frame, shown) in frames {
            let place = seconds(Int64(frame), 30)
            let at = try #require(track.shown(at: place)).at * 30
            #expect(Int((at + 1e-5).rounded(.down)) == shown, "frame \(frame): \(at)")
        }
    }

    @Test("connected clips lie in the local time of what they are connected to")
    func connected() throws {
        try expect(
            [
                "both: t.mov 10...18", "video: gap 2 | a b.mov 1...3",
                "both: gap 4 | a b.mov 20...21 | a b.mov 30...31",
                "sound: gap 2 | s.wav 9...10", "sound: gap 1 | s.wav 0...4",
            ],
            """
            <asset-clip ref="r3" offset="3600s" start="3610s" duration="8s">
              <asset-clip ref="r2" lane="1" offset="3612s" start="1s" duration="2s" srcEnable="video"/>
              <asset-clip ref="r4" lane="-1" offset="3611s" duration="4s">
                <asset-clip ref="r4" lane="-1" offset="1s" start="9s" duration="1s"/>
              </asset-clip>
              <spine lane="2" offset="3614s">
                <asset-clip ref="r2" offset="0s" start="20s" duration="1s"/>
                <asset-clip ref="r2" offset="1s" start="30s" duration="1s"/>
              </spine>
            </asset-clip>
            """)
    }

    @Test("transitions lie around the cut, or at an end; their cut is at a whole frame")
    func transitions() throws {
        try expect(
            [
                "both: a b.mov 10...14, dissolve 0.5 | t.mov 5...9, dissolve 0.6667, fade out 1"
            ],
            """
            <transition name="Cross Dissolve" offset="3600s" duration="15/30s"/>
            <asset-clip ref="r2" offset="3600s" start="10s" duration="4s"/>
            <transition name="Cross Dissolve" offset="10811/3s" duration="20/30s"/>
            <asset-clip ref="r3" offset="3604s" start="3605s" duration="4s"/>
            <transition name="Wipe" offset="3607s" duration="1s"/>
            """)
    }

    @Test("markers are in local time, also of a retimed clip; loudness and its keyframes")
    func markersAndVolume() throws {
        try expect(
            [
                "both: a b.mov 20...28 in 4, dB 0:-6.0, \"beat\" at 22, \"part\" at 24 for 2 | "
                    + "a b.mov 1...5, dB 0:0.0 2:-12.0"
            ],
            """
            <asset-clip ref="r2" offset="3600s" start="10s" duration="4s">
              <timeMap><timept time="0s" value="0s"/><timept time="30s" value="60s"/></timeMap>
              <adjust-volume amount="-6dB"/>
              <marker start="11s" duration="100/3000s" value="beat"/>
              <chapter-marker start="12s" duration="1s" value="part" posterOffset="0s"/>
            </asset-clip>
            <asset-clip ref="r2" offset="3604s" start="1s" duration="4s">
              <adjust-volume><param name="amount"><keyframeAnimation>
                <keyframe time="1s" value="0dB"/><keyframe time="3s" value="-12dB"/>
              </keyframeAnimation></param></adjust-volume>
            </asset-clip>
            """)
    }

    @Test(
        "a marker of one frame is an instant at any rate",
        arguments: [("100/1200s", 12), ("100/2400s", 24), ("100/6000s", 60)])
    func markerOfAFrame(frame: String, rate: Int) throws {
        try expect(
            [
                "both: a b.mov 0...4, \"point\" at 1, \"range\" at 2 for "
                    + (rate == 12 ? "0.1667" : rate == 24 ? "0.0833" : "0.0333")
            ],
            """
            <asset-clip ref="r2" offset="3600s" start="0s" duration="4s">
              <marker start="1s" duration="100/\(rate)00s" value="point"/>
              <marker start="2s" duration="200/\(rate)00s" value="range"/>
            </asset-clip>
            """, frame: frame)
    }

    @Test(
        "a render is as all clips ask, and told where they don't agree",
        arguments: [
            ("", "", ProjectSettings(sound: .keepPitch, frames: .hold)),
            (
                "preservesPitch=\"0\" frameSampling=\"optical-flow\"",
                "preservesPitch=\"0\" frameSampling=\"optical-flow-frc\"",
                ProjectSettings(sound: .varispeed, frames: .motion)
            ),
            (
                "frameSampling=\"frame-blending\"",
                "preservesPitch=\"0\" frameSampling=\"frame-blending\"",
                ProjectSettings(sound: nil, frames: .blend)
            ),
            (
                "frameSampling=\"floor\"", "frameSampling=\"frame-blending\"",
                ProjectSettings(sound: .keepPitch, frames: nil)
            ),
        ])
    func settings(of attributes: (String, String, ProjectSettings)) throws {
        let clips = [attributes.0, attributes.1].enumerated().map { index, map in
            """
            <asset-clip ref="r2" offset="\(3600 + index * 2)s" start="0s" duration="2s">
              <timeMap \(map)><timept time="0s" value="0s"/><timept time="30s" value="60s"/></timeMap>
            </asset-clip>
            """
        }
        let plain = "<asset-clip ref=\"r2\" offset=\"3604s\" start=\"0s\" duration=\"2s\"/>"
        let read = try project(clips.joined() + plain)
        #expect(read.settings == attributes.2)
        let disagrees = attributes.2.sound == nil || attributes.2.frames == nil
        #expect(read.notes.contains { $0.contains("a render") } == disagrees, "\(read.notes)")
        // Written and read again they are the same.
        guard !disagrees else {
            return
        }
        let file = try format.write(read.composition, read.settings).file
        #expect(try format.read(file).settings == read.settings)
    }

    @Test("a conformed clip plays faster or slower by the ratio of nearly equal rates")
    func conformed() throws {
        let film =
            "<asset id=\"r5\" name=\"F\" src=\"file:///films/f.mov\" start=\"0s\" "
            + "duration=\"60s\" hasVideo=\"1\" format=\"r6\"/>"
            + "<format id=\"r6\" frameDuration=\"100/2400s\"/>"
        let clip =
            "<asset-clip ref=\"r5\" offset=\"3600s\" start=\"0s\" duration=\"24s\">"
            + "<conform-rate srcFrameRate=\"24\"/></asset-clip>"
        try expect(
            [
                "video: f.mov 0...25 in 24"
            ],
            clip, resources: film, frame: "100/2500s")
        try expect(
            ["video: f.mov 0...24"],
            clip, resources: film)
    }

    @Test(
        "film in rates that aren't near its own keeps its speed but for the thousandth of NTSC",
        arguments: [
            // The media's rate, the sequence's frame, and the media's seconds in 1000 s.
            ("23.98", "100/5000s", 1001), ("23.98", "100/3000s", 1001),
            ("23.98", "1001/60000s", 1001), ("23.98", "1001/30000s", 1001),
            ("23.98", "100/6000s", 1001), ("23.98", "100/2400s", 1001),
            ("24", "1001/30000s", 1000 / 1.001), ("24", "100/5000s", 1000),
            ("24", "100/3000s", 1000),
            ("29.97", "1001/24000s", 1000 / 1.001), ("29.97", "100/3000s", 1001),
            ("30", "1001/60000s", 1000 / 1.001), ("60", "1001/30000s", 1000 / 1.001),
            ("25", "1001/30000s", 1000), ("25", "100/5000s", 1000),
            // Rates that are near each other, or where several frames are one, become equal.
            ("23.98", "100/2500s", 1000 / 24 * 25 * 1.001),
            ("25", "1001/24000s", 1000 / 25.025 * 24),
            ("50", "100/2400s", 960),
        ] as [(String, String, Double)])
    func conformedMultiples(_ rates: (String, String, Double)) throws {
        let read = try project(
            """
            <asset-clip ref="r5" offset="3600s" start="0s" duration="1000s">
            <conform-rate srcFrameRate="\(rates.0)"/></asset-clip>
            """,
            resources:
                "<asset id=\"r5\" name=\"F\" src=\"file:///films/f.mov\" duration=\"2000s\" hasVideo=\"1\"/>",
            frame: rates.1)
        let clip = try #require(read.composition.tracks[0].segments[0].clip)
        #expect(abs(clip.range.duration.seconds - rates.2) < 1e-6)
    }

    @Test("what is connected to a conformed clip moves with it, as its markers do")
    func connectedToConformed() throws {
        try expect(
            [
                "video: f.mov 10...35 in 24, \"beat\" at 22.5",
                "both: gap 12 | a b.mov 1...3", "both: gap 14.4 | a b.mov 5...6",
                "sound: gap 4.8 | s.wav 0...1",
            ],
            """
            <asset-clip ref="r5" offset="3600s" start="10s" duration="24s">
              <conform-rate srcFrameRate="24"/>
              <asset-clip ref="r2" lane="1" offset="22.5s" start="1s" duration="2s"/>
              <asset-clip ref="r4" lane="-1" offset="15s" duration="1s"/>
              <spine lane="2" offset="25s"><asset-clip ref="r2" offset="0s" start="5s" duration="1s"/></spine>
              <marker start="22.5s" duration="100/2500s" value="beat"/>
            </asset-clip>
            """,
            resources: """
                <asset id="r5" name="F" src="file:///films/f.mov" start="0s" duration="60s" hasVideo="1" format="r6"/>
                <format id="r6" frameDuration="100/2400s"/>
                """, frame: "100/2500s")
    }

    @Test(
        "angles begin at 0 wherever the multicam clip does",
        arguments: ["0s", "3600s", "86400/24s"])
    func multicamStart(_ start: String) throws {
        let zero = start == "0s" ? 0 : 3600
        try expect(
            ["video: t.mov 5...7 | a b.mov 0...1", "sound: a b.mov 5...7 | a b.mov 7...8"],
            """
            <mc-clip ref="r8" offset="3600s" start="\(zero + 5)s" duration="2s">
              <mc-source angleID="y" srcEnable="video"/><mc-source angleID="x" srcEnable="audio"/>
            </mc-clip>
            <mc-clip ref="r8" offset="3602s" start="\(zero + 7)s" duration="1s">
              <mc-source angleID="y" srcEnable="video"/><mc-source angleID="x" srcEnable="audio"/>
            </mc-clip>
            """,
            resources: """
                <media id="r8" name="M"><multicam format="r1" tcStart="\(start)">
                  <mc-angle name="one" angleID="x"><asset-clip ref="r2" offset="0s" duration="60s"/></mc-angle>
                  <mc-angle name="two" angleID="y"><asset-clip ref="r3" offset="0s" start="3600s" duration="7s"/>
                    <asset-clip ref="r2" offset="7s" duration="7s"/></mc-angle>
                </multicam></media>
                """)
    }

    @Test("a transition from a gap into a clip begins in the gap, as one into a gap ends there")
    func transitionsAtGaps() throws {
        try expect(
            ["both: gap 3 | a b.mov 9...15, dissolve 2, fade out 2"],
            """
            <gap offset="3600s" duration="4s"/>
            <transition name="Cross Dissolve" offset="3603s" duration="2s"/>
            <asset-clip ref="r2" offset="3604s" start="10s" duration="4s"/>
            <transition name="Cross Dissolve" offset="3607s" duration="2s"/>
            <gap offset="3608s" duration="4s"/>
            """)
        // A clip that begins with its file shows its first frame there.
        try expect(
            ["both: gap 3.5 | a b.mov 0:0 0.5:0 4.5:4, dissolve 1"],
            """
            <gap offset="3600s" duration="4s"/>
            <transition name="Cross Dissolve" offset="3603.5s" duration="1s"/>
            <asset-clip ref="r2" offset="3604s" start="0s" duration="4s"/>
            """)
    }

    @Test("a map that is written ends behind its clip, also where that is the end of the file")
    func endOfMap() throws {
        let clips = try [
            (range(0, 100), Retiming.uniform), (range(60, 100), .reversed),
            (range(0, 40), .reversed), (range(0, 10), .frozen(at: seconds(3))),
        ]
        for (clip, retiming) in clips {
            var track = Track(carries: .video)
            try track.append(
                Segment(
                    PlacedClip("a.mov", range: clip, retiming: retiming), lasting: seconds(7)))
            let file = try format.write(
                Composition(format: .init(frameRate: FrameRate(known: 25)), tracks: [track])
            ).file
            let text = String(decoding: file, as: UTF8.self)
            func times(_ pattern: Regex<(Substring, Substring)>) throws -> [RationalTime] {
                try text.matches(of: pattern).map {
                    try RationalTime(finalCut: String($0.output.1))
                }
            }
            let last = try #require(try times(#/timept time="([^"]*)"/#).last)
            let start = try #require(try times(#/<asset-clip[^>]* start="([^"]*)"/#).first)
            #expect(last.seconds >= start.seconds + 7 + 1 / 25.0 - 1e-9)
            #expect(try format.read(file).composition.duration == seconds(7))
        }
    }

    @Test("compound, multicam, synchronized clips and auditions show what is in them")
    func containers() throws {
        let media = """
            <media id="r7" name="C"><sequence format="r1" tcStart="0s" duration="20s"><spine>
              <asset-clip ref="r2" offset="0s" start="30s" duration="6s"/>
              <asset-clip ref="r3" offset="6s" start="3600s" duration="14s"/>
            </spine></sequence></media>
            <media id="r8" name="M"><multicam format="r1" tcStart="0s">
              <mc-angle name="one" angleID="x"><asset-clip ref="r2" offset="0s" duration="60s"/></mc-angle>
              <mc-angle name="two" angleID="y"><asset-clip ref="r3" offset="0s" start="3600s" duration="40s"/></mc-angle>
            </multicam></media>
            """
        try expect(
            ["both: a b.mov 34...36 | t.mov 0...2"],
            "<ref-clip ref=\"r7\" offset=\"3600s\" start=\"4s\" duration=\"4s\"/>",
            resources: media)
        try expect(
            ["both: a b.mov 34...36 in 1 | t.mov 0...6 in 3"],
            """
            <ref-clip ref="r7" offset="3600s" start="2s" duration="4s">
              <timeMap><timept time="0s" value="0s"/><timept time="10s" value="20s"/></timeMap>
            </ref-clip>
            """, resources: media)
        try expect(
            ["video: t.mov 5...7", "sound: a b.mov 5...7"],
            """
            <mc-clip ref="r8" offset="3600s" start="5s" duration="2s">
              <mc-source angleID="y" srcEnable="video"/><mc-source angleID="x" srcEnable="audio"/>
            </mc-clip>
            """, resources: media)
        try expect(
            ["both: a b.mov 1...3"],
            """
            <audition offset="3600s"><asset-clip ref="r2" start="1s" duration="2s"/>
              <asset-clip ref="r3" start="3600s" duration="2s"/></audition>
            """)
        try expect(
            ["video: a b.mov 5...9", "sound: gap 1 | s.wav 2...5"],
            """
            <sync-clip offset="3600s" start="0s" duration="4s"><spine>
              <asset-clip ref="r2" offset="0s" start="5s" duration="10s" srcEnable="video"/></spine>
              <asset-clip ref="r4" lane="-1" offset="1s" start="2s" duration="9s"/>
            </sync-clip>
            """)
    }

    @Test("what has no place in a composition is named, and the rest is read")
    func notes() throws {
        let read = try project(
            """
            <title ref="r9" offset="3600s" duration="2s" name="Hello"><text>hello</text></title>
            <asset-clip ref="r2" offset="3602s" duration="2s"><adjust-transform scale="2 2"/>
              <filter-video ref="r9" name="Blur"/></asset-clip>
            <asset-clip ref="r2" offset="3604s" duration="2s" enabled="0" name="off"/>
            <future-thing ref="r2" offset="3606s" duration="2s"/>
            """)
        #expect(try read.composition.outline == ["both: gap 2 | a b.mov 0...2"])
        for word in ["Hello", "Blur", "scales", "off"] {
            #expect(read.notes.contains { $0.contains(word) }, "\(word)")
        }
    }
}
