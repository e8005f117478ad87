extension TimeMap {
    /// A time map approximated by straight lines between points, for programs that draw or play it.
    public struct Outline: Sendable, Equatable {
        /// The points' output times in seconds; they never fall. Two are equal where the source jumps.
        public let output: [Double]
        /// The points' source times in seconds; as many as there are output times.
        public let source: [Double]
    }

    /// Straight lines that stay within `tolerance` of the map. The distance is checked at seven instants of
    /// each line.
    ///
    /// - Parameters:
    ///   - tolerance: the largest distance, in seconds of source time.
    ///   - mostPoints: about the largest number of points. If more were needed, lines remain longer than the
    ///     tolerance allows.
    /// - Complexity: O(p log n) for p points and n pieces.
    public func outline(within tolerance: Double, mostPoints: Int = 20_000) -> Outline {
        var output: [Double] = []
        var source: [Double] = []
        func append(_ y: Double, _ x: Double) {
            guard output.last != y || source.last != x else {
                return
            }
            output.append(y)
            source.append(x)
        }
        for piece in pieces {
            append(piece.outputStart, piece.sourceStart)
            if piece.exact == nil {
                let lines = Self.lines(
                    in: piece, of: self, within: tolerance,
                    shortest: outputDuration / Double(mostPoints),
                    parts: max(1, min(16, mostPoints / pieces.count)))
                for line in lines {
                    append(line.output, line.source)
                }
            }
            append(piece.outputEnd, piece.sourceEnd)
        }
        return Outline(output: output, source: source)
    }

    /// The ends of the lines inside a piece, in order.
    private static func lines(
        in piece: Piece, of map: TimeMap, within tolerance: Double, shortest: Double,
        parts: Int
    ) -> [(output: Double, source: Double)] {
        // A symmetric wave crosses a line at its middle, so the piece is cut before it is tested.
        let length = piece.outputEnd - piece.outputStart
        var ends = (1..<parts).map { part in
            let y = piece.outputStart + length * Double(part) / Double(parts)
            return (output: y, source: map.sourceTime(at: y))
        }
        ends.append((piece.outputEnd, piece.sourceEnd))
        // A stack with the earliest end on top, so that points come out in order.
        var open = Array(ends.reversed())
        var start = (output: piece.outputStart, source: piece.sourceStart)
        var found: [(output: Double, source: Double)] = []
        while let end = open.last {
            let middle = (start.output + end.output) / 2
            if end.output - start.output > shortest, start.output < middle, middle < end.output,
                deviates(from: map, start, end, by: tolerance)
            {
                open.append((middle, map.sourceTime(at: middle)))
                continue
            }
            found.append(end)
            start = end
            open.removeLast()
        }
        return found
    }

    private static func deviates(
        from map: TimeMap, _ start: (output: Double, source: Double),
        _ end: (output: Double, source: Double), by tolerance: Double
    ) -> Bool {
        (1...7).contains { eighth in
            let share = Double(eighth) / 8
            let y = start.output + (end.output - start.output) * share
            let straight = start.source + (end.source - start.source) * share
            return abs(map.sourceTime(at: y) - straight) > tolerance
        }
    }
}
