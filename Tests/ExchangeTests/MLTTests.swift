import Foundation
import RandomCompositions
import TestSupport
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

/// What projects of MLT, Shotcut and Kdenlive mean. Each case has the form of a real project.
@Suite("MLT projects")
struct MLTTests {
    private let format = TestFormat.named("mlt")

    private func expect(_ outline: [String], _ body: String) throws {
        let found = try read(body).composition.outline
        #expect(found == outline)
    }

    private func read(_ body: String) throws -> ReadProject {
        try format.read(
            """
            <?xml version="1.0"?>
            <mlt LC_NUMERIC="C" root="/films"><profile width="1280" height="720" frame_rate_num="25" frame_rate_den="1"/>
            \(body)
            </mlt>
            """)
    }

    private func producer(_ id: String, _ properties: [String: String], kind: String = "producer")
        -> String
    {
        let list = properties.sorted { $0.key < $1.key }
            .map { "<property name=\"\($0.key)\">\($0.value)</property>" }
        return "<\(kind) id=\"\(id)\">\(list.joined())</\(kind)>"
    }

    @Test("an entry lasts out − in + 1 frames; times are frames or clock times")
    func entries() throws {
        try expect(
            ["both: a.mov 1...3 | gap 1 | a.mov 0...2"],
            producer("p", ["resource": "a.mov"])
                + """
                <playlist id="v"><entry producer="p" in="25" out="74"/><blank length="00:00:01.000"/>
                <entry producer="p" in="00:00:00.000" out="00:00:01.960"/></playlist>
                <tractor><track producer="v"/></tractor>
                """)
    }

    @Test("timewarp producers count in frames of the retimed file, backwards from its end")
    func timewarp() throws {
        let fast = producer(
            "p", ["resource": "2:a.mov", "mlt_service": "timewarp", "warp_resource": "a.mov"])
        let back = producer(
            "q",
            [
                "resource": "-0.5:a.mov", "mlt_service": "timewarp", "warp_speed": "-0.5",
                "warp_resource": "a.mov", "length": "1000",
            ])
        try expect(
            ["both: a.mov 4...8 in 2 | a.mov 19.54...18.54 in 2"],
            fast + back
                + """
                <playlist id="v"><entry producer="p" in="50" out="99"/><entry producer="q" in="24" out="73"/></playlist>
                <tractor><track producer="v"/></tractor>
                """)
    }

    @Test("time remapping: keyframes in frames of the output, values in seconds of the file")
    func timeRemap() throws {
        let chain = """
            <chain id="c"><property name="resource">a.mov</property><link>
            <property name="mlt_service">timeremap</property>
            <property name="time_map">00:00:00.000=0;00:00:02.000=4;00:00:04.000=4;00:00:05.000=2</property>
            </link></chain>
            <playlist id="v"><entry producer="c" in="25" out="124"/></playlist>
            <tractor><track producer="v"/></tractor>
            """
        try expect(["both: a.mov 0:2 1:4 3:4 4:2"], chain)
        let held = chain.replacing("02.000=4", with: "02.000|=4")
            .replacing("04.000=4", with: "04.000=9")
        try expect(
            ["both: a.mov 0:2 1:4 3:4 | a.mov 9...2 in 1"], held)
    }

    @Test("a speed for each frame, as older projects have it, is summed")
    func speedMap() throws {
        try expect(
            ["both: a.mov 0...2 in 1"],
            """
            <chain id="c"><property name="resource">a.mov</property><link>
            <property name="mlt_service">timeremap</property><property name="speed_map">0=2</property></link></chain>
            <playlist id="v"><entry producer="c" in="0" out="24"/></playlist>
            <tractor><track producer="v"/></tractor>
            """)
    }

    @Test("Shotcut's dissolve is a small tractor between two clips")
    func shotcutDissolve() throws {
        try expect(
            ["video: a.mov 0...2.2 | b.mov 3.8...5.6, dissolve 0.4"],
            producer("p", ["resource": "a.mov"]) + producer("q", ["resource": "b.mov"])
                + """
                <tractor id="t" in="0" out="9"><property name="shotcut:transition">lumaMix</property>
                <track producer="p" in="50" out="59"/><track producer="q" in="90" out="99"/>
                <transition><property name="mlt_service">luma</property></transition>
                <transition><property name="mlt_service">mix</property></transition></tractor>
                <playlist id="v"><entry producer="p" in="0" out="49"/><entry producer="t" in="0" out="9"/>
                <entry producer="q" in="100" out="139"/></playlist>
                <tractor><track producer="v" hide="audio"/></tractor>
                """)
    }

    @Test("Kdenlive: a track has two playlists, whose clips dissolve where they overlap")
    func kdenliveMix() throws {
        try expect(
            ["video: a.mov 0...2.2 | b.mov 4.2...6, dissolve 0.4"],
            producer("black", ["resource": "black", "mlt_service": "color"])
                + producer("p", ["resource": "a.mov"]) + producer("q", ["resource": "b.mov"])
                    + """
                    <playlist id="v0"><entry producer="p" in="0" out="59"/></playlist>
                    <playlist id="v1"><blank length="50"/><entry producer="q" in="100" out="149"/></playlist>
                    <tractor id="t"><track producer="v0" hide="audio"/><track producer="v1" hide="audio"/></tractor>
                    <tractor id="main"><track producer="black"/><track producer="t"/></tractor>
                    """)
    }

