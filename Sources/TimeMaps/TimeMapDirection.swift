extension TimeMap {
    /// Whether the source never moves back: it may play, freeze, and jump ahead. O(n) pieces.
    public var playsForward: Bool {
        pieces.allSatisfy { $0.sourceEnd >= $0.sourceStart }
            && zip(pieces, pieces.dropFirst()).allSatisfy {
                $1.sourceStart >= $0.sourceEnd - 1e-9
            }
    }

    /// Whether the source always moves back, perhaps skipping: the reversal of some rising map.
    /// O(n) pieces.
    public var playsBackward: Bool {
        pieces.allSatisfy { $0.sourceEnd < $0.sourceStart }
            && zip(pieces, pieces.dropFirst()).allSatisfy {
                $1.sourceStart <= $0.sourceEnd + 1e-9
            }
    }

    /// The stretches of output, in seconds and in order, that show the source from `start` up to,
    /// but not including, `end`. A freeze counts in whole or not at all. Stretches less than a
    /// nanosecond apart are one.
    ///
    /// ```
    ///  end   ┈┈┈┈╱┈┈╲┈┈┈┈┈
    ///  start ┈┈╱┈┈┈┈┈┈╲┈┈┈
    ///        ╱ ├─┤  ├─┤ ╲        there and back: two stretches
    /// ```
    /// - Complexity: O(n) pieces.
    public func outputRanges(from start: Double, to end: Double) -> [Range<Double>] {
        guard start < end else {
            return []
        }
        var ranges: [Range<Double>] = []
        for piece in pieces {
            guard let range = piece.outputRange(from: start, to: end) else {
                continue
            }
            if let last = ranges.last, range.lowerBound - last.upperBound <= 1e-9 {
                ranges[ranges.count - 1] =
                    last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }
}

extension TimeMap.Piece {
    /// When it shows the source from `start` to `end`; nil where it never does.
    fileprivate func outputRange(from start: Double, to end: Double) -> Range<Double>? {
        guard sourceStart != sourceEnd else {
            return start <= sourceStart && sourceStart < end ? outputStart..<outputEnd : nil
        }
        let low = min(sourceStart, sourceEnd)
        let high = max(sourceStart, sourceEnd)
        guard start < high, low < end else {
            return nil
        }
        // At its own ends a piece needs no inverse, which would only round.
        let atLow = start <= low ? (sourceStart < sourceEnd ? outputStart : outputEnd) : nil
        let atHigh = end >= high ? (sourceStart < sourceEnd ? outputEnd : outputStart) : nil
        let first = atLow ?? outputTime(of: start)
        let second = atHigh ?? outputTime(of: end)
        return first == second ? nil : min(first, second)..<max(first, second)
    }
}
