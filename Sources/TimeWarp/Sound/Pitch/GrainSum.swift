/// The output of overlapping grains, as far as it isn't complete.
struct GrainSum {
    private let channelCount: Int
    /// The output sample of the first element of each array.
    private(set) var start: Int
    private var sums: [[Float]]
    /// The sum of the products of both windows.
    private var weights: [Float] = []
    /// The energy that the sound would have if all grains agreed, times the weight.
    private var energies: [Float] = []
    /// Smoothed energies of what should be and of what is, over about 25 ms.
    private var expected: Float = 0
    private var found: Float = 0
    private let smoothing: Float
    /// Where the source's own samples are heard, in order, and which of them comes next.
    private let plain: [Range<Int>]
    private var next = 0
    /// How many samples before it the gain is led to 1.
    private let approach: Float

    /// Grains of noise agree less, the further they are apart in the source. The sound is made louder by no more than this.
    private static let mostGain: Float = 1.5

    /// - Parameter plain: where the source's own samples are added, in order.
    init(channelCount: Int, start: Int, sampleRate: Double, plain: [Range<Int>]) {
        self.channelCount = channelCount
        self.start = start
        sums = Array(repeating: [], count: channelCount)
        smoothing = Float(1 / (0.0125 * sampleRate))
        self.plain = plain
        approach = Float(0.01 * sampleRate)
    }

    /// Makes room up to an output sample.
    mutating func reserve(upTo end: Int) {
        let more = end - start - weights.count
        guard more > 0 else {
            return
        }
        let zeros = repeatElement(Float(0), count: more)
        for channel in sums.indices {
            sums[channel] += zeros
        }
        weights += zeros
        energies += zeros
    }

    /// Adds the weights of a grain. To be called once for each grain, and ``add(_:channel:from:_:)`` for each channel.
    mutating func add(_ weights: GrainWeights, from first: Int) {
        let skipped = max(0, start - first)
        let place = first + skipped - start
        self.weights.withUnsafeMutableBufferPointer { sums in
            for index in skipped..<max(skipped, weights.total.count) {
                sums[place &+ index &- skipped] += weights.total[index]
            }
        }
    }

    /// Adds a channel of a grain.
    ///
    /// - Parameters:
    ///   - values: the channel's samples, every second value; the grain's centre comes first.
    ///   - first: the output sample at which the grain's window begins.
    mutating func add(
        _ values: UnsafePointer<Float>, channel: Int, from first: Int, _ weights: GrainWeights
    ) {
        let (count, half) = (weights.sound.count, weights.sound.count / 2)
        let skipped = max(0, start - first)
        for (part, offset) in [
            (min(skipped, half)..<half, half), (max(skipped, half)..<count, -half),
        ]
        where part.lowerBound < part.upperBound {
            let values = values + 2 * (part.lowerBound + offset)
            let place = first + part.lowerBound - start
            weights.sound.withUnsafeBufferPointer { factors in
                sums[channel].withUnsafeMutableBufferPointer { sums in
                    accumulate(
                        values, factors.baseAddress! + part.lowerBound, part.count,
                        into: sums.baseAddress! + place)
                }
            }
            weights.energy.withUnsafeBufferPointer { factors in
                energies.withUnsafeMutableBufferPointer { sums in
                    accumulateSquares(
                        values, factors.baseAddress! + part.lowerBound, part.count,
                        into: sums.baseAddress! + place)
                }
            }
        }
    }

    /// Adds samples of the source as they are.
    mutating func add(
        _ samples: UnsafePointer<Float>, channel: Int, from first: Int, window: [Float]
    ) {
        for index in window.indices where first + index >= start {
            let place = first + index - start
            sums[channel][place] += samples[index] * window[index]
            energies[place] += samples[index] * samples[index] * window[index]
            if channel == 0 {
                weights[place] += window[index]
            }
        }
    }

    /// Removes and returns the samples up to an output sample; all grains that reach there must have been added.
    mutating func take(upTo end: Int) -> [[Float]] {
        let count = min(max(0, end - start), weights.count)
        for index in 0..<count {
            weights[index] = 1 / max(weights[index], 1e-3)
        }
        var power = [Float](repeating: 0, count: count)
        var taken = sums.map { sums in
            var samples = Array(sums.prefix(count))
            for index in 0..<count {
                samples[index] *= weights[index]
                power[index] += samples[index] * samples[index]
            }
            return samples
        }
        let gains = gains(for: power, from: start)
        for channel in taken.indices {
            taken[channel].withUnsafeMutableBufferPointer { samples in
                for index in 0..<count {
                    samples[index] *= gains[index]
                }
            }
            sums[channel].removeFirst(count)
        }
        weights.removeFirst(count)
        energies.removeFirst(count)
        start += count
        return taken
    }

    /// By what the sound is made louder, because grains that don't agree weaken each other.
    ///
    /// - Parameters:
    ///   - power: the power of the samples that are taken.
    ///   - first: the output sample of the first of them.
    private mutating func gains(for power: [Float], from first: Int) -> [Float] {
        var (expected, found) = (expected, found)
        var gains = power
        for index in power.indices {
            while next < plain.count, plain[next].upperBound <= first + index {
                next += 1
            }
            let distance = next < plain.count ? plain[next].lowerBound - first - index : .max
            guard distance > 0 else {
                found += (power[index] - found) * smoothing
                expected = found
                gains[index] = 1
                continue
            }
            expected += (energies[index] * weights[index] - expected) * smoothing
            found += (power[index] - found) * smoothing
            let ratio = expected / max(found, 1e-20)
            gains[index] =
                ratio > 1.001 ? min(ratio.squareRoot(), Self.mostGain) : 1
            if Float(distance) < approach {
                gains[index] = 1 + (gains[index] - 1) * Float(distance) / approach
            }
        }
        (self.expected, self.found) = (expected, found)
        return gains
    }
}

/// Adds every second value times its factor.
private func accumulate(
    _ values: UnsafePointer<Float>, _ factors: UnsafePointer<Float>, _ count: Int,
    into sums: UnsafeMutablePointer<Float>
) {
    for index in 0..<count {
        sums[index] += values[2 &* index] * factors[index]
    }
}

/// Adds the square of every second value times its factor.
private func accumulateSquares(
    _ values: UnsafePointer<Float>, _ factors: UnsafePointer<Float>, _ count: Int,
    into sums: UnsafeMutablePointer<Float>
) {
    for index in 0..<count {
        let value = values[2 &* index]
        sums[index] += value * value * factors[index]
    }
}
