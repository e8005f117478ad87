import Foundation

/// How a partial whose frequency changes shows in the spectra of a frame.
///
/// The phase at a spectral peak isn't the partial's phase at the frame's centre, if its frequency changes there: the
/// window averages over the change. A vocoder that advances phases by what it measures at peaks would flatten a vibrato,
/// because that error isn't the same in the grain as between grains.
///
/// Under a Gaussian window of variance σ², the spectrum of a partial whose angular frequency rises by r in each unit of
/// time is Gaussian too: its logarithm is a parabola K − ½·G·(u − u₀)² over the bin u, with
///
/// ```
/// G = Δω²σ² / (1 − i·x)      x = σ²·r, Δω: the distance of two bins
/// arg K = the partial's phase at the centre + ½·atan x
/// ```
///
/// So three bins tell x, the place u₀ of the peak between the bins, and the phase (Abe and Smith, "AM/FM rate estimation
/// for time-varying sinusoidal modeling", 2005).
struct Chirp {
    /// x: by how much the frequency rises within the window. 1 is a rise by a bin and a quarter over the window's width 2σ.
    let rise: Float
    /// The phase at the peak's bin without the phase of the partial at the frame's centre, in radians.
    let bias: Float

    /// Δω²σ² for the parabola inside of the Kaiser window.
    private static let stationaryCurvature = Float(Double.pi * Double.pi / GrainVocoder.beta)
    /// Outside of these bounds the peak isn't that of one partial.
    private static let mostRise: Float = 3
    private static let mostDistance: Float = 1.6

    /// Measures a peak; nil if it hasn't the shape of one partial's.
    ///
    /// - Parameter bin: at least one bin lies below and above.
    init?(_ spectra: [PairSpectrum], at bin: Int) {
        // The neighbours' values relative to the peak's, of all channels together.
        var (below, above) = (Complex(0, 0), Complex(0, 0))
        var power: Float = 0
        for pair in spectra {
            let (low, own, high) = (pair.bin(bin - 1), pair.bin(bin), pair.bin(bin + 1))
            below += low.0 * own.0.conjugate
            below += low.1 * own.1.conjugate
            above += high.0 * own.0.conjugate
            above += high.1 * own.1.conjugate
            power += own.0.power + own.1.power
        }
        guard power > 0, below.power > 0, above.power > 0 else {
            return nil
        }
        let curvature = -(above * below).logarithm(dividedBy: power * power)
        let slope = (above * below.conjugate).logarithm(dividedBy: below.power)
        guard curvature.real > 0, curvature.power > 0.05, curvature.power < 20 else {
            return nil
        }
        let inverse = Complex(1 / curvature.power, 0) * curvature.conjugate
        let distance = (slope * inverse).real / 2
        rise = -inverse.imaginary * Self.stationaryCurvature
        guard abs(rise) < Self.mostRise, abs(distance) < Self.mostDistance else {
            return nil
        }
        bias = atan(rise) / 2 - distance * distance * curvature.imaginary / 2
    }
}
