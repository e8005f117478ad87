import Foundation

/// Calculates output samples at exact, fractional source positions.
///
/// Each output sample depends only on its position, its speed and the source, never on how the work was divided
/// into blocks.
struct VarispeedResampler {
    /// The largest speed, which is the map's own limit. Higher speeds are treated like this one.
    static let largestSpeed = 1000.0

    private let interpolation: Interpolation
    /// The bank for speeds of 1 and below, or for the only speed of the map.
    private let steadyBank: SincBank
    private let isSteady: Bool
    private var banks = SincBanks()
    private var shares: [Float] = []

    /// Makes a resampler.
    ///
    /// - Parameter steadySpeed: source samples for each output sample, if that never changes. It then gets a
    ///   kernel of exactly the right width.
    init(interpolation: Interpolation, steadySpeed: Double? = nil) {
        self.interpolation = interpolation
        isSteady = steadySpeed != nil
        steadyBank = SincBanks.steady(Self.stretch(atSpeed: steadySpeed ?? 1))
    }

    /// The range of source samples that rendering at these positions may need.
    ///
    /// - Parameter speeds: source samples for each output sample, positive or negative.
    func sourceSpan(
        positions: UnsafeBufferPointer<Double>, speeds: UnsafeBufferPointer<Double>
    ) -> Range<Int64> {
        guard !positions.isEmpty else {
            return 0..<0
        }
        var low = positions[0]
        var high = low
        var fastest = 0.0
        for index in positions.indices {
            let (position, speed) = (positions[index], abs(speeds[index]))
            low = position < low ? position : low
            high = position > high ? position : high
            fastest = speed > fastest ? speed : fastest
        }
        let reach = self.reach(atSpeed: fastest)
        return Int64((low - reach).rounded(.down))..<Int64((high + reach).rounded(.down)) + 2
    }

    private func reach(atSpeed speed: Double) -> Double {
        switch interpolation {
        case .linear, .smooth: 0
        // As far as the next wider bank reaches, which mixtures need, and a vector's width.
        case .sinc: Double(SincKernel.halfWidth) * Self.stretch(atSpeed: speed) * 1.1 + 8
        }
    }

    /// How many times wider the kernel is than at normal speed: fast sound must lose its high frequencies to
    /// avoid aliasing.
    private static func stretch(atSpeed speed: Double) -> Double {
        min(max(1, abs(speed)), largestSpeed)
    }

    /// Fills `output`, one plane for each channel, with the values at the positions.
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

    /// Renders positions that share a bank together. Even so, each value depends only on its own position and
    /// speed.
    private mutating func renderBandLimited(
        _ positions: UnsafeBufferPointer<Double>, _ speeds: UnsafeBufferPointer<Double>,
        _ window: SampleWindow, _ output: [UnsafeMutablePointer<Float>]
    ) {
        let start = Double(window.start)
        window.withChannels { channels in
            guard !isSteady else {
                steadyBank.render(
                    at: positions, positions.indices, start, of: channels, into: output)
                return
            }
            let stretches = speeds.map(Self.stretch)
            var first = 0
            while first < stretches.count {
                guard stretches[first] == steadyBank.stretch else {
                    first = renderMixed(positions, start, stretches, from: first, channels, output)
                    continue
                }
                let end =
                    stretches[first...].firstIndex { $0 != steadyBank.stretch } ?? stretches.count
                steadyBank.render(at: positions, first..<end, start, of: channels, into: output)
                first = end
            }
        }
    }

    /// Renders positions as long as they use the same two banks.
    ///
    /// - Returns: the index of the first position that isn't rendered.
    private mutating func renderMixed(
        _ positions: UnsafeBufferPointer<Double>, _ start: Double, _ stretches: [Double],
        from first: Int,
        _ channels: [UnsafeBufferPointer<Float>], _ output: [UnsafeMutablePointer<Float>]
    ) -> Int {
        shares.removeAll(keepingCapacity: true)
        shares.append(banks.share(atSpeed: stretches[first]))
        var end = first + 1
        while end < stretches.count, banks.holds(stretches[end]),
            stretches[end] != steadyBank.stretch
        {
            shares.append(banks.share(atSpeed: stretches[end]))
            end += 1
        }
        banks.high.render(at: positions, first..<end, start, of: channels, into: output)
        guard let mixed = shares.firstIndex(where: { $0 < 1 }),
            let last = shares.lastIndex(where: { $0 < 1 })
        else {
            return end
        }
        // The other bank is needed only where the two are mixed.
        for channel in channels.indices {
            var low = [Float](repeating: 0, count: last + 1 - mixed)
            low.withUnsafeMutableBufferPointer { low in
                let part = UnsafeBufferPointer(
                    rebasing: positions[first + mixed...first + last])
                banks.low.render(
                    at: part, from: start, of: channels[channel], into: low.baseAddress!)
                for index in mixed...last {
                    let high = output[channel][first + index]
                    output[channel][first + index] =
                        low[index - mixed] + (high - low[index - mixed]) * shares[index]
                }
            }
        }
        return end
    }
}

extension SincBank {
    /// Renders all channels at a range of the positions, two channels at a time.
    fileprivate func render(
        at positions: UnsafeBufferPointer<Double>, _ run: Range<Int>, _ start: Double,
        of channels: [UnsafeBufferPointer<Float>], into output: [UnsafeMutablePointer<Float>]
    ) {
        let part = UnsafeBufferPointer(rebasing: positions[run])
        var channel = 0
        while channel + 1 < channels.count {
            render(
                at: part, from: start, of: channels[channel], and: channels[channel + 1],
                into: output[channel] + run.lowerBound, and: output[channel + 1] + run.lowerBound)
            channel += 2
        }
        if channel < channels.count {
            render(
                at: part, from: start, of: channels[channel],
                into: output[channel] + run.lowerBound)
        }
    }
}
