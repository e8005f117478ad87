import TimeMaps
import TimeWarp

/// The time map of a clip in Final Cut Pro: points that map the retimed clip's time to the original's.
///
/// Both times count from the same origin. Between two points the speed is constant. A point with `smooth2` and handles, `a`
/// seconds before it and `b` after it, is rounded off:
///
/// ```
///  value           ╱ P3 = (t + b, v + sR·b)
///               .·╱
///        P1 = P2 K (t, v)             the curve passes near K
///       .·────
///  P0 = (t − a, v − sL·a)                          time
/// ```
/// It is one cubic Bézier curve with its two inner control points at K; both coordinates are polynomials of its parameter.
/// sL and sR are the slopes to the points before and after. Final Cut Pro's own frames agree with that to the frame.
struct SmoothTimeMap {
    struct Point {
        let time: RationalTime
        let value: RationalTime
        /// The handles, in seconds of the retimed clip; 0 for a corner.
        var before = RationalTime.zero
        var after = RationalTime.zero

        var anchor: TimeAnchor { TimeAnchor(source: value, output: time) }
    }

    /// Points of straight lines, which follow the rounded corners closely.
    let lines: [TimeAnchor]
    /// Whether a corner is rounded off.
    let isRounded: Bool

    /// How far lines may be from a rounded corner, in seconds: a frame is chosen wrongly at the most once in a thousand.
    private static let tolerance = 1e-5

    /// - Parameters:
    ///   - points: two at least, with rising times.
    ///   - frames: an instant at which a frame of the output begins, and how long frames last. There, the lines meet the curve.
    ///   - bounds: counts the points of the lines.
    init(
        _ points: [Point], frames: (start: RationalTime, duration: RationalTime),
        _ bounds: inout ReaderBounds
    ) throws {
        try bounds.add(points: points.count)
        var lines: [TimeAnchor] = []
        var isRounded = false
        for (index, point) in points.enumerated() {
            guard index > 0, index < points.count - 1,
                point.before > .zero || point.after > .zero
            else {
                lines.append(point.anchor)
                continue
            }
            isRounded = true
            let bend = try Bend(point, between: points[index - 1], points[index + 1])
            lines += try bend.points(within: Self.tolerance, frames, &bounds)
        }
        // Handles that overlap would let time run backwards.
        self.lines = lines.reduce(into: []) { kept, point in
            if kept.last.map({ $0.output < point.output }) ?? true {
                kept.append(point)
            }
        }
        self.isRounded = isRounded
    }

    /// A rounded corner.
    private struct Bend {
        let (start, corner, end): (TimeAnchor, TimeAnchor, TimeAnchor)
        /// From output times to source times.
        let curve: CubicCurve

        /// In a longer corner, the lines don't meet the curve at every frame.
        private static let mostFrames = 50_000

        init(_ point: Point, between last: Point, _ next: Point) throws {
            corner = point.anchor
            // A handle can't reach beyond the neighbour.
            let before = min(point.before, try point.time.difference(last.time))
            let after = min(point.after, try next.time.difference(point.time))
            let (begin, stop) = try (point.time.difference(before), point.time.sum(after))
            start = TimeAnchor(
                source: try StraightLine(last.anchor, corner).source(at: begin), output: begin)
            end = TimeAnchor(
                source: try StraightLine(corner, next.anchor).source(at: stop), output: stop)
            let bend = [start, corner, corner, end]
            curve = CubicCurve(
                places: SIMD4(bend.map(\.output.seconds)),
                values: SIMD4(bend.map(\.source.seconds)))
        }

        /// Points on the curve: where frames begin, and between these at even steps of its parameter.
        func points(
            within tolerance: Double, _ frames: (start: RationalTime, duration: RationalTime),
            _ bounds: inout ReaderBounds
        ) throws -> [TimeAnchor] {
            // The distance of a chord is at most an eighth of its step squared times the second derivative, which for
            // each coordinate is at most 6 times the sum of both handles.
            let size =
                abs(end.source.seconds - corner.source.seconds)
                + abs(corner.source.seconds - start.source.seconds) + end.output.seconds
                - start.output.seconds
            let steps = min(
                2000, max(2, Int((6 * size / (8 * tolerance)).squareRoot().rounded(.up))))
            let length = (end.output.seconds - start.output.seconds) / frames.duration.seconds
            let isLong = length > Double(Self.mostFrames)
            try bounds.add(points: steps + (isLong ? 0 : Int(length)))
            let even = try (1..<steps).map { step in
                let point = curve.point(at: Double(step) / Double(steps))
                return TimeAnchor(
                    source: try RationalTime(fine: point.value),
                    output: try RationalTime(fine: point.place))
            }
            let exact = isLong ? [] : try frameStarts(frames)
            let apart = frames.duration.seconds / 100
            let between = even.filter { point in
                let next = exact.indices.partitionPoint { exact[$0].output > point.output }
                return exact[max(0, next - 1)..<min(exact.count, next + 1)].allSatisfy {
                    abs($0.output.seconds - point.output.seconds) > apart
                }
            }
            return [start] + (exact + between).sorted { $0.output < $1.output } + [end]
        }

        /// The curve where frames of the output begin.
        private func frameStarts(
            _ frames: (start: RationalTime, duration: RationalTime)
        ) throws -> [TimeAnchor] {
            let length = frames.duration.seconds
            let origin = frames.start.seconds
            let first = Int64(nearest: ((start.output.seconds - origin) / length).rounded(.up))
            let last = Int64(nearest: ((end.output.seconds - origin) / length).rounded(.down))
            guard first <= last else {
                return []
            }
            return try (first...last).compactMap { number in
                let output = try frames.start.sum(frames.duration.multiplied(by: number, over: 1))
                guard start.output < output, output < end.output else {
                    return nil
                }
                return TimeAnchor(
                    source: try RationalTime(fine: curve.value(at: output.seconds)), output: output)
            }
        }
    }
}
