import Foundation

/// A Kaiser window, cut where a grain ends at an onset or begins at one.
struct GrainWindow {
    /// How many samples a cut takes.
    let fade: Int
    let count: Int
    /// The window's values without a cut.
    let shape: [Float]

    /// - Parameter beta: about (length / 2σ)², with the standard deviation σ of the Gaussian window that is most alike.
    init(count: Int, beta: Double, fade: Int) {
        self.count = count
        self.fade = fade
        shape = (0..<count).map { index in
            let place = 2 * Double(index) / Double(count) - 1
            return Float(besselI0(beta * max(0, 1 - place * place).squareRoot()) / besselI0(beta))
        }
    }

    /// Writes the window's values.
    ///
    /// - Parameters:
    ///   - begin: where the sound begins, in samples from the grain's centre; nil if it begins before the window. The
    ///     window is 1 from there on and rises before.
    ///   - end: where it ends; nil if it ends after the window. The window falls before.
    /// - Returns: whether there is a cut in the window.
    @discardableResult
    func write(begin: Int?, end: Int?, to values: inout [Float]) -> Bool {
        values.withUnsafeMutableBufferPointer { values in
            _ = values.update(from: shape)
            let slope = 1 / Float(fade)
            let full = begin.map { min(max($0 + count / 2, 0), count) } ?? 0
            for index in 0..<full {
                let rise = Float(index - full + fade) * slope
                values[index] *= max(0, min(1, rise))
            }
            let last = end.map { min(max($0 + count / 2, 0), count + fade) } ?? .max
            let first = last == .max ? count : max(last - fade, 0)
            for index in min(first, count)..<count {
                values[index] *= max(0, min(1, Float(last - index) * slope))
            }
            return full > 0 || first < count
        }
    }
}

/// What the samples of a grain count in the output.
struct GrainWeights {
    /// A quiet window edge says nothing of the energy inside.
    private static let leastWindow: Float = 0.05

    /// The factors of the samples that come out of the inverse transform.
    private(set) var sound: [Float]
    /// By what the sum of all grains' samples is divided in the end.
    private(set) var total: [Float]
    /// The factors of the squares of these samples, which estimate the sound's energy times ``total``.
    private(set) var energy: [Float]

    init(count: Int) {
        sound = [Float](repeating: 0, count: count)
        (total, energy) = (sound, sound)
    }

    /// Sets the weights for the window with which the source was cut, and for that of the output.
    mutating func set(analysis: [Float], synthesis: [Float]) {
        let count = analysis.count
        let scale = 1 / Float(count)
        for index in 0..<count {
            sound[index] = synthesis[index] * scale
            total[index] = analysis[index] * synthesis[index]
            energy[index] =
                analysis[index] > Self.leastWindow
                ? synthesis[index] / analysis[index] * scale * scale : 0
        }
    }
}
