import CLanes

/// All weights of the band-limited kernel at one stretch, in a layout for vector instructions.
///
/// A row has the weights of all taps for one fraction of a sample. There are 2048 fractions for each sample at
/// normal speed, and fewer in proportion where the kernel is stretched. So every bank takes 0.8 MB, whatever
/// its stretch, and the interpolation error between two rows is as small as that of the kernel's own table.
final class SincBank: Sendable {
    /// How many times wider the kernel is than at normal speed.
    let stretch: Double
    /// The number of weights in a row; a multiple of the vector's width.
    let taps: Int
    /// How many samples before the whole part of the position have a weight.
    let before: Int
    private let stepsPerSample: Double
    private let rows: [Float]

    init(stretch: Double) {
        precondition(stretch >= 1, "a kernel is never narrower than at normal speed")
        self.stretch = stretch
        let reach = Int((Double(SincKernel.halfWidth) * stretch).rounded(.up))
        let side = (reach + 3) / 4 * 4
        taps = 2 * side
        before = side - 1
        let steps = max(4, Int((Double(SincKernel.stepsPerSample) / stretch).rounded(.up)))
        stepsPerSample = Double(steps)
        let (taps, before) = (taps, before)
        rows = [Float](unsafeUninitializedCapacity: (steps + 1) * taps) { rows, count in
            for step in 0...steps {
                let fraction = Double(step) / Double(steps)
                SincKernel.shared.weigh(
                    from: (-Double(before) - fraction) / stretch, spacing: 1 / stretch,
                    into: UnsafeMutableBufferPointer(
                        rebasing: rows[step * taps..<(step + 1) * taps]))
            }
            // At whole samples the kernel is 0 except for rounding errors. Without those, a position on a
            // sample gives exactly that sample.
            for index in rows.indices where abs(rows[index]) < 1e-12 {
                rows[index] = 0
            }
            count = rows.count
        }
    }

    /// Fills `output` with the values at positions. Outside of the samples is silence.
    ///
    /// - Parameter start: the position of the first sample.
    func render(
        at positions: UnsafeBufferPointer<Double>, from start: Double,
        of samples: UnsafeBufferPointer<Float>, into output: UnsafeMutablePointer<Float>
    ) {
        var index = 0
        while index < positions.count {
            index += renderInside(positions, from: index, start, samples, nil, output, nil)
            if index < positions.count {
                output[index] = valueAtEdge(place(of: positions[index] - start), samples)
                index += 1
            }
        }
    }

    /// The same for two channels, which costs little more than for one.
    func render(
        at positions: UnsafeBufferPointer<Double>, from start: Double,
        of a: UnsafeBufferPointer<Float>, and b: UnsafeBufferPointer<Float>,
        into outputA: UnsafeMutablePointer<Float>, and outputB: UnsafeMutablePointer<Float>
    ) {
        precondition(a.count == b.count, "channels have the same number of samples")
        var index = 0
        while index < positions.count {
            index += renderInside(positions, from: index, start, a, b, outputA, outputB)
            if index < positions.count {
                let place = place(of: positions[index] - start)
                outputA[index] = valueAtEdge(place, a)
                outputB[index] = valueAtEdge(place, b)
                index += 1
            }
        }
    }

    // MARK: - Implementation

    private static let hasWideVectors = tw_sinc_has_wide_vectors()

    /// Renders positions until the kernel reaches past the samples.
    ///
    /// - Returns: how many were rendered.
    private func renderInside(
        _ positions: UnsafeBufferPointer<Double>, from first: Int, _ start: Double,
        _ a: UnsafeBufferPointer<Float>, _ b: UnsafeBufferPointer<Float>?,
        _ outputA: UnsafeMutablePointer<Float>, _ outputB: UnsafeMutablePointer<Float>?
    ) -> Int {
        guard let base = positions.baseAddress, let samples = a.baseAddress else {
            return 0
        }
        return rows.withUnsafeBufferPointer { rows in
            var bank = tw_sinc_bank(
                rows: rows.baseAddress, taps: taps, before: before, steps: stepsPerSample)
            return tw_sinc_render(
                &bank, Self.hasWideVectors, base + first, positions.count - first, start, samples,
                b?.baseAddress, a.count, outputA + first, outputB.map { $0 + first })
        }
    }

    /// The samples and weights for a position.
    private struct Place {
        /// The index of the first sample that has a weight.
        let first: Int
        /// The index at which the fraction's row begins.
        let row: Int
        /// The fraction's position between its row and the next, 0 to 1.
        let share: Float
    }

    private func place(of position: Double) -> Place {
        let whole = position.rounded(.down)
        let fraction = (position - whole) * stepsPerSample
        let step = Int(fraction)
        return Place(
            first: Int(whole) - before, row: step * taps, share: Float(fraction - Double(step)))
    }

    /// The value at a position where the kernel reaches past the samples.
    private func valueAtEdge(_ place: Place, _ samples: UnsafeBufferPointer<Float>) -> Float {
        let low = max(0, -place.first)
        let high = min(taps, samples.count - place.first)
        var sum: Float = 0
        for tap in stride(from: low, to: high, by: 1) {
            let weight = rows[place.row + tap]
            let next = rows[place.row + taps + tap]
            sum += (weight + (next - weight) * place.share) * samples[place.first + tap]
        }
        return sum
    }
}
