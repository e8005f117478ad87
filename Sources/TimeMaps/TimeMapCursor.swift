extension TimeMap {
    /// A cursor at the map's start, for evaluating the map at many output times in order.
    public func cursor() -> Cursor {
        Cursor(self)
    }

    /// Evaluates a time map at one output time after another.
    ///
    /// A small step forward is O(1): it costs one polynomial and one division. The last result and its
    /// speed predict the next result, and one step of Newton's method makes it exact. Any other step costs
    /// as much as ``TimeMap/sourceTime(at:)``.
    public struct Cursor: Sendable {
        private let map: TimeMap
        private var index = 0
        private var outputStart = 0.0
        private var outputEnd = 0.0
        /// The polynomial of the current piece of an integrated time scale; nil on other pieces.
        private var segment: CurveSegment?
        /// The polynomial of the current piece of an integrated speed; nil on other pieces.
        private var integrated: SpeedSegment?
        /// The source time at the start of the current straight line, and its slope; nil on curves.
        private var line: (sourceStart: Double, slope: Double)?
        /// The last result: its F, its position z in the polynomial's piece, and dz/dF there.
        private var integral = 0.0
        private var coordinate = 0.0
        private var coordinatePerIntegral = 0.0

        init(_ map: TimeMap) {
            self.map = map
            enter(0)
        }

        private mutating func enter(_ index: Int) {
            self.index = index
            let piece = map.pieces[index]
            outputStart = piece.outputStart
            outputEnd = piece.outputEnd
            segment = nil
            integrated = nil
            line = nil
            switch piece.shape {
            case .line:
                line = (piece.sourceStart, piece.slope)
            case .curve(let segment):
                self.segment = segment
                coordinate = 0
                coordinatePerIntegral = 0
            case .integral(let segment):
                integrated = segment
            case .composed:
                break
            }
        }

        /// The source time in seconds at output time `y`, and the speed there in source seconds per output
        /// second. `y` is clamped to the map's ends.
        public mutating func position(at y: Double) -> (source: Double, speed: Double) {
            if y < outputStart || y >= outputEnd {
                let wanted = map.pieceIndex(atOutput: y)
                if wanted != index {
                    enter(wanted)
                }
            }
            let inside = min(max(y, outputStart), outputEnd)
            if let line {
                return (line.sourceStart + (inside - outputStart) * line.slope, line.slope)
            }
            if let answer = integrated?.position(at: inside) {
                return answer
            }
            guard segment != nil else {
                return map.pieces[index].position(at: y)
            }
            return follow(to: inside)
        }

        @inline(__always)
        private mutating func follow(to y: Double) -> (source: Double, speed: Double) {
            let segment = segment.unsafelyUnwrapped
            let wanted = segment.integralAtZero + y * segment.integralPerSecond
            let gain = wanted - segment.table.sums[segment.piece]
            let guess = coordinate + (wanted - integral) * coordinatePerIntegral
            let (value, slope) = segment.table.polynomial(segment.piece, guess)
            let step = (gain - value) / slope
            integral = wanted
            // Newton's method converges quadratically: after a step of 1e-8 the error is about 1e-16.
            if abs(step) < 1e-8 && abs(guess) <= 1 {
                coordinate = guess + step
                coordinatePerIntegral = 1 / slope
                return (segment.source(atCoordinate: coordinate), segment.speed(slope: slope))
            }
            coordinate = segment.table.solve(
                segment.piece, for: gain, from: guess.isFinite ? guess : 0)
            let exact = segment.table.polynomial(segment.piece, coordinate).slope
            coordinatePerIntegral = exact > 0 ? 1 / exact : 0
            return (segment.source(atCoordinate: coordinate), segment.speed(slope: exact))
        }

        /// Writes source times and speeds for the output times `(firstTick + i) / ticksPerSecond`. Each output
        /// time is computed from its tick, so that rounding errors don't accumulate.
        ///
        /// - Parameters:
        ///   - sources: receives the source times in seconds; all of it is filled.
        ///   - speeds: receives the speeds in source seconds per output second; at least as long as
        ///     `sources`.
        ///   - firstTick: the tick of the first output time.
        ///   - ticksPerSecond: above 0.
        public mutating func fill(
            _ sources: UnsafeMutableBufferPointer<Double>,
            _ speeds: UnsafeMutableBufferPointer<Double>, firstTick: Int64, ticksPerSecond: Double
        ) {
            for place in sources.indices {
                let y = Double(firstTick + Int64(place)) / ticksPerSecond
                (sources[place], speeds[place]) = position(at: y)
            }
        }
    }
}
