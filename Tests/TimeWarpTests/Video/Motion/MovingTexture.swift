import Foundation
import SampleMedia

@testable import TimeWarp

/// A picture without end whose brightness is known at every point, so that frames of it can be made for any motion.
struct MovingTexture: Sendable {
    private let waves: [(x: Double, y: Double, phase: Double, height: Double)]

    /// - Parameter finest: the shortest wavelength, in samples.
    init(seed: UInt64, finest: Double = 6) {
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
    func brightness(_ x: Double, _ y: Double) -> Double {
        let sum = waves.reduce(0) { $0 + $1.height * cos($1.x * x + $1.y * y + $1.phase) }
        return 128 + max(-115, min(115, sum))
    }
}

/// A plane of 8-bit samples, and how much two of them differ.
struct TestPlane: Equatable {
    let width: Int
    let height: Int
    var samples: [UInt8]

    /// A plane whose samples are those of a function, rounded.
    init(
        _ width: Int = 256, _ height: Int = 144, _ brightness: (_ x: Double, _ y: Double) -> Double
    ) {
        self.width = width
        self.height = height
        samples = (0..<width * height).map {
            UInt8(max(0, min(255, brightness(Double($0 % width), Double($0 / width)).rounded())))
        }
    }

    init(_ plane: PaddedPlane<UInt8>) {
        (width, height) = (plane.width, plane.height)
        samples = (0..<plane.height).flatMap { y in (0..<plane.width).map { plane.row(y)[$0] } }
    }

    var padded: PaddedPlane<UInt8> {
        let plane = PaddedPlane<UInt8>(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                plane.row(y)[x] = samples[y * width + x]
            }
            plane.extend(row: y)
        }
        return plane
    }

    /// The peak signal-to-noise ratio against another plane, in dB; 99 if they are equal.
    func ratio(to other: TestPlane) -> Double {
        let squares = zip(samples, other.samples).reduce(0.0) {
            $0 + pow(Double($1.0) - Double($1.1), 2)
        }
        return squares == 0 ? 99 : 10 * log10(255 * 255 * Double(samples.count) / squares)
    }

    /// The mixture of two planes, halves rounded up.
    static func blend(_ a: TestPlane, _ b: TestPlane, at u: Double) -> TestPlane {
        TestPlane(a.width, a.height) { x, y in
            let place = Int(y) * a.width + Int(x)
            return Double(a.samples[place]) * (1 - u) + Double(b.samples[place]) * u
        }
    }
}

/// Two planes and the motion between them.
struct PlanePair {
    let relation: PairRelation
    private let pair: MotionPair
    private let earlier: PaddedPlane<UInt8>
    private let later: PaddedPlane<UInt8>
    private let bands: Bands

    init(_ a: TestPlane, _ b: TestPlane, threads: Int = 1) {
        bands = Bands(threads: threads)
        (earlier, later) = (a.padded, b.padded)
        let pyramids = [earlier, later].map { plane in
            let pyramid = LumaPyramid(width: plane.width, height: plane.height)
            pyramid.fill(from: plane, depth: 8, in: Bands(threads: threads))
            return pyramid
        }
        pair = MotionPair(pyramids[0], pyramids[1], in: bands)
        relation = pair.relation
    }

    /// What is made for an instant.
    func plane(at u: Double) -> TestPlane {
        let vectors = VectorChoice.field(at: Float(u), of: pair, in: bands)
        let target = PaddedPlane<UInt8>(width: earlier.width, height: earlier.height)
        PlaneRenderer(
            NarrowArithmetic(), between: earlier, and: later, along: vectors,
            scale: SIMD2(repeating: Float(pair.reduction)), at: Float(u)
        ).render(into: target, in: bands)
        return TestPlane(target)
    }
}
