import Documents
import Foundation
import Media
import Plotting
import TimeMaps
import TimeWarp

/// The figures of a job, which the page draws and plays the preview by.
struct JobEvaluation: Codable, Sendable, SchemaNamed {
    static let schemaName = "Evaluation"

    /// The time scale, sampled.
    struct Samples: Codable, Sendable {
        enum Axis: String, Codable, CaseIterable, Sendable {
            case source, output
        }
        /// What `u` is a share of: source time, or output time if a source instant may be shown never or
        /// twice.
        let over: Axis
        /// Places in 0…1, increasing; where the curve jumps, the same place occurs twice.
        var u: [Double] = []
        /// The time scale at each place; nil where it is infinite (a freeze).
        var scale: [Double?] = []
        /// The speed at each place.
        var speed: [Double?] = []
    }

    struct Points: Codable, Sendable {
        let output: [Double]
        /// Source times from the start of the range.
        let source: [Double]

        /// A map as straight lines, to within a quarter of a source frame, and to within a thousandth of the part that
        /// is looked at closely.
        ///
        /// - Parameters:
        ///   - rate: frames a second; nil without video.
        ///   - detail: the part, as shares of the output; nil for none.
        init(_ map: TimeMap, frameRate rate: Double?, detail: ClosedRange<Double>? = nil) {
            let part = detail.map { ($0.upperBound - $0.lowerBound) * map.outputDuration / 1000 }
            let outline = map.outline(within: min(0.25 / (rate ?? 100), max(part ?? 1, 1e-5)))
            (output, source) = (outline.output, outline.source)
        }
    }

    /// The clip of the job as the studio has understood it, in the words in which it is stored.
    let segment: FileClip
    let title: String
    /// The start of the range in the clip.
    let sourceStart: Double
    /// The duration of the range.
    let sourceDuration: Double
    let outputDuration: Double
    /// The number of output frames; nil without video.
    let frames: Int?
    let averageFrameRate: Double?
    /// How many of the source's frames a second of the output goes through on average; nil without video.
    let sourceFrameRate: Double?
    /// The bounds of the time scale; nil where it is infinite.
    let minimum: Double?
    let maximum: Double?
    let curve: Samples
    let map: Points
    let rising: Bool
    let warnings: [String]
    let command: String
    let curveFile: CurveFileContent?
    let anchorFile: String?

    /// Evaluates a job.
    ///
    /// - Parameters:
    ///   - name: the clip's name, for the command line.
    ///   - reference: the name of the clip that its sound was compared with; nil for none.
    ///   - detail: the part of the curve that is looked at closely, on [0,1]; nil for none.
    ///   - sampleCount: how many samples of the curve are wanted, besides those at its jumps.
    /// - Throws: ``JobError``.
    static func of(
        _ request: JobRequest, source: MediaSource, name: String, reference: String? = nil,
        detail: ClosedRange<Double>? = nil, sampleCount: Int = 513
    ) throws -> JobEvaluation {
        let job = try request.job(of: source, to: "")
        let clip = try request.clip(of: job, source)
        // A longer output would overflow the counts of frames and samples.
        guard clip.map.outputDuration < 1e8 else {
            throw JobError(
                message: "The output would last for years.", field: request.field)
        }
        let settings = job.settings
        let samples = try samples(
            sampleCount, of: job.timeline.tracks[0].segments[0], clip, detail)
        let command = RequestCommand(of: request, input: name, reference: reference)
        let video = try request.container.isAudioOnly ? nil : source.videoFormat
        let outputRate = video.map(settings.video.outputRate(of:)) ?? settings.video.rate
        let sourceRate =
            (outputRate == .any ? video?.frameRate : nil)?.framesPerSecond
            ?? video?.usualRate.framesPerSecond
        let rate = sourceRate.map { frameRate(outputRate, request, clip, source: $0) }
        return JobEvaluation(
            segment: request.clip, title: request.curve?.description ?? request.task.rawValue,
            sourceStart: clip.range.start.seconds, sourceDuration: clip.range.duration.seconds,
            outputDuration: clip.map.outputDuration,
            frames: rate.map { Int((videoSeconds(request, clip) * $0).rounded()) },
            averageFrameRate: rate,
            sourceFrameRate: sourceRate.map { frameRate(.any, request, clip, source: $0) },
            minimum: samples.minimum, maximum: samples.maximum,
            curve: samples, map: Points(clip.map, frameRate: sourceRate, detail: detail),
            rising: clip.map.isRising, warnings: clip.map.warnings, command: command.text,
            curveFile: command.curveFile.map(CurveFileContent.init), anchorFile: command.anchorFile)
    }

    /// The duration of the video in the output; stretching sound leaves the video unchanged.
    private static func videoSeconds(_ request: JobRequest, _ clip: Clip) -> Double {
        guard request.task == .stretch else {
            return clip.map.outputDuration
        }
        return (clip.source.videoEnd ?? clip.source.duration).seconds
    }

