import Foundation
import Media
import Synchronization
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// Compositions that are retimed as a whole, against maps that are composed here by hand.
@Suite("A composition is an asset")
struct ComposedClipTests {
    /// Two barcoded clips of 30 and of 25 frames a second.
    private func clips(in folder: TemporaryFolder) throws {
        try TestClip { $0.frameCount = 60 }.write(to: folder.path("a.mp4"))
        try TestClip {
            ($0.frameCount, $0.rate) = (75, FrameRate(known: 25))
        }.write(to: folder.path("b.mp4"))
    }

    private func write(_ json: String, to name: String, in folder: TemporaryFolder) throws -> String
    {
        let path = folder.path(name)
        try Data(#"{"timewarp":"composition/1","tracks":[\#(json)]}"#.utf8).write(
            to: URL(fileURLWithPath: path))
        return path
    }

    private func edit(in folder: TemporaryFolder) throws -> String {
        try clips(in: folder)
        // 1 s of a at half speed, 1 s of b, 0.5 s of a backwards: 3.5 s.
        return try write(
            """
            {"segments":[{"media":"a.mp4","range":["0.5","1.5"],"duration":"2"},
             {"media":"b.mp4","range":["1","2"]},
             {"media":"a.mp4","range":["1","1.5"],"play":"reversed"}]}
            """, to: "edit.json", in: folder)
    }

    /// The number of the frame that the edit shows at an instant; nil very near to where the next one begins.
    private func number(at seconds: Double) -> Int? {
        func frame(_ place: Double) -> Int? {
            let near = abs(place - place.rounded()) < 1e-6
            return near ? nil : Int(place.rounded(.down))
        }
        switch seconds {
        case ..<2: return frame((0.5 + seconds / 2) * 30)
        case ..<3: return frame((1 + seconds - 2) * 25)
        default: return frame((1.5 - (seconds - 3)) * 30)
        }
    }

    private func render(_ clip: Clip, to path: String) async throws -> [Finding.ShownFrame] {
        let settings = RenderSettings {
            $0.video.rate = .fixed(FrameRate(known: 30))
            $0.video.preset = "ultrafast"
        }
        try await Renderer().render(try RenderPlan(clip, to: path, settings: settings))
        return try Finding.shownFrames(in: path)
    }

    @Test("one curve runs across the cuts: every frame is that of the composed maps")
    func curve() async throws {
        let folder = try TemporaryFolder()
        let source = try MediaSource(at: edit(in: folder))
        let clip = try Clip(of: source, warpedBy: .builtIn(.ramp, factor: 2, modifier: 0.5))
        let shown = try await render(clip, to: folder.path("out.mp4"))
        // 3.5 seconds become 5.25.
        #expect(shown.count == 158)
        var compared = 0
        for (tick, frame) in shown.enumerated() {
            let place = clip.map.sourceTime(at: Double(tick) / 30)
            if abs(place - 2) > 1e-6, abs(place - 3) > 1e-6, let number = number(at: place) {
                #expect(frame.number == number, "tick \(tick)")
                compared += 1
            }
        }
        #expect(compared > shown.count * 3 / 4)
    }

    @Test("backwards, a range, there and back: what was last comes first")
    func backwards() async throws {
        let folder = try TemporaryFolder()
        let source = try MediaSource(at: edit(in: folder))
        let clip = try Clip(
            reversing: source,
            range: TimeRange(start: .milliseconds(1500), end: .milliseconds(3500)))
        let shown = try await render(clip, to: folder.path("out.mp4"))
        #expect(shown.count == 60)
        // Between two frames it is clear which one is seen.
        for (tick, frame) in shown.enumerated() {
            let place = 3.5 - (Double(tick) + 0.4) / 30
            if let number = number(at: place), place > 3.02 || (2.05..<2.95).contains(place) {
                let shown = try #require(frame.number)
                #expect(abs(shown - number) <= 1, "tick \(tick)")
            }
        }
    }

