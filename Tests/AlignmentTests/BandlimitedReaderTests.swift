import Foundation
import Testing

@testable import Alignment

@Suite("Reading at another rate")
struct BandlimitedReaderTests {
    private func tone(_ frequency: Double, rate: Double) throws -> SoundStream {
        let values = (0..<Int(rate)).map { Float(sin(2 * .pi * frequency * Double($0) / rate)) }
        let sound = MonoSound(sampleRate: rate) {
            var rest: [Float]? = values
            return {
                defer { rest = nil }
                return rest
            }
        }
        let stream = try SoundStream(sound, slackSeconds: 1)
        _ = try stream.read(upTo: values.count, checkCancelled: {})
        return stream
    }

    /// A thousand values around half a second.
    private func values(of stream: SoundStream, rate: Double, step: Double) -> [Float] {
        let reader = BandlimitedReader(sampleRate: rate)
        var values = [Float](repeating: 0, count: 1000)
        values.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            reader.read(stream, around: 0.5, origin: 500, step: step, count: 1000, into: base)
        }
        return values
    }

    private func worst(_ frequency: Double, rate: Double) throws -> Double {
        let step = 1.0003 / BandlimitedReader.rate
        let values = values(of: try tone(frequency, rate: rate), rate: rate, step: step)
        let errors = values.indices.map { index in
            let time = 0.5 + Double(index - 500) * step
            return abs(Double(values[index]) - sin(2 * .pi * frequency * time))
        }
        return errors.max() ?? .infinity
    }

    @Test("a tone stays where it is", arguments: [8000.0, 16000, 44100, 48000, 192_000])
    func tones(_ rate: Double) throws {
        // The table's phases are 1/512 sample apart, so the error is at most 2π·1000/8000/512 = 0.0015.
        #expect(try worst(1000, rate: rate) < 0.003)
    }

    @Test("what lies above the new rate's half is gone")
    func alias() throws {
        let values = values(of: try tone(6500, rate: 48000), rate: 48000, step: 1 / 8000)
        // The window attenuates the stop band by 60 dB.
        #expect(values.allSatisfy { abs($0) < 0.002 })
    }

    @Test("before the first and after the last sample there is silence")
    func outside() throws {
        let stream = try tone(1000, rate: 16000)
        let reader = BandlimitedReader(sampleRate: 16000)
        var values = [Float](repeating: 1, count: 8000)
        values.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            reader.read(stream, around: -3, origin: 0, step: 1 / 8000, count: 4000, into: base)
            reader.read(
                stream, around: 1.2, origin: 0, step: 1 / 8000, count: 4000, into: base + 4000)
        }
        #expect(values.allSatisfy { $0 == 0 })
    }
}
