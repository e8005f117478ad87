extension TimeMap {
    /// Whether the source never moves back. It may play, freeze and skip ahead. O(n) pieces.
    public var playsForward: Bool {
        pieces.allSatisfy { $0.sourceEnd >= $0.sourceStart }
            && zip(pieces, pieces.dropFirst()).allSatisfy {
                $1.sourceStart >= $0.sourceEnd - Tolerance.instant
            }
    }

    /// Whether the source always moves back, perhaps with skips: the reversal of a rising map. O(n) pieces.
    public var playsBackward: Bool {
        pieces.allSatisfy { $0.sourceEnd < $0.sourceStart }
            && zip(pieces, pieces.dropFirst()).allSatisfy {
                $1.sourceStart <= $0.sourceEnd + Tolerance.instant
            }
    }

    /// The ranges of output time, in seconds and in order, that show source time from `start` up to, but not
    /// including, `end`. A freeze is included completely or not at all. Ranges at most a nanosecond apart are
    /// joined.
    ///
    /// ```
    ///  end   ┈┈┈┈╱┈┈╲┈┈┈┈┈
    ///  start ┈┈╱┈┈┈┈┈┈╲┈┈┈
    ///        ╱ ├─┤  ├─┤ ╲        forward and back: two ranges
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
            if let last = ranges.last, range.lowerBound - last.upperBound <= Tolerance.instant {
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
    /// The output time in which the piece shows the source from `start` to `end`; nil if it never does.
    fileprivate func outputRange(from start: Double, to end: Double) -> Range<Double>? {
        guard sourceStart != sourceEnd else {
            return start <= sourceStart && sourceStart < end ? outputStart..<outputEnd : nil
        }
        let low = min(sourceStart, sourceEnd)
        let high = max(sourceStart, sourceEnd)
        guard start < high, low < end else {
            return nil
        }
        // At the piece's own ends the inverse isn't needed; it would only add rounding errors.
        let atLow = start <= low ? (sourceStart < sourceEnd ? outputStart : outputEnd) : nil
        let atHigh = end >= high ? (sourceStart < sourceEnd ? outputEnd : outputStart) : nil
        let first = atLow ?? outputTime(of: start)
        let second = atHigh ?? outputTime(of: end)
        return first == second ? nil : min(first, second)..<max(first, second)
    }
}
