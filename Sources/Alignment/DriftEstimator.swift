import Foundation
import Media

/// Finds how two recordings of one event lie in time, from their sound.
///
/// First the loudness of both in a few bands tells the rough place: chunks of the shorter are
/// looked for everywhere in the longer, and the row of places that makes sense together wins. Then
/// windows of a second are compared sample by sample, each to some microseconds, and as few
/// straight lines as the places ask for are drawn through them.
///
/// Clocks may differ by 3000 ppm, either recording may start first, and they need to share the
/// shorter of 20 seconds and half of the shorter one. What does not match is refused. So is sound
/// that repeats itself exactly: no place is taken where another fits as well.
///
/// Jumps up to half a second are found anywhere but within a few seconds of an end; longer ones, up
/// to 5 s, where about half a minute of shared sound lies on each side. One that isn't found ends
/// `Alignment.lines` before it: what lies beyond them is a guess. A break of the pace within some
/// six seconds of an end may be overlooked, at a cost of a millisecond or two there.
///
/// What is measured is when sound reached the microphones: 3 m further away is 9 ms later.
public struct DriftEstimator: Sendable {
    private static let shortest = 4.0
    private static let silence = -95.0
    private static let mostLines = 16
    /// The least noise to expect of a window's place, in seconds: finer structure isn't drift.
    private static let noise = 10e-6
    /// A coarse map worse than this is replaced by the fine one and measured again.
    private static let goodSlope = 150e-6
    private static let goodLag = 0.2

    /// An estimator; it holds no state.
    public init() {}

    /// Lays `recording` over `reference`.
    ///
    /// Reads each sound twice from start to end, once more where the first guess of the pace was
    /// poor, and once more to narrow jumps down; a few seconds of it are in memory at a time, and 1000 bytes for each second.
    /// O(n log n) in the length; the search for the place takes about a fiftieth of a second for
    /// each minute of the longer sound. `checkCancelled` is called with every block.
    ///
    /// Throws `AlignmentError` when the recordings can't be laid over each other, and what `open`,
    /// its source or `checkCancelled` throw.
    public func align(
        _ recording: MonoSound, to reference: MonoSound, checkCancelled: () throws -> Void
    ) throws -> Alignment {
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
            throw AlignmentError(.tooShort, "the recordings share less than two seconds")
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
                "of \(search.windowCount) windows \(search.pairs.count) match and \(kept) agree: "
                    + "these seem to be recordings of different events")
        }
        return line
    }
}

extension DriftEstimator {
    private static func checkRates(_ sounds: MonoSound...) throws {
        for sound in sounds where !(8000...192_000).contains(sound.sampleRate) {
            throw AlignmentError(
                .unsupportedRate,
                "sound at \(sound.sampleRate) samples a second can't be compared, only at 8000 to "
                    + "192000")
        }
    }

    private static func check(_ features: SoundFeatures, name: String) throws {
        guard features.duration >= shortest else {
            let tenths = (features.duration * 10).rounded() / 10
            throw AlignmentError(
                .tooShort,
                "the \(name) lasts \(tenths) s, and less than \(shortest) s can't be told")
        }
        guard features.peakDecibels > silence else {
            throw AlignmentError(.silent, "the \(name) is silent")
        }
    }

    private static func check(_ path: CoarsePath, chunkCount: Int) throws {
        // Weak places with rivals as good are chance; strong ones are a sound that comes again.
        let isWeak = path.rivalry >= 0.9 && path.score < 2.5 * Double(path.matches.count)
        guard path.matches.count >= 2, path.score >= 2.5, !isWeak else {
            throw AlignmentError(
                .unrelated,
                "of \(chunkCount) chunks \(path.matches.count) resemble the other sound in one "
                    + "order: these seem to be recordings of different events")
        }
        guard path.rivalry < 0.9 else {
            throw AlignmentError(
                .ambiguous, "the sound repeats itself: several places fit as well as each other")
        }
    }

    /// The part of `range` that the windows speak for: where several in a row at an end found
    /// nothing, whatever the reason, it ends with the outermost that did.
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

    /// Draws the lines over what both recordings cover.
    private static func alignment(
        _ search: FineSearch, _ line: PiecewiseLine, map: CoarseMap, durations: Durations
    ) throws -> Alignment {
        let overlap = map.overlap(
            duration: durations.recording, referenceDuration: durations.reference)
        guard let overlap else {
            throw AlignmentError(.tooShort, "the recordings share no time")
        }
        let range = spoken(for: overlap, by: line.kept, windowCount: search.windowCount)
        let inner = line.knots.dropFirst().dropLast().map(\.time)
            .filter { $0 > range.lowerBound && $0 < range.upperBound }
        let times = [range.lowerBound] + inner + [range.upperBound]
        let lines = zip(times, times.dropFirst()).map { start, end in
            Alignment.Line(
                start: start, end: end, referenceStart: start + line.lag(at: start),
                referenceEnd: end + line.lag(at: end))
        }
        let steady = line.kept.filter { !line.isJump(at: $0.time) }
        let squares = steady.map { ($0.lag - line.lag(at: $0.time)) }.map { $0 * $0 }
        let rms = (squares.reduce(0, +) / Double(max(squares.count, 1))).squareRoot()
        guard lines.count <= mostLines, lines.allSatisfy({ $0.slope > 0 }), rms < 0.003 else {
            throw AlignmentError(
                .irregular,
                "\(line.kept.count) of \(search.windowCount) windows match, but their times follow "
                    + "no row of lines")
        }
        return Alignment(
            lines: lines, offsetSeconds: lines[0].referenceTime(of: 0),
            ppm: line.overallSlope * 1e6, residualRMSSeconds: rms,
            residualMaxSeconds: (squares.max() ?? 0).squareRoot(),
            windowsMatched: steady.count, windowCount: search.windowCount)
    }
}
