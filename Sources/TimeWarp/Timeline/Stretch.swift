import Alignment
import Foundation
import Media
import TimeMaps

/// Sound that is stretched to an exact duration or synchronised with the clock of another recording.
public struct Stretch: Sendable {
    /// The sound, with a time map that says when each of its instants is heard.
    public let clip: Clip
    /// The duration of the output.
    public let duration: RationalTime
    /// The instants of the sound that are at given instants of the output; empty if all of it is stretched evenly.
    public let anchors: [TimeAnchor]
    /// The drift that the whole stretch corrects.
    public let drift: ClockDrift
    /// The result of comparing the sound of two recordings; nil if it wasn't compared.
    public let alignment: RecordingAlignment?
    /// Notes (sentences) on what is unusual.
    public let notes: [String]

    /// Sound that is stretched to an exact duration. That of a file is taken from the file's time zero to the
    /// sound's own end, however long the video is; that of a composition as a whole.
    ///
    /// - Throws: ``MediaError`` if a file has no sound, ``CurveError`` if the duration isn't above 0.
    public init(_ source: MediaSource, lasting duration: RationalTime) throws {
        clip =
            try source.asset.map { asset in
                try Clip(soundOf: asset, range: asset.soundRange) {
                    try .uniform(from: $0, to: duration)
                }
            } ?? Clip(of: source, scaled: .lasting(duration))
        self.duration = duration
        drift = ClockDrift(ratio: duration.seconds / clip.range.duration.seconds)
        anchors = []
        alignment = nil
        notes = []
    }

    /// The stretched sound as a timeline.
    package var timeline: Composition {
        get throws { try Composition(of: segment(), carrying: .sound) }
    }

    /// The same as a segment of a track.
    ///
    /// - Parameter name: the name of its clip; nil for its file's.
    package func segment(named name: String? = nil) throws -> Segment {
        let isEven = anchors.isEmpty
        return try Segment(
            of: clip.source, range: clip.range, carrying: .sound,
            retiming: isEven ? .uniform : .timeMap(TimeMapDocument(straight: clip.map)),
            lasting: isEven ? duration : nil, name: name)
    }

    /// The end of the source's sound, in the source's time.
    public var sourceEnd: RationalTime { clip.source.soundEnd }

    /// Sound that is stretched to the duration of another recording: of its whole file if it has video, else of
    /// its sound.
    ///
    /// The difference must look like clock drift. If both recordings have sound, it is compared, which takes
    /// some seconds for an hour of sound. The comparison distinguishes a longer tail or a later start from a
    /// slower clock.
    ///
    /// - Throws: ``MediaError`` if the difference isn't drift, `CancellationError` if the task is cancelled.
    public static func of(_ asset: Asset, like reference: Asset) async throws -> Stretch {
        try await runBlocking {
            try Stretch(asset, like: reference, checkCancelled: $0)
        }
    }

    /// Sound that is synchronised with another recording of the same event, by comparing the two. That takes
    /// some seconds for an hour of sound.
    ///
    /// The output is as long as the reference. It is silent where the sound doesn't reach.
    ///
    /// - Throws: ``AlignmentError`` if the two recordings don't match, ``MediaError`` if one can't be read,
    ///   `CancellationError` if the task is cancelled.
    public static func of(_ asset: Asset, matching reference: Asset) async throws -> Stretch {
        try await runBlocking {
            try Stretch(asset, matching: reference, checkCancelled: $0)
        }
    }

    private init(
        _ asset: Asset, like reference: Asset, checkCancelled: () throws -> Void
    ) throws {
        let duration = try reference.durationToMatch
        let plain = try Stretch(MediaSource(asset), lasting: duration)
        (clip, drift, anchors) = (plain.clip, plain.drift, plain.anchors)
        self.duration = duration
        let mismatch = Mismatch(asset, reference, drift, lasting: duration)
        var notes = try mismatch.judge()
        do {
            alignment = try RecordingAlignment(
                of: asset, with: reference, checkCancelled: checkCancelled)
        } catch let error as AlignmentError {
            alignment = nil
            notes.append("only the lengths were compared: \(error.reason)")
        } catch let error as MediaError where error.code == .noUsableStream {
            alignment = nil
        }
        if let alignment {
            try mismatch.judge(alignment)
        }
        self.notes = notes
    }

    /// Sound that is stretched piece by piece so that given instants of it are at given instants of the output.
    ///
    /// The output starts at output time zero and is silent where the sound doesn't reach.
    ///
    /// - Parameter duration: the duration of the output; nil if it ends with the sound.
    /// - Throws: ``CurveError`` or ``TimeError`` if there is no time map through the anchors, ``MediaError`` if
    ///   the asset has no sound.
    public init(
        _ asset: Asset, through anchors: [TimeAnchor], lasting duration: RationalTime? = nil
    ) throws {
        let line = try AnchoredLine(anchors)
        let end = try asset.soundRange.end
        try self.init(
            asset, line, lasting: duration ?? line.outputTime(ofSoundEnd: end), alignment: nil)
    }

    private init(
        _ asset: Asset, matching reference: Asset, checkCancelled: () throws -> Void
    ) throws {
        let alignment = try RecordingAlignment(
            of: asset, with: reference, checkCancelled: checkCancelled)
        let duration = try reference.durationToMatch
        try self.init(
            asset, AnchoredLine(alignment.anchors), lasting: duration, alignment: alignment)
    }

