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
        case .curve, .timeMap, .thereAndBack:
            isSingle = false
            try append(
                segment.timeMap(), duration: segment.duration, range: range,
                tolerance: frameDuration / 4)
        }
    }

    private static func speed(
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
        let straight = try StraightRuns(
            map, lasting: duration, LineRules(tolerance: tolerance))
        error = straight.error
        for run in straight.runs {
            for (start, end) in zip(run, run.dropFirst()) {
                let low = max(.zero, min(start.source, end.source))
                let duration = try end.output.difference(start.output)
                pieces.append(
                    Piece(
                        start: try range.start.sum(low), duration: duration,
                        speed: try Self.speed(end.source.difference(start.source), duration)))
            }
        }
    }
}
