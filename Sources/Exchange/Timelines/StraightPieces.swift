import TimeMaps
import TimeWarp

/// A segment as clips of constant speed, which exchange formats can represent.
struct StraightPieces {
    /// A range of the file that plays at a constant speed.
    struct Piece {
        /// The earliest instant that is presented, in asset time.
        let start: RationalTime
        /// The duration on the track.
        let duration: RationalTime
        /// Source seconds for each output second: negative if it plays backwards, 0 for a freeze frame.
        let speed: Double
    }

    private(set) var pieces: [Piece] = []
    /// The largest deviation of a piece from the segment, in seconds of the file.
    private(set) var error = 0.0
    /// Whether one clip represents the segment exactly.
    let isSingle: Bool

    /// Nobody could use a row of more clips.
    private static let mostPieces = 10_000

    /// Divides a segment into pieces of constant speed.
    ///
    /// - Parameter frameDuration: in seconds; pieces of a curve stay within half of it.
    init(of segment: Segment, clip: PlacedClip, frameDuration: Double) throws {
        let (window, range) = (clip.window, clip.range)
        switch clip.retiming {
        case .uniform:
            isSingle = true
            pieces = [
                Piece(
                    start: try range.start.sum(window.start), duration: segment.duration,
                    speed: try Self.speed(window.duration, segment.duration))
            ]
        case .reversed:
            isSingle = true
            pieces = [
                Piece(
                    start: try range.end.difference(window.end), duration: segment.duration,
                    speed: try -Self.speed(window.duration, segment.duration))
            ]
        case .frozen(let instant):
            isSingle = true
            pieces = [Piece(start: instant, duration: segment.duration, speed: 0)]
        case .curve, .timeMap:
            isSingle = false
            try append(
                segment.timeMap(), duration: segment.duration, range: range,
                tolerance: frameDuration / 4)
        }
    }

    fileprivate static func speed(
        _ source: RationalTime, _ output: RationalTime
    ) throws -> Double {
        guard let inverse = ExactFraction(output).reciprocal,
            let speed = ExactFraction(source).times(inverse)
        else {
            return source.seconds / output.seconds
        }
        return Double(speed.top) / Double(speed.bottom)
    }

    private mutating func append(
        _ map: TimeMap, duration: RationalTime, range: TimeRange, tolerance: Double
    ) throws {
        let sections = try Section.sections(of: map, lasting: duration)
        // A stack with the first section on top, so that pieces come out in order.
        var open = Array(sections.reversed())
        while let section = open.popLast() {
            let deviation = try section.deviation(from: map)
            if deviation > tolerance, let halves = try section.halves(of: map) {
                open.append(halves.1)
                open.append(halves.0)
                continue
            }
            guard deviation <= tolerance, pieces.count < Self.mostPieces else {
                throw CompositionError(
                    .unsupported,
                    "from \(section.start.output.seconds) s to \(section.end.output.seconds) s of "
                        + "its segment the speed changes too fast for clips of constant speed")
            }
            error = max(error, deviation)
            pieces.append(try section.piece(in: range))
        }
    }
}

/// A part of a time map without a jump, and the straight line between its ends.
private struct Section {
    let start: TimeAnchor
    let end: TimeAnchor
    let isExact: Bool

    static func sections(of map: TimeMap, lasting duration: RationalTime) throws -> [Section] {
        var sections: [Section] = []
        var previous: TimeMap.Piece?
        for (index, piece) in map.pieces.enumerated() {
            let isLast = index == map.pieces.count - 1
            if let line = piece.exact {
                sections.append(
                    Section(
                        start: TimeAnchor(source: line.sourceStart, output: line.outputStart),
                        end: TimeAnchor(source: line.sourceEnd, output: line.outputEnd),
                        isExact: true))
                previous = nil
                continue
            }
            let end = TimeAnchor(
                source: try rounded(piece.sourceEnd),
                output: isLast ? duration : try rounded(piece.outputEnd))
            if let previous, let last = sections.last,
                abs(previous.sourceEnd - piece.sourceStart) < Tolerance.instant
            {
                sections[sections.count - 1] = Section(
                    start: last.start, end: end, isExact: false)
            } else {
                let output = sections.last?.end.output ?? .zero
                let start = TimeAnchor(source: try rounded(piece.sourceStart), output: output)
                sections.append(Section(start: start, end: end, isExact: false))
            }
            previous = piece
        }
        return sections.filter { $0.start.output < $0.end.output }
    }

    /// Rounds to the microsecond, so that numbers stay short. The error of that is part of the deviation.
    private static func rounded(_ seconds: Double) throws -> RationalTime {
        try RationalTime(seconds: seconds, timescale: 1_000_000).multiplied(by: 1, over: 1)
    }

    /// The largest deviation of the straight line from the map, in source seconds, measured at a hundred
    /// instants.
    func deviation(from map: TimeMap) throws -> Double {
        guard !isExact else {
            return 0
        }
        let (from, length) = (start.output.seconds, end.output.seconds - start.output.seconds)
        let (low, height) = (start.source.seconds, end.source.seconds - start.source.seconds)
        return (1..<100).reduce(0.0) { largest, step in
            let share = Double(step) / 100
            let shown = map.sourceTime(at: from + length * share)
            return max(largest, abs(shown - (low + height * share)))
        }
    }

    func halves(of map: TimeMap) throws -> (Section, Section)? {
        let output = try Self.rounded((start.output.seconds + end.output.seconds) / 2)
        guard start.output < output, output < end.output else {
            return nil
        }
        let middle = TimeAnchor(
            source: try Self.rounded(map.sourceTime(at: output.seconds)), output: output)
        return (
            Section(start: start, end: middle, isExact: false),
            Section(start: middle, end: end, isExact: false)
        )
    }

    func piece(in range: TimeRange) throws -> StraightPieces.Piece {
        let low = max(.zero, min(start.source, end.source))
        let duration = try end.output - start.output
        return StraightPieces.Piece(
            start: try range.start.sum(low), duration: duration,
            speed: try StraightPieces.speed(end.source.difference(start.source), duration))
    }
}
