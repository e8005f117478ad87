import Foundation

/// The places in the reference where windows of the recording were found.
struct FineSearch {
    /// The windows that were found, in order of time.
    let pairs: [TimePair]
    /// The number of windows that were compared.
    let windowCount: Int

    private static let mostWindows = 300
    private static let leastWindows = 24

    /// Compares the windows around `times` (recording seconds, increasing) with the reference around the times
    /// to which `map` sends them.
    ///
    /// It reads each sound once, forward, with a few seconds of it in memory at a time.
    init(
        _ recording: MonoSound, _ reference: MonoSound, times: [Double],
        map: CoarseMap, checkCancelled: () throws -> Void
    ) throws {
        let matcher = try WindowMatcher()
        let own = try SoundStream(recording, slackSeconds: 2)
        let other = try SoundStream(reference, slackSeconds: 8)
        let reader = BandlimitedReader(sampleRate: recording.sampleRate)
        let otherReader = BandlimitedReader(sampleRate: reference.sampleRate)
        let step = 1 / BandlimitedReader.rate
        let half = Self.half
        var found: [TimePair] = []
        for time in times {
            let lag = map.lag(at: time)
            let slope = 1 + map.slope(at: time)
            let last = reader.samplesNeeded(for: time + half)
            _ = try own.read(upTo: last, checkCancelled: checkCancelled)
            let otherLast = otherReader.samplesNeeded(for: time + lag + 2 * half * slope)
            _ = try other.read(upTo: otherLast, checkCancelled: checkCancelled)
            reader.read(
                own, around: time, origin: WindowMatcher.length / 2, step: step,
                count: WindowMatcher.length, into: matcher.recording)
            otherReader.read(
                other, around: time + lag, origin: WindowMatcher.span / 2, step: step * slope,
                count: WindowMatcher.span, into: matcher.reference)
            guard let displacement = matcher.displacement() else { continue }
            found.append(TimePair(time: time, lag: lag + displacement * step * slope))
        }
        pairs = found
        windowCount = times.count
    }

    private init(pairs: [TimePair], windowCount: Int) {
        self.pairs = pairs
        self.windowCount = windowCount
    }

    /// The results of both searches together.
    func joined(with other: FineSearch) -> FineSearch {
        FineSearch(
            pairs: (pairs + other.pairs).sorted { $0.time < $1.time },
            windowCount: windowCount + other.windowCount)
    }

    /// Half a window, in seconds.
    static let half = Double(WindowMatcher.length / 2) / BandlimitedReader.rate

    /// The middles of windows over `range`: one window every two seconds, closer together in a short range,
    /// and at most 300.
    static func times(in range: ClosedRange<Double>) -> [Double] {
        let first = range.lowerBound + half
        let room = range.upperBound - half - first
        let count = min(max(Int(room / 2), leastWindows), mostWindows)
        return (0..<count).map { first + room * (Double($0) + 0.5) / Double(count) }
    }

    /// The middles of windows within the jumps of `line`, close enough together to locate the jumps.
    static func times(inJumpsOf line: PiecewiseLine) -> [Double] {
        let jumps = line.pieces.filter {
            abs($0.slope) > PiecewiseLine.steepest && $0.end.time - $0.start.time > 1
        }
        return jumps.flatMap { jump in
            let room = jump.end.time - jump.start.time
            let count = min(max(Int(room / 0.25), 3), 48)
            return (1...count).map { jump.start.time + room * Double($0) / Double(count + 1) }
        }
    }
}
