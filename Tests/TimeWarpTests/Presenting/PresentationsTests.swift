import Foundation
import TestSupport
import Testing
import TimeMaps

@testable import Media
@testable import TimeWarp

/// Which frame a map shows when, as strips of letters. In the source each letter is one frame of a second; in
/// the output each letter is one second.
@Suite("The order in which frames are shown")
struct PresentationsTests {
    struct Strip: Sendable, CustomTestStringConvertible {
        let source: String
        /// Output and source seconds.
        let points: [(Double, Double)]
        let shown: String

        init(_ source: String, _ points: [(Double, Double)], _ shown: String) {
            (self.source, self.points, self.shown) = (source, points, shown)
        }

        var testDescription: String { "\(source) becomes \(shown)" }
    }

    static let strips: [Strip] = [
        Strip("ABCD", [(0, 0), (4, 4)], "ABCD"),
        Strip("ABCD", [(0, 4), (4, 0)], "DCBA"),
        Strip("ABCD", [(0, 4), (8, 0)], "DDCCBBAA"),
        Strip("ABCD", [(0, 4), (2, 0)], "DB"),
        Strip("ABCD", [(0, 0), (2, 2), (5, 2), (7, 4)], "ABCCCCD"),
        Strip("ABCD", [(0, 0), (2, 2), (4, 0)], "ABBA"),
        Strip("ABCD", [(0, 0), (1.5, 1.5), (3, 0)], "ABA"),
        Strip("ABCD", [(0, 3), (1, 2), (1, 0), (3, 2)], "CAB"),
        Strip("ABCD", [(0, 4), (3, 1), (5, 1), (6, 0)], "DCBBBA"),
        Strip("A", [(0, 1), (1, 0)], "A"),
    ]

    private func map(_ strip: Strip) throws -> TimeMap {
        try TimeMap(
            through: try strip.points.map {
                try TimeAnchor(
                    source: RationalTime(seconds: $1, timescale: 1000),
                    output: RationalTime(seconds: $0, timescale: 1000))
            }, sourceDuration: RationalTime(Int64(strip.source.count), over: 1))
    }

    private func times(_ starts: [Int64], end: Int64, perSecond: Int32 = 1) -> FrameTimes {
        FrameTimes(
            starts: starts.map { RationalTime($0, over: perSecond) },
            end: RationalTime(end, over: perSecond))
    }

    @Test("what rests at the end of a range shows its last frame, not the next one")
    func restsAtTheEnd() throws {
        func seconds(_ value: Int64) -> RationalTime { RationalTime(value, over: 1) }
        let map = try TimeMap(
            through: [
                TimeAnchor(source: seconds(0), output: seconds(0)),
                TimeAnchor(source: seconds(2), output: seconds(2)),
                TimeAnchor(source: seconds(2), output: seconds(4)),
            ], sourceDuration: seconds(2))
        let range = try TimeRange(start: seconds(1), end: seconds(3))
        let shown = Presentations(times([0, 1, 2, 3, 4, 5], end: 6), map: map, range: range)
        #expect(shown.map(\.frame) == [1, 2])
    }

    @Test(
        "frames that pass faster than ticks are needed only if a tick falls on them",
        arguments: [
            (3.0, RenderSettings.FrameSynthesis.hold, [0, 3, 6, 9]),
            (5, .hold, [0, 5, 10]), (0.5, .hold, Array(0..<11)),
            (5, .blend, [0, 1, 4, 5, 6, 9, 10]), (-3, .hold, [10, 7, 4, 1]),
        ])
    func needed(speed: Double, frames: RenderSettings.FrameSynthesis, expected: [Int]) throws {
        let lasts = RationalTime(11, over: 1)
        let output = try RationalTime(seconds: 11 / abs(speed), timescale: 3000)
        let map = try TimeMap(
            through: [
                TimeAnchor(source: speed > 0 ? .zero : lasts, output: .zero),
                TimeAnchor(source: speed > 0 ? lasts : .zero, output: output),
            ], sourceDuration: lasts)
        let presentations = Presentations(
            times((0..<11).map { $0 }, end: 11), map: map,
            range: try TimeRange(start: .zero, end: lasts))
        let settings = RenderSettings { $0.video.frames = frames }
        let count = Int64(output.seconds.rounded(.up))
        let shown = NeededPresentations(
            presentations, settings,
            ticks: TickAssignment(settings, rate: FrameRate(known: 1), tickCount: count, offset: 0))
        var found: [Int] = []
        while let presentation = shown.next() {
            found.append(presentation.frame)
        }
        #expect(found == expected)
        #expect(shown.dropped == Int64(11 - found.count))
    }

