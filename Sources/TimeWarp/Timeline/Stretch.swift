import Alignment
import Foundation
import Media
import TimeMaps

/// Sound brought to an exact length, or onto another recording's clock.
public struct Stretch: Sendable {
    /// The sound, and when each of its instants is heard.
    public let clip: Clip
    /// What the whole does to the clock.
    public let drift: ClockDrift
    /// What was found between two recordings, where their sound was compared.
    public let alignment: Alignment?
    /// What is remarkable.
    public let notes: [String]

    /// Sound that lasts exactly so long. It is taken from its asset's zero to its own end, whatever
    /// the picture beside it lasts.
    ///
    /// - Throws: ``MediaError`` without sound, ``CurveError`` when the duration is no positive time.
    public init(_ asset: Asset, lasting duration: RationalTime) throws {
        let sound = try asset.soundRange
        clip = try Clip(soundOf: asset, range: sound) {
            try .uniform(from: $0, to: duration)
        }
        drift = ClockDrift(ratio: duration.seconds / sound.duration.seconds)
        alignment = nil
        notes = []
    }

    /// Sound as long as another recording: its sound, or all of a film.
    ///
    /// The mismatch must look like drift. Where both have sound it is compared, which takes some
    /// seconds an hour, and a longer tail or a later start is told from a slower clock.
    ///
    /// - Throws: ``MediaError`` when the mismatch isn't drift, `CancellationError`.
    public static func of(_ asset: Asset, like reference: Asset) async throws -> Stretch {
        try await runBlocking {
            try Stretch(asset, like: reference, checkCancelled: $0)
        }
    }

    /// Sound laid onto another recording of the same event, by comparing the two, which takes some
    /// seconds an hour.
    ///
    /// The output is as long as the reference, with silence where the sound doesn't reach.
    ///
    /// - Throws: ``AlignmentError`` when the two don't belong together, ``MediaError``,
    ///   `CancellationError`.
    public static func of(_ asset: Asset, matching reference: Asset) async throws -> Stretch {
        try await runBlocking {
            try Stretch(asset, matching: reference, checkCancelled: $0)
        }
    }

    private init(
        _ asset: Asset, like reference: Asset, checkCancelled: () throws -> Void
    ) throws {
        let duration = try reference.durationToMatch
        let plain = try Stretch(asset, lasting: duration)
        clip = plain.clip
        drift = plain.drift
        let mismatch = Mismatch(asset, reference, drift, lasting: duration)
        var notes = try mismatch.judge()
        do {
            alignment = try Alignment(of: asset, with: reference, checkCancelled: checkCancelled)
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

    /// Sound moved so that instants of it fall on given instants of the output.
    ///
    /// The output starts at its own zero, with silence where the sound comes later, and ends with
    /// the sound.
    public init(_ asset: Asset, through anchors: [TimeAnchor]) throws {
        let line = try AnchoredLine(anchors)
        let end = try RationalTime(
            seconds: line.outputTime(of: asset.soundRange.end.seconds), timescale: 1_000_000,
            rounding: .nearest)
        try self.init(asset, line, lasting: end, alignment: nil)
    }

    private init(
        _ asset: Asset, matching reference: Asset, checkCancelled: () throws -> Void
    ) throws {
        let alignment = try Alignment(
            of: asset, with: reference, checkCancelled: checkCancelled)
        let duration = try reference.durationToMatch
        try self.init(
            asset, AnchoredLine(alignment.anchors), lasting: duration, alignment: alignment)
    }

    private init(
        _ asset: Asset, _ line: AnchoredLine, lasting duration: RationalTime,
        alignment: Alignment?
    ) throws {
        let (map, range) = try line.map(lasting: duration)
        clip = try Clip(soundOf: asset, range: range) { _ in map }
        let (first, last) = (line.anchors[0], line.anchors[line.anchors.count - 1])
        drift = ClockDrift(
            ratio: (last.output.seconds - first.output.seconds)
                / (last.source.seconds - first.source.seconds))
        self.alignment = alignment
        notes = []
    }
}

extension Asset {
    /// Where its sound ends; zero without any.
    public var soundEnd: RationalTime {
        (try? soundRange.end) ?? .zero
    }

    /// How long a recording that is laid beside it should last: its sound, or all of a film.
    fileprivate var durationToMatch: RationalTime {
        get throws {
            try videoStreams.isEmpty ? soundRange.end : duration
        }
    }

    /// From zero to where its sound ends.
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

extension Alignment {
    /// Finds how the sound of a file lies in that of another.
    ///
    /// - Throws: ``AlignmentError`` when they don't belong together; ``MediaError`` when one can't be read.
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

    /// The corners of its lines.
    public var anchors: [TimeAnchor] {
        get throws {
            let corners =
                lines.map { ($0.start, $0.referenceStart) }
                + lines.suffix(1).map { ($0.end, $0.referenceEnd) }
            return try corners.map { source, output in
                // To the nanosecond: far finer than any sample.
                try TimeAnchor(
                    source: RationalTime(
                        seconds: source, timescale: 1_000_000_000, rounding: .nearest),
                    output: RationalTime(
                        seconds: output, timescale: 1_000_000_000, rounding: .nearest))
            }
        }
    }
}

/// Why a recording may be longer than another, and whether stretching is the cure.
private struct Mismatch {
    let asset: Asset
    let reference: Asset
    let drift: ClockDrift
    let duration: RationalTime

    /// People notice sound that comes 45 ms early (ITU-R BT.1359-1).
    private static let noticeableSeconds = 0.045

    init(_ asset: Asset, _ reference: Asset, _ drift: ClockDrift, lasting duration: RationalTime) {
        self.asset = asset
        self.reference = reference
        self.drift = drift
        self.duration = duration
    }

    /// By the lengths alone.
    func judge() throws -> [String] {
        guard abs(drift.partsPerMillion) > ClockDrift.largestOfClocks else {
            return []
        }
        if let mistake = drift.knownMistake {
            return ["the lengths are to each other as \(mistake)"]
        }
        let seconds = duration.seconds * (1 - 1 / drift.ratio)
        throw isNoDrift(
            String(
                format:
                    "%@ is %.3f s %@, and clocks don't drift by %.0f ppm: that is a longer tail "
                    + "or another start", locale: nil, reference.path, abs(seconds),
                seconds > 0 ? "longer" : "shorter", abs(drift.partsPerMillion)))
    }

    /// By what their sound tells.
    func judge(_ alignment: Alignment) throws {
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