    @Test("pitch and frames in between are those of all retimed clips, and are written again")
    func settings() throws {
        func entries(_ property: String) -> String {
            """
            <chain id="c"><property name="resource">a.mov</property><link>
            <property name="mlt_service">timeremap</property><property name="time_map">0=0;100=8</property>
            \(property)</link></chain>
            <playlist id="v"><entry producer="c" in="0" out="49"/></playlist>
            <tractor><track producer="v"/></tractor>
            """
        }
        for (property, expected) in [
            ("", ProjectSettings(sound: .varispeed, frames: .hold)),
            (
                "<property name=\"pitch\">1</property><property name=\"image_mode\">blend</property>",
                ProjectSettings(sound: .keepPitch, frames: .blend)
            ),
        ] {
            let found = try read(entries(property))
            #expect(found.settings == expected)
            let again = try format.read(format.write(found.composition, found.settings).file)
            #expect(again.settings.sound == expected.sound)
        }
        let slow = producer(
            "p",
            [
                "resource": "0.5:a.mov", "mlt_service": "timewarp", "warp_speed": "0.5",
                "warp_resource": "a.mov", "warp_pitch": "1",
            ])
        let list =
            "<playlist id=\"v\"><entry producer=\"p\" in=\"0\" out=\"49\"/></playlist>"
            + "<tractor><track producer=\"v\"/></tractor>"
        #expect(try read(slow + list).settings == ProjectSettings(sound: .keepPitch))
    }

    @Test(
        "whole speeds are timewarp producers; others are maps, because MLT rounds where it makes them"
    )
    func writtenSpeeds() throws {
        for (lasts, isProducer) in [
            (Int64(2), true), (4, true), (8, true), (16, false), (5, false),
        ] {
            var track = Track(carries: .video)
            try track.append(
                Segment(PlacedClip("a.mp4", range: range(4, 12)), lasting: seconds(lasts)))
            let composition = Composition(
                format: .init(frameRate: FrameRate(known: 25)), tracks: [track])
            let written = try format.write(composition)
            let text = String(decoding: written.file, as: UTF8.self)
            #expect(text.contains("timeremap") == !isProducer)
            #expect(text.contains(">timewarp<") == (isProducer && lasts < 8))
            #expect(try format.read(written.file).composition.outline == composition.outline)
        }
    }

    @Test("colours of markers have names where they are those of a name")
    func colours() throws {
        let colours = ["RED", "CYAN", "#123456", nil, "GREEN"]
        let markers = try colours.enumerated().map {
            try Marker("m", at: seconds(Int64($0.offset)), colour: $0.element)
        }
        var track = Track(carries: .video)
        try track.append(Segment(PlacedClip("a.mp4", range: range(0, 10)), markers: markers))
        let composition = Composition(
            format: .init(frameRate: FrameRate(known: 25)), tracks: [track])
        let copy = try format.copy(composition).composition
        #expect(copy.tracks[0].segments[0].markers.map(\.colour) == colours)
        let odd = try Marker("m", at: seconds(1), colour: "Lavender")
        track = Track(carries: .video)
        try track.append(Segment(PlacedClip("a.mp4", range: range(0, 10)), markers: [odd]))
        let notes = try format.write(Composition(tracks: [track])).notes
        #expect(notes.contains { $0.contains("no marker colour Lavender") }, "\(notes)")
    }

    @Test("a clip that can't be is a gap, and the rest is read")
    func impossible() throws {
        let cases = [
            producer("p", ["resource": "-1e-300:a.mov", "mlt_service": "timewarp"]),
            """
            <chain id="p"><property name="resource">a.mov</property><link>
            <property name="mlt_service">timeremap</property><property name="speed_map">0=2</property></link></chain>
            """,
        ]
        for bad in cases {
            let read = try read(
                bad + producer("q", ["resource": "b.mov"])
                    + """
                    <playlist id="v"><entry producer="p" in="-10" out="14"/><entry producer="q" in="0" out="24"/></playlist>
                    <tractor><track producer="v"/></tractor>
                    """)
            #expect(try read.composition.outline == ["both: gap 1 | b.mov 0...1"])
            #expect(read.notes.contains { $0.contains("a.mov became a gap") }, "\(read.notes)")
        }
    }

    @Test("hidden tracks, gain, fades, markers and held frames")
    func filters() throws {
        let read = try read(
            """
            <producer id="p"><property name="resource">a.mov</property>
            <filter><property name="mlt_service">volume</property><property name="level">-6</property></filter>
            <filter in="25"><property name="mlt_service">brightness</property>
            <property name="shotcut:filter">fadeInBrightness</property><property name="shotcut:animIn">00:00:00.400</property></filter></producer>
            <producer id="q"><property name="resource">b.mov</property>
            <filter><property name="mlt_service">freeze</property><property name="frame">50</property></filter></producer>
            <playlist id="v"><entry producer="p" in="25" out="74"/><entry producer="q" in="0" out="24"/></playlist>
            <playlist id="w"><entry producer="p" in="0" out="24"/></playlist>
            <tractor><properties name="shotcut:markers"><properties name="0">
            <property name="text">beat</property><property name="start">00:00:01.000</property></properties></properties>
            <track producer="v"/><track producer="w" hide="both"/></tractor>
            """)
        #expect(
            try read.composition.outline == [
                "both: a.mov 1...3, dissolve 0.4, dB 0:-6.0, \"beat\" at 2 | b.mov held at 2 for 1"
            ])
        #expect(read.notes.contains { $0.contains("switched off") })
    }
}
