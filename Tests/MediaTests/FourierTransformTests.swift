import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@Suite("The Fourier transform")
struct FourierTransformTests {
    @Test(
        "gives the sum that defines it", arguments: [FourierTransform.Direction.forward, .inverse])
    func definition(_ direction: FourierTransform.Direction) throws {
        let count = 32
        var generator = SplitMix64(seed: 9)
        let values = (0..<(2 * count)).map { _ in generator.bell() }
        let transform = try FourierTransform(count: count, direction: direction)
        let result = transform.transform { input in
            for index in values.indices { input[index] = values[index] }
        } reading: { output in
            (0..<(2 * count)).map { output[$0] }
        }
        let sign = direction == .forward ? -1.0 : 1.0
        for bin in 0..<count {
            var (re, im) = (0.0, 0.0)
            for index in 0..<count {
                let phase = sign * 2 * Double.pi * Double(bin * index % count) / Double(count)
                let (a, b) = (Double(values[2 * index]), Double(values[2 * index + 1]))
                re += a * cos(phase) - b * sin(phase)
                im += a * sin(phase) + b * cos(phase)
            }
            // Single precision: 2^-24 times the sum of 32 values, with some steps between.
            #expect(abs(Double(result[2 * bin]) - re) < 1e-5)
            #expect(abs(Double(result[2 * bin + 1]) - im) < 1e-5)
        }
    }

    @Test("forth and back multiplies by the count", arguments: [256, 4096, 16384, 131_072])
    func forthAndBack(_ count: Int) throws {
        let forth = try FourierTransform(count: count, direction: .forward)
        let back = try FourierTransform(count: count, direction: .inverse)
        var generator = SplitMix64(seed: 10)
        let values = (0..<(2 * count)).map { _ in generator.bell() }
        let middle = forth.transform { input in
            for index in values.indices { input[index] = values[index] }
        } reading: { output in
            Array(UnsafeBufferPointer(start: output, count: 2 * count))
        }
        let worst = back.transform { input in
            for index in middle.indices { input[index] = middle[index] }
        } reading: { output in
            values.indices.map { abs(output[$0] / Float(count) - values[$0]) }.max() ?? .infinity
        }
        // Single precision with log2(count) ≤ 17 roundings.
        #expect(worst < 1e-5)
    }
}
