import Foundation
import Media

/// Measures the offset and the clock drift between two recordings of one event, from their sound.
///
/// First the loudness of both sounds in a few frequency bands gives the rough position: the estimator
/// searches the whole longer sound for chunks of the shorter one, and takes the most consistent sequence
/// of places. Then it compares windows of one second sample by sample, each to some microseconds, and
/// draws as few straight lines as possible through the results.
///
/// The clocks may differ by up to 3000 ppm, and either recording may start first. The recordings must have
/// in common at least 20 seconds, or half of the shorter one if that is less. Recordings that don't match
/// are refused, and so is sound that repeats itself exactly, because several positions would match equally
/// well.
///
/// Jumps of up to half a second are found everywhere except within a few seconds of an end. Longer jumps, up
/// to 5 s, are found if there is about half a minute of common sound on each side. `RecordingAlignment.lines` end
/// before a jump that isn't found, and times beyond them are only a guess. A change of the clocks' ratio
/// within about six seconds of an end may not be found, which costs a millisecond or two there.
///
/// The estimator measures when the sound reached the microphones: a microphone 3 m further away records it
/// 9 ms later.
public struct DriftEstimator: Sendable {
    /// The shortest recording, in seconds.
    private static let shortest = 4.0
    /// A sound that isn't louder than this counts as silent, in decibels relative to full scale.
    private static let silence = -95.0
    private static let mostLines = 16
    /// The smallest noise to assume for a window's position, in seconds. Smaller variations aren't drift.
    private static let noise = 10e-6
    /// The largest errors of a coarse map's slope and lag (in seconds). With larger ones, the windows are
    /// measured again with the fine map.
    private static let goodSlope = 150e-6
    private static let goodLag = 0.2

    /// An estimator. It has no state, so one can be used for any number of recordings.
    public init() {}

    /// Aligns `recording` with `reference`.
    ///
    /// - Parameters:
    ///   - recording: the sound to align.
    ///   - reference: the sound whose clock counts.
    ///   - checkCancelled: called with every block; the error that it throws stops the work.
    /// - Throws: ``AlignmentError`` when the recordings can't be aligned; what `checkCancelled`, or
    ///   ``MonoSound/open`` and the source it returns, throw.
    /// - Complexity: O(n log n) in the length. Each sound is read two to four times: twice always, once more if
    ///   the first estimate of the clocks' ratio was poor, and once more to locate jumps. The memory is a few
    ///   seconds of sound, and 1000 bytes per second of its length. Finding the rough position takes about 20 ms
    ///   per minute of the longer sound.
    public func align(
        _ recording: MonoSound, to reference: MonoSound, checkCancelled: () throws -> Void
    ) throws -> RecordingAlignment {
        try Self.checkRates(recording, reference)
        let (map, range, duration) = try coarse(
            recording, reference, checkCancelled: checkCancelled)
        let (search, line) = try fine(
            recording, reference, map: map, range: range, checkCancelled: checkCancelled)
        return try Self.alignment(search, line, map: CoarseMap(line), durations: duration)
    }

    private typealias Durations = (recording: Double, reference: Double)

    private func coarse(
        _ recording: MonoSound, _ reference: MonoSound, checkCancelled: () throws -> Void
    ) throws -> (CoarseMap, ClosedRange<Double>, Durations) {
        let own = try SoundFeatures(recording, checkCancelled: checkCancelled)
        try Self.check(own, name: "recording")
        let other = try SoundFeatures(reference, checkCancelled: checkCancelled)
        try Self.check(other, name: "reference")
        let isSwapped = own.frameCount > other.frameCount
        let (shorter, longer) = isSwapped ? (other, own) : (own, other)
        let search = ChunkSearch(shorterFrames: shorter.frameCount)
        let path = CoarsePath(
            try search.matches(of: shorter, in: longer, checkCancelled: checkCancelled))
        try Self.check(path, chunkCount: search.starts.count)
        let map = CoarseMap(path, isSwapped: isSwapped)
        let range = map.overlap(duration: own.duration, referenceDuration: other.duration)
        guard let range, range.upperBound - range.lowerBound >= Self.shortest / 2 else {
            throw AlignmentError(
                .tooShort, "the recordings have less than two seconds in common")
        }
        return (map, range, (own.duration, other.duration))
    }

    private func fine(
        _ recording: MonoSound, _ reference: MonoSound, map: CoarseMap,
        range: ClosedRange<Double>, checkCancelled: () throws -> Void
    ) throws -> (FineSearch, PiecewiseLine) {
        func look(_ times: [Double], _ map: CoarseMap) throws -> FineSearch {
            try FineSearch(
                recording, reference, times: times, map: map, checkCancelled: checkCancelled)
        }
        var search = try look(FineSearch.times(in: range), map)
        var line = try Self.line(through: search)
        let isGood = line.kept.allSatisfy { pair in
            abs(map.lag(at: pair.time) - pair.lag) < Self.goodLag
                && abs(map.slope(at: pair.time) - CoarseMap(line).slope(at: pair.time))
                    < Self.goodSlope
        }
        if !isGood {
            search = try look(FineSearch.times(in: range), CoarseMap(line))
            line = try Self.line(through: search)
        }
        let times = FineSearch.times(inJumpsOf: line)
        guard !times.isEmpty else { return (search, line) }
        search = search.joined(with: try look(times, CoarseMap(line)))
        return (search, try Self.line(through: search))
    }

