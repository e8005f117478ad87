import Foundation
import Media

/// Measures the energies in frequency bands of two stretches of sound at a time, one as the real and one as the
/// imaginary part.
package final class BandSpectrum {
    /// The number of samples in a stretch.
    package let length: Int
    /// The number of bands.
    package var bandCount: Int { bins.count }
    private let windows: [Float]
    private let bins: [Range<Int>]
    private let transform: FourierTransform

    /// - Parameters:
    ///   - seconds: how long a stretch is.
    ///   - edges: the bands' edges in hertz, rising; the first above 0, the last below half the sample rate.
    ///   - peak: where in the second stretch sound counts most, as a share of its length; in the first it is as far
    ///     from the end. A half makes both a Hann window.
    /// - Throws: ``MediaError`` when memory has run out.
    package init(
        sampleRate: Double, seconds: Double, edges: [Double], peak: Double = 0.5
    ) throws {
        length = Int((sampleRate * seconds).rounded())
        var size = 256
        while size < length { size *= 2 }
        transform = try FourierTransform(count: size, direction: .forward)
        let width = sampleRate / Double(size)
        let edges = edges.map { max(1, Int(($0 / width).rounded())) }
        precondition(edges.allSatisfy { $0 <= size / 2 }, "bands lie below half the sample rate")
        bins = zip(edges, edges.dropFirst()).map { $0..<$1 }
        // The scale makes a steady tone give the same energy at every sample rate.
        let count = Double(length)
        let window = (0..<length).map { (index: Int) -> Float in
            let share = (Double(index) + 0.5) / count
            let phase = share < peak ? share / peak : (1 - share) / (1 - peak)
            return Float((1 - cos(Double.pi * phase)) / count)
        }
        windows = zip(window.reversed(), window).flatMap { [$0, $1] }
    }

    /// Measures two stretches of ``length`` samples.
    ///
    /// - Parameter energies: receives the bands of the first and then those of the second. A sine at full scale has
    ///   the same energy at every sample rate.
    package func measure(
        _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, into energies: inout [Float]
    ) {
        let size = transform.count
        let bands = bins.count
        transform.transform { values in
            windows.withUnsafeBufferPointer { windows in
                for index in 0..<length {
                    values[2 * index] = first[index] * windows[2 * index]
                    values[2 * index + 1] = second[index] * windows[2 * index + 1]
                }
            }
            for index in (2 * length)..<(2 * size) { values[index] = 0 }
        } reading: { spectrum in
            for band in 0..<bands {
                let (first, second) = Self.energies(spectrum, size: size, bins: bins[band])
                energies[band] = first
                energies[bands + band] = second
            }
        }
    }

    /// The energies of the real and of the imaginary part, whose spectra are separated by symmetry.
    private static func energies(
        _ spectrum: UnsafePointer<Float>, size: Int, bins: Range<Int>
    ) -> (Float, Float) {
        var first: Float = 0
        var second: Float = 0
        for bin in bins {
            let (a, b) = (spectrum[2 * bin], spectrum[2 * bin + 1])
            let (c, d) = (spectrum[2 * (size - bin)], spectrum[2 * (size - bin) + 1])
            first += (a + c) * (a + c) + (b - d) * (b - d)
            second += (b + d) * (b + d) + (c - a) * (c - a)
        }
        return (first / 4, second / 4)
    }
}