    @Test("a tick shows the frame that is presented then", arguments: strips)
    func strip(strip: Strip) throws {
        let letters = Array(strip.source)
        let map = try map(strip)
        let count = Int64(letters.count)
        let presentations = Array(
            Presentations(
                times(Array(0..<count), end: count), map: map,
                range: try TimeRange(start: .zero, duration: RationalTime(count, over: 1)),
                ticksPerSecond: 1))
        var selector = FixedRateSelector(
            framesPerSecond: 1, tickCount: Int64(strip.shown.count))
        var shown = ""
        for (place, presentation) in presentations.enumerated() {
            let next =
                place + 1 < presentations.count ? presentations[place + 1].start.seconds : nil
            for _ in selector.ticks(from: presentation.start.seconds, until: next) {
                shown.append(letters[presentation.frame])
            }
        }
        #expect(shown == strip.shown)
        // A frame never follows itself: a frame that stays on the screen is one presentation.
        #expect(
            zip(presentations, presentations.dropFirst()).allSatisfy { $0.frame != $1.frame })
        #expect(abs((presentations.last?.end.seconds ?? 0) - map.outputDuration) < 1e-9)
    }

    @Test("uneven times are mirrored: each frame is shown for as long as it was")
    func mirrored() throws {
        let starts: [Int64] = [0, 20, 30, 90, 100, 130]
        let lasts = RationalTime(200, over: 300)
        let presentations = Array(
            Presentations(
                times(starts, end: 200, perSecond: 300), map: .reversed(lasts),
                range: try TimeRange(start: .zero, duration: lasts), ticksPerSecond: 300))
        #expect(presentations.map(\.frame) == [5, 4, 3, 2, 1, 0])
        #expect(presentations.map(\.start.tick) == [0, 70, 100, 110, 170, 180])
        #expect(presentations.map(\.end.tick) == [70, 100, 110, 170, 180, 200])
    }

    @Test("a freeze before the first frame shows it")
    func freezeBeforeTheFirst() throws {
        let map = try TimeMap(
            through: [(0, 0), (2, 0)].map {
                TimeAnchor(source: RationalTime($1, over: 1), output: RationalTime($0, over: 1))
            }, sourceDuration: RationalTime(4, over: 1))
        let presentations = Presentations(
            times([1, 2, 3], end: 4), map: map,
            range: try TimeRange(start: .zero, duration: RationalTime(4, over: 1)))
        #expect(presentations.map(\.frame) == [0])
    }

    @Test("whatever the map, a tick shows what the map says (seed 8)")
    func property() throws {
        var generator = SplitMix64(seed: 8)
        for _ in 0..<200 {
            var points: [(Double, Double)] = [(0, Double.random(in: 0...20, using: &generator))]
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let (y, x) = points[points.count - 1]
                let holds = Int.random(in: 0...3, using: &generator) == 0
                let next = holds ? x : Double.random(in: 0...20, using: &generator)
                points.append((y + Double.random(in: 0.5...6, using: &generator), next))
            }
            let map = try map(Strip(String(repeating: "x", count: 20), points, ""))
            let presentations = Array(
                Presentations(
                    times(Array(0..<20), end: 20), map: map,
                    range: try TimeRange(start: .zero, duration: RationalTime(20, over: 1))))
            for _ in 0..<40 {
                let y = Double.random(in: 0..<map.outputDuration, using: &generator)
                let x = map.sourceTime(at: y)
                // Near a boundary either frame is right.
                guard abs(x - x.rounded()) > 1e-5 else {
                    continue
                }
                let presentation = try #require(presentations.last { $0.start.seconds <= y })
                #expect(presentation.frame == Int(x), "at \(y) s of \(points)")
            }
        }
    }
}

