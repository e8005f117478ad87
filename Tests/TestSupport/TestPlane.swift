import Foundation
import TimeMaps

/// A picture without end whose brightness is known at every point, so that frames of it can be made for any motion.
package struct MovingTexture: Sendable {
    private let waves: [(x: Double, y: Double, phase: Double, height: Double)]

    /// - Parameter finest: the shortest wavelength, in samples.
    package init(seed: UInt64, finest: Double = 6) {
        var random = SplitMix64(seed: seed)
        waves = (0..<16).map { number in
            let wavelength = finest * pow(20, Double(number) / 16)
            let angle = Double.random(in: 0..<2 * .pi, using: &random)
            return (
                2 * .pi / wavelength * cos(angle), 2 * .pi / wavelength * sin(angle),
                Double.random(in: 0..<2 * .pi, using: &random), 19
            )
        }
    }

    /// The brightness at a point, about 20 to 235.
    package func brightness(_ x: Double, _ y: Double) -> Double {
        let sum = waves.reduce(0) { $0 + $1.height * cos($1.x * x + $1.y * y + $1.phase) }
        return 128 + max(-115, min(115, sum))
    }
}

/// A plane of 8-bit samples, and how much two of them differ.
package struct TestPlane: Equatable {
    package let width: Int
    package let height: Int
    package var samples: [UInt8]

    /// A plane whose samples are those of a function, rounded.
    package init(
        _ width: Int = 256, _ height: Int = 144, _ brightness: (_ x: Double, _ y: Double) -> Double
    ) {
        self.width = width
        self.height = height
        samples = (0..<width * height).map {
            UInt8(max(0, min(255, brightness(Double($0 % width), Double($0 / width)).rounded())))
        }
    }

    package init(_ width: Int, _ height: Int, samples: [UInt8]) {
        (self.width, self.height, self.samples) = (width, height, samples)
    }

    /// The peak signal-to-noise ratio against another plane, in dB; 99 if they are equal.
    package func ratio(to other: TestPlane) -> Double {
        Self.ratio(samples, other.samples)
    }

    /// The same for arrays.
    package static func ratio(_ a: [UInt8], _ b: [UInt8]) -> Double {
        ratio(a[...], b[...])
    }

    /// The peak signal-to-noise ratio of 8-bit samples, in dB; 99 if they are equal.
    ///
    /// It isn't generic: tests aren't optimised, and compare millions of samples.
    package static func ratio(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Double {
        let squares = zip(a, b).reduce(0.0) {
            let difference = Double($1.0) - Double($1.1)
            return $0 + difference * difference
        }
        return squares == 0 ? 99 : 10 * log10(255 * 255 * Double(a.count) / squares)
    }

    /// The mixture of two planes, halves rounded up.
    package static func blend(_ a: TestPlane, _ b: TestPlane, at u: Double) -> TestPlane {
        TestPlane(a.width, a.height) { x, y in
            let place = Int(y) * a.width + Int(x)
            return Double(a.samples[place]) * (1 - u) + Double(b.samples[place]) * u
        }
    }
}
