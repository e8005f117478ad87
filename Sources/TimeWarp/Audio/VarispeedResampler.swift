import Foundation

/// Gives output samples their values at exact, fractional source positions.
///
/// Every output sample stands alone: its value depends on its position, its speed and the source,
/// never on how the work was cut into blocks.
struct VarispeedResampler {
    /// Speeds beyond this are taken for it: the map's own limit.
    static let largestSpeed = 1000.0

    private let interpolation: Interpolation
    /// For normal speed and below, or for the one speed that there is.
    private let steadyBank: SincBank
    private let isSteady: Bool
    private var banks = SincBanks()
    private var shares: [Float] = []

    /// - Parameter steadySpeed: source samples for every output sample, where that never changes;
    ///   it then has a kernel cut to measure.
    init(interpolation: Interpolation, steadySpeed: Double? = nil) {
        self.interpolation = interpolation
        isSteady = steadySpeed != nil
        steadyBank = SincBanks.steady(Self.stretch(atSpeed: steadySpeed ?? 1))
    }

    /// The source samples that rendering at these positions may touch.
    ///
    /// - Parameter speeds: source samples for every output sample, of either sign.
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
        // What the next wider bank reaches, as mixtures do, and a vector's width.
        case .sinc: Double(SincKernel.halfWidth) * Self.stretch(atSpeed: speed) * 1.1 + 8
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

    /// Runs of positions that share a bank are rendered together; what a position gets depends on
    /// it and its speed alone.
    private mutating func renderBandLimited(
        _ positions: UnsafeBufferPointer<Double>, _ speeds: UnsafeBufferPointer<Double>,
        _ window: SampleWindow, _ output: [UnsafeMutablePointer<Float>]
    ) {
        let start = Double(window.start)
        let places = positions.map { $0 - start }
        window.withChannels { channels in
            places.withUnsafeBufferPointer { places in
                guard !isSteady else {
                    steadyBank.render(at: places, places.indices, of: channels, into: output)
                    return
                }
                let stretches = speeds.map(Self.stretch)
                var first = 0
                while first < stretches.count {
                    guard stretches[first] == steadyBank.stretch else {
                        first = renderMixed(places, stretches, from: first, channels, output)
                        continue
                    }
                    let end =
                        stretches[first...].firstIndex { $0 != steadyBank.stretch }
                        ?? stretches.count
                    steadyBank.render(at: places, first..<end, of: channels, into: output)
                    first = end
                }
            }
        }
    }

    /// Renders as long as the same two banks hold.
    ///
    /// - Returns: where another run begins.
    private mutating func renderMixed(
        _ places: UnsafeBufferPointer<Double>, _ stretches: [Double], from first: Int,
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
        banks.high.render(at: places, first..<end, of: channels, into: output)
        guard let mixed = shares.firstIndex(where: { $0 < 1 }),
            let last = shares.lastIndex(where: { $0 < 1 })
        else {
            return end
        }
        // Only the part that is mixed needs the other bank.
        for channel in channels.indices {
            var low = [Float](repeating: 0, count: last + 1 - mixed)
            low.withUnsafeMutableBufferPointer { low in
                let part = UnsafeBufferPointer(
                    rebasing: places[first + mixed...first + last])
                banks.low.render(at: part, of: channels[channel], into: low.baseAddress!)
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
    /// All channels at some of the positions, two at a time.
    fileprivate func render(
        at places: UnsafeBufferPointer<Double>, _ run: Range<Int>,
        of channels: [UnsafeBufferPointer<Float>], into output: [UnsafeMutablePointer<Float>]
    ) {
        let part = UnsafeBufferPointer(rebasing: places[run])
        var channel = 0
        while channel + 1 < channels.count {
            render(
                at: part, of: channels[channel], and: channels[channel + 1],
                into: output[channel] + run.lowerBound, and: output[channel + 1] + run.lowerBound)
            channel += 2
        }
        if channel < channels.count {
            render(at: part, of: channels[channel], into: output[channel] + run.lowerBound)
        }
    }
}
