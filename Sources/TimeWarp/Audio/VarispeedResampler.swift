import Foundation

/// Gives output samples their values at exact, fractional source positions.
///
/// Every output sample stands alone: its value depends on its position, its speed and the source,
/// never on how the work was cut into blocks.
struct VarispeedResampler {
    /// Speeds beyond this are taken for it: the map's own limit.
    static let largestSpeed = 1000.0

    private let channelCount: Int
    private let interpolation: Interpolation
    private var weights: [Float] = []

    init(channelCount: Int, interpolation: Interpolation) {
        self.channelCount = channelCount
        self.interpolation = interpolation
    }

    /// The source samples that rendering at these positions may touch.
    ///
    /// - Parameter speeds: source samples for every output sample, of either sign.
    func sourceSpan(
        positions: UnsafeBufferPointer<Double>, speeds: UnsafeBufferPointer<Double>
    ) -> Range<Int64> {
        var low = Double.infinity
        var high = -Double.infinity
        for index in positions.indices {
            let reach = self.reach(atSpeed: speeds[index])
            low = min(low, positions[index] - reach)
            high = max(high, positions[index] + reach)
        }
        guard low <= high else {
            return 0..<0
        }
        return Int64(low.rounded(.down))..<Int64(high.rounded(.down)) + 2
    }

    private func reach(atSpeed speed: Double) -> Double {
        switch interpolation {
        case .linear, .smooth: 0
        case .sinc: Double(SincKernel.halfWidth) * Self.stretch(atSpeed: speed)
        }
    }

    /// How much wider than at normal speed the kernel is: faster sound must lose its treble, or it
    /// would fold back.
    private static func stretch(atSpeed speed: Double) -> Double {
        min(max(1, abs(speed)), largestSpeed)
    }

    /// Fills `output`, one plane a channel, with the values at the positions.
    mutating func render(
        positions: UnsafeBufferPointer<Double>, speeds: UnsafeBufferPointer<Double>,
        from window: SampleWindow, into output: [UnsafeMutablePointer<Float>]
    ) {
        switch interpolation {
        case .linear:
            renderBetweenNeighbours(positions, window, output) { $0 }
        case .smooth:
            renderBetweenNeighbours(positions, window, output) { $0 * $0 * (3 - 2 * $0) }
        case .sinc:
            renderBandLimited(positions, speeds, window, output)
        }
    }

    /// The control-point method: A[i]·(1 − c) + A[i + 1]·c, with c the fraction or its easing.
    private func renderBetweenNeighbours(
        _ positions: UnsafeBufferPointer<Double>, _ window: SampleWindow,
        _ output: [UnsafeMutablePointer<Float>], easing: (Double) -> Double
    ) {
        let start = Double(window.start)
        window.withChannels { channels in
            for (channel, samples) in channels.enumerated() {
                for place in positions.indices {
                    let position = positions[place] - start
                    let whole = position.rounded(.down)
                    let share = easing(position - whole)
                    let index = Int(whole)
                    let before = samples.indices.contains(index) ? Double(samples[index]) : 0
                    let after = samples.indices.contains(index + 1) ? Double(samples[index + 1]) : 0
                    output[channel][place] = Float(before * (1 - share) + after * share)
                }
            }
        }
    }

    private mutating func renderBandLimited(
        _ positions: UnsafeBufferPointer<Double>, _ speeds: UnsafeBufferPointer<Double>,
        _ window: SampleWindow, _ output: [UnsafeMutablePointer<Float>]
    ) {
        let start = Double(window.start)
        let kernel = SincKernel.shared
        window.withChannels { channels in
            for place in positions.indices {
                let first = kernel.weigh(
                    around: positions[place] - start,
                    stretch: Self.stretch(atSpeed: speeds[place]), into: &weights)
                for channel in 0..<channelCount {
                    output[channel][place] = Self.sum(weights, channels[channel], from: first)
                }
            }
        }
    }

    /// Σ weight·sample; samples outside of the window are silence.
    private static func sum(
        _ weights: [Float], _ samples: UnsafeBufferPointer<Float>, from first: Int
    ) -> Float {
        let low = max(0, -first)
        let high = min(weights.count, samples.count - first)
        guard low < high else {
            return 0
        }
        return weights.withUnsafeBufferPointer { weights in
            var sums = SIMD8<Float>.zero
            var place = low
            let source = samples.baseAddress! + first
            while place + 8 <= high {
                let a = UnsafeRawPointer(weights.baseAddress! + place)
                    .loadUnaligned(as: SIMD8<Float>.self)
                let b = UnsafeRawPointer(source + place).loadUnaligned(as: SIMD8<Float>.self)
                sums += a * b
                place += 8
            }
            var rest: Float = 0
            while place < high {
                rest += weights[place] * source[place]
                place += 1
            }
            return sums.sum() + rest
        }
    }
}
