import Foundation
import Media
import TestSupport
import TimeMaps

@testable import Alignment

/// The sound of an event, in a table fine enough to be read at any fractional position.
final class SyntheticEvent: Sendable {
    static let rate = 32000.0

    enum Kind: CaseIterable, Sendable { case noise, music, speech }

    let values: [Float]

    init(_ kind: Kind, seconds: Double, seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let count = Int(seconds * Self.rate)
        switch kind {
        case .noise: values = try Self.noise(count, &generator)
        case .music: values = Self.music(count, &generator)
        case .speech: values = Self.speech(count, &generator)
        }
    }

    init(values: [Float]) { self.values = values }

    /// Noise from 100 Hz to 7 kHz: blocks of sinusoids with random phases, crossfaded.
    private static func noise(_ count: Int, _ generator: inout SplitMix64) throws -> [Float] {
        let size = 32768
        let transform = try FourierTransform(count: size, direction: .inverse)
        var values = [Float](repeating: 0, count: count + 2 * size)
        let window = (0..<size).map { Float(sin(Double.pi * (Double($0) + 0.5) / Double(size))) }
        // A table of phases costs less than computing a sine for each sample.
        let circle = (0..<4096).map { Float(0.002 * cos(2 * Double.pi * Double($0) / 4096)) }
        let band = (100 * size / 32000)..<(7000 * size / 32000)
        for start in stride(from: 0, to: count, by: size / 2) {
            transform.transform { input in
                input.update(repeating: 0, count: 2 * size)
                for bin in band {
                    let phase = Int(generator.next() >> 52)
                    input[2 * bin] = circle[phase]
                    input[2 * bin + 1] = circle[(phase + 1024) & 4095]
                }
            } reading: { output in
                values.withUnsafeMutableBufferPointer { values in
                    for index in 0..<size {
                        values[start + index] += output[2 * index] * window[index]
                    }
                }
            }
        }
        return Array(values.prefix(count))
    }

    /// Four random notes of four harmonics every half second, struck and decaying.
    private static func music(_ count: Int, _ generator: inout SplitMix64) -> [Float] {
        var values = [Float](repeating: 0, count: count)
        let length = Int(rate / 2)
        for start in stride(from: 0, to: count, by: length) {
            let end = min(start + length, count)
            for _ in 0..<4 {
                let note = 45 + Double(Int(generator.unit() * 36))
                let pitch = 440 * pow(2, (note - 69) / 12)
                for harmonic in 1...4 {
                    addPartial(
                        pitch * Double(harmonic), size: 0.08 / Float(harmonic),
                        decay: 3 + 2 * Double(harmonic), start..<end, &values, &generator)
                }
            }
        }
        return values
    }

    /// A sinusoid that starts within 2 ms and decays, computed by rotating a vector.
    private static func addPartial(
        _ frequency: Double, size: Float, decay: Double, _ range: Range<Int>,
        _ values: inout [Float], _ generator: inout SplitMix64
    ) {
        let turn = 2 * Double.pi * frequency / rate
        let keep = exp(-decay / rate)
        let (stepRe, stepIm) = (Float(keep * cos(turn)), Float(keep * sin(turn)))
        let phase = 2 * Float.pi * generator.unit()
        var (re, im) = (size * cos(phase), size * sin(phase))
        let edge = 64
        let slope = 1 / Float(edge)
        values.withUnsafeMutableBufferPointer { buffer in
            guard let values = buffer.baseAddress else { return }
            let (first, end) = (range.lowerBound, range.upperBound)
            var index = first
            while index < end {
                let place = index - first < end - index ? index - first : end - index
                let fade = place < edge ? Float(place) * slope : 1
                values[index] += im * fade
                let turned = re * stepRe - im * stepIm
                im = im * stepRe + re * stepIm
                re = turned
                index += 1
            }
        }
    }

    /// Syllables of harmonics or of hiss, with pauses between.
    private static func speech(_ count: Int, _ generator: inout SplitMix64) -> [Float] {
        var values = [Float](repeating: 0, count: count)
        var start = 0
        while start < count {
            let length = Int(rate * Double(0.08 + 0.3 * generator.unit()))
            let range = start..<min(start + length, count)
            if generator.unit() < 0.65 {
                addVowel(range, &values, &generator)
            } else {
                addHiss(range, &values, &generator)
            }
            let isPause = generator.unit() < 0.25
            start += length + Int(rate * Double((isPause ? 1.2 : 0.15) * generator.unit()))
        }
        return values
    }

