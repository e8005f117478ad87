import Documents
import Foundation
import RandomCompositions
import TestSupport
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

@Suite("OpenTimelineIO")
struct OpenTimelineIOTests {
    func read(
        _ text: String
    ) throws -> (composition: Composition, notes: [String]) {
        try Composition.reading(
            openTimelineIO: Data(text.utf8), mediaDuration: RandomCompositions.length)
    }

    /// A timeline with one track of these children.
    func read(
        children: String
    ) throws -> (segments: [Segment], notes: [String]) {
        let read = try read(
            #"""
            { "OTIO_SCHEMA": "Timeline.1", "name": "t", "tracks": { "OTIO_SCHEMA": "Stack.1",
              "children": [ { "OTIO_SCHEMA": "Track.1", "name": "V1", "kind": "Video",
                "children": [ \#(children) ] } ] } }
            """#)
        return (read.composition.tracks[0].segments, read.notes)
    }

    func range(_ start: Double, _ duration: Double, _ rate: Double) -> String {
        #"""
        { "OTIO_SCHEMA": "TimeRange.1",
          "start_time": { "OTIO_SCHEMA": "RationalTime.1", "value": \#(start), "rate": \#(rate) },
          "duration": { "OTIO_SCHEMA": "RationalTime.1", "value": \#(duration), "rate": \#(rate) } }
        """#
    }

    func clip(
        _ range: String, url: String = "a.mp4", effects: String = "", more: String = ""
    ) -> String {
        #"""
        { "OTIO_SCHEMA": "Clip.1", "name": "c", "source_range": \#(range),
          "effects": [\#(effects)], "media_reference": {
            "OTIO_SCHEMA": "ExternalReference.1", "target_url": "\#(url)" } \#(more) }
        """#
    }

    @Test("writing and reading gives an equal composition", arguments: 1...60)
    func roundTrip(seed: UInt64) throws {
        var random = RandomCompositions(seed: seed)
        let composition = try random.composition()
        let lengths = random.chance(0.5) ? RandomCompositions.lengths : [:]
        let file = try composition.openTimelineIO(mediaDurations: lengths).file
        let again = try Composition.reading(
            openTimelineIO: file, mediaDuration: RandomCompositions.length)
        #expect(again.composition == composition, "seed \(seed)")
        #expect(again.notes == [], "seed \(seed)")
    }

    @Test(
        "a file's range that is none is ignored, and the clip's own counts",
        arguments: [("0", "0", "0"), ("0", "100", "0"), ("0", "-5", "24")])
    func brokenRange(_ numbers: (String, String, String)) throws {
        let available = range(0, 0, 24).replacing("\"value\": 0.0", with: "\"value\": \(numbers.1)")
            .replacing("\"rate\": 24.0", with: "\"rate\": \(numbers.2)")
        let text = clip(range(24, 48, 24)).replacing(
            "\"target_url\"", with: "\"available_range\": \(available), \"target_url\"")
        let read = try read(children: text + "," + clip(range(0, 24, 24)))
        #expect(read.segments.compactMap(\.clip?.range.duration) == [seconds(2), seconds(1)])
        #expect(read.segments[0].clip?.range.start == seconds(1))
    }

    @Test(
        "a timeline of another program has the rate that its pictures count in",
        arguments: [
            ([24.0, 24, 30], 24), ([29.97, 29.97], 29.97), ([48_000, 25], 25), ([23.976], 23.976),
            ([1, 1000], nil), ([59.94005994005994], 59.94), ([12, 12, 25], 12),
        ] as [([Double], Double?)])
    func rate(_ rates: ([Double], Double?)) throws {
        let clips = rates.0.map { clip(range(0, $0, $0)) }.joined(separator: ",")
        let sound = clip(range(0, 4_800_000, 48_000))
        let read = try read(
            #"""
            { "OTIO_SCHEMA": "Timeline.1", "tracks": { "OTIO_SCHEMA": "Stack.1", "children": [
              { "OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [ \#(clips) ] },
              { "OTIO_SCHEMA": "Track.1", "kind": "Audio", "children": [ \#(sound) ] } ] } }
            """#)
        let rate = read.composition.format.frameRate
        #expect(rate?.framesPerSecond.exact == rates.1?.exact)
    }

    @Test("plain clips need no words of our own")
    func plain() throws {
        var track = Track(name: "V1", carries: .video)
        try track.append(fractions(1001, 9009, 3000), of: "a.mp4")
        try track.append(.gap(lasting: seconds(2)))
        let back = try PlacedClip("a.mp4", range: fractions(1, 9, 3), retiming: .reversed)
        try track.append(Segment(back, lasting: seconds(5)))
        var composition = Composition(name: "film", tracks: [track])
        composition.format.frameRate = .init(known: 30_000, over: 1001)
        let file = String(decoding: try composition.openTimelineIO().file, as: UTF8.self)
        #expect(!file.contains("written") && !file.contains("\"segment\""))
        #expect(try read(file).composition == composition)
    }

    private func fractions(_ a: Int64, _ b: Int64, _ scale: Int32) throws -> TimeRange {
        try TimeRange(start: seconds(a, scale), end: seconds(b, scale))
    }

    @Test(
        "a curve's pieces of constant speed stay within half a frame, and say how far they are",
        arguments: [24.0, 30, 60])
    func pieces(rate: Double) throws {
        for curve in [
            Curve.builtIn(.doubleSmoothstep, factor: 4), .builtIn(.cosine, factor: 0.8),
            .keyframes([Keyframe(.share(0), speed: 1), Keyframe(.share(1), speed: -1)]),
        ] {
            let clip = try PlacedClip(
                "a.mp4", range: TimeRange(start: seconds(3), duration: seconds(9)),
                retiming: .curve(curve))
            let segment = try Segment(clip, lasting: seconds(8))
            let (pieces, error) = try TimelineClip.clips(
                of: segment, clip, LineRules(tolerance: 1 / rate / 4, clipsAreLines: true))
            #expect(error < 0.5 / rate)
            let map = try segment.timeMap()
            var largest = 0.0
            for (offset, piece) in pieces {
                #expect(piece.isStraight)
                let length = piece.duration.seconds
                for step in 0..<500 {
                    let y = length * Double(step) / 500
                    let x = piece.ends.first.seconds - 3 + piece.speed * y
                    largest = max(largest, abs(map.sourceTime(at: offset.seconds + y) - x))
                }
            }
            // Measured at five times as many instants as when the error was computed.
            #expect(largest <= error * 1.01 + 1e-9)
            let total = try pieces.reduce(RationalTime.zero) { try $0 + $1.clip.duration }
            #expect(total == segment.duration)
        }
    }

    @Test("pieces that another program changed are read as they stand, and it is said")
    func changedPieces() throws {
        let clip = try PlacedClip(
            "a.mp4", range: range(0, 10), retiming: .curve(.builtIn(.triangle, factor: 3)))
        let composition = Composition(
            tracks: [try Track(name: "V1", carries: .video, segments: [Segment(clip)])])
        let written = try composition.openTimelineIO()
        #expect(written.notes.count == 1 && written.notes[0].contains("of constant speed"))
        var root = try JSONDecoder().decode(OTIOObject.self, from: written.file)
        let pieces = try #require(root.tracks?.children?[0].children)
        #expect(pieces.count > 2)
        pieces.compactMap { $0.effects?.first }.first?.timeScalar = 0.5
        var read = try Composition.reading(
            openTimelineIO: JSONEncoder().encode(root), mediaDuration: RandomCompositions.length)
        #expect(read.composition.tracks[0].segments.count == pieces.count)
        #expect(read.composition.duration == composition.duration)
        #expect(read.notes.contains { $0.contains("was changed by another program") })
        root = try JSONDecoder().decode(OTIOObject.self, from: written.file)
        root.tracks?.children?[0].children?.removeLast()
        read = try Composition.reading(
            openTimelineIO: JSONEncoder().encode(root), mediaDuration: RandomCompositions.length)
        #expect(read.composition.tracks[0].segments.count == pieces.count - 1)
    }

    func range(_ start: Int64, _ end: Int64) throws -> TimeRange {
        try TimeRange(start: seconds(start), end: seconds(end))
    }

    @Test("video and sound that no longer agree are two tracks")
    func videoAndSound() throws {
        let composition = Composition(
            tracks: [
                try Track(name: "V1", segments: [Segment(PlacedClip("a.mp4", range: range(0, 9)))])
            ])
        let file = try composition.openTimelineIO().file
        let root = try JSONDecoder().decode(OTIOObject.self, from: file)
        #expect(root.tracks?.children?.map(\.kind) == ["Video", "Audio"])
        root.tracks?.children?[1].children?[0].sourceRange = OTIORange(
            .zero, lasting: seconds(5), frames: nil)
        let read = try Composition.reading(
            openTimelineIO: JSONEncoder().encode(root), mediaDuration: RandomCompositions.length)
        #expect(read.composition.tracks.map(\.carries) == [.video, .sound])
        #expect(read.composition.tracks.map(\.duration) == [seconds(9), seconds(5)])
        #expect(read.notes == [])
    }

    @Test("a file's own timecode is taken off its clips' times and markers")
    func timecode() throws {
        let read = try read(
            children: #"""
                { "OTIO_SCHEMA": "Clip.2", "name": "c", "source_range": \#(range(86_424, 48, 24)),
                  "markers": [ { "OTIO_SCHEMA": "Marker.1", "name": "m", "color": "RED",
                                 "marked_range": \#(range(86_436, 0, 24)) } ],
                  "media_references": { "DEFAULT_MEDIA": { "OTIO_SCHEMA": "ExternalReference.1",
                    "target_url": "a.mp4", "available_range": \#(range(86_400, 480, 24)) } },
                  "active_media_reference_key": "DEFAULT_MEDIA" }
                """#)
        #expect(read.segments[0].clip?.range == (try range(1, 3)))
        #expect(read.segments[0].markers.map(\.at) == [seconds(3, 2)])
        #expect(read.notes == [])
    }

    @Test(
        "paths are taken as they are, and file URLs without their percent signs",
        arguments: [
            ("a%20b.mp4", "a%20b.mp4"), ("file:///x/a%20b.mp4", "/x/a b.mp4"),
            ("file://localhost/x/%C3%BC.mov", "/x/ü.mov"), ("/x/100%.mp4", "/x/100%.mp4"),
        ])
    func urls(url: String, path: String) throws {
        let read = try read(children: clip(range(0, 24, 24), url: url))
        #expect(read.segments[0].clip?.media == path)
        if path.hasPrefix("/") {
            #expect(MediaLocation.path(ofURL: MediaLocation.url(ofPath: path)) == path)
        }
    }

    @Test(
        "what can't be said is told in a sentence, and keeps its place",
        arguments: [
            (
                #"{ "OTIO_SCHEMA": "Transition.1", "transition_type": "SMPTE_Dissolve" }"#,
                "Track \"V1\": the transition \"\" has no length and became a cut.", 0
            ),
            (
                #"{ "OTIO_SCHEMA": "Clip.1", "name": "c", "source_range": RANGE, "media_reference": { "OTIO_SCHEMA": "MissingReference.1" } }"#,
                "Track \"V1\": the clip \"c\" has no file; it is looked for by its name.", 0
            ),
            (
                #"{ "OTIO_SCHEMA": "Clip.1", "name": "c", "source_range": RANGE, "media_reference": { "OTIO_SCHEMA": "GeneratorReference.1" } }"#,
                "Track \"V1\": the clip \"c\" has no file but a GeneratorReference; a gap took its place.",
                2
            ),
            (
                #"{ "OTIO_SCHEMA": "Clip.1", "name": "c", "source_range": RANGE, "media_reference": null }"#,
                "Track \"V1\": the clip \"c\" became a gap: it names no file.", 2
            ),
            (
                #"{ "OTIO_SCHEMA": "Clip.1", "name": "c", "enabled": false, "source_range": RANGE }"#,
                "Track \"V1\": the clip \"c\" is switched off and became a gap.", 2
            ),
            (
                #"{ "OTIO_SCHEMA": "Mystery.1", "source_range": RANGE }"#,
                "Track \"V1\": a Mystery.1 can't be placed on a track; a gap took its place.", 2
            ),
            (
                #"{ "OTIO_SCHEMA": "Gap.1", "source_range": RANGE, "markers": [ { "OTIO_SCHEMA": "Marker.2" } ] }"#,
                "1 marker of a gap in track \"V1\" was dropped.", 2
            ),
        ])
    func notes(child: String, note: String, duration: Int64) throws {
        let child = child.replacingOccurrences(of: "RANGE", with: range(0, 48, 24))
        let read = try read(children: child + "," + clip(range(0, 24, 24)))
        #expect(read.notes.count == 1)
        #expect(read.notes.first == note)
        let gaps = read.segments.filter(\.isGap).map(\.duration)
        #expect(gaps == (duration == 0 ? [] : [seconds(duration)]))
        #expect(read.segments.last?.clip?.media == "a.mp4")
    }

    @Test("effects that aren't about constant speed are dropped, and told")
    func effects() throws {
        let read = try read(
            children: clip(
                range(0, 24, 24),
                effects: #"""
                    { "OTIO_SCHEMA": "Effect.1", "effect_name": "Blur" },
                    { "OTIO_SCHEMA": "TimeEffect.1", "name": "wobble" },
                    { "OTIO_SCHEMA": "LinearTimeWarp.1", "time_scalar": 2 },
                    { "OTIO_SCHEMA": "LinearTimeWarp.1", "time_scalar": 9, "enabled": false }
                    """#))
        #expect(read.notes.count == 2)
        #expect(read.notes[0].contains("the effect \"Blur\" (Effect.1) was dropped"))
        #expect(read.notes[1].contains("the effect \"wobble\" (TimeEffect.1) was dropped"))
        #expect(read.segments[0].clip?.range == (try range(0, 2)))
    }

    @Test("rounded rates are taken for what they mean")
    func roundedRates() throws {
        let read = try read(children: clip(range(0, 30, 29.97)))
        #expect(read.segments[0].duration == seconds(1001, 1000))
        #expect(read.notes.count == 1)
    }

    @Test(
        "what is no timeline is refused with a sentence",
        arguments: [
            ("nonsense", "1:1: the file: this isn't valid JSON"),
            ("{}", "1:1: the file: \"OTIO_SCHEMA\" is missing"),
            (#"{ "OTIO_SCHEMA": "Marker.2" }"#, "a Marker.2 is not a timeline"),
            (#"{ "OTIO_SCHEMA": "Timeline.1" }"#, "tracks: the timeline has none"),
            (#"{ "OTIO_SCHEMA": "Timeline.7" }"#, "Timeline.7 is newer than what can be read"),
            (
                #"{ "OTIO_SCHEMA": "SerializableCollection.1", "children": [] }"#,
                "the collection holds"
            ),
        ])
    func refusals(text: String, expected: String) throws {
        let error = try #require(throws: (any Error).self) { _ = try read(text) }
        #expect("\(error)".hasPrefix(expected), "\(error)")
    }

    @Test("a timeline nested too deeply is refused")
    func nestedTooDeeply() throws {
        let open = String(
            repeating: #"{ "OTIO_SCHEMA": "Stack.1", "children": [ "#, count: 70)
        let error = #expect(throws: DocumentError.self) {
            _ = try read(children: open + String(repeating: "] }", count: 70))
        }
        #expect(error?.description.contains("nested more than 64 levels deep") == true)
    }

    @Test("a fraction written as a Double comes back as that fraction", arguments: 1...200)
    func fractions(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let top = Int64.random(in: -1_000_000...1_000_000, using: &generator)
        let bottom = Int32.random(in: 1...1_000_000, using: &generator)
        let number = Double(top) / Double(bottom)
        #expect(RationalTime.simplestFraction(of: number) == seconds(top, bottom))
    }
}

extension Double {
    /// The rate that is meant, with three decimals.
    fileprivate var exact: Double {
        let known = [23.976: 24_000 / 1001.0, 29.97: 30_000 / 1001.0, 59.94: 60_000 / 1001.0]
        return ((known[self] ?? self) * 1000).rounded() / 1000
    }
}