    private static func line(through search: FineSearch) throws -> PiecewiseLine {
        let line = PiecewiseLine(search.pairs, noise: noise, mostPieces: mostLines)
        let kept = line?.kept.count ?? 0
        guard let line, kept >= max(5, search.windowCount / 10), kept * 2 >= search.pairs.count
        else {
            throw AlignmentError(
                .unrelated,
                "of \(search.windowCount) windows \(search.pairs.count) match and \(kept) are "
                    + "consistent: these seem to be recordings of different events")
        }
        return line
    }
}

extension DriftEstimator {
    private static func checkRates(_ sounds: MonoSound...) throws {
        for sound in sounds where !(8000...192_000).contains(sound.sampleRate) {
            throw AlignmentError(
                .unsupportedRate,
                "a recording has a sample rate of \(sound.sampleRate) Hz; it must be from 8000 to "
                    + "192000 Hz")
        }
    }

    private static func check(_ features: SoundFeatures, name: String) throws {
        guard features.duration >= shortest else {
            let tenths = (features.duration * 10).rounded() / 10
            throw AlignmentError(
                .tooShort,
                "the \(name) lasts \(tenths) s; it must last at least \(shortest) s")
        }
        guard features.peakDecibels > silence else {
            throw AlignmentError(.silent, "the \(name) is silent")
        }
    }

    private static func check(_ path: CoarsePath, chunkCount: Int) throws {
        // Weak matches with equally good rivals are chance; strong ones are a sound that repeats itself.
        let isWeak = path.rivalry >= 0.9 && path.score < 2.5 * Double(path.matches.count)
        guard path.matches.count >= 2, path.score >= 2.5, !isWeak else {
            throw AlignmentError(
                .unrelated,
                "of \(chunkCount) chunks \(path.matches.count) match the other sound in the right "
                    + "order: these seem to be recordings of different events")
        }
        guard path.rivalry < 0.9 else {
            throw AlignmentError(
                .ambiguous, "the sound repeats itself, so several positions match equally well")
        }
    }

    /// The part of `range` for which windows give evidence. If several consecutive windows at an end didn't
    /// match, for whatever reason, the part ends with the outermost window that did.
    private static func spoken(
        for range: ClosedRange<Double>, by pairs: [TimePair], windowCount: Int
    ) -> ClosedRange<Double> {
        guard let first = pairs.first?.time, let last = pairs.last?.time else { return range }
        let spacing = (range.upperBound - range.lowerBound) / Double(max(windowCount, 1))
        let gap = 3 * spacing + FineSearch.half
        let start = first - FineSearch.half
        let end = last + FineSearch.half
        let low = first - range.lowerBound > gap ? start : range.lowerBound
        let high = range.upperBound - last > gap ? end : range.upperBound
        return low < high ? low...high : range
    }

    /// Makes the lines over the time that both recordings cover.
    private static func alignment(
        _ search: FineSearch, _ line: PiecewiseLine, map: CoarseMap, durations: Durations
    ) throws -> RecordingAlignment {
        let overlap = map.overlap(
            duration: durations.recording, referenceDuration: durations.reference)
        guard let overlap else {
            throw AlignmentError(.tooShort, "the recordings have no time in common")
        }
        let range = spoken(for: overlap, by: line.kept, windowCount: search.windowCount)
        let inner = line.knots.dropFirst().dropLast().map(\.time)
            .filter { $0 > range.lowerBound && $0 < range.upperBound }
        let times = [range.lowerBound] + inner + [range.upperBound]
        let lines = zip(times, times.dropFirst()).map { start, end in
            RecordingAlignment.Line(
                start: start, end: end, referenceStart: start + line.lag(at: start),
                referenceEnd: end + line.lag(at: end))
        }
        let steady = line.kept.filter { !line.isJump(at: $0.time) }
        let squares = steady.map { ($0.lag - line.lag(at: $0.time)) }.map { $0 * $0 }
        let rms = (squares.reduce(0, +) / Double(max(squares.count, 1))).squareRoot()
        guard lines.count <= mostLines, lines.allSatisfy({ $0.slope > 0 }), rms < 0.003 else {
            throw AlignmentError(
                .irregular,
                "\(line.kept.count) of \(search.windowCount) windows match, but straight lines "
                    + "don't describe their times")
        }
        return RecordingAlignment(
            lines: lines, offsetSeconds: lines[0].referenceTime(of: 0),
            ppm: line.overallSlope * 1e6, residualRMSSeconds: rms,
            residualMaxSeconds: (squares.max() ?? 0).squareRoot(),
            windows: line.kept.map { .init(time: $0.time, referenceTime: $0.time + $0.lag) },
            windowsMatched: steady.count, windowCount: search.windowCount)
    }
}
