import Alignment
import Foundation

/// How much of a sound is new, two hundred times per second: its spectral flux in logarithmic bands.
///
/// With E(b, n) the energy of band b in the 20 ms that end at n/200 s, the strength is
///
///     o(n) = 1/B · Σ_b max(0, ln (E(b, n) + f(b, n)) / (E(b, n − 2) + f(b, n)))
///
/// Logarithms make a beginning count alike in loud and in quiet music. The floor f lies 40 dB below what the band had
/// at its loudest and 50 dB below the loudest of all bands, and so keeps the noise of a quiet band from counting. The
/// flux is that of S. Dixon, "Onset detection revisited", DAFx 2006, with the compression of A. Klapuri, "Sound onset
/// detection by applying psychoacoustic knowledge", ICASSP 1999.
final class OnsetStrength {
    /// Frames per second.
    static let rate = 200.0
    /// At lower sample rates there is hardly a band.
    static let lowestSampleRate = 1000.0

    /// The edges of the bands in hertz: at least 100 Hz wide, which is what 20 ms resolve, and above that in steps of
    /// a quarter.
    static func edges(sampleRate: Double) -> [Double] {
        let highest = 0.45 * sampleRate
        var edges = [40.0]
        while let last = edges.last, last < min(16_000, 0.36 * sampleRate) {
            edges.append(min(max(last + 100, 1.25 * last), highest))
        }
        return edges
    }

    /// How long a frame is.
    private static let seconds = 0.02
    /// Frames that are compared are this many apart.
    private static let distance = 2
    /// The floor, as a share of the band's peak and of the largest peak.
    private static let bandDepth: Float = 1e-4
    private static let depth: Float = 1e-5
    /// No sound is quieter than this.
    private static let silence: Float = 1e-10
    /// After this many seconds a peak counts for e times less.
    private static let memory = 10.0

    private let bands: BandSpectrum
    private let decay = Float(exp(-1 / (memory * rate)))
    private let spacing: Double
    private var measured: [Float]
    /// The energies of the last frames.
    private var earlier: [[Float]]
    private var peaks: [Float]

    /// The number of samples in a frame.
    var length: Int { bands.length }

    /// - Parameter stream: the sound, of which nothing has been read. Its sample rate is at least
    ///   ``lowestSampleRate``.
    init(_ stream: SoundStream, checkCancelled: () throws -> Void) throws {
        let sampleRate = stream.sampleRate
        bands = try BandSpectrum(
            sampleRate: sampleRate, seconds: Self.seconds,
            edges: Self.edges(sampleRate: sampleRate))
        spacing = sampleRate / Self.rate
        let none = [Float](repeating: 0, count: bands.bandCount)
        measured = none + none
        earlier = Array(repeating: none, count: Self.distance)
        peaks = none
        _ = try stream.read(upTo: end(ofFrame: Int(Self.rate)), checkCancelled: checkCancelled)
        earlier = Array(repeating: quietEnergies(in: stream), count: Self.distance)
    }

    /// The first frame that is within the sound.
    var firstFrame: Int { Int((Double(length) / spacing).rounded(.up)) }

    /// What each band had before the sound was recorded: the lower quartile of its first second. A recording that
    /// begins with noise thereby has no onset at its beginning, and one that begins with a note has.
    private func quietEnergies(in stream: SoundStream) -> [Float] {
        var rows: [[Float]] = []
        let last = Int(Double(stream.end) / spacing)
        for frame in stride(from: firstFrame, to: min(last, Int(Self.rate)), by: 2) {
            let start = end(ofFrame: frame) - length
            let apart = end(ofFrame: frame + 1) - end(ofFrame: frame)
            stream.withSamples(from: start, count: length + apart) { samples in
                bands.measure(samples, samples + apart, into: &measured)
            }
            rows.append(measured[..<bands.bandCount].map { $0.isFinite ? $0 : 0 })
        }
        return (0..<bands.bandCount).map { band in
            let values = rows.map { $0[band] }.sorted()
            return values.isEmpty ? 0 : values[values.count / 4]
        }
    }

    /// The sample after the last one of a frame.
    func end(ofFrame frame: Int) -> Int {
        Int((Double(frame) * spacing).rounded())
    }

    /// Measures a frame and the one after it, which must follow the last two.
    func measure(frame: Int, in stream: SoundStream) -> (Float, Float) {
        let (first, second) = (end(ofFrame: frame), end(ofFrame: frame + 1))
        stream.withSamples(from: first - length, count: length + second - first) { samples in
            bands.measure(samples, samples + (second - first), into: &measured)
        }
        let count = bands.bandCount
        return (strength(measured[..<count]), strength(measured[count...]))
    }

    private func strength(_ energies: ArraySlice<Float>) -> Float {
        // Floating-point sound may hold numbers that aren't.
        let energies = energies.map { $0.isFinite ? $0 : 0 }
        for band in peaks.indices {
            peaks[band] = max(energies[band], peaks[band] * decay)
        }
        let floor = max(Self.silence, (peaks.max() ?? 0) * Self.depth)
        let before = earlier[0]
        var sum: Float = 0
        for band in peaks.indices where energies[band] > before[band] {
            let floor = max(floor, peaks[band] * Self.bandDepth)
            sum += log((energies[band] + floor) / (before[band] + floor))
        }
        earlier.removeFirst()
        earlier.append(energies)
        return sum / Float(peaks.count)
    }
}
