extension TimeMap {
    /// A part of a map, or more than it: before its start and after its end it goes on at the speed that
    /// it has there.
    public struct Window: Sendable {
        /// As long as the window; its source holds just what it shows.
        public let map: TimeMap
        /// The source time of the whole map at which this map's source begins; below 0 where the window
        /// begins before the source does.
        public let sourceStart: RationalTime
        /// How much source that is: exact for a straight line, else rounded up.
        public let sourceDuration: RationalTime
    }

    /// Less source than this isn't cut down further: a freeze shows no time at all.
    private static let shortestSource = 1e-3

    /// What the map shows between two instants of its output, which may lie outside of it.
    ///
    /// ```
    ///             ┌─── map ───┐
    ///  ·····╱‾‾‾‾‾╲____╱·····           ····· goes on as it was
    ///    └───── window ─────┘
    /// ```
    /// A map that is one exact line stays one.
    ///
    /// - Parameters:
    ///   - start: in output time of this map; may be below 0.
    ///   - end: later than `start`; may be beyond the map's end.
    /// - Throws: ``CurveError`` when the window is empty, or wholly outside.
    /// - Complexity: O(n log n) in the map's pieces.
    public func window(
        from start: RationalTime, to end: RationalTime
    ) throws(CurveError) -> Window {
        if let straight = straightWindow(from: start, to: end) {
            return straight
        }
        var pieces = try inner(from: start, to: end).pieces
        let first = pieces[0]
        let last = pieces[pieces.count - 1]
        let head = Swift.max(0, -start.seconds)
        let tail = Swift.max(0, end.seconds - outputDuration)
        if head > 0 {
            let speed = first.position(at: first.outputStart).speed
            pieces.insert(
                Piece(
                    outputStart: -head, outputEnd: 0, sourceStart: first.sourceStart - head * speed,
                    sourceEnd: first.sourceStart, shape: .line(nil)), at: 0)
        }
        if tail > 0 {
            let speed = last.position(at: last.outputEnd).speed
            pieces.append(
                Piece(
                    outputStart: last.outputEnd, outputEnd: last.outputEnd + tail,
                    sourceStart: last.sourceEnd, sourceEnd: last.sourceEnd + tail * speed,
                    shape: .line(nil)))
        }
        let (lowest, highest) = reach(of: pieces)
        let map = try TimeMap(
            pieces.map { $0.moved(output: head, source: -lowest.seconds) },
            sourceDuration: highest - lowest.seconds, exactOutputDuration: try? end - start,
            warnings: warnings)
        return Window(
            map: map, sourceStart: lowest, sourceDuration: .fine(above: map.sourceDuration))
    }

    /// The source that pieces show; all of it, where they show no time of it.
    private func reach(of pieces: [Piece]) -> (lowest: RationalTime, highest: Double) {
        let lowest = pieces.map { Swift.min($0.sourceStart, $0.sourceEnd) }.min() ?? 0
        let highest = pieces.map { Swift.max($0.sourceStart, $0.sourceEnd) }.max() ?? 0
        guard highest - lowest >= Self.shortestSource else {
            return (
                .fine(below: Swift.min(0, lowest)), Swift.max(sourceDuration, highest)
            )
        }
        return (.fine(below: lowest), highest)
    }

    /// Of a map that is one exact line, a line as exact; nil for any other.
    private func straightWindow(from start: RationalTime, to end: RationalTime) -> Window? {
        guard pieces.count == 1, let line = pieces[0].exact,
            start < end, start < line.outputEnd, end > line.outputStart,
            let first = line.extrapolated(at: start), let last = line.extrapolated(at: end),
            abs(last.seconds - first.seconds) >= Self.shortestSource,
            let duration = try? end - start
        else {
            return nil
        }
        let lowest = Swift.min(first, last)
        guard let from = try? first - lowest, let to = try? last - lowest,
            let map = try? TimeMap(
                pieces: [Piece(ExactLine(.zero, duration, from: from, to: to))],
                sourceDuration: Swift.max(from, to))
        else {
            return nil
        }
        return Window(map: map, sourceStart: lowest, sourceDuration: Swift.max(from, to))
    }

    /// The part of the window that lies inside, in pieces from output time 0.
    private func inner(
        from start: RationalTime, to end: RationalTime
    ) throws(CurveError) -> TimeMap {
        let whole = exactOutputDuration ?? .fine(below: outputDuration)
        let from = Swift.max(start, .zero)
        let to = Swift.min(end, whole)
        guard from < to, let lasts = try? to - from else {
            throw CurveError(
                .invalidParameter, value: start.seconds,
                "nothing of a map of \(outputDuration) s lies between \(start.seconds) s and "
                    + "\(end.seconds) s")
        }
        guard from > .zero || to < whole else {
            return self
        }
        return try composed(
            after: TimeMap(
                pieces: [Piece(ExactLine(.zero, lasts, from: from, to: to))], sourceDuration: to))
    }
}

extension RationalTime {
    fileprivate static func fine(below seconds: Double) -> RationalTime {
        (try? RationalTime(seconds: seconds, timescale: fineTick, rounding: .down)
            .multiplied(by: 1, over: 1)) ?? .zero
    }

    fileprivate static func fine(above seconds: Double) -> RationalTime {
        (try? RationalTime(seconds: seconds, timescale: fineTick, rounding: .up)
            .multiplied(by: 1, over: 1)) ?? .zero
    }
}

extension TimeMap.Piece {
    /// The same piece so much later, on a source whose zero is so much earlier.
    fileprivate func moved(output: Double, source: Double) -> TimeMap.Piece {
        guard output != 0 || source != 0 else {
            return self
        }
        let inner = TimeMap.Piece(
            outputStart: outputStart + output, outputEnd: outputEnd + output,
            sourceStart: outputStart, sourceEnd: outputEnd, shape: .line(nil))
        let (low, high) = (
            Swift.min(sourceStart, sourceEnd) - 1, Swift.max(sourceStart, sourceEnd) + 1
        )
        let outer = TimeMap.Piece(
            outputStart: low, outputEnd: high, sourceStart: low + source,
            sourceEnd: high + source, shape: .line(nil))
        return outer.applied(to: applied(to: inner))
    }
}
