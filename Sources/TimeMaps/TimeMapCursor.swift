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
        /// The block that was filled last.
        private var block: Block?

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
            guard segment != nil, inside > outputStart, inside < outputEnd else {
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
            var place = 0
            while place < sources.count {
                let tick = firstTick + Int64(place)
                if let block = block(at: tick, ticksPerSecond) {
                    let places = place..<min(sources.count, Int(block.end - firstTick))
                    fill(block, places, sources, speeds, firstTick)
                    place = places.upperBound
                    continue
                }
                (sources[place], speeds[place]) = position(at: Double(tick) / ticksPerSecond)
                place += 1
                if let line {
                    // Surely before the line's end, whatever is rounded.
                    let inside = (outputEnd * ticksPerSecond).rounded(.down) - Double(firstTick) - 2
                    let end = inside < Double(sources.count) ? Int(inside) : sources.count
                    fill(line, place..<max(place, end), sources, speeds, firstTick, ticksPerSecond)
                    place = max(place, end)
                }
            }
        }

        /// Some ticks of a curve, for which a polynomial stands: cubic Hermite interpolation between both ends.
        private struct Block {
            static let tickCount: Int64 = 32
            /// How far, in seconds, the polynomial may be from the curve in the middle: far below what 24 bits can
            /// tell of a tone at 20 kHz.
            static let largestError = 1e-12

            let start: Int64
            var end: Int64 { start + Self.tickCount }
            let ticksPerSecond: Double
            /// Of the share of the block, 0 to 1; nil where the polynomial isn't near enough.
            var coefficients: SIMD4<Double>?
        }

        /// The block that a tick of a curve lies in; nil if not all of the block is on the current piece. Blocks begin
        /// at multiples of their length, and the last one is kept, so results don't depend on how many ticks a call fills.
        ///
        /// The error of Hermite interpolation is largest in the middle, where it is h⁴/384 times the fourth derivative
        /// (Stoer and Bulirsch, "Introduction to Numerical Analysis", 2.1.5). There it is compared with the curve.
        private mutating func block(at tick: Int64, _ ticksPerSecond: Double) -> Block? {
            if let block, block.start <= tick, tick < block.end,
                block.ticksPerSecond == ticksPerSecond
            {
                return block
            }
            guard segment != nil, tick >= 0 else {
                return nil
            }
            let start = tick - tick % Block.tickCount
            var block = Block(start: start, ticksPerSecond: ticksPerSecond)
            let (low, high) = (
                Double(start) / ticksPerSecond, Double(block.end) / ticksPerSecond
            )
            guard low >= outputStart, high < outputEnd else {
                return nil
            }
            let first = position(at: low)
            let middle = position(at: (low + high) / 2)
            let last = position(at: high)
            let (rise, slope, lastSlope) = (
                last.source - first.source, first.speed * (high - low), last.speed * (high - low)
            )
            let guess = first.source + rise / 2 + (slope - lastSlope) / 8
            if abs(guess - middle.source) <= Block.largestError + 4 * middle.source.ulp {
                block.coefficients = SIMD4(
                    first.source, slope, 3 * rise - 2 * slope - lastSlope,
                    slope + lastSlope - 2 * rise)
            }
            self.block = block
            return block
        }

        private mutating func fill(
            _ block: Block, _ places: Range<Int>,
            _ sources: UnsafeMutableBufferPointer<Double>,
            _ speeds: UnsafeMutableBufferPointer<Double>, _ firstTick: Int64
        ) {
            guard let cubic = block.coefficients else {
                for place in places {
                    let y = Double(firstTick + Int64(place)) / block.ticksPerSecond
                    (sources[place], speeds[place]) = position(at: y)
                }
                return
            }
            let offset = Int(firstTick - block.start)
            let perSecond = block.ticksPerSecond / Double(Block.tickCount)
            for place in places {
                let share = Double(place + offset) / Double(Block.tickCount)
                sources[place] = cubic.x + share * (cubic.y + share * (cubic.z + share * cubic.w))
                speeds[place] =
                    (cubic.y + share * (2 * cubic.z + share * 3 * cubic.w)) * perSecond
            }
        }

        /// The same for places on a straight line, in a loop that the compiler can do two steps of at a time.
        private func fill(
            _ line: (sourceStart: Double, slope: Double), _ places: Range<Int>,
            _ sources: UnsafeMutableBufferPointer<Double>,
            _ speeds: UnsafeMutableBufferPointer<Double>, _ firstTick: Int64,
            _ ticksPerSecond: Double
        ) {
            guard let sources = sources.baseAddress, let speeds = speeds.baseAddress else {
                return
            }
            let first = Double(firstTick)
            for place in places {
                let y = (first + Double(Int32(truncatingIfNeeded: place))) / ticksPerSecond
                sources[place] = line.sourceStart + (y - outputStart) * line.slope
                speeds[place] = line.slope
            }
        }
    }
}
