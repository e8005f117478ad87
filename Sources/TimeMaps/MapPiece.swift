extension TimeMap {
    /// A part of a time map in which the source moves in one direction, or freezes.
    public struct Piece: Sendable {
        /// Where the piece starts, in output seconds.
        public let outputStart: Double
        /// Where the piece ends, in output seconds. The end doesn't belong to the piece.
        public let outputEnd: Double
        /// The source time at ``outputStart``, in seconds.
        public let sourceStart: Double
        /// The source time at ``outputEnd``, in seconds: equal to ``sourceStart`` for a freeze, less for playing
        /// backwards.
        public let sourceEnd: Double
        let shape: Shape

        indirect enum Shape: Sendable {
            /// A straight line, with its exact ends where they are known.
            case line(ExactLine?)
            /// The inverse of an integrated time scale.
            case curve(CurveSegment)
            /// An integrated speed, which gives source time directly.
            case integral(SpeedSegment)
            /// One piece applied after another, when both are curves.
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

        /// The exact line; nil for curves and for lines whose ends aren't known exactly.
        package var exact: ExactLine? {
            guard case .line(let line) = shape else {
                return nil
            }
            return line
        }

        /// The average speed, in source seconds per output second.
        var slope: Double {
            (sourceEnd - sourceStart) / (outputEnd - outputStart)
        }

        /// Whether the piece shows source time `x`, with a tolerance in seconds.
        func isShowing(_ x: Double, within grace: Double = Tolerance.instant) -> Bool {
            min(sourceStart, sourceEnd) - grace <= x && x <= max(sourceStart, sourceEnd) + grace
        }

        /// The source time and the speed at output time `y`, which is clamped to the piece.
        func position(at y: Double) -> (source: Double, speed: Double) {
            let y = min(max(y, outputStart), outputEnd)
            switch shape {
            case .line:
                return (sourceStart + (y - outputStart) * slope, slope)
            case .curve(let segment):
                let position = segment.position(at: y)
                return (end(at: y) ?? position.source, position.speed)
            case .integral(let segment):
                return segment.position(at: y)
            case .composed(let outer, let inner):
                let middle = inner.position(at: y)
                let position = outer.position(at: middle.source)
                return (end(at: y) ?? position.source, position.speed * middle.speed)
            }
        }

        /// The source time at an end of the piece; nil inside. Where a time scale touches 0 the last digit of `y` moves the
        /// source by 10 µs and more, so that it can't be solved for there.
        private func end(at y: Double) -> Double? {
            y == outputStart ? sourceStart : y == outputEnd ? sourceEnd : nil
        }

        /// The output time in seconds at which source time `x`, in seconds, is shown, clamped to the piece; for
        /// a freeze, the piece's start. O(1).
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

        /// The output time at which source time `x` is shown, clamped to the piece and rounded once, to a tick
        /// of `timescale`; for a freeze, the piece's start. On an exact line it is computed in integers,
        /// otherwise with `Double`. O(1).
        ///
        /// - Throws: ``TimeError`` when the number of ticks doesn't fit in 64 bits.
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

/// One polynomial of an integrated time scale, mapped to output and source time.
///
/// At output time y the table's F has the value `integralAtZero + y·integralPerSecond`. The place u where F
/// has that value is source time `sourceAtZero + u·sourcePerUnit`.
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

    /// The speed in source seconds per output second.
    ///
    /// - Parameter slope: the polynomial's derivative with respect to z.
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
