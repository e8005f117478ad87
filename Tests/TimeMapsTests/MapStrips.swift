@testable import TimeMaps

/// Short notations for maps and for the frames that they show.
enum Strip {
    /// Exact seconds.
    static func seconds(_ value: Int64, _ timescale: Int32 = 1) -> RationalTime {
        RationalTime(value, over: timescale)
    }

    /// The frames that a map shows at the start of each output frame, by letter.
    ///
    /// Where the map rises or freezes, a frame is shown for start ≤ x < end; where it falls, for start < x ≤ end.
    /// A freeze at the clip's very end shows the last frame.
    static func shown(
        by map: TimeMap, of frames: String, sourceFrame: Double = 1, outputFrame: Double = 1
    ) -> String {
        let letters = Array(frames)
        let count = Int((map.outputDuration / outputFrame - 1e-9).rounded(.up))
        let shown = (0..<count).map { index in
            let y = Double(index) * outputFrame
            let frame = frame(at: y, of: map) { $0 / sourceFrame }
            let isFrozenAtEnd = frame == letters.count && map.speed(at: y) == 0
            let place = isFrozenAtEnd ? frame - 1 : frame
            return letters.indices.contains(place) ? letters[place] : "?"
        }
        return String(shown)
    }

    /// The source frame, counted from 0, that a map shows at `y`.
    ///
    /// - Parameter place: from source time to source frame, fractional.
    static func frame(at y: Double, of map: TimeMap, place: (Double) -> Double) -> Int {
        let x = place(map.sourceTime(at: y))
        // A source time on a frame's boundary has the rounding errors of some sums and products of
        // Doubles. Instants less than a nanosecond apart count as one.
        let grace = 1e-9
        return map.speed(at: y) < 0
            ? Int((x - grace).rounded(.up)) - 1 : Int((x + grace).rounded(.down))
    }

    /// A map through random points: plays, freezes, plays backwards and jumps.
    static func randomMap(
        _ generator: inout SplitMix64, lasting duration: Int64 = 10
    ) throws -> TimeMap {
        var points: [TimeAnchor] = []
        var output: Int64 = 0
        func source() -> RationalTime {
            seconds(Int64.random(in: 0...duration * 1000, using: &generator), 1000)
        }
        points.append(TimeAnchor(source: source(), output: .zero))
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let last = points[points.count - 1]
            if output > 0, Int.random(in: 0..<4, using: &generator) == 0 {
                points.append(TimeAnchor(source: source(), output: last.output))
            }
            output += Int64.random(in: 100...5000, using: &generator)
            let isFreeze = Int.random(in: 0..<4, using: &generator) == 0
            points.append(
                TimeAnchor(
                    source: isFreeze ? points[points.count - 1].source : source(),
                    output: seconds(output, 1000)))
        }
        return try TimeMap(through: points, sourceDuration: seconds(duration))
    }

    /// A rising curve over ten seconds.
    static func randomCurve(_ generator: inout SplitMix64) throws -> TimeMap {
        let curve = BuiltInCurve.allCases.randomElement(using: &generator) ?? .ramp
        let scale = try curve.timeScale(
            factor: .random(in: 0.2...4, using: &generator),
            modifier: .random(in: 0.1...1, using: &generator))
        return try TimeMap(warping: seconds(10), by: scale)
    }

    /// Speeds that rise, fall and change sign, over a clip of ten seconds.
    static func randomSpeeds(_ generator: inout SplitMix64) throws -> TimeMap {
        let count = Int.random(in: 2...5, using: &generator)
        let easings = try Easing.titles.map(\.name).map {
            try Easing(parsing: $0 == "bezier" ? "bezier(0.4,-0.3,0.5,1.2)" : $0)
        }
        let keyframes = (0..<count).map { index in
            let isStop = Int.random(in: 0..<4, using: &generator) == 0
            return Keyframe(
                .share(Double(index) / Double(count - 1)),
                speed: isStop && index > 0 ? 0 : .random(in: -3...3, using: &generator),
                easing: easings.randomElement(using: &generator) ?? .linear)
        }
        return try TimeMap(keyframes: keyframes, sourceDuration: seconds(10))
    }

    /// A map of each kind, in turn.
    static func randomMap(
        kind: Int, _ generator: inout SplitMix64
    ) throws -> TimeMap {
        switch kind % 5 {
        case 0: return try randomMap(&generator)
        case 1: return try randomCurve(&generator)
        case 2: return try randomSpeeds(&generator)
        case 3:
            let curve = try randomCurve(&generator)
            return try curve.thereAndBack(turningAt: curve.outputDuration * 0.7)
        default:
            let speeds = try randomSpeeds(&generator)
            return try speeds.thereAndBack(turningAt: speeds.outputDuration)
        }
    }
}