    @Test("compositions nest, and are decoded once")
    func nested() async throws {
        let folder = try TemporaryFolder()
        _ = try edit(in: folder)
        _ = try write(
            #"{"segments":[{"media":"edit.json","range":["1","3"]},{"media":"b.mp4","range":["0","1"]}]}"#,
            to: "outer.json", in: folder)
        let path = try write(
            #"{"segments":[{"media":"outer.json","duration":"6"}]}"#, to: "third.json", in: folder)
        let source = try MediaSource(at: path)
        #expect(source.assets.count == 2)
        let clip = try Clip(of: source, scaled: .lasting(.seconds(3)))
        let shown = try await render(clip, to: folder.path("out.mp4"))
        #expect(shown.count == 90)
        for (tick, frame) in shown.enumerated() {
            let place = Double(tick) / 30
            let due: Int? =
                place < 2 ? number(at: place + 1) : Int(((place - 2) * 25 + 1e-6).rounded(.down))
            if let due, abs(place - 1) > 1e-6 {
                #expect(frame.number == due, "tick \(tick)")
            }
        }
    }

    @Test("sound follows the composed map: a tone in each clip, at the speed that it has there")
    func sound() async throws {
        let folder = try TemporaryFolder()
        func wave(_ hertz: Double, _ seconds: Double) -> Float {
            Float(0.5 * sin(2 * .pi * hertz * seconds))
        }
        for (name, hertz) in [("low.wav", 400.0), ("high.wav", 1000)] {
            try ReferenceTools.writeSound(
                [(0..<96_000).map { wave(hertz, Double($0) / 48_000) }], sampleRate: 48_000,
                to: folder.path(name))
        }
        let path = try write(
            """
            {"segments":[{"media":"low.wav","range":["0","1"]},
             {"media":"high.wav","range":["0","2"],"duration":"1"}]}
            """, to: "edit.json", in: folder)
        let clip = try Clip(
            of: MediaSource(at: path), scaled: .factor(2, over: 1))
        let out = folder.path("out.wav")
        try await Renderer().render(try RenderPlan(clip, to: out))
        let samples = try Finding.sound(in: out, channelCount: 1)[0]
        #expect(samples.count == 4 * 48_000)
        // At half speed for two seconds, and then, twice as fast at half the speed, as it is.
        for (index, sample) in samples.enumerated() where (1000..<95_000).contains(index % 96_000) {
            let place = Double(index) / 48_000
            let due = place < 2 ? wave(200, place) : wave(1000, place - 2)
            guard abs(sample - due) < 1e-4 else {
                Issue.record("\(sample) instead of \(due) at \(place) s")
                return
            }
        }
    }

    @Test("times that are sums of floating-point numbers can be retimed as well")
    func longFractions() throws {
        let folder = try TemporaryFolder()
        try clips(in: folder)
        let segments = (0..<11).map { index in
            let start = 0.1 * Double(index)
            return
                #"{"media":"a.mp4","range":["\#(start)","\#(start + 0.3 + 0.07 * Double(index % 3))"]}"#
        }
        let path = try write(
            #"{"segments":[\#(segments.joined(separator: ","))]}"#, to: "sums.json", in: folder)
        let source = try MediaSource(at: path)
        for clip in [
            try Clip(reversing: source), try Clip(of: source, scaled: .lasting(.seconds(2))),
            try Clip(of: source, warpedBy: .builtIn(.ramp, factor: 2, modifier: 0.5)),
        ] {
            let plan = try RenderPlan(clip, to: folder.path("out.mp4"))
            #expect(plan.video.first?.segments.count == 11)
        }
    }

    @Test("markers move along, at every level")
    func markers() async throws {
        let folder = try TemporaryFolder()
        try clips(in: folder)
        _ = try write(
            #"{"segments":[{"media":"a.mp4","markers":[{"name":"hit","at":"0.5"},{"name":"late","at":"1.5"}]}]}"#,
            to: "inner.json", in: folder)
        let path = try write(
            #"{"segments":[{"gap":"1"},{"media":"inner.json","range":["0","1"],"duration":"2"}]}"#,
            to: "outer.json", in: folder)
        let clip = try Clip(
            of: MediaSource(at: path), scaled: .factor(2, over: 1))
        let plan = try RenderPlan(clip, to: folder.path("out.mp4"))
        #expect(plan.chapters.map { $0.tags["title"] } == ["", "hit"])
        #expect(plan.chapters.last?.range.start == .seconds(4))
        #expect(plan.warnings.contains { $0.contains("\"late\"") })
    }

    @Test("a composition that contains itself is refused at once")
    func loops() throws {
        let folder = try TemporaryFolder()
        let path = try write(#"{"segments":[{"media":"b.json"}]}"#, to: "a.json", in: folder)
        _ = try write(
            #"{"segments":[{"media":"a.json","range":["0","1"]}]}"#, to: "b.json", in: folder)
        let error = #expect(throws: MediaError.self) { try MediaSource(at: path) }
        #expect(error?.description.contains("contains itself") == true)
    }

    /// Writes a composition that plays others, each for a second.
    private func write(_ name: String, playing others: [String], in folder: TemporaryFolder) throws
        -> String
    {
        let clips = others.map { #"{"media":"\#($0)"}"# } + [#"{"gap":"1"}"#]
        return try write(
            #"{"name":"\#(name)","segments":[\#(clips.joined(separator: ","))]}"#, to: name,
            in: folder)
    }

    @Test("a file is read twice at the most, however often compositions contain it")
    func readOnce() throws {
        let folder = try TemporaryFolder()
        var below: [String] = []
        for level in 0..<12 {
            let names = ["a\(level).json", "b\(level).json"]
            for name in names {
                _ = try write(name, playing: below, in: folder)
            }
            below = names
        }
        let format = CountingFormat()
        let asset = try MediaSource(
            at: folder.path("a11.json"), formats: ProjectFormats([format]))
        #expect(asset.duration == .seconds((1 << 12) - 1))
        #expect(format.reads.count == 23 && format.reads.allSatisfy { $0 <= 2 }, "\(format.reads)")
    }

    @Test("more than 16 levels are refused, also of files that were read before")
    func tooDeep() throws {
        let folder = try TemporaryFolder()
        var path = ""
        for level in (1...17).reversed() {
            path = try write(
                "p\(level).json", playing: level < 17 ? ["p\(level + 1).json"] : [], in: folder)
        }
        _ = try write("q.json", playing: ["p3.json"], in: folder)
        for (file, isRefused) in [
            (path, true), (folder.path("p2.json"), false),
            (try write("top16.json", playing: ["p3.json"], in: folder), false),
            (try write("top17.json", playing: ["p3.json", "q.json"], in: folder), true),
        ] {
            let project = Result { try CompositionProject(contentsOfFile: file) }
            switch project {
            case .success: #expect(!isRefused, "\(file)")
            case .failure(let error):
                #expect(isRefused && "\(error)".contains("nested more than 16"), "\(error)")
            }
        }
    }

    @Test("a map's crossings of segments: forwards, backwards, still, and past the end")
    func crossings() throws {
        var track = Track()
        for _ in 0..<3 {
            try track.append(TimeRange(start: .zero, end: .seconds(1)), of: "a.mp4")
        }
        func stays(_ points: [(output: Int64, source: Int64)]) throws -> [String] {
            let anchors = points.map {
                TimeAnchor(source: .milliseconds($0.source), output: .milliseconds($0.output))
            }
            let map = try TimeMap(through: anchors, sourceDuration: .seconds(4))
            return try SegmentCrossings(of: map, from: .zero, ends: track.ends).stays.map {
                "\($0.segment) \($0.start.seconds)-\($0.end.seconds)"
            }
        }
        #expect(try stays([(0, 0), (3000, 3000)]) == ["0 0.0-1.0", "1 1.0-2.0", "2 2.0-3.0"])
        #expect(try stays([(0, 3000), (3000, 0)]) == ["2 0.0-1.0", "1 1.0-2.0", "0 2.0-3.0"])
        #expect(
            try stays([(0, 500), (500, 1500), (1500, 500)]) == [
                "0 0.0-0.25", "1 0.25-1.0", "0 1.0-1.5",
            ])
        #expect(try stays([(0, 1000), (1000, 1000), (2000, 2000)]) == ["1 0.0-2.0"])
        #expect(try stays([(0, 2500), (1000, 3500)]) == ["2 0.0-0.5"])
    }
}

/// Edit files, and how often each was read.
private final class CountingFormat: ProjectFormat {
    private let format = EditFileFormat()
    private let counts = Mutex<[Data: Int]>([:])

    var name: String { format.name }
    var extensions: [String] { format.extensions }
    var largestFile: Int { format.largestFile }
    var reads: [Int] { counts.withLock { Array($0.values) } }

    func read(_ file: Data, _ media: ProjectMedia) throws -> ReadProject {
        counts.withLock { $0[file, default: 0] += 1 }
        return try format.read(file, media)
    }

    func write(
        _ composition: Composition, _ settings: ProjectSettings, _ media: ProjectMedia
    ) throws -> (file: Data, notes: [String]) {
        try format.write(composition, settings, media)
    }
}
