/// The correlation of each channel of the output with each channel of the source.
struct ChannelMatrix {
    private var products: [[Double]]
    private var own: [Double]
    private var wanted: [Double]
    private let holdsWaves: Bool

    /// - Parameter holdsWaves: whether the values are waveforms, which can be inverted, and not loudness.
    init(output: Int, source: Int, holdsWaves: Bool) {
        self.holdsWaves = holdsWaves
        products = Array(repeating: Array(repeating: 0, count: source), count: output)
        own = Array(repeating: 0, count: output)
        wanted = Array(repeating: 0, count: source)
    }

    /// Adds a window.
    ///
    /// - Parameters:
    ///   - heard: the output's channels.
    ///   - source: the source's channels.
    ///   - first: the index in `source` that corresponds to the output's first value.
    mutating func add(_ heard: [[Float]], _ source: [[Float]], from first: Int) {
        for (channel, values) in heard.enumerated() {
            own[channel] += Self.product(values, values, from: 0)
            for (other, samples) in source.enumerated() {
                products[channel][other] += Self.product(values, samples, from: first)
            }
        }
        for (other, samples) in source.enumerated() {
            let part = samples[first..<first + (heard.first?.count ?? 0)]
            wanted[other] += part.reduce(0) { $0 + Double($1) * Double($1) }
        }
    }

    private static func product(_ a: [Float], _ b: [Float], from first: Int) -> Double {
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                var sum: Float = 0
                for place in a.indices {
                    sum += a[place] * b[first + place]
                }
                return Double(sum)
            }
        }
    }

    var faults: [VerificationReport.Fault] {
        guard own.count == wanted.count else {
            return [
                .init(
                    .channels,
                    "The output has \(counted(own.count, "channel", "")) instead of "
                        + "\(wanted.count)."
                )
            ]
        }
        return placeFaults + lossFaults
    }

    /// Channels that are silent or inverted.
    private var lossFaults: [VerificationReport.Fault] {
        // A channel that is far quieter than the loudest one may get lost in coding.
        let loudest = wanted.max() ?? 0
        let audible = own.indices.filter { wanted[$0] > 1e-4 * loudest }
        let gain = audible.map { own[$0] / wanted[$0] }.max() ?? 0
        return audible.compactMap { channel in
            if own[channel] < SoundCheck.leastShare * gain * wanted[channel] {
                return .init(.channels, "Channel \(channel + 1) is silent.")
            }
            return holdsWaves && share(channel, channel) < -0.5
                ? .init(.channels, "Channel \(channel + 1) is inverted.") : nil
        }
    }

    /// Channels that carry the sound of another one.
    private var placeFaults: [VerificationReport.Fault] {
        let strange = own.indices.compactMap { channel -> String? in
            let shares = wanted.indices.map { share(channel, $0) }
            guard let best = shares.indices.max(by: { shares[$0] < shares[$1] }),
                best != channel, shares[best] > 0.5, shares[best] > shares[channel] + 0.2
            else {
                return nil
            }
            return "channel \(channel + 1) has the sound of channel \(best + 1)"
        }
        guard !strange.isEmpty else {
            return []
        }
        return [
            .init(.channels, "Channels are swapped: \(strange.joined(separator: ", ")).")
        ]
    }

    /// The normalised correlation of two channels, from -1 to 1.
    private func share(_ channel: Int, _ other: Int) -> Double {
        let scale = (own[channel] * wanted[other]).squareRoot()
        return scale > 0 ? products[channel][other] / scale : 0
    }
}
