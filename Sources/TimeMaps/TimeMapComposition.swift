extension TimeMap {
    /// The map of a clip that was retimed by `inner` and is now retimed by this map's… the other
    /// way about: output time goes through `inner` first, then through this map.
    ///
    /// ```
    ///  z ──inner──► y ──self──► x        composed(after: inner) sends z to x
    /// ```
    /// - Throws: ``CurveError`` when `inner` reaches outside of this map's output.
    /// - Complexity: O(n + m) pieces.
    public func composed(after inner: TimeMap) throws(CurveError) -> TimeMap {
        let cuts = pieces.dropFirst().map(\.outputStart)
        let parts = inner.pieces.flatMap { piece in
            piece.split(atSource: cuts).map { part in
                let middle = (part.sourceStart + part.sourceEnd) / 2
                return pieces[pieceIndex(atOutput: middle)].applied(to: part)
            }
        }
        return try TimeMap(
            parts, sourceDuration: sourceDuration,
            exactOutputDuration: inner.exactOutputDuration, warnings: inner.warnings + warnings)
    }
}

extension TimeMap.Piece {
    /// The piece in parts, none of which crosses one of the source times.
    fileprivate func split(atSource cuts: [Double]) -> [TimeMap.Piece] {
        let low = min(sourceStart, sourceEnd)
        let high = max(sourceStart, sourceEnd)
        let inside = cuts.filter { $0 > low + 1e-12 && $0 < high - 1e-12 }
        let places = (inside.map { (y: outputTime(of: $0), x: $0) }).sorted { $0.y < $1.y }
        let ends = [(y: outputStart, x: sourceStart)] + places + [(y: outputEnd, x: sourceEnd)]
        return zip(ends, ends.dropFirst()).filter { $1.y > $0.y }.map { from, to in
            let exact = inside.isEmpty ? self.exact : nil
            return TimeMap.Piece(
                outputStart: from.y, outputEnd: to.y, sourceStart: from.x, sourceEnd: to.x,
                shape: exact.map { .line($0) } ?? (isLine ? .line(nil) : shape))
        }
    }

    private var isLine: Bool {
        guard case .line = shape else {
            return false
        }
        return true
    }

    /// This piece after `inner`, which stays within it.
    fileprivate func applied(to inner: TimeMap.Piece) -> TimeMap.Piece {
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
        case (.curve(var segment), .line) where inner.slope > 0:
            let atZero = inner.sourceStart - inner.outputStart * inner.slope
            segment.integralAtZero += atZero * segment.integralPerSecond
            segment.integralPerSecond *= inner.slope
            return .curve(segment)
        case (.line, .curve(var segment)):
            segment.sourceAtZero =
                sourceStart + (segment.sourceAtZero - outputStart) * slope
            segment.sourcePerUnit *= slope
            return .curve(segment)
        case (_, .line) where inner.slope == 0:
            return .line(nil)
        default:
            return .composed(outer: self, inner: inner)
        }
    }
}