    private static func samples(
        _ count: Int, of segment: Segment, _ clip: Clip, _ detail: ClosedRange<Double>?
    ) throws -> Samples {
        guard let placed = segment.clip, case .curve(let curve) = placed.retiming else {
            return .of(clip.map, count: count, detail)
        }
        if !curve.isOverOutput {
            let evaluation = try JobError.blaming(.curve) {
                try CurveEvaluation(
                    of: curve, duration: clip.range.duration,
                    lasting: segment.duration == placed.retimedDuration ? nil : segment.duration,
                    frameDuration: clip.source.frameDuration, sampleCount: count,
                    detail: detail)
            }
            var samples = Samples(over: .source)
            for sample in evaluation.samples {
                samples.append(sample.u, scale: sample.scale)
            }
            return samples
        }
        return .of(clip.map, over: .output, count: count, detail)
    }

    private static func frameRate(
        _ rate: RenderSettings.OutputRate, _ request: JobRequest, _ clip: Clip, source: Double
    ) -> Double {
        guard request.task != .stretch else {
            return source
        }
        switch rate {
        case .source: return source
        case .fixed(let rate): return rate.framesPerSecond
        case .any: return travelled(clip.map) * source / clip.map.outputDuration
        }
    }

    /// How many seconds of the source are played, counted in both directions.
    private static func travelled(_ map: TimeMap) -> Double {
        guard !map.isRising else {
            return map.sourceDuration
        }
        let outline = map.outline(within: map.sourceDuration / 1000)
        let steps = zip(
            zip(outline.output, outline.source),
            zip(outline.output.dropFirst(), outline.source.dropFirst()))
        // Two points at the same output time are a cut, which shows nothing of the source between them.
        return steps.filter { $0.0 < $1.0 }.reduce(0.0) { $0 + abs($1.1.1 - $1.0.1) }
    }
}

extension JobEvaluation.Samples {
    /// Samples of any time map, from its own speeds.
    ///
    /// - Parameters:
    ///   - over: nil for the source if the map rises everywhere, and else the output.
    ///   - detail: the part that is looked at closely, on [0,1]; nil for none.
    static func of(
        _ map: TimeMap, over: Axis? = nil, count: Int, _ detail: ClosedRange<Double>? = nil
    ) -> Self {
        let over = over ?? (map.isRising ? .source : .output)
        let duration = map.outputDuration
        // If there are more edges than samples, a plot can't show them separately.
        let edges =
            map.pieces.count > count
            ? []
            : map.pieces.dropFirst().flatMap { [$0.outputStart.nextDown, $0.outputStart.nextUp] }
        let shares = (0..<count).map { Double($0) / Double(count - 1) }
        // On a rising map, which is drawn over the source, the part is one of the source.
        let part = detail.map { part in
            let ends = [part.lowerBound, part.upperBound].map {
                over == .source ? map.outputTime(of: $0 * map.sourceDuration) : $0 * duration
            }
            return shares.map { ends[0] + $0 * (ends[1] - ends[0]) }
        }
        let even = shares.map { duration * $0 } + (part ?? [])
        var samples = Self(over: over)
        for y in Set(even + edges).sorted() {
            let share =
                over == .source ? map.sourceTime(at: y) / map.sourceDuration : y / duration
            samples.append(min(max(share, 0), 1), speed: map.speed(at: y))
        }
        return samples
    }

    var minimum: Double? {
        scale.compactMap { $0 }.min()
    }

    /// The largest time scale; nil if it is infinite anywhere.
    var maximum: Double? {
        scale.contains { $0 == nil } ? nil : scale.compactMap { $0 }.max()
    }

    fileprivate mutating func append(_ place: Double, scale value: Double) {
        u.append(place)
        scale.append(value.isFinite ? value : nil)
        speed.append((1 / value).isFinite ? 1 / value : nil)
    }

    /// Nothing is slower than this on purpose; a freeze is as slow by rounding.
    private static let standing = 1e-9

    fileprivate mutating func append(_ place: Double, speed: Double) {
        let value = abs(speed) < Self.standing ? 0 : speed
        u.append(place)
        self.speed.append(value.isFinite ? value : nil)
        scale.append((1 / value).isFinite ? 1 / value : nil)
    }
}

/// A curve with the version field of a curve file, for use inside other JSON.
struct CurveFileContent: Codable, Sendable, SchemaGiving {
    static let example = CurveFileContent(curve: .builtIn(.ramp, factor: 1, modifier: 0.5))
    static func schema(_ finder: SchemaFinder) -> Schema { Schema(reference: "CurveFile") }

    let curve: Curve

    private enum Key: String, CodingKey {
        case timewarp
    }

    init(curve: Curve) {
        self.curve = curve
    }

    init(from decoder: any Decoder) throws {
        curve = try Curve(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try curve.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("curve/1", forKey: .timewarp)
    }
}
