import Documents
import Foundation
import Media
import TimeMaps

extension RenderJob {
    /// The JSON Schema of job files, made from the types that read and write them.
    ///
    /// - Complexity: some hundred jobs are read.
    public static func schema() throws -> Data {
        try JSONDocument.data(of: documentSchema())
    }

    /// The same, to be looked into.
    package static func documentSchema() throws -> DocumentSchema {
        try DocumentSchema(
            title: "TimeWarp job", of: samples(), descriptions: descriptions
        ) { json in
            _ = try RenderJob(json: json) { _ in .seconds(10) }
        }
    }

    /// Jobs that say everything that a job can say.
    private static func samples() throws -> [JobFile] {
        var full = RenderSettings()
        full.output.container = .mov
        full.video.mode = .copied(from: "a.mp4")
        full.video.shutterDegrees = 180
        full.video.codec = .h264
        full.video.pixelFormat = .yuv420p
        full.video.quality = 20
        full.video.bitRate = 4_000_000
        full.video.preset = "slow"
        full.audio.codec = .aac
        full.audio.bitRate = 192_000
        full.resources.hardwareDecoding = .auto
        full.resources.pieces = 4
        full.resources.temporaryFolder = "tmp"
        full.resources.mediaFolders = ["media"]
        full.resources.sequenceRate = FrameRate(known: 25)
        let edit = Composition(
            name: "Edit",
            format: Composition.Format(
                size: Composition.Size(known: 1280, height: 720), frameRate: FrameRate(known: 25),
                sampleRate: 48_000, channels: "stereo"),
            tracks: [try Track(name: "V1", carries: .both, segments: segments())],
            timelines: [Composition(name: "intro")])
        let clip = try Segment(clip())
        let packets = Composition(format: .packets, tracks: [try Track(segments: [clip])])
        let plain = RenderJob(try Composition(of: clip), to: "out.mp4")
        let sound = RenderJob(try Composition(of: clip, carrying: .sound), to: "out.mp4")
        let jobs = [
            RenderJob(
                edit, to: "out.mov", outputRange: OutputRange(from: .zero, to: .seconds(2)),
                settings: full),
            plain, RenderJob(packets, to: "out.mp4"),
        ]
        return jobs.map(JobFile.init) + forms(of: JobFile(plain), JobFile(sound))
    }

    /// What only a file says, and a segment no more: lengths by a factor or a difference, and anchors.
    private static func forms(of plain: JobFile, _ sound: JobFile) -> [JobFile] {
        let half = DecimalFraction(parsing: "1/2")
        let lengths: [FileLength] =
            [half.map(FileLength.scale), half.map(FileLength.speed)].compactMap { $0 }
            + [.longerBy(.seconds(1))]
        let scaled = lengths.map { length in
            var job = plain
            job.clip?.length = length
            return job
        }
        var turned = plain
        turned.clip?.retiming = .thereAndBack(.uniform, turningAt: nil)
        turned.clip?.length = .oneWay(.seconds(1))
        var anchored = sound
        anchored.clip?.range = nil
        anchored.clip?.anchors = [1, 2].map {
            TimeAnchor(source: .seconds($0), output: .seconds($0))
        }
        return scaled + [turned, anchored]
    }

    private static func clip(_ retiming: Retiming = .uniform) throws -> PlacedClip {
        try PlacedClip(
            "a.mp4", range: TimeRange(start: .seconds(1), end: .seconds(4)), retiming: retiming)
    }

    /// Segments with everything that one can say.
    private static func segments() throws -> [Segment] {
        let points = [(0, 0), (1, 2)].map { output, source in
            TimeAnchor(source: .seconds(source), output: .seconds(output))
        }
        let formula = try Formula("1 + t")
        let shapes: [Curve] = [
            .builtIn(.ramp, factor: 2, modifier: 0.5), .scale(formula), .speed(formula),
            .integral(formula),
            .keyframes(try Keyframe.list(parsing: "0:1, 50%:0.5, 1:1", easing: .smooth)),
            .keyframes(try Keyframe.list(parsing: "0s:1, 2s:-1@2s", easing: .smooth)),
            .components([
                try Curve.Component(
                    from: 0.2, to: 0.5, curve: .builtIn(.ramp, factor: 2, modifier: 0.5))
            ]),
        ]
        var curves = shapes
        curves[0].isFlipped = true
        let retimings: [Retiming] =
            curves.map(Retiming.curve) + [
                .reversed, .timeMap(TimeMapDocument(points: points)),
                .thereAndBack(.uniform, turningAt: nil),
                .thereAndBack(.uniform, turningAt: .seconds(2)),
            ]
        let marker = try Marker(
            "hit", at: .seconds(2), lasting: .seconds(1), comment: "loud", colour: "red")
        let keyed = Blending(
            dissolve: .seconds(1), fadeOut: .seconds(1),
            gain: try Gain([(.zero, -6), (.seconds(1), 0)]))
        return try retimings.map { try Segment(clip($0)) } + [
            .gap(lasting: .seconds(1)),
            Segment(clip(.frozen(at: .seconds(2))), lasting: .seconds(2)),
            Segment(
                PlacedClip(
                    "a.mp4", range: TimeRange(start: .seconds(1), end: .seconds(4)),
                    window: TimeRange(start: .zero, end: .seconds(2)), name: "first"),
                lasting: .seconds(3), markers: [marker], blending: keyed),
            Segment(clip(), blending: Blending(gain: Gain(decibels: -6))),
        ]
    }
}
