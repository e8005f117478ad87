import Foundation
import Media

/// The spectra of the frames of one or two channels, as one complex spectrum: the first channel was the real part of what
/// was transformed, the second one its imaginary part.
///
/// So two channels cost one transform, and turning a bin's phase turns both.
struct PairSpectrum {
    let values: FourierValues
    private let floats: UnsafeMutablePointer<Float>
    private let count: Int
    /// Whether there is only one channel in it: the second one is missing, or exactly the first one's twin.
    var isSingle = true

    /// - Throws: ``MediaError`` when memory has run out.
    init(count: Int) throws {
        values = try FourierValues(count: count)
        floats = values.floats
        self.count = count
    }

    /// The number of bins from 0 to half of the sample rate.
    static func binCount(_ count: Int) -> Int { count / 2 + 1 }

    /// The values of both channels in a bin; of the same one twice if there is one.
    func bin(_ bin: Int) -> (Complex, Complex) {
        let mirror = bin == 0 ? 0 : count - bin
        let z = Complex(floats[2 * bin], floats[2 * bin + 1])
        guard !isSingle else {
            return (z, z)
        }
        // A = (Z[k] + conj Z[n−k])/2 and B = (Z[k] − conj Z[n−k])/2i.
        let m = Complex(floats[2 * mirror], floats[2 * mirror + 1])
        return (
            Complex((z.real + m.real) / 2, (z.imaginary - m.imaginary) / 2),
            Complex((z.imaginary + m.imaginary) / 2, (m.real - z.real) / 2)
        )
    }

    /// Adds the power of both channels in each bin; twice that of one channel if there is one.
    func addPower(to power: UnsafeMutablePointer<Float>) {
        // |A|² + |B|² = (|Z[k]|² + |Z[n−k]|²)/2, here doubled.
        for bin in 1..<count / 2 {
            let (a, b) = (floats[2 &* bin], floats[2 &* bin &+ 1])
            let mirror = count &- bin
            let (c, d) = (floats[2 &* mirror], floats[2 &* mirror &+ 1])
            power[bin] += a * a + b * b + (c * c + d * d)
        }
        for bin in [0, count / 2] {
            let (a, b) = (floats[2 * bin], floats[2 * bin + 1])
            power[bin] += 2 * (a * a + b * b)
        }
    }

    /// Multiplies the values of both channels in a range of bins by a complex number.
    func turn(_ bins: Range<Int>, by rotor: Complex) {
        for bin in bins {
            let (x, y) = (floats[2 &* bin], floats[2 &* bin &+ 1])
            guard bin != 0, bin != count / 2 else {
                // These bins of a real frame are real.
                floats[2 * bin] = x * rotor.real
                floats[2 * bin + 1] = y * rotor.real
                continue
            }
            floats[2 &* bin] = x * rotor.real - y * rotor.imaginary
            floats[2 &* bin &+ 1] = x * rotor.imaginary + y * rotor.real
            let mirror = count &- bin
            let (u, v) = (floats[2 &* mirror], floats[2 &* mirror &+ 1])
            floats[2 &* mirror] = u * rotor.real + v * rotor.imaginary
            floats[2 &* mirror &+ 1] = v * rotor.real - u * rotor.imaginary
        }
    }
}

/// A complex number.
struct Complex {
    var real: Float
    var imaginary: Float

    init(_ real: Float, _ imaginary: Float) {
        (self.real, self.imaginary) = (real, imaginary)
    }

    /// The number of length 1 at an angle in radians.
    init(angle: Float) {
        self.init(cos(angle), sin(angle))
    }

    /// In radians.
    var angle: Float { atan2(imaginary, real) }
    var conjugate: Complex { Complex(real, -imaginary) }
    /// The square of the absolute value.
    var power: Float { real * real + imaginary * imaginary }

    /// The complex logarithm of the value divided by a positive number.
    func logarithm(dividedBy divisor: Float) -> Complex {
        Complex(log(power.squareRoot() / divisor), angle)
    }

    static prefix func - (a: Complex) -> Complex { Complex(-a.real, -a.imaginary) }

    static func * (a: Complex, b: Complex) -> Complex {
        Complex(
            a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real
        )
    }

    static func += (a: inout Complex, b: Complex) {
        a.real += b.real
        a.imaginary += b.imaginary
    }
}
