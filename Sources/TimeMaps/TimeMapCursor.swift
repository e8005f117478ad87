extension TimeMap {
    /// A place on the map for walking along it.
    public func cursor() -> Cursor {
        Cursor(self)
    }

    /// Answers for one output time after another.
    ///
    /// A small step forward costs one polynomial and one division: the last answer and its speed
    /// tell where the next one is, and one of Newton's steps makes it exact. Any other step costs
    /// what ``TimeMap/sourceTime(at:)`` does.
    public struct Cursor: Sendable {
        private let map: TimeMap
        private var index = 0
        private var outputStart = 0.0
        private var outputEnd = 0.0
        /// The polynomial that the last answer came from; nil on straight lines.
        private var segment: CurveSegment?
        /// The polynomial of an integrated speed, which answers at once; nil elsewhere.
        private var integrated: SpeedSegment?
        /// Where the piece's straight line begins and how it rises; nil on curves.
        private var line: (sourceStart: Double, slope: Double)?
        /// The last answer, where in the polynomial's piece it lay, and how that moves with F.
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

        /// What is shown at `y`, and source seconds for every output second there.
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
            // Newton's rule doubles the digits: a step of 1e-8 leaves 1e-16.
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

        /// Positions and speeds at `(firstTick + i) / ticksPerSecond`, each instant computed afresh
        /// so that nothing adds up.
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
