import TimeMaps

extension FuzzTarget {
    /// The bytes choose maps, and the operations that are applied to them one after another.
    static let mapOperations = FuzzTarget(
        "map-operations",
        bytes: { bytes in
            var choices = Choices(bytes)
            var map = try choices.map(lasting: RationalTime(10, over: 1))
            map.checkPromises()
            for _ in 0..<12 where !choices.isEmpty {
                guard map.pieces.count < 2000, map.outputDuration > 1e-3, map.outputDuration < 1e6
                else {
                    return
                }
                map = try choices.changed(map)
                map.checkPromises(grace: 1e-5)
            }
        })
}

/// Makes numbers and decisions from bytes. When the bytes are used up it returns zeros.
private struct Choices {
    private var bytes: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes[...]
    }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func byte() -> UInt8 {
        bytes.popFirst() ?? 0
    }

    /// A number from 0 to 1.
    mutating func share() -> Double {
        Double(Int(byte()) << 8 | Int(byte())) / 65_535
    }

    /// A time up to a length, in a time base that is sometimes coarse and sometimes unusual.
    mutating func time(upTo seconds: Double) throws -> RationalTime {
        let scales: [Int32] = [1, 25, 1000, 90_000, 1_000_000_007, Int32.max]
        let scale = scales[Int(byte()) % scales.count]
        return try RationalTime(seconds: share() * seconds, timescale: scale)
    }

    mutating func map(lasting duration: RationalTime) throws -> TimeMap {
        switch byte() % 6 {
        case 0: return .identity(duration)
        case 1: return .reversed(duration)
        case 2: return try .uniform(from: duration, to: try time(upTo: 40))
        case 3:
            let curves = BuiltInCurve.allCases
            let curve = Curve.builtIn(
                curves[Int(byte()) % curves.count], factor: share() * 8 - 1, modifier: share() * 2)
            return try TimeMap(
                warping: duration, by: curve.timeScale(duration: duration),
                frameDuration: byte() % 2 == 0 ? nil : share())
        case 4:
            let speeds = (0..<Int(byte() % 8)).map { _ in (share(), share() * 8 - 3) }
            let easings: [Easing] = [
                .hold, .linear, .smooth, .bezier(x1: 0.4, y1: 2, x2: 0, y2: -1),
            ]
            let easing = easings[Int(byte()) % easings.count]
            return try TimeMap(
                keyframes: speeds.map { Keyframe(.share($0.0), speed: $0.1, easing: easing) },
                sourceDuration: duration)
        default:
            var points = [TimeAnchor(source: try time(upTo: duration.seconds), output: .zero)]
            for _ in 0..<Int(byte() % 12) {
                let output = try points[points.count - 1].output + time(upTo: 4)
                points.append(
                    TimeAnchor(source: try time(upTo: duration.seconds), output: output))
            }
            return try TimeMap(through: points, sourceDuration: duration)
        }
    }

    mutating func changed(_ map: TimeMap) throws -> TimeMap {
        let length = map.outputDuration
        switch byte() % 5 {
        case 0:
            let start = try time(upTo: length * 1.5) - time(upTo: length)
            return try map.window(from: start, to: start + time(upTo: length * 2)).map
        case 1:
            return try map.thereAndBack(turningAt: share() * length)
        case 2:
            let exact = try map.exactOutputDuration ?? RationalTime(fine: length)
            return try map.composed(after: self.map(lasting: exact))
        case 3:
            let exact = try map.exactOutputDuration ?? RationalTime(fine: length)
            return try map.composed(after: .reversed(exact))
        default:
            let outline = map.outline(within: share(), mostPoints: Int(byte()) + 1)
            require(outline.output.first == 0, "an outline that doesn't begin at 0")
            _ = map.outputRanges(from: share() * 10, to: share() * 10)
            return map
        }
    }
}
