import Foundation
import Media
import RandomCompositions
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// What a clip of a job plays is what the clips of the library play.
@Suite("Clips of jobs")
struct JobClipTests {
    private let clip: Asset
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try TestClip { $0.frameCount = 75 }.write(to: folder.path("in.mp4"))
        clip = try Asset(at: folder.path("in.mp4"))
    }

    private func played(_ segment: Segment) throws -> Clip {
        let job = RenderJob(try Composition(of: segment), to: folder.path("out.mp4"))
        let read = try RenderJob(json: job.json()) { _ in clip.duration }
        return try read.clip(MediaCatalogue(.editFiles))
    }

    private func isSame(_ a: Clip, _ b: Clip) -> Bool {
        func numbers(_ clip: Clip) -> [Double] {
            clip.map.pieces.flatMap {
                [$0.outputStart, $0.outputEnd, $0.sourceStart, $0.sourceEnd]
            }
                + (0...100).map {
                    clip.map.sourceTime(at: clip.map.outputDuration * Double($0) / 100)
                } + [clip.map.outputDuration]
        }
        return a.range == b.range && numbers(a) == numbers(b)
            && a.map.exactOutputDuration == b.map.exactOutputDuration
    }

    @Test("curves, with and without a length, are those of the library bit for bit (seed 3)")
    func curves() throws {
        var random = RandomCompositions(seed: 3)
        let source = MediaSource(clip)
        for _ in 0..<60 {
            let curve = try random.curve()
            let range = try random.range(in: clip.duration)
            let whole = Result { try Clip(of: source, range: range, warpedBy: curve) }
            guard case .success(let whole) = whole else {
                continue
            }
            #expect(
                isSame(
                    try played(Segment(of: source, range: range, retiming: .curve(curve))), whole),
                "\(curve)")
            let lasting = seconds(17, 7)
            let fitted = try Clip(
                of: MediaSource(clip), range: range, warpedBy: curve, lasting: lasting)
            #expect(
                isSame(
                    try played(
                        Segment(
                            of: source, range: range, retiming: .curve(curve), lasting: lasting)),
                    fitted), "\(curve)")
        }
    }

    @Test("uniform scales, reversal, time maps and parts of the output are, too")
    func others() throws {
        let source = MediaSource(clip)
        let third = try clip.duration.multiplied(by: 7, over: 3)
        #expect(
            isSame(
                try played(Segment(of: source, lasting: third)),
                try Clip(of: source, scaled: .factor(7, over: 3))))
        #expect(
            isSame(
                try played(Segment(of: source, retiming: .reversed)),
                try Clip(reversing: source)))
        let points = TimeMapDocument(points: [
            TimeAnchor(source: .zero, output: .zero),
            TimeAnchor(source: seconds(2), output: seconds(1)),
            TimeAnchor(source: seconds(1, 3), output: seconds(5, 2)),
        ])
        let mapped = try Clip(of: source) {
            try TimeMap(through: points.points, sourceDuration: $0)
        }
        let segment = try Segment(of: source, retiming: .timeMap(points))
        #expect(isSame(try played(segment), mapped))
        var job = RenderJob(try Composition(of: segment), to: folder.path("out.mp4"))
        job.outputRange = .init(from: seconds(1, 2), to: seconds(2))
        #expect(
            isSame(
                try job.clip(MediaCatalogue(.editFiles)),
                try mapped.playing(from: seconds(1, 2), to: seconds(2))))
    }

    @Test("there and back turns in the middle of the last frame, with and without a length")
    func thereAndBack() throws {
        let source = MediaSource(clip)
        let curve = Curve.builtIn(.ramp, factor: 2, modifier: 0.5)
        for (retiming, lasting) in [
            (Retiming.uniform, nil), (.reversed, nil), (.curve(curve), nil),
            (.curve(curve), seconds(4)), (.uniform, seconds(7)),
        ] {
            for rate in [RenderSettings.OutputRate.source, .any, .fixed(FrameRate(known: 7))] {
                let once = try Segment(of: source, retiming: retiming, lasting: lasting)
                let both = try played(once.thereAndBack(of: source, at: rate)).map
                let wanted = try played(once).thereAndBack(at: rate).map
                #expect(abs(both.outputDuration - wanted.outputDuration) < 2e-9)
                for step in 0...200 {
                    let instant = wanted.outputDuration * Double(step) / 200
                    #expect(
                        abs(both.sourceTime(at: instant) - wanted.sourceTime(at: instant)) < 1e-8)
                }
            }
        }
    }

    @Test("a timeline of several clips has no source whose format it could keep")
    func several() throws {
        let one = try Segment(of: MediaSource(clip))
        let timeline = Composition(
            format: .asSource, tracks: [try Track(segments: [one, try .gap(lasting: seconds(1))])])
        #expect(throws: CompositionError.self) {
            try RenderPlan(RenderJob(timeline, to: folder.path("out.mp4")))
        }
        let packets = Composition(
            format: .packets, tracks: [try Track(segments: [one.lasting(seconds(1))])])
        #expect(throws: CompositionError.self) {
            try RenderPlan(RenderJob(packets, to: folder.path("out.mp4")))
        }
    }
}