    private init(
        _ asset: Asset, _ line: AnchoredLine, lasting duration: RationalTime,
        alignment: RecordingAlignment?
    ) throws {
        let (map, range) = try line.map(lasting: duration)
        clip = try Clip(soundOf: asset, range: range) { _ in map }
        self.duration = duration
        anchors = line.anchors
        let (first, last) = (line.anchors[0], line.anchors[line.anchors.count - 1])
        drift = ClockDrift(
            ratio: (last.output.seconds - first.output.seconds)
                / (last.source.seconds - first.source.seconds))
        self.alignment = alignment
        notes = []
    }
}

extension AnchoredLine {
    /// When the end of the sound is heard, to the microsecond.
    func outputTime(ofSoundEnd end: RationalTime) throws -> RationalTime {
        try RationalTime(
            seconds: outputTime(of: end.seconds), timescale: 1_000_000, rounding: .nearest)
    }
}

extension RenderSettings.VideoMode {
    /// The video beside the stretched sound of a source, at its own times: a file's is copied, and a composition's is
    /// rendered.
    package static func besideStretchedSound(of source: MediaSource) -> Self {
        source.asset.map { $0.videoStreams.isEmpty ? .dropped : .copied(from: $0.path) }
            ?? .unretimed
    }
}

extension Asset {
    /// The end of the asset's sound, in asset time; zero if it has no sound.
    public var soundEnd: RationalTime {
        (try? soundRange.end) ?? .zero
    }

    /// The duration that a synchronised recording should have: of the whole file if it has video, else of its
    /// sound.
    fileprivate var durationToMatch: RationalTime {
        get throws {
            try videoStreams.isEmpty ? soundRange.end : duration
        }
    }

    /// The range from zero to the end of the asset's sound, in asset time.
    var soundRange: TimeRange {
        get throws {
            guard let end = audioStreams.compactMap(\.end).max(), end > .zero else {
                guard audioStreams.isEmpty else {
                    return try TimeRange(start: .zero, end: duration)
                }
                throw MediaError(
                    .noUsableStream, file: path, reason: "it has no sound",
                    remedy: "Give a file with sound")
            }
            return try TimeRange(start: .zero, end: end)
        }
    }
}

extension RecordingAlignment {
    /// Finds the position and drift of the sound of a file within that of another.
    ///
    /// - Parameter checkCancelled: called now and then; it throws to stop.
    /// - Throws: ``AlignmentError`` if they don't match, ``MediaError`` if one can't be read, and what
    ///   `checkCancelled` throws.
    public init(
        of recording: Asset, with reference: Asset, checkCancelled: () throws -> Void
    ) throws {
        for asset in [recording, reference] {
            try asset.requireNoJumps(in: TimeRange(start: .zero, end: asset.duration))
        }
        do {
            self = try DriftEstimator().align(
                MonoSound(of: recording), to: MonoSound(of: reference),
                checkCancelled: checkCancelled)
        } catch let error as AlignmentError {
            throw AlignmentError(
                error.code, "\(recording.path) and \(reference.path): \(error.reason)")
        }
    }

    /// The points at which the alignment's lines begin and end, to the nanosecond.
    public var anchors: [TimeAnchor] {
        get throws {
            let corners =
                lines.map { ($0.start, $0.referenceStart) }
                + lines.suffix(1).map { ($0.end, $0.referenceEnd) }
            return try corners.map { source, output in
                // A nanosecond is much shorter than a sample.
                try TimeAnchor(
                    source: RationalTime(
                        seconds: source, timescale: 1_000_000_000, rounding: .nearest),
                    output: RationalTime(
                        seconds: output, timescale: 1_000_000_000, rounding: .nearest))
            }
        }
    }
}

/// Decides whether the different durations of two recordings can be corrected by stretching.
private struct Mismatch {
    let asset: Asset
    let reference: Asset
    let drift: ClockDrift
    let duration: RationalTime

    /// People notice sound that is 45 ms early (ITU-R BT.1359-1).
    private static let noticeableSeconds = 0.045

    init(_ asset: Asset, _ reference: Asset, _ drift: ClockDrift, lasting duration: RationalTime) {
        self.asset = asset
        self.reference = reference
        self.drift = drift
        self.duration = duration
    }

    /// Judges by the durations only, and returns notes.
    func judge() throws -> [String] {
        guard abs(drift.partsPerMillion) > ClockDrift.largestOfClocks else {
            return []
        }
        if let mistake = drift.knownMistake {
            return ["the ratio of the lengths is \(mistake)"]
        }
        let seconds = duration.seconds * (1 - 1 / drift.ratio)
        throw isNoDrift(
            String(
                format:
                    "%@ is %.3f s %@, and clocks don't drift by %.0f ppm: it has a longer tail "
                    + "or another start", locale: nil, reference.path, abs(seconds),
                seconds > 0 ? "longer" : "shorter", abs(drift.partsPerMillion)))
    }

    /// Judges by the comparison of their sound.
    func judge(_ alignment: RecordingAlignment) throws {
        let ends = [alignment.lines[0].start, alignment.lines[alignment.lines.count - 1].end]
        let errors = ends.map { alignment.referenceTime(of: $0) - $0 * drift.ratio }
        guard errors.contains(where: { abs($0) > Self.noticeableSeconds }) else {
            return
        }
        throw isNoDrift(
            String(
                format: "by their sound the clocks differ by %.1f ppm and the recording begins "
                    + "%.3f s %@ %@: stretching it to the same length would leave it up to %.3f s off",
                locale: nil, alignment.ppm, abs(alignment.offsetSeconds),
                alignment.offsetSeconds < 0 ? "before" : "into", reference.path,
                errors.map(abs).max() ?? 0))
    }

    private func isNoDrift(_ reason: String) -> MediaError {
        MediaError(
            .noUsableStream, file: asset.path, reason: reason,
            remedy: """
                Use \(.match(reference.path)) to lay it in its place, or \(.length(duration.seconds)) \
                to stretch it all the same
                """)
    }
}
