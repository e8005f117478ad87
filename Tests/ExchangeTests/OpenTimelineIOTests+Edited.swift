import Foundation
import ProcessorTime
import RandomCompositions
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

/// What other programs nest, cut, move and copy.
extension OpenTimelineIOTests {
    @Test("tracks in tracks are laid flat, as far as their range shows them")
    func nesting() throws {
        let inner = #"""
            { "OTIO_SCHEMA": "Stack.1", "children": [ { "OTIO_SCHEMA": "Track.1",
              "source_range": \#(range(24, 72, 24)),
              "children": [ \#(clip(range(0, 48, 24))), \#(clip(range(96, 24, 24))) ] } ] }
            """#
        let read = try read(children: inner)
        #expect(read.segments.map(\.duration) == [seconds(1), seconds(1), seconds(1)])
        #expect(read.segments[0].clip?.range == (try range(1, 2)))
        #expect(read.segments[1].clip?.range == (try range(4, 5)))
        #expect(read.segments[2].isGap)
        #expect(read.notes == [])
    }

    private func warp(_ speed: Double) -> String {
        #"{ "OTIO_SCHEMA": "LinearTimeWarp.1", "time_scalar": \#(speed) }"#
    }

    private func transition(_ before: Double, _ after: Double) -> String {
        let (a, b) = ("\"value\": \(before), \"rate\": 24", "\"value\": \(after), \"rate\": 24")
        return #"""
            { "OTIO_SCHEMA": "Transition.1", "transition_type": "SMPTE_Dissolve",
              "in_offset": { "OTIO_SCHEMA": "RationalTime.1", \#(a) },
              "out_offset": { "OTIO_SCHEMA": "RationalTime.1", \#(b) } }
            """#
    }

    @Test("a nested track plays at the speed of its effect", arguments: [2.0, -2, 0.5, 0])
    func nestedSpeed(speed: Double) throws {
        let inner = #"""
            { "OTIO_SCHEMA": "Track.1", "source_range": \#(range(24, 24, 24)), "effects": [\#(warp(speed))],
              "children": [ \#(clip(range(0, 48, 24))), \#(transition(6, 6)),
                            \#(clip(range(96, 48, 24))) ] }
            """#
        let read = try read(children: clip(range(0, 24, 24)) + "," + inner)
        #expect(read.notes == [])
        // Two seconds of a.mp4 from 0 on, and two from 4 on.
        func source(_ inner: Double) -> Double { inner < 2 ? inner : 2 + inner }
        var start = 0.0
        for segment in read.segments {
            let (map, clip) = (try segment.timeMap(), try #require(segment.clip))
            for step in 0..<20 {
                let y = segment.duration.seconds * (Double(step) + 0.5) / 20
                let place = start + y - 1
                let inner = speed < 0 ? 1 + speed * (place - 1) : 1 + speed * place
                let expected = place < 0 ? start + y : source(inner)
                let shown = clip.range.start.seconds + map.sourceTime(at: y)
                #expect(abs(shown - expected) < 1e-9, "\(place)")
            }
            start += segment.duration.seconds
        }
        #expect(start == 2)
        // The dissolve of half a second plays at the speed, too; backwards it is a cut.
        let dissolves = read.segments.map(\.blending.dissolve).filter { $0 > .zero }
        #expect(dissolves == (speed == 2 ? [seconds(1, 4)] : []))
    }

    @Test("upper layers of a nested stack are on tracks above, and only what its track carries")
    func layers() throws {
        let clips = [0.0, 48, 96].map { clip(range($0, 24, 24)) }
        let stack = #"""
            { "OTIO_SCHEMA": "Stack.1", "children": [
              { "OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [ \#(clips[0]) ] },
              { "OTIO_SCHEMA": "Track.1", "kind": "Audio", "children": [ \#(clips[1]) ] },
              { "OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [ \#(clips[2]) ] } ] }
            """#
        let read = try read(
            #"""
            { "OTIO_SCHEMA": "Timeline.1", "tracks": { "OTIO_SCHEMA": "Stack.1", "children": [
              { "OTIO_SCHEMA": "Track.1", "name": "V1", "kind": "Video",
                "children": [ \#(stack), \#(clips[0]), \#(stack) ] },
              { "OTIO_SCHEMA": "Track.1", "name": "A1", "kind": "Audio", "children": [ \#(stack) ] } ] } }
            """#)
        let starts = read.composition.tracks.map { track in
            track.segments.map { $0.clip?.range.start.seconds }
        }
        #expect(starts == [[0, 0, 0], [4, nil, 4], [2]])
        #expect(read.composition.tracks.map(\.carries) == [.video, .video, .sound])
        #expect(read.composition.tracks.map(\.name) == ["V1", "V1", "A1"])
        #expect(read.notes == [])
    }

    /// A nested track with an effect on it.
    private func nested(_ children: String, _ speed: Double, _ more: String = "") -> String {
        #"""
        { "OTIO_SCHEMA": "Track.1", "name": "n", "effects": [\#(warp(speed))] \#(more), "children": [ \#(children) ] }
        """#
    }

    @Test("nested tracks at speeds that are no fractions are read", arguments: 1...40)
    func oddSpeeds(seed: UInt64) throws {
        var random = RandomCompositions(seed: seed)
        func speed() -> Double { .random(in: 0.3...3, using: &random.generator) }
        let rates = [24, 25, 29.97, 30, 48_000]
        let chosen = (0..<3).map { _ in random.pick(rates) }
        let clips = chosen.map { clip(range(0, 1000, $0)) }
        let inner = nested(clips.joined(separator: ","), speed())
        let read = try read(children: clips[0] + "," + nested(inner + "," + clips[1], speed()))
        // An effect doesn't change how long an item lasts.
        let lengths = chosen.map { $0 == 29.97 ? 1001 / 30.0 : 1000 / $0 }
        let length = lengths.reduce(lengths[0] + lengths[1], +)
        #expect(abs(read.segments.reduce(0) { $0 + $1.duration.seconds } - length) < 1e-6)
        #expect(!read.notes.contains { $0.contains("gap") }, "\(read.notes)")
    }

    @Test("a nested speed that is impossible is a gap", arguments: [1e300, -1e30])
    func impossibleSpeed(speed: Double) throws {
        let read = try read(
            children: nested(clip(range(0, 24, 24)), speed) + "," + clip(range(0, 24, 24)))
        #expect(read.segments.map(\.isGap) == [true, false])
        #expect(read.notes.count == 1 && read.notes[0].contains("became a gap"))
    }

    @Test("pictures and sound whose dissolves differ stay apart")
    func ownDissolves() throws {
        let two = [clip(range(0, 48, 24)), clip(range(120, 48, 24))]
        let read = try read(
            #"""
            { "OTIO_SCHEMA": "Timeline.1", "tracks": { "OTIO_SCHEMA": "Stack.1", "children": [
              { "OTIO_SCHEMA": "Track.1", "kind": "Video",
                "children": [ \#(two[0]), \#(transition(6, 6)), \#(two[1]) ] },
              { "OTIO_SCHEMA": "Track.1", "kind": "Audio", "children": [ \#(two[0]), \#(two[1]) ] } ] } }
            """#)
        #expect(read.composition.tracks.map(\.carries) == [.video, .sound])
        #expect(
            read.composition.tracks.map(\.segments[1].blending.dissolve) == [seconds(1, 2), .zero])
    }

    @Test("tracks that another program copied or moved stay where they are")
    func movedTracks() throws {
        let names = ["V", "W"]
        let composition = Composition(
            tracks: try names.enumerated().map { number, name in
                try Track(
                    name: name, carries: .video,
                    segments: [Segment(PlacedClip("a.mp4", range: range(Int64(number), 9)))])
            })
        for order in [[0, 1, 0], [1, 0]] {
            let root = try JSONDecoder().decode(
                OTIOObject.self, from: composition.openTimelineIO().file)
            let tracks = try #require(root.tracks?.children)
            root.tracks?.children = order.map { tracks[$0] }
            let read = try Composition.reading(
                openTimelineIO: JSONEncoder().encode(root),
                mediaDuration: RandomCompositions.length)
            #expect(read.composition.tracks.map(\.name) == order.map { names[$0] })
        }
    }

    @Test("what begins before its file is held or a gap, and said")
    func beforeFile() throws {
        let read = try read(children: clip(range(-12, 24, 24)) + "," + clip(range(-48, 24, 24)))
        #expect(read.segments.map(\.isGap) == [false, true])
        #expect(read.notes.count == 2)
        #expect(read.notes[0].contains("whose first frame is held"))
        #expect(read.notes[1].contains("became a gap: all of its range is before its file"))
    }

    @Test("a track that another program cut is as loud as it was there", arguments: [1.0, 2, -1])
    func gainOfCut(speed: Double) throws {
        let gain = try Gain([
            (at: .zero, decibels: 0), (at: seconds(2), decibels: -20),
            (at: seconds(4), decibels: 0),
        ])
        let segment = try Segment(
            PlacedClip("a.mp4", range: range(0, 4), name: "nice"), blending: Blending(gain: gain))
        let composition = Composition(
            tracks: [try Track(name: "A", carries: .sound, segments: [segment])])
        let root = try JSONDecoder().decode(
            OTIOObject.self, from: composition.openTimelineIO().file)
        let track = try #require(root.tracks?.children?.first)
        track.sourceRange = OTIORange(seconds(1), lasting: seconds(1), frames: nil)
        let effect = OTIOObject("LinearTimeWarp.1")
        effect.timeScalar = speed
        track.effects = [effect]
        let read = try Composition.reading(
            openTimelineIO: JSONEncoder().encode(root), mediaDuration: RandomCompositions.length)
        let cut = try #require(read.composition.tracks.first?.segments.first)
        #expect(cut.clip?.name == "nice")
        let levels = cut.blending.gain.keyframes.filter { $0.at <= seconds(1) }
        let expected: [Double: [String]] = [
            1: ["0.0 -10.0", "1.0 -20.0"], 2: ["0.0 -10.0", "0.5 -20.0", "1.0 -10.0"],
            -1: ["0.0 -20.0", "1.0 -10.0"],
        ]
        let ends = levels.map { "\($0.at.seconds) \($0.decibels)" }
        #expect(expected[speed].map { Set($0).isSuperset(of: ends) } == true, "\(ends)")
        #expect(ends.first == expected[speed]?.first)
    }

    @Test("rows that claim to be long are refused as soon as they differ")
    func longClaims() throws {
        let own = #"""
            , "metadata": { "timewarp": { "segment": "{}", "piece": 0, "of": 3000,
              "written": { "media": "a.mp4", "start": "0", "duration": "1", "speed": 1 } } }
            """#
        let items = Array(repeating: clip(range(0, 24, 24), more: own), count: 3000)
        var segments = 0
        let seconds = try processorSeconds {
            segments = try read(children: items.joined(separator: ",")).segments.count
        }
        #expect(segments == 3000 && seconds < 5)
    }

    @Test("what is switched off in a nested stack takes its time")
    func switchedOff() throws {
        let stack = #"""
            { "OTIO_SCHEMA": "Stack.1", "name": "s", "children": [
              { "OTIO_SCHEMA": "Track.1", "name": "off", "enabled": false,
                "children": [ \#(clip(range(0, 48, 24))) ] },
              { "OTIO_SCHEMA": "Track.1", "children": [ \#(clip(range(0, 24, 24))) ] } ] }
            """#
        let read = try read(children: stack + "," + clip(range(0, 24, 24)))
        #expect(read.segments.map(\.isGap) == [false, true, false])
        #expect(read.segments.map(\.duration) == [seconds(1), seconds(1), seconds(1)])
        #expect(read.notes == ["the track \"off\" is switched off and was dropped."])
    }

    @Test("a transition lies where its offsets say, and one that was removed is gone")
    func transitions() throws {
        let two = [clip(range(24, 48, 24)), clip(range(240, 48, 24))]
        var read = try read(children: two[0] + "," + transition(6, 18) + "," + two[1])
        #expect(
            read.segments.map(\.clip?.range) == [
                try TimeRange(start: seconds(1), end: seconds(13, 4)),
                try TimeRange(start: seconds(41, 4), end: seconds(12)),
            ])
        #expect(read.segments[1].blending == Blending(dissolve: seconds(1)))
        #expect(read.notes == [])
        read = try self.read(children: transition(0, 12) + "," + two[0] + "," + transition(12, 0))
        #expect(read.segments.map(\.duration) == [seconds(2)])
        #expect(
            read.segments[0].blending == Blending(dissolve: seconds(1, 2), fadeOut: seconds(1, 2)))
        let clip = try PlacedClip("a.mp4", range: range(0, 4))
        let composition = Composition(tracks: [
            try Track(
                name: "V1", carries: .video,
                segments: [
                    Segment(clip),
                    Segment(clip, blending: Blending(dissolve: seconds(1), fadeOut: seconds(1, 3))),
                ])
        ])
        let root = try JSONDecoder().decode(
            OTIOObject.self, from: composition.openTimelineIO().file)
        root.tracks?.children?[0].children?.remove(at: 1)
        let again = try Composition.reading(
            openTimelineIO: JSONEncoder().encode(root), mediaDuration: RandomCompositions.length)
        #expect(
            again.composition.tracks[0].segments[1].blending == Blending(fadeOut: seconds(1, 3)))
    }

    @Test("of a track that another program cut, our curves and jumps are straight lines")
    func trimmed() throws {
        let map = TimeMapDocument(points: [
            TimeAnchor(source: .zero, output: .zero),
            TimeAnchor(source: seconds(3), output: seconds(2)),
            TimeAnchor(source: seconds(1), output: seconds(2)),
            TimeAnchor(source: seconds(8), output: seconds(9)),
        ])
        for retiming in [Retiming.timeMap(map), .curve(.builtIn(.triangle, factor: 3))] {
            let segment = try Segment(
                PlacedClip("a.mp4", range: range(5, 14), retiming: retiming), lasting: seconds(6))
            let composition = Composition(
                tracks: [try Track(name: "V1", carries: .video, segments: [segment])])
            let root = try JSONDecoder().decode(
                OTIOObject.self, from: composition.openTimelineIO().file)
            root.tracks?.children?[0].sourceRange = OTIORange(
                seconds(1), lasting: seconds(4), frames: nil)
            let read = try Composition.reading(
                openTimelineIO: JSONEncoder().encode(root), mediaDuration: RandomCompositions.length
            )
            #expect(read.notes == [])
            let part = try #require(read.composition.tracks[0].segments.first)
            #expect(read.composition.tracks[0].segments.count == 1 && part.duration == seconds(4))
            let (whole, cut) = (try segment.timeMap(), try part.timeMap())
            let first = try #require(part.clip).range.start.seconds
            // A steep line leads over a jump: a thousandth of what follows.
            for step in 0..<400 where abs(Double(step) / 100 + 1 - 4.0 / 3) > 0.02 {
                let y = Double(step) / 100
                #expect(abs(first + cut.sourceTime(at: y) - 5 - whole.sourceTime(at: y + 1)) < 0.01)
            }
        }
    }
}
