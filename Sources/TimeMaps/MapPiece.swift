extension TimeMap {
    /// A stretch of output time in which the source moves one way, or stands still.
    public struct Piece: Sendable {
        /// Output seconds, half-open.
        public let outputStart: Double
        /// Where it ends, in output seconds; it doesn't belong to the piece.
        public let outputEnd: Double
        /// Source seconds at both ends: equal for a freeze, falling for playing backwards.
        public let sourceStart: Double
        /// What is reached at the end, in source seconds.
        public let sourceEnd: Double
        let shape: Shape

        indirect enum Shape: Sendable {
            /// A straight line; its exact ends where they are known.
            case line(ExactLine?)
            /// The inverse of an integrated time scale.
            case curve(CurveSegment)
            /// An integrated speed.
            case integral(SpeedSegment)
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

        package var exact: ExactLine? {
            guard case .line(let line) = shape else {
                return nil
            }
            return line
        }

        /// Source seconds for every output second, on average.
        var slope: Double {
            (sourceEnd - sourceStart) / (outputEnd - outputStart)
        }

        /// Whether it shows `x`, give or take some seconds: a nanosecond, unless more is said.
        func isShowing(_ x: Double, within grace: Double = 1e-9) -> Bool {
            min(sourceStart, sourceEnd) - grace <= x && x <= max(sourceStart, sourceEnd) + grace
        }

        /// What is shown at `y`, and how fast it moves; clamped to the piece.
        func position(at y: Double) -> (source: Double, speed: Double) {
            let y = min(max(y, outputStart), outputEnd)
            switch shape {
            case .line:
                return (sourceStart + (y - outputStart) * slope, slope)
            case .curve(let segment):
                return segment.position(at: y)
            case .integral(let segment):
                return segment.position(at: y)
            case .composed(let outer, let inner):
                let middle = inner.position(at: y)
                let end = outer.position(at: middle.source)
                return (end.source, end.speed * middle.speed)
            }
        }

        /// When `x` is shown; clamped to the piece. The start, for a freeze.
        public func outputTime(of x: Double) -> Double {
            guard sourceEnd != sourceStart else {
                return outputStart
            }
            let y: Double
            switch shape {
            case .line:
                y = outputStart + (x - sourceStart) / slope
            case .curve(let segment):
                y = segment.outputTime(of: x)
            case .integral(let segment):
                y = segment.outputTime(of: x)
            case .composed(let outer, let inner):
                y = inner.outputTime(of: outer.outputTime(of: x))
            }
            return min(max(y, outputStart), outputEnd)
        }

        /// The tick of the output at which `x` is shown, clamped to the piece; the start, for a
        /// freeze. In integers where the piece is an exact line, else through `Double`, rounded
        /// once. O(1).
        ///
        /// - Throws: ``TimeError`` when it doesn't fit.
        public func outputTime(
            of x: RationalTime, timescale: Int32, rounding: RoundingRule
        ) throws(TimeError) -> RationalTime {
            if let time = try exact?.outputTime(of: x, timescale: timescale, rounding: rounding) {
                return time
            }
            return try RationalTime(
                seconds: outputTime(of: x.seconds), timescale: timescale, rounding: rounding)
        }
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
