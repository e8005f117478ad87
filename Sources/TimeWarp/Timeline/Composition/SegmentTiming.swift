import TimeMaps

/// The times of one segment: which instant of the asset is shown when, and the other way about.
///
/// In fractions on straight lines; elsewhere through `Double`, taken to the nearest half
/// nanosecond.
struct SegmentTiming {
    /// When an instant is shown, from the segment's start.
    struct PresentedFrame: Hashable {
        let start: RationalTime
        /// How long; 0 unless it is held.
        let duration: RationalTime
    }

    /// A part of the segment.
    struct Stretch {
        let start: RationalTime
        let end: RationalTime

        /// In the composition.
        ///
        /// - Parameter place: where the segment starts there.
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

    /// - Throws: what ``Segment/timeMap(frameDuration:)`` does.
    init(_ segment: Segment) throws {
        map = try segment.timeMap()
        rangeStart = segment.clip?.range.start ?? .zero
        duration = segment.duration
    }

    /// What is shown `place` after the segment's start, in asset time. O(log pieces).
    func assetTime(at place: RationalTime) throws -> RationalTime {
        var index = map.pieceIndex(atOutput: place.seconds)
        // In `Double` an instant may fall on the wrong side of an exact end.
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

    /// When an instant of the asset is first shown; nil if it isn't.
    func firstShowing(of instant: RationalTime) throws -> RationalTime? {
        try showings(of: instant, atMost: 1).first?.start
    }

    /// Every time that an instant of the asset is shown, in order. O(pieces).
    func showings(
        of instant: RationalTime, atMost limit: Int = .max
    ) throws -> [PresentedFrame] {
        let source = try instant.difference(rangeStart)
        var showings: [PresentedFrame] = []
        for piece in map.pieces {
            guard let showing = try piece.showing(of: source, before: duration) else {
                continue
            }
            // Where two pieces meet, rounding may show an instant in both.
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

    /// When a stretch of the asset that begins or ends at `start`'s instant is shown.
    ///
    /// - Parameter start: when its first instant is first shown.
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
    /// Instants less than a nanosecond apart count as one where times go through `Double`.
    private static let grace = Tolerance.instant

    /// When the piece shows an instant of the source. Its first belongs to it, its last doesn't.
    ///
    /// - Parameter end: of the segment, which the answer lies before.
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
