extension TimeMap {
    /// The composition of two maps: output time goes through `inner` first, and the result through this map.
    /// So a timeline that was retimed by this map is retimed again by `inner`. Exact lines stay exact if the
    /// results fit in a ``RationalTime``.
    ///
    /// ```
    ///  z ──inner──► y ──self──► x        composed(after: inner) sends z to x
    /// ```
    /// - Throws: ``CurveError`` when the composition isn't a valid map.
    /// - Complexity: O((n + m) log n) for n pieces of this map and m of `inner`, when each of this map's
    ///   pieces is entered once.
    public func composed(after inner: TimeMap) throws(CurveError) -> TimeMap {
        let cuts = zip(pieces, pieces.dropFirst()).map { before, piece in
            Cut(
                place: piece.outputStart,
                exact: piece.exact?.outputStart ?? before.exact?.outputEnd)
        }
        let parts = inner.pieces.flatMap { piece in
            piece.split(at: cuts).map { part in
                let middle = (part.sourceStart + part.sourceEnd) / 2
                return pieces[pieceIndex(atOutput: middle)].applied(to: part)
            }
        }
        return try TimeMap(
            parts, sourceDuration: sourceDuration,
            exactOutputDuration: inner.exactOutputDuration, warnings: inner.warnings + warnings)
    }
}

/// A place where two pieces of the outer map meet, in the inner map's source time.
private struct Cut {
    let place: Double
    let exact: RationalTime?

    /// The cuts inside an open range; `cuts` must be in order. O(log n).
    static func slice(
        of cuts: [Cut], above low: Double, below high: Double
    ) -> ArraySlice<Cut> {
        func firstIndex(where isBeyond: (Double) -> Bool) -> Int {
            var (from, to) = (0, cuts.count)
            while from < to {
                let middle = (from + to) / 2
                if isBeyond(cuts[middle].place) {
                    to = middle
                } else {
                    from = middle + 1
                }
            }
            return from
        }
        let start = firstIndex { $0 > low }
        return cuts[start..<max(start, firstIndex { $0 >= high })]
    }
}

/// One end of a part of a piece.
private struct PartEnd {
    let output: Double
    let source: Double
    let exact: TimeAnchor?
}

extension TimeMap.Piece {
    /// The piece divided at the cuts that it crosses.
    fileprivate func split(at cuts: [Cut]) -> [TimeMap.Piece] {
        let inside = Cut.slice(
            of: cuts, above: min(sourceStart, sourceEnd) + Tolerance.nothing,
            below: max(sourceStart, sourceEnd) - Tolerance.nothing)
        guard !inside.isEmpty else {
            return [self]
        }
        let line = exact
        let start = PartEnd(
            output: outputStart, source: sourceStart,
            exact: line.map { TimeAnchor(source: $0.sourceStart, output: $0.outputStart) })
        let end = PartEnd(
            output: outputEnd, source: sourceEnd,
            exact: line.map { TimeAnchor(source: $0.sourceEnd, output: $0.outputEnd) })
        let places = inside.map(partEnd).sorted { $0.output < $1.output }
        let ends = [start] + places + [end]
        return zip(ends, ends.dropFirst()).filter { $1.output > $0.output }.map(part)
    }

    private func partEnd(at cut: Cut) -> PartEnd {
        if let line = exact, let source = cut.exact, let output = line.outputTime(of: source) {
            return PartEnd(
                output: output.seconds, source: cut.place,
                exact: TimeAnchor(source: source, output: output))
        }
        return PartEnd(output: outputTime(of: cut.place), source: cut.place, exact: nil)
    }

    private func part(from start: PartEnd, to end: PartEnd) -> TimeMap.Piece {
        if let first = start.exact, let last = end.exact, first.output < last.output {
            return TimeMap.Piece(
                ExactLine(first.output, last.output, from: first.source, to: last.source))
        }
        return TimeMap.Piece(
            outputStart: start.output, outputEnd: end.output, sourceStart: start.source,
            sourceEnd: end.source, shape: isLine ? .line(nil) : shape)
    }

    var isLine: Bool {
        guard case .line = shape else {
            return false
        }
        return true
    }

    /// This piece applied after `inner`, whose source times lie within this piece's output times.
    func applied(to inner: TimeMap.Piece) -> TimeMap.Piece {
        if let line = exact, let first = inner.exact, let both = line.composed(after: first) {
            return TimeMap.Piece(both)
        }
        let start = position(at: inner.sourceStart).source
        let end = position(at: inner.sourceEnd).source
        return TimeMap.Piece(
            outputStart: inner.outputStart, outputEnd: inner.outputEnd, sourceStart: start,
            sourceEnd: end, shape: shape(after: inner))
    }

    private func shape(after inner: TimeMap.Piece) -> Shape {
        switch (shape, inner.shape) {
        case (.line, .line):
            return .line(nil)
        case (_, .line) where inner.slope == 0:
            return .line(nil)
        case (.line, _) where slope == 0:
            return .line(nil)
        case (.curve(var segment), .line):
            let atZero = inner.sourceStart - inner.outputStart * inner.slope
            segment.integralAtZero += atZero * segment.integralPerSecond
            segment.integralPerSecond *= inner.slope
            return .curve(segment)
        case (.line, .curve(var segment)):
            segment.sourceAtZero =
                sourceStart + (segment.sourceAtZero - outputStart) * slope
            segment.sourcePerUnit *= slope
            return .curve(segment)
        case (.integral(let segment), .line):
            return .integral(segment.after(inner))
        case (.line, .integral(let segment)):
            return .integral(segment.before(self))
        default:
            return .composed(outer: self, inner: inner)
        }
    }
}
