import Media

/// Measures how much later one sound is than another, by cross-correlation of windows, over ``reach`` values
/// in both directions.
///
/// Used on one thread.
final class LagFinder {
    /// The number of values in a window.
    static let length = 2048
    /// The largest lag in either direction, in values.
    static let reach = 256
    /// The number of values in which a window is searched for.
    static let span = length + 2 * reach
    private static let size = 4096
    /// How far a peak extends to each side, in values.
    private static let lobe = 20
    /// The largest height of another peak, relative to the highest one.
    private static let mostRivalry = 0.7

    private let forward: FourierTransform
    private let inverse: FourierTransform

    init() throws {
        forward = try FourierTransform(count: Self.size, direction: .forward)
        inverse = try FourierTransform(count: Self.size, direction: .inverse)
    }

    /// The correlation of a window with each place that it could come from.
    private struct Correlation {
        /// The value at index ``reach`` is for no lag. At lower indices the window is later.
        var values: [Double]
        /// The divisors that bring the values into the range ±1.
        var scales: [Double]

        func share(_ place: Int) -> Double {
            scales[place] > 0 ? values[place] / scales[place] : 0
        }

        /// The lag of the best place, and the correlation there. If another place is nearly as good, the lag is
        /// nil, and the correlation is that of no lag.
        var best: (lag: Double?, agreement: Double) {
            let place = values.indices.max { share($0) < share($1) } ?? reach
            let rival =
                values.indices
                .filter { abs($0 - place) > LagFinder.lobe }.map(share).max() ?? 0
            let isAlone = rival < LagFinder.mostRivalry * share(place)
            let lag = Double(reach - place) - peakOffset(place)
            return (isAlone ? lag : nil, share(isAlone ? place : reach))
        }

        /// The peak's offset from `place`, from a parabola through three values.
        private func peakOffset(_ place: Int) -> Double {
            guard place > 0, place + 1 < values.count else {
                return 0
            }
            let (left, middle, right) = (share(place - 1), share(place), share(place + 1))
            let bend = left - 2 * middle + right
            return bend < 0 ? min(max(0.5 * (left - right) / bend, -0.5), 0.5) : 0
        }
    }

    /// By how many values a window is later than it should be, and the correlation there. The lag is nil if
    /// there is no clear peak, and the correlation then is that of no lag.
    ///
    /// - Parameters:
    ///   - window: ``length`` values.
    ///   - other: ``span`` values; the one at index ``reach`` is expected to match the window's first value.
    func lag(of window: [Float], in other: [Float]) -> (lag: Double?, agreement: Double) {
        correlate(window, in: other).best
    }

    /// The normalised correlation of two sections of sound: 1 if they differ only in loudness.
    ///
    /// - Parameter other: at least as long as the window.
    static func agreement(of window: [Float], with other: ArraySlice<Float>) -> Double {
        var (product, own, its) = (0.0, 0.0, 0.0)
        for (a, b) in zip(window, other) {
            product += Double(a * b)
            own += Double(a * a)
            its += Double(b * b)
        }
        let scale = (own * its).squareRoot()
        return scale > 0 ? product / scale : 0
    }

    private func correlate(_ window: [Float], in other: [Float]) -> Correlation {
        let size = Self.size
        var cross = [Float](repeating: 0, count: 2 * size)
        forward.transform { values in
            for place in 0..<size {
                values[2 * place] = place < window.count ? window[place] : 0
                values[2 * place + 1] = place < other.count ? other[place] : 0
            }
        } reading: { spectrum in
            for bin in 0..<size {
                let mirror = (size - bin) % size
                let (a, b) = (spectrum[2 * bin], spectrum[2 * bin + 1])
                let (c, d) = (spectrum[2 * mirror], spectrum[2 * mirror + 1])
                // Both signals are real, so their spectra can be separated by symmetry.
                let (xr, xi) = ((a + c) / 2, (b - d) / 2)
                let (yr, yi) = ((b + d) / 2, (c - a) / 2)
                cross[2 * bin] = xr * yr + xi * yi
                cross[2 * bin + 1] = xr * yi - xi * yr
            }
        }
        let sums = inverse.transform { values in
            values.update(from: cross, count: 2 * size)
        } reading: { output in
            (0...2 * Self.reach).map { Double(output[2 * $0]) / Double(size) }
        }
        return Correlation(values: sums, scales: scales(window, other))
    }

    /// For each place, the square root of the product of both sounds' energies.
    private func scales(_ window: [Float], _ other: [Float]) -> [Double] {
        let own = window.reduce(0) { $0 + Double($1) * Double($1) }
        var energy = other.prefix(Self.length).reduce(0) { $0 + Double($1) * Double($1) }
        return (0...2 * Self.reach).map { place in
            defer {
                if place + Self.length < other.count {
                    energy +=
                        Double(other[place + Self.length]) * Double(other[place + Self.length])
                    energy -= Double(other[place]) * Double(other[place])
                }
            }
            return (own * max(energy, 0)).squareRoot()
        }
    }
}
