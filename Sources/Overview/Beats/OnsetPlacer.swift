import Alignment
import Foundation

/// Finds the instant at which a sound begins to within a millisecond, where the frames of ``OnsetStrength`` tell it
/// only roughly.
///
/// Of all instants t, it is the one at which the bands differ most between the 6 ms after t and the 6 ms before: before
/// it, the later stretch still has silence in it; after it, the earlier stretch has some of the sound already.
final class OnsetPlacer {
    private static let seconds = 0.006
    private static let edges: [Double] = [100, 400, 800, 1600, 3200, 6400, 12_800, 20_000]
    /// Where the instant is sought, in seconds before and after the end of the frame.
    private static let range = -0.024...0.003
    private static let step = 0.0005
    /// The floor of each band, as a share of its loudest stretch.
    private static let depth: Float = 1e-4
    /// Where in the later stretch sound counts most, as a share of it: soon, because a click lasts a millisecond.
    private static let peak = 1.0 / 6
    /// How much too early a sound is found because of that, in seconds.
    private static let bias = -0.0005

    private let bands: BandSpectrum
    private let sampleRate: Double
    private let offsets: [Int]
    private var measured: [Float]

    init(sampleRate: Double) throws {
        self.sampleRate = sampleRate
        let most = 0.45 * sampleRate
        bands = try BandSpectrum(
            sampleRate: sampleRate, seconds: Self.seconds,
            edges: Self.edges.filter { $0 < most } + [most], peak: Self.peak)
        offsets = stride(from: Self.range.lowerBound, through: Self.range.upperBound, by: Self.step)
            .map { Int(($0 * sampleRate).rounded()) }
        measured = [Float](repeating: 0, count: 2 * bands.bandCount)
    }

    /// The beginning of the sound that is strongest in a frame that ends at sample `end`, in seconds.
    func time(near end: Int, in stream: SoundStream) -> Double {
        let (length, count) = (bands.length, bands.bandCount)
        let start = end + (offsets.first ?? 0) - length
        let whole = (offsets.last ?? 0) - (offsets.first ?? 0) + 2 * length
        var rows: [[Float]] = []
        stream.withSamples(from: start, count: whole) { samples in
            for offset in offsets {
                let place = offset - (offsets.first ?? 0)
                bands.measure(samples + place, samples + place + length, into: &measured)
                rows.append(measured.map { $0.isFinite ? $0 : 0 })
            }
        }
        let floors = (0..<count).map { band in
            Self.depth * (rows.map { $0[count + band] }.max() ?? 0) + .leastNormalMagnitude
        }
        let scores = rows.map { row in
            (0..<count).reduce(Float(0)) { sum, band in
                let ratio = (row[count + band] + floors[band]) / (row[band] + floors[band])
                return sum + max(0, log(ratio))
            }
        }
        let best = scores.indices.max { scores[$0] < scores[$1] } ?? 0
        return max(0, Double(end + offsets[best]) / sampleRate - Self.bias)
    }
}
