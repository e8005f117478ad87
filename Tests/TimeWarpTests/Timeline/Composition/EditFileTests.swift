import Documents
import Foundation
import RandomCompositions
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Edit files")
struct EditFileTests {
    private func read(_ text: String) throws -> Composition {
        try Composition(json: Data(text.utf8), mediaDuration: RandomCompositions.length)
    }

    /// A composition with one track of these segments.
    private func read(segments: String) throws -> [Segment] {
        try read(
            #"{ "timewarp": "composition/1", "tracks": [ { "segments": [ \#(segments) ] } ] }"#
        ).tracks[0].segments
    }

    private func complaint(_ text: String) -> String {
        do {
            _ = try read(text)
            return "nothing"
        } catch let error as DocumentError where error.problem.position != nil {
            return "\(error.problem.path): \(error.problem.message)"
        } catch {
            return "another error: \(error)"
        }
    }

    private func complaint(segments: String) -> String {
        complaint(
            #"{ "timewarp": "composition/1", "tracks": [ { "segments": [ \#(segments) ] } ] }"#)
    }

    @Test("a file says formats, tracks and segments of every kind")
    func example() throws {
        let composition = try read(
            """
            { "timewarp": "composition/1", "name": "film",
              "format": { "size": [1280, 720], "rate": "30000/1001", "sampleRate": 48000,
                          "channels": "stereo", "crossfade": "5ms" },
              "tracks": [ { "name": "V1", "carries": "both", "segments": [
                 { "media": "a.mp4", "range": ["2", "10"],
                   "warp": { "curve": "triangle", "factor": 2 }, "duration": "6.5",
                   "markers": [ { "name": "hit", "at": "3.5", "colour": "RED" } ] },
                 { "gap": "1.5" },
                 { "media": "ü.mov", "play": "reversed" },
                 { "media": "a.mp4", "freeze": 3, "duration": "2" },
                 { "media": "a.mp4", "window": [1, "0:03"],
                   "timeMap": [ { "output": 0, "source": 0 }, { "output": 4, "source": 1 } ] }
              ] } ] }
            """)
        #expect(composition.name == "film")
        #expect(composition.format.size == .init(known: 1280, height: 720))
        #expect(composition.format.frameRate == .init(known: 30_000, over: 1001))
        #expect(composition.format.crossfade == seconds(5, 1000))
        let segments = composition.tracks[0].segments
        #expect(
            segments.map(\.duration) == [
                seconds(13, 2), seconds(3, 2), seconds(3003, 100),
                seconds(2), seconds(2),
            ])
        #expect(segments[0].clip?.retiming == .curve(.builtIn(.triangle, factor: 2)))
        #expect(segments[0].markers == [try Marker("hit", at: seconds(7, 2), colour: "RED")])
        #expect(segments[1].isGap)
        #expect(segments[2].clip?.retiming == .reversed)
        #expect(segments[2].clip?.range == (try range(.zero, seconds(900_900, 30_000))))
        #expect(segments[3].clip?.retiming == .frozen(at: seconds(3)))
        #expect(segments[4].clip?.window == (try range(1, 3)))
        // A speed of 1/4, from 1/4 s on.
        #expect(try segments[4].timeMap().sourceTime(at: 0) == 0.25)
    }

