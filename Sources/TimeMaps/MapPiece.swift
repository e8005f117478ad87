extension TimeMap {
    /// A stretch of output time in which the source moves one way, or stands still.
    public struct Piece: Sendable {
        /// Output seconds, half-open.
        public let outputStart: Double
        public let outputEnd: Double
        /// Source seconds at both ends: equal for a freeze, falling for playing backwards.
        public let sourceStart: Double
        public let sourceEnd: Double
        let shape: Shape

        indirect enum Shape: Sendable {
            /// A straight line; its exact ends where they are known.
            case line(ExactLine?)
            /// The inverse of an integrated time scale.
            case curve(CurveSegment)
            /// A map after a map, where both are curves.
            case composed(outer: Piece, inner: Piece)
        }

        /// A straight line between exact instants.
        public init(_ line: ExactLine) {
            self.init(
                outputStart: line.outputStart.seconds, outputEnd: line.outputEnd.seconds,
                sourceStart: line.sourceStart.seconds, sourceEnd: line.sourceEnd.seconds,
                shape: .line(line))
        }

        init(
            outputStart: Double, outputEnd: Double, sourceStart: Double, sourceEnd: Double,
            shape: Shape
        ) {
            self.outputStart = outputStart
            self.outputEnd = outputEnd
            self.sourceStart = sourceStart
            self.sourceEnd = sourceEnd
            self.shape = shape
        }

        var exact: ExactLine? {
            guard case .line(let line) = shape else {
                return nil
            }
            return line
        }

        /// Source seconds for every output second, on average.
        var slope: Double {
            (sourceEnd - sourceStart) / (outputEnd - outputStart)
        }

        /// What is shown at `y`, and how fast it moves; clamped to the piece.
        func position(at y: Double) -> (source: Double, speed: Double) {
            let y = min(max(y, outputStart), outputEnd)
            switch shape {
            case .line:
                return (sourceStart + (y - outputStart) * slope, slope)
            case .curve(let segment):
                return segment.position(at: y)
            case .composed(let outer, let inner):
                let middle = inner.position(at: y)
                let end = outer.position(at: middle.source)
                return (end.source, end.speed * middle.speed)
            }
        }

        /// When `x` is shown; clamped to the piece. The start, for a freeze.
        func outputTime(of x: Double) -> Double {
            let y: Double
            switch shape {
            case .line:
                guard sourceEnd != sourceStart else {
                    return outputStart
                }
                y = outputStart + (x - sourceStart) / slope
            case .curve(let segment):
                y = segment.outputTime(of: x)
            case .composed(let outer, let inner):
                y = inner.outputTime(of: outer.outputTime(of: x))
            }
            return min(max(y, outputStart), outputEnd)
        }
    }
}

/// A straight line of a time map between exact instants.
public struct ExactLine: Hashable, Sendable {
    public let outputStart: RationalTime
    public let outputEnd: RationalTime
    public let sourceStart: RationalTime
    public let sourceEnd: RationalTime

    /// From `sourceStart` at `outputStart` to `sourceEnd` at `outputEnd`, which comes later.
    public init(
        _ outputStart: RationalTime, _ outputEnd: RationalTime, from sourceStart: RationalTime,
        to sourceEnd: RationalTime
    ) {
        precondition(outputStart < outputEnd, "a piece of a time map lasts some time")
        self.outputStart = outputStart
        self.outputEnd = outputEnd
        self.sourceStart = sourceStart
        self.sourceEnd = sourceEnd
    }

    /// When `x` is shown, in whole ticks; nil where the integers would grow past 128 bits, or
    /// nothing moves.
    func outputTime(
        of x: RationalTime, timescale: Int32, rounding: RoundingRule
    ) throws(TimeError) -> RationalTime? {
        guard sourceStart == .zero, outputStart == .zero, sourceEnd > .zero else {
            return nil
        }
        // y = x · outputEnd / sourceEnd
        let inside = min(max(x, .zero), sourceEnd)
        let tops = [
            Int128(inside.value), Int128(outputEnd.value), Int128(sourceEnd.timescale),
            Int128(timescale),
        ]
        let bottoms = [
            Int128(inside.timescale), Int128(outputEnd.timescale), Int128(sourceEnd.value),
        ]
        guard let top = product(tops), let bottom = product(bottoms) else {
            return nil
        }
        return try RationalTime(
            exactly: rounding.divide(top, by: bottom), over: Int128(timescale))
    }

    private func product(_ factors: [Int128]) -> Int128? {
        var result: Int128 = 1
        for factor in factors {
            let (next, overflow) = result.multipliedReportingOverflow(by: factor)
            guard !overflow else {
                return nil
            }
            result = next
        }
        return result
    }
}

/// One polynomial of an integrated time scale, laid over output and source time.
///
/// At output time y the table's F is `integralAtZero + y·integralPerSecond`, and the place u where
/// F has that value is source time `sourceAtZero + u·sourcePerUnit`.
struct CurveSegment: Sendable {
    let table: IntegratedTimeScale
    let piece: Int
    var integralAtZero: Double
    var integralPerSecond: Double
    var sourceAtZero: Double
    var sourcePerUnit: Double

    func position(at y: Double) -> (source: Double, speed: Double) {
        let gain = integralAtZero + y * integralPerSecond - table.sums[piece]
        return position(atCoordinate: table.solve(piece, for: gain, from: 0))
    }

    @inline(__always)
    func position(atCoordinate z: Double) -> (source: Double, speed: Double) {
        (source(atCoordinate: z), speed(slope: table.polynomial(piece, z).slope))
    }

    @inline(__always)
    func source(atCoordinate z: Double) -> Double {
        sourceAtZero + table.place(of: z, in: piece) * sourcePerUnit
    }

    /// - Parameter slope: the polynomial's derivative.
    @inline(__always)
    func speed(slope: Double) -> Double {
        sourcePerUnit * integralPerSecond * table.halfWidth(of: piece) / slope
    }

    func outputTime(of x: Double) -> Double {
        let z = table.coordinate(of: (x - sourceAtZero) / sourcePerUnit, in: piece)
        let integral = table.sums[piece] + table.polynomial(piece, z).value
        return (integral - integralAtZero) / integralPerSecond
    }
}