@Suite("Runs of frames that are decoded together")
struct PresentationRunsTests {
    private func index(groups size: Int, count: Int, in folder: TemporaryFolder) throws
        -> PacketIndex
    {
        let path = folder.path("in.mp4")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=\(count / 10)", "-pix_fmt", "yuv420p",
            "-c:v", "libx264", "-g", "\(size)", "-bf", "0", "-sc_threshold", "0", path,
        ])
        let asset = try Asset(at: path)
        return try PacketIndex(of: asset, stream: asset.videoStreams[0])
    }

    /// The runs' lengths: positive for rising runs, negative for stored ones.
    private func lengths(
        _ points: [(Int64, Int64)], _ index: PacketIndex, capacity: Int
    ) throws -> [Int] {
        let lasts = RationalTime(Int64(index.times.count), over: 10)
        let map = try TimeMap(
            through: points.map {
                TimeAnchor(source: RationalTime($1, over: 10), output: RationalTime($0, over: 10))
            }, sourceDuration: lasts)
        let range = try TimeRange(start: .zero, duration: lasts)
        let presentations = Presentations(index.times, map: map, range: range)
        let runs = PresentationRuns(presentations, index: index, capacity: capacity)
        var lengths: [Int] = []
        var all: [Int] = []
        while let run = runs.next() {
            switch run {
            case .rising:
                var count = 0
                while let presentation = runs.nextRising() {
                    all.append(presentation.frame)
                    count += 1
                }
                lengths.append(count)
            case .stored(let presentations):
                all += presentations.map(\.frame)
                lengths.append(-presentations.count)
            }
        }
        #expect(all == presentations.map(\.frame))
        return lengths
    }

    @Test("backwards whole groups are taken, as many as fit; one that is larger is taken alone")
    func backward() throws {
        let folder = try TemporaryFolder()
        let index = try index(groups: 10, count: 60, in: folder)
        #expect(try lengths([(0, 60), (60, 0)], index, capacity: 25) == [-20, -20, -20])
        #expect(
            try lengths([(0, 60), (60, 0)], index, capacity: 4) == Array(repeating: -10, count: 6))
        #expect(try lengths([(0, 60), (60, 0)], index, capacity: 1000) == [-60])
    }

    @Test("where the disk has room for two thirds of a group, it comes in three parts")
    func parts() {
        let presentations = (0..<100).reversed().map {
            Presentation(
                frame: $0, direction: .backward, start: OutputInstant(seconds: 0, tick: 0),
                end: OutputInstant(seconds: 1, tick: 1))
        }
        #expect(PresentationRuns.parts(of: presentations, room: 100).map(\.count) == [100])
        let parts = PresentationRuns.parts(of: presentations, room: 70)
        #expect(parts.map(\.count) == [34, 34, 32])
        #expect(parts.joined().map(\.frame) == presentations.map(\.frame))
        // Cutting wouldn't help here. The write will then fail because the disk is full.
        #expect(PresentationRuns.parts(of: presentations, room: 60).map(\.count) == [100])
        #expect(
            PresentationRuns.parts(of: presentations.reversed(), room: 70).map(\.count) == [100])
    }

    @Test("what rises is not kept, however long; what turns within memory is decoded once")
    func forward() throws {
        let folder = try TemporaryFolder()
        let index = try index(groups: 10, count: 60, in: folder)
        #expect(try lengths([(0, 0), (60, 60)], index, capacity: 4) == [60])
        #expect(
            try lengths([(0, 0), (40, 40), (45, 35), (70, 60)], index, capacity: 5)
                == [40, -8, 20])
        #expect(try lengths([(0, 0), (5, 5), (10, 0), (15, 5)], index, capacity: 20) == [-13])
    }
}