    private static func addVowel(
        _ range: Range<Int>, _ values: inout [Float], _ generator: inout SplitMix64
    ) {
        let pitch = 90 + 140 * Double(generator.unit())
        let formants = [250 + 600 * generator.unit(), 900 + 1500 * generator.unit()]
        for harmonic in 1...14 {
            let frequency = pitch * Double(harmonic)
            let size = formants.map { formant in
                let apart = (Float(frequency) - formant) / 180
                return 0.12 / (1 + apart * apart)
            }
            addPartial(
                frequency, size: size[0] + size[1] / 2, decay: 1, range, &values, &generator)
        }
    }

    private static func addHiss(
        _ range: Range<Int>, _ values: inout [Float], _ generator: inout SplitMix64
    ) {
        let turn = 2 * Float.pi * (1500 + 4000 * generator.unit()) / Float(rate)
        let radius: Float = 0.9
        let (a, b) = (2 * radius * cos(turn), radius * radius)
        var (last, before): (Float, Float) = (0, 0)
        values.withUnsafeMutableBufferPointer { values in
            for index in range {
                let value = 0.02 * generator.bell() + a * last - b * before
                values[index] += value
                (last, before) = (value, last)
            }
        }
    }
}

/// A recorder's clock: from `start` (in recording seconds) on, the event continues from `eventStart` at
/// `slope` event seconds for each recording second.
struct ClockPiece {
    let start: Double
    let eventStart: Double
    let slope: Double

    /// Clock pieces that follow each other without a gap, each `seconds` long at `ppm`.
    static func following(
        from eventStart: Double, _ parts: [(seconds: Double, ppm: Double)]
    ) -> [ClockPiece] {
        var pieces: [ClockPiece] = []
        var (time, eventTime) = (0.0, eventStart)
        for part in parts {
            let slope = 1 + part.ppm * 1e-6
            pieces.append(ClockPiece(start: time, eventStart: eventTime, slope: slope))
            time += part.seconds
            eventTime += part.seconds * slope
        }
        return pieces
    }
}

/// What a microphone and its recorder recorded of an event.
struct Take {
    let sampleRate: Double
    let clock: [ClockPiece]
    var values: [Float]

    var duration: Double { Double(values.count) / sampleRate }

    init(of event: SyntheticEvent, sampleRate: Double, seconds: Double, clock: [ClockPiece]) {
        self.sampleRate = sampleRate
        self.clock = clock
        let count = Int(seconds * sampleRate)
        values = [Float](repeating: 0, count: count)
        for (index, piece) in clock.enumerated() {
            let first = Int((piece.start * sampleRate).rounded(.up))
            let isLast = index + 1 == clock.count
            let end =
                isLast
                ? count : min(count, Int((clock[index + 1].start * sampleRate).rounded(.up)))
            guard first < end else { continue }
            fill(first..<end, from: event, piece)
        }
    }

    /// The event time at a recording time.
    func eventTime(of time: Double) -> Double {
        let piece = clock.last { $0.start <= time } ?? clock[0]
        return piece.eventStart + (time - piece.start) * piece.slope
    }

    /// The recording time at an event time, for a clock of one piece.
    func time(ofEvent eventTime: Double) -> Double {
        clock[0].start + (eventTime - clock[0].eventStart) / clock[0].slope
    }

    /// The sound in blocks of an unusual length.
    var sound: MonoSound {
        let values = values
        return MonoSound(sampleRate: sampleRate) {
            var start = 0
            return {
                guard start < values.count else { return nil }
                let end = min(start + 5003, values.count)
                defer { start = end }
                return Array(values[start..<end])
            }
        }
    }

    /// Lagrange interpolation through the six values around each position.
    private mutating func fill(_ range: Range<Int>, from event: SyntheticEvent, _ piece: ClockPiece)
    {
        let step = piece.slope / sampleRate * SyntheticEvent.rate
        let offset = Double(range.lowerBound) / sampleRate - piece.start
        let first = (piece.eventStart + offset * piece.slope) * SyntheticEvent.rate
        let count = event.values.count
        values.withUnsafeMutableBufferPointer { values in
            event.values.withUnsafeBufferPointer { buffer in
                guard let table = buffer.baseAddress else { return }
                for index in range {
                    let place = first + Double(index - range.lowerBound) * step
                    let whole = Int(place)
                    guard place >= 2, whole + 3 < count else { continue }
                    let x = Float(place - Double(whole))
                    let (a, b, c, d, e) = (x + 2, x + 1, x - 1, x - 2, x - 3)
                    let (ab, de, bx) = (a * b, d * e, b * x)
                    let cde = c * de
                    var sum = -table[whole - 2] * bx * cde / 120
                    sum += table[whole - 1] * a * x * cde / 24
                    sum -= table[whole] * ab * cde / 12
                    sum += table[whole + 1] * ab * x * de / 12
                    sum -= table[whole + 2] * ab * x * c * e / 24
                    sum += table[whole + 3] * ab * x * c * d / 120
                    values[index] = sum
                }
            }
        }
    }
}
