import TimeMaps

/// Converts between a segment's time and asset time: which instant of the asset is presented when.
///
/// It calculates with fractions on straight lines. Elsewhere it uses `Double` and rounds to the nearest half
/// nanosecond.
package struct SegmentTiming {
    /// One presentation of an instant of the asset. It counts from the segment's start.
    struct PresentedFrame: Hashable {
        let start: RationalTime
        /// How long the instant is held; 0 if it isn't.
        let duration: RationalTime
    }

    /// A part of the segment's time.
    struct Stretch {
        let start: RationalTime
        let end: RationalTime

        /// The part in composition time.
        ///
        /// - Parameter place: the start of the segment in composition time.
        func range(from place: RationalTime) throws -> TimeRange {
            let (start, end) = (try place.moved(by: start), try place.moved(by: end))
            if let range = try? TimeRange(start: start, end: end) {
                return range
            }
            let fine = RationalTime.fineTick
            return try TimeRange(
                start: start.converted(to: fine, rounding: .down),
                end: end.converted(to: fine, rounding: .up))
        }
    }

    private let map: TimeMap
    private let rangeStart: RationalTime
    private let duration: RationalTime

    /// Makes the segment's time map.
    ///
    /// - Throws: as ``Segment/timeMap(frameDuration:)``.
    package init(_ segment: Segment) throws {
        map = try segment.timeMap()
        rangeStart = segment.clip?.range.start ?? .zero
        duration = segment.duration
    }

    /// The instant that is presented `place` after the segment's start, in asset time. O(log pieces).
    package func assetTime(at place: RationalTime) throws -> RationalTime {
        var index = map.pieceIndex(atOutput: place.seconds)
        // `Double` may put an instant on the wrong side of a piece's exact end.
        if let line = map.pieces[index].exact {
            if place < line.outputStart, index > 0 {
                index -= 1
            } else if place >= line.outputEnd, index + 1 < map.pieces.count {
                index += 1
            }
        }
        if let source = map.pieces[index].exact?.sourceTime(at: place),
            let time = try? rangeStart + source
        {
            return time
        }
        return try RationalTime(fine: rangeStart.seconds + map.sourceTime(at: place.seconds))
    }

    /// When an instant of the asset is first presented; nil if it never is.
    package func firstShowing(of instant: RationalTime) throws -> RationalTime? {
        try showings(of: instant, atMost: 1).first?.start
    }

    /// All presentations of an instant of the asset, sorted by time. O(pieces).
    func showings(
        of instant: RationalTime, atMost limit: Int = .max
    ) throws -> [PresentedFrame] {
        let source = try instant.difference(rangeStart)
        var showings: [PresentedFrame] = []
        for piece in map.pieces {
            guard let showing = try piece.showing(of: source, before: duration) else {
                continue
            }
            // At the boundary of two pieces, rounding may put the same presentation into both.
            if let last = showings.last,
                showing.start.seconds - last.start.seconds < Tolerance.instant
            {
                continue
            }
            showings.append(showing)
            if showings.count == limit {
                break
            }
        }
        return showings
    }

    /// When the range of the asset that a marker marks is presented.
    ///
    /// - Parameter start: when the first instant of the range is first presented.
    func stretch(
        of marker: Marker, shownAt start: RationalTime
    ) throws -> Stretch {
        guard marker.duration > .zero else {
            return Stretch(start: start, end: start)
        }
        let end = try marker.at.sum(marker.duration).difference(rangeStart)
        if map.pieces.count == 1, let line = map.pieces[0].exact {
            guard line.sourceStart != line.sourceEnd else {
                return Stretch(start: .zero, end: duration)
            }
            if let other = line.outputTime(of: end) {
                return Stretch(start: min(start, other), end: max(start, other))
            }
        }
        let from = marker.at.seconds - rangeStart.seconds
        let ranges = map.outputRanges(from: from, to: end.seconds)
        let near = ranges.first {
            $0.lowerBound - Tolerance.instant <= start.seconds
                && start.seconds <= $0.upperBound + Tolerance.instant
        }
        guard let near else {
            return Stretch(start: start, end: start)
        }
        let first = try min(start, RationalTime(fine: near.lowerBound))
        let last = try min(duration, max(start, RationalTime(fine: near.upperBound)))
        return Stretch(start: first, end: last)
    }
}

extension TimeMap.Piece {
    /// Times that went through `Double` count as equal if they are less than a nanosecond apart.
    private static let grace = Tolerance.instant

    /// When the piece presents an instant of the source. Its first instant belongs to the piece, its last
    /// doesn't.
    ///
    /// - Parameter end: the end of the segment; the result is before it.
    fileprivate func showing(
        of source: RationalTime, before end: RationalTime
    ) throws -> SegmentTiming.PresentedFrame? {
        if let line = exact {
            return try line.showing(of: source)
        }
        let x = source.seconds
        let isInside =
            sourceEnd > sourceStart
            ? sourceStart - Self.grace <= x && x < sourceEnd - Self.grace
            : sourceEnd + Self.grace < x && x <= sourceStart + Self.grace
        guard sourceEnd != sourceStart else {
            guard abs(x - sourceStart) < Self.grace else {
                return nil
            }
            let start = try RationalTime(fine: outputStart)
            return .init(
                start: start, duration: try RationalTime(fine: outputEnd).difference(start))
        }
        guard isInside else {
            return nil
        }
        let time = try RationalTime(fine: outputTime(of: x))
        guard time >= end else {
            return .init(start: time, duration: .zero)
        }
        let before = try end.difference(RationalTime(1, over: RationalTime.fineTick))
        return .init(start: before, duration: .zero)
    }
}

extension ExactLine {
    fileprivate func showing(of source: RationalTime) throws -> SegmentTiming.PresentedFrame? {
        guard sourceStart != sourceEnd else {
            return source == sourceStart
                ? .init(start: outputStart, duration: try outputEnd.difference(outputStart)) : nil
        }
        let isInside =
            sourceStart < sourceEnd
            ? sourceStart <= source && source < sourceEnd
            : sourceEnd < source && source <= sourceStart
        guard isInside else {
            return nil
        }
        if let time = outputTime(of: source) {
            return .init(start: time, duration: .zero)
        }
        let time = try outputTime(
            of: source, timescale: RationalTime.fineTick, rounding: .down)
        return .init(start: time ?? outputStart, duration: .zero)
    }
}
