import Foundation
import Media

/// Keeps the pulses of a voice sharp.
///
/// A voice is a row of pulses: its harmonics have a common phase relationship. A vocoder continues each harmonic on its own,
/// and what small errors add up to spreads the pulses: the voice gets metallic. But a grain whose phases go on from the one
/// before is, for a voice, the source's grain moved by a part of a pitch period. So this looks for the time by which the
/// grain was moved, and leads the phases towards exactly that (Röbel, "A shape-invariant phase vocoder for speech
/// transformation", 2010).
///
/// In music it does harm: partials of several notes have no common relationship. A chord of five tones at 0.8 times the speed
/// falls from 55 to 18 dB above the error; a male voice's pulses, measured by the kurtosis of the linear prediction's
/// residual, rise from 3.4 to 5.2, with 6.8 in the source.
struct VoiceShape {
    /// Which part of the way phases are led at each grain.
    private static let share: Float = 0.3
    /// The longest move: more than half a period of the lowest voice.
    private static let reachSeconds = 0.008
    private static let highestFrequency = 9000.0

    private let reach: Int
    /// The bins above don't belong to the voice's pulses.
    private let lastBin: Int
    private let transform: FourierTransform
    private let (spectrum, correlation): (FourierValues, FourierValues)

    /// - Throws: ``MediaError`` when memory has run out.
    init(windowCount: Int, sampleRate: Double) throws {
        reach = min(Int(Self.reachSeconds * sampleRate), windowCount / 2 - 1)
        lastBin = min(
            Int(Self.highestFrequency / sampleRate * Double(windowCount)), windowCount / 2 - 1)
        transform = try FourierTransform(count: windowCount, direction: .forward)
        spectrum = try FourierValues(count: windowCount)
        correlation = try FourierValues(count: windowCount)
    }

    /// Leads the turns of a grain's peaks towards a common move in time.
    ///
    /// - Parameters:
    ///   - rotors: the turn of each peak, of length 1.
    ///   - peaks: their bins.
    ///   - power: the power of all bins.
    func restore(_ rotors: inout [Complex], at peaks: ArraySlice<Int>, power: [Float]) {
        let move = Float(move(rotors, peaks, power))
        for (number, bin) in peaks.enumerated() where isVoice(bin) {
            // The peak lies between bins: at the top of a parabola.
            let (low, own, high) = (
                power[bin - 1].squareRoot(), power[bin].squareRoot(), power[bin + 1].squareRoot()
            )
            let bend = low - 2 * own + high
            let distance = bend < 0 ? 0.5 * (low - high) / bend : 0
            let frequency = 2 * Float.pi * (Float(bin) + distance) / Float(spectrum.count)
            let rest = rotors[number] * Complex(angle: -frequency * move)
            rotors[number] = rotors[number] * Complex(angle: -Self.share * rest.angle)
        }
    }

    /// The move in time that explains the turns best, in samples.
    private func move(_ rotors: [Complex], _ peaks: ArraySlice<Int>, _ power: [Float]) -> Int {
        spectrum.floats.update(repeating: 0, count: 2 * spectrum.count)
        for (number, bin) in peaks.enumerated() where isVoice(bin) {
            let amplitude = power[bin].squareRoot()
            spectrum.floats[2 * bin] = rotors[number].real * amplitude
            spectrum.floats[2 * bin + 1] = rotors[number].imaginary * amplitude
        }
        transform.transform(spectrum, into: correlation)
        func agreement(_ move: Int) -> Float {
            correlation.floats[2 * (move < 0 ? move + correlation.count : move)]
        }
        return (-reach...reach).max { agreement($0) < agreement($1) } ?? 0
    }

    private func isVoice(_ bin: Int) -> Bool { bin > 1 && bin < lastBin }
}
