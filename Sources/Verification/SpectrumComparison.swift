import Foundation
import Media

/// Compares which frequencies are heard in two sounds at the same instants: whether they are the same ones, and by how
/// much all are too high or too low. That holds for sound whose pitch is kept, whose waveforms never agree.
///
/// Frames of both are reduced to their logarithmic power at frequencies an eighth of a tone apart, without what is common to
/// a third of an octave. So partials count, and not the colour that a codec gives. Used on one thread.
final class SpectrumComparison {
    /// Samples a second that frames need.
    static let rate = 16_000.0
    /// Samples of a frame: 85 ms.
    static let frameCount = 1360
    private static let size = 2048
    private static let lowest = 200.0
    private static let stepsPerOctave = 48.0
    private static let stepCount = 240
    /// The largest difference in pitch that is looked for, in steps: half an octave.
    private static let reach = 24
    /// Over how many steps on both sides the common part is measured.
    private static let colour = 8
    /// What is 50 dB below the strongest frequency of a frame doesn't count.
    private static let floor: Float = 1e-5
    /// A frame with less power, the sum of its squares, is silent.
    private static let silence: Float = 1e-4

    /// What was found in a number of frames.
    struct Finding {
        /// The correlation of both, from -1 to 1, at the difference in pitch at which it is best.
        let agreement: Double
        /// By how much all is too high, in cents (hundredths of a semitone).
        let cents: Double
    }

    private let transform: FourierTransform
    private let window: [Float]
    private var products = [Double](repeating: 0, count: 2 * reach + 1)
    private var powers = (heard: 0.0, wanted: 0.0)

    init() throws {
        transform = try FourierTransform(count: Self.size, direction: .forward)
        window = (0..<Self.frameCount).map {
            0.5 - 0.5 * cos(2 * .pi * (Float($0) + 0.5) / Float(Self.frameCount))
        }
    }

    /// Adds a frame of each sound, one array of samples for each channel.
    func add(_ heard: [[Float]], _ wanted: [[Float]]) {
        guard let heard = spectrum(heard), let wanted = spectrum(wanted) else {
            return
        }
        for shift in -Self.reach...Self.reach {
            var sum: Float = 0
            for step in Self.reach..<Self.stepCount - Self.reach {
                sum += heard[step + shift] * wanted[step]
            }
            products[shift + Self.reach] += Double(sum)
        }
        for step in Self.reach..<Self.stepCount - Self.reach {
            powers.heard += Double(heard[step] * heard[step])
            powers.wanted += Double(wanted[step] * wanted[step])
        }
    }

    /// What the frames added since the last time tell; nil if all were silent.
    func take() -> Finding? {
        let (products, powers) = (products, powers)
        self.products = products.map { _ in 0 }
        self.powers = (0, 0)
        guard powers.heard > 0, powers.wanted > 0,
            let best = products.indices.max(by: { products[$0] < products[$1] })
        else {
            return nil
        }
        var place = Double(best - Self.reach)
        if best > 0, best + 1 < products.count {
            let (left, middle, right) = (products[best - 1], products[best], products[best + 1])
            let bend = left - 2 * middle + right
            place += bend < 0 ? 0.5 * (left - right) / bend : 0
        }
        return Finding(
            agreement: products[best] / (powers.heard * powers.wanted).squareRoot(),
            cents: place * 1200 / Self.stepsPerOctave)
    }

    private func spectrum(_ channels: [[Float]]) -> [Float]? {
        var power = [Float](repeating: 0, count: Self.size / 2)
        var total: Float = 0
        for samples in channels {
            transform.transform { values in
                values.update(repeating: 0, count: 2 * Self.size)
                for (index, sample) in samples.prefix(Self.frameCount).enumerated() {
                    values[2 * index] = sample * window[index]
                    total += values[2 * index] * values[2 * index]
                }
            } reading: { values in
                for bin in power.indices {
                    power[bin] +=
                        values[2 * bin] * values[2 * bin] + values[2 * bin + 1]
                        * values[2 * bin + 1]
                }
            }
        }
        guard total > Self.silence, let strongest = power.max() else {
            return nil
        }
        let levels = (0..<Self.stepCount).map { step -> Float in
            let frequency = Self.lowest * exp2(Double(step) / Self.stepsPerOctave)
            let place = frequency / Self.rate * Double(Self.size)
            let (bin, part) = (Int(place), Float(place - place.rounded(.down)))
            return log((power[bin] * (1 - part) + power[bin + 1] * part) / strongest + Self.floor)
        }
        return levels.indices.map { step in
            let near = levels[
                max(0, step - Self.colour)...min(levels.count - 1, step + Self.colour)]
            return levels[step] - near.reduce(0, +) / Float(near.count)
        }
    }
}
