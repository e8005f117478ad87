extension TimeMap {
    /// A section of a time map, which may also reach beyond the map: before its start and after its end the
    /// map continues at the speed that it has there.
    public struct Window: Sendable {
        /// The map of the section. It lasts as long as the window, and its source is the part that it shows.
        public let map: TimeMap
        /// The source time of the whole map at which this map's source begins; below 0 when the window begins
        /// before the source.
        public let sourceStart: RationalTime
        /// How long this map's source lasts: exact for a straight line, otherwise rounded up to a tick of about
        /// 0.57 ns.
        public let sourceDuration: RationalTime
    }

    /// A window that shows less source than this, in seconds, keeps the whole source. A freeze would leave an
    /// empty one.
    private static let shortestSource = 1e-3

    /// The section of the map between two instants of its output, which may lie outside of the map.
    ///
    /// ```
    ///             ┌─── map ───┐
    ///  ·····╱‾‾‾‾‾╲____╱·····           ····· continues at the same speed
    ///    └───── window ─────┘
    /// ```
    /// The window of a single exact line is an exact line.
    ///
    /// - Parameters:
    ///   - start: output time of this map; may be below 0.
    ///   - end: output time later than `start`; may be beyond the map's end.
    /// - Throws: ``CurveError`` when the window is empty, or when it lies completely outside of the map.
    /// - Complexity: O(n log n) for n pieces.
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

    /// The range of source that the pieces show; the whole source where they show next to nothing of it.
    ///
    /// A range doesn't include its end, so it goes on a little behind an instant that is held.
    private func reach(of pieces: [Piece]) -> (lowest: RationalTime, highest: Double) {
        let lowest = pieces.map { Swift.min($0.sourceStart, $0.sourceEnd) }.min() ?? 0
        var highest = pieces.map { Swift.max($0.sourceStart, $0.sourceEnd) }.max() ?? 0
        let isHeld = pieces.contains { piece in
            [piece.sourceStart, piece.sourceEnd].allSatisfy { $0 > highest - Tolerance.instant }
        }
        if isHeld {
            highest = Swift.max(
                highest, Swift.min(sourceDuration, highest + 2 * Self.shortestSource))
        }
        guard highest - lowest >= Self.shortestSource else {
            return (
                .fine(below: Swift.min(0, lowest)), Swift.max(sourceDuration, highest)
            )
        }
        return (.fine(below: lowest), highest)
    }

    /// The window of a map that is a single exact line, as an exact line; nil for any other map.
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

    /// The map with its source times moved.
    ///
    /// - Parameters:
    ///   - offset: is added to each source time.
    ///   - sourceDuration: that of the source in which they then lie.
    /// - Throws: ``CurveError`` when they lie outside of it.
    package func movingSource(
        by offset: RationalTime, within sourceDuration: RationalTime
    ) throws(CurveError) -> TimeMap {
        try TimeMap(
            pieces.map { $0.movedSource(by: offset) }, sourceDuration: sourceDuration.seconds,
            exactOutputDuration: exactOutputDuration, warnings: warnings)
    }

    /// The part of the window that lies inside the map, starting at output time 0.
    private func inner(
        from start: RationalTime, to end: RationalTime
    ) throws(CurveError) -> TimeMap {
        let whole = exactOutputDuration ?? .fine(below: outputDuration)
        let from = Swift.max(start, .zero)
        let to = Swift.min(end, whole)
        guard from < to, let lasts = try? to.difference(from) else {
            throw CurveError(
                .invalidParameter, value: start.seconds,
                "the map lasts \(outputDuration) s; no part of it lies between \(start.secondsText) s "
                    + "and \(end.secondsText) s")
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
    /// Seconds rounded down to a ``fineTick``.
    fileprivate static func fine(below seconds: Double) -> RationalTime {
        (try? RationalTime(seconds: seconds, timescale: fineTick, rounding: .down)
            .multiplied(by: 1, over: 1)) ?? .zero
    }

    /// Seconds rounded up to a ``fineTick``.
    fileprivate static func fine(above seconds: Double) -> RationalTime {
        (try? RationalTime(seconds: seconds, timescale: fineTick, rounding: .up)
            .multiplied(by: 1, over: 1)) ?? .zero
    }
}

extension TimeMap.Piece {
    fileprivate func movedSource(by offset: RationalTime) -> TimeMap.Piece {
        if let line = exact, let from = try? line.sourceStart + offset,
            let to = try? line.sourceEnd + offset
        {
            return TimeMap.Piece(
                ExactLine(line.outputStart, line.outputEnd, from: from, to: to))
        }
        return moved(output: 0, source: offset.seconds)
    }

    /// The piece with `output` seconds added to its output times and `source` seconds to its source times.
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