    @Test("what is left out is the whole file, as long as its retiming makes it")
    func defaults() throws {
        let segments = try read(
            segments: #"{ "media": "a.mp4" }, { "media": "a.mp4", "warp": { "scale": "2" } }"#)
        #expect(segments.map(\.duration) == [seconds(20), seconds(40)])
        #expect(segments.allSatisfy { $0.clip?.range.end == seconds(20) })
    }

    @Test("a length may be a factor or a difference, and a range may end with its media")
    func lengths() throws {
        let segments = try read(
            segments: #"""
                { "media": "a.mp4", "range": ["5"], "scale": 2 },
                { "media": "a.mp4", "speed": "1001/1000" },
                { "media": "a.mp4", "range": [1, 4], "longerBy": "-0.25" },
                { "media": "a.mp4", "warp": { "scale": "2" }, "window": [10, 30], "speed": 2 },
                { "media": "a.mp4", "thereAndBack": true, "oneWay": "2700/25s" }
                """#)
        #expect(
            segments.map(\.duration) == [
                seconds(30), seconds(20_000, 1001), seconds(11, 4), seconds(10), seconds(216),
            ])
        #expect(segments[0].clip?.range == (try range(5, 20)))
    }

    @Test("anchors lay the sound of a file as the command does, and end with it unless told")
    func anchors() throws {
        func segment(_ more: String) throws -> Segment {
            try read(
                #"""
                { "timewarp": "composition/1", "tracks": [ { "carries": "sound", "segments": [
                  { "media": "a.mp4", "anchors": [ { "source": 10, "output": "12" },
                    { "source": -1, "output": 0 } ]\#(more) } ] } ] }
                """#
            ).tracks[0].segments[0]
        }
        let plain = try segment("")
        #expect(plain.duration == seconds(22_909_091, 1_000_000))
        #expect(plain.clip?.range.start == seconds(-1))
        #expect(abs(try plain.timeMap().sourceTime(at: 6) - 5.5) < 1e-9)
        #expect(try segment(#", "duration": "30""#).duration == seconds(30))
        // The most negative number of nanoseconds has no positive one.
        for far in ["-9223372036.854775808", "-9e300"] {
            let clip = #"{ "media": "a.mp4", "longerBy": \#(far) }"#
            #expect(complaint(segments: clip).contains("longerBy"))
        }
    }

    @Test("a file's length is asked once, and only if it is needed")
    func asking() throws {
        var asked: [String] = []
        let text = #"""
            { "timewarp": "composition/1", "tracks": [ { "segments": [
              { "media": "a.mp4" }, { "media": "a.mp4" }, { "media": "x", "range": [0, 1] } ] } ] }
            """#
        _ = try Composition(json: Data(text.utf8)) { media in
            asked.append(media)
            return try RandomCompositions.length(of: media)
        }
        #expect(asked == ["a.mp4"])
    }

    @Test(
        "an error names its place in the file",
        arguments: [
            (
                #"{ "media": "a.mp4", "rnage": [0, 1] }"#,
                "tracks[0].segments[0]: \"rnage\" means nothing"
            ),
            (#"{ "gap": 1, "media": "a.mp4" }"#, "tracks[0].segments[0]: \"media\" means nothing"),
            (#"{ "gap": 1 }, { "gap": 0 }"#, "tracks[0].segments[1].gap: a gap can't last 0"),
            (
                #"{ "media": "a.mp4", "range": [5, 1] }"#,
                "tracks[0].segments[0].range: a range from 5"
            ),
            (
                #"{ "media": "a.mp4", "range": [5, 6, 7] }"#,
                "tracks[0].segments[0].range: it holds where the clip starts"
            ),
            (
                #"{ "media": "a.mp4", "range": [50] }"#,
                "tracks[0].segments[0].range: a range from 50"
            ),
            (
                #"{ "media": "a.mp4", "duration": 1, "speed": 2 }"#,
                "tracks[0].segments[0]: \"duration\" and \"speed\" exclude each other"
            ),
            (
                #"{ "media": "a.mp4", "speed": 0 }"#,
                "tracks[0].segments[0].speed: a factor is a number or a fraction above 0"
            ),
            (
                #"{ "media": "a.mp4", "scale": 5000 }"#,
                "tracks[0].segments[0].scale: 20.0 s can't become 100000.0 s"
            ),
            (
                #"{ "media": "a.mp4", "longerBy": "-30" }"#,
                "tracks[0].segments[0].longerBy: a clip can't last -10.0 s"
            ),
            (
                #"{ "media": "a.mp4", "oneWay": 2 }"#,
                "tracks[0].segments[0]: only what is played there and back"
            ),
            (
                #"{ "media": "a.mp4", "freeze": 1, "scale": 2 }"#,
                "tracks[0].segments[0]: a freeze needs"
            ),
            (
                #"{ "media": "a.mp4", "anchors": [] }"#,
                "tracks[0].segments[0].anchors: anchors are those of a track that carries sound"
            ),
            (
                #"{ "media": "a.mp4", "anchors": [], "range": [0, 1] }"#,
                "tracks[0].segments[0].range: the anchors say what is played"
            ),
            (
                #"{ "media": "a.mp4", "anchors": [], "speed": 2 }"#,
                "tracks[0].segments[0]: anchors say how fast"
            ),
            (
                #"{ "media": "a.mp4", "range": [0, "x"] }"#,
                "tracks[0].segments[0].range[1]: \"x\" is no"
            ),
            (
                #"{ "media": "a.mp4", "range": [0, 1], "window": [0, 2] }"#,
                "tracks[0].segments[0]: the window 0.0 s to 2.0 s is not a part"
            ),
            (
                #"{ "media": "a.mp4", "warp": { "curve": "triangel" } }"#,
                "tracks[0].segments[0].warp.curve: there is no curve"
            ),
            (
                #"{ "media": "a.mp4", "warp": { "curve": "triangle", "fcator": 2 } }"#,
                "tracks[0].segments[0].warp: \"fcator\" means nothing"
            ),
            (
                #"{ "media": "a.mp4", "warp": { "scale": "1 +" } }"#,
                "tracks[0].segments[0].warp.scale: "
            ),
            (
                #"{ "media": "a.mp4", "warp": { "scale": "t - 0.5" } }"#,
                "tracks[0].segments[0].warp: "
            ),
            (
                #"{ "media": "a.mp4", "warp": { "keyframes": [ { "at": "0", "speed": 1, "easing": "x" } ] } }"#,
                "tracks[0].segments[0].warp.keyframes[0].easing: \"x\" is not an easing"
            ),
            (
                #"{ "media": "a.mp4", "timeMap": [ { "output": 0, "source": 0 } ] }"#,
                "tracks[0].segments[0].timeMap: a time map needs at least two points"
            ),
            (#"{ "media": "a.mp4", "freeze": 1 }"#, "tracks[0].segments[0]: a freeze needs"),
            (
                #"{ "media": "a.mp4", "freeze": 30, "duration": 1 }"#,
                "tracks[0].segments[0]: it freezes at 30.0 s, which is outside"
            ),
            (
                #"{ "media": "a.mp4", "freeze": 3, "duration": 1, "play": "reversed" }"#,
                "tracks[0].segments[0]: \"play\" and \"freeze\" exclude"
            ),
            (
                #"{ "media": "a.mp4", "play": "backwards" }"#,
                "tracks[0].segments[0].play: \"backwards\""
            ),
            (
                #"{ "media": "a.mp4", "range": [0, 4], "thereAndBack": 5 }"#,
                "tracks[0].segments[0]: it can't turn at 5.0 s, because it lasts 4.0 s"
            ),
            (
                #"{ "media": "a.mp4", "warp": { "scale": "0" }, "thereAndBack": true }"#,
                "tracks[0].segments[0].warp: "
            ),
            (
                #"{ "media": "a.mp4", "freeze": 1, "duration": 1, "thereAndBack": true }"#,
                "tracks[0].segments[0]: a freeze can't turn"
            ),
            (
                #"{ "media": "a.mp4", "duration": "0" }"#,
                "tracks[0].segments[0].duration: a clip can't"
            ),
            (
                #"{ "media": "a.mp4", "duration": -1 }"#,
                "tracks[0].segments[0].duration: -1.0 s is not a valid time"
            ),
            (
                #"{ "media": "a.mp4", "duration": 1e9 }"#,
                "tracks[0].segments[0].duration: 20.0 s can't"
            ),
            (
                #"{ "media": "a.mp4", "markers": [ { "at": 1 } ] }"#,
                "tracks[0].segments[0].markers[0]: \"name\" is missing"
            ),
            (
                #"{ "media": "a.mp4", "markers": [ { "name": "", "at": 1, "color": "" } ] }"#,
                "tracks[0].segments[0].markers[0]: \"color\" means nothing"
            ),
            (#"{ "media": "" , "range": [0, 1] }"#, "tracks[0].segments[0]: a clip needs a file"),
            (
                #"{ "gap": "1/2147483647" }, { "gap": "1/7" }, { "media": "a.mp4" }"#,
                "tracks[0].segments[1]: "
            ),
        ])
    func places(segments: String, expected: String) {
        let found = complaint(segments: segments)
        #expect(found.hasPrefix(expected), "\(found)")
    }

    @Test(
        "versions, formats and tracks are checked",
        arguments: [
            (#"{ "tracks": [] }"#, "the file: \"timewarp\" is missing"),
            (#"{ "timewarp": "composition/2", "tracks": [] }"#, "timewarp: it must be"),
            (#"{ "timewarp": "composition/1" }"#, "the file: \"tracks\" is missing"),
            (
                #"{ "timewarp": "composition/1", "trakcs": [], "tracks": [] }"#,
                "the file: \"trakcs\""
            ),
            (
                #"{ "timewarp": "composition/1", "format": { "rate": 29.97 }, "tracks": [] }"#,
                "format.rate: 29.97 is a rounded rate; write 30000/1001"
            ),
            (
                #"{ "timewarp": "composition/1", "format": { "rate": "0" }, "tracks": [] }"#,
                "format.rate: \"0\" is not a frame rate"
            ),
            (
                #"{ "timewarp": "composition/1", "format": { "size": [0, 1] }, "tracks": [] }"#,
                "format.size: it holds"
            ),
            (
                #"{ "timewarp": "composition/1", "format": { "sampleRate": 0 }, "tracks": [] }"#,
                "format.sampleRate: 0"
            ),
            (
                #"{ "timewarp": "composition/1", "tracks": [ { "carries": "all", "segments": [] } ] }"#,
                "tracks[0].carries: a track carries"
            ),
            ("{", "the file: this isn't valid JSON"),
            ("[]", "the file: it is a list, not an object"),
        ])
    func document(text: String, expected: String) {
        let found = complaint(text)
        #expect(found.hasPrefix(expected), "\(found)")
    }

    @Test("a clip goes there and back, from its end or from a time")
    func thereAndBack() throws {
        let composition = try read(
            """
            { "timewarp": "composition/1", "tracks": [ { "segments": [
              { "media": "a.mp4", "range": [0, 4], "thereAndBack": true },
              { "media": "a.mp4", "range": [0, 4], "warp": { "curve": "ramp", "factor": 3 },
                "thereAndBack": "3.5" },
              { "media": "a.mp4", "range": [0, 4], "play": "reversed", "thereAndBack": "2",
                "duration": "8" },
              { "media": "a.mp4", "range": [0, 4], "thereAndBack": false } ] } ] }
            """)
        let segments = composition.tracks[0].segments
        #expect(segments.map(\.duration.seconds) == [8, 7, 8, 4])
        #expect(segments[3].clip?.retiming == .uniform)
        let (plain, curved, slow) = (
            try segments[0].timeMap(), try segments[1].timeMap(), try segments[2].timeMap()
        )
        #expect([1, 4, 6].map(plain.sourceTime(at:)) == [1, 4, 2])
        #expect([0, 2, 4, 6].map(slow.sourceTime(at:)) == [4, 3, 2, 3])
        let way = try TimeMap(
            warping: seconds(4), along: .builtIn(.ramp, factor: 3, modifier: 0.5)
        ).thereAndBack(turningAt: 3.5)
        for time in stride(from: 0.0, through: 7, by: 0.1) {
            #expect(abs(curved.sourceTime(at: time) - way.sourceTime(at: time)) < 1e-9)
        }
        let again = try Composition(
            json: composition.json(), mediaDuration: RandomCompositions.length)
        #expect(again == composition)
    }

    @Test("a rate may be a number")
    func rates() throws {
        for (text, rate) in [("25", FrameRate(known: 25)), ("12.5", FrameRate(known: 25, over: 2))]
        {
            let text =
                #"{ "timewarp": "composition/1", "format": { "rate": \#(text) }, "tracks": [] }"#
            #expect(try read(text).format.frameRate == rate)
        }
    }

    @Test("files that are too large are refused")
    func bounds() throws {
        let large = Data(repeating: UInt8(ascii: " "), count: Composition.largestFile + 1)
        #expect(throws: DocumentError.self) {
            try Composition(json: large, mediaDuration: RandomCompositions.length)
        }
        let gaps = Array(repeating: #"{"gap":1}"#, count: Composition.mostSegments + 1)
        let found = complaint(segments: gaps.joined(separator: ","))
        #expect(found == "tracks[0].segments: there are 100001; 100000 is the most")
    }

    @Test("writing and reading gives an equal composition", arguments: 1...60)
    func roundTrip(seed: UInt64) throws {
        var random = RandomCompositions(seed: seed)
        let composition = try random.composition()
        let file = try composition.json()
        let again = try Composition(json: file, mediaDuration: RandomCompositions.length)
        #expect(again == composition, "seed \(seed)")
        #expect(try again.json() == file, "seed \(seed)")
    }

    @Test("keyframes at a third of a second come back exactly")
    func oddKeyframes() throws {
        let curve = Curve.keyframes([
            Keyframe(.seconds(.zero), speed: 1), Keyframe(.seconds(seconds(1, 3)), speed: 2),
            Keyframe(.seconds(seconds(1, 1_000_000_000)), speed: 1),
        ])
        let clip = try PlacedClip("a.mp4", range: range(0, 10), retiming: .curve(curve))
        let composition = Composition(tracks: [try Track(segments: [Segment(clip)])])
        let again = try Composition(
            json: composition.json(), mediaDuration: RandomCompositions.length)
        #expect(again == composition)
    }
}
