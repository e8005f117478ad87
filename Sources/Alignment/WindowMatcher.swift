import Foundation
import Media

/// Measures how far a window of one sound is from its expected position in another, to a small fraction of a
/// sample.
///
/// It uses generalised cross-correlation with the phase transform (Knapp & Carter 1976), twice: first over
/// half a second in both directions, to find the position; then at that position only, to refine it. For the
/// second step both sounds are multiplied by the same window function, so that they contain the same part of
/// the event, and the phases show whether they really agree.
package final class WindowMatcher {
    /// The number of values of the recording in a window.
    package static let length = 8192
    /// How far the position may be from the expected one, in values.
    package static let reach = 4096
    /// The number of values of the reference that are needed.
    package static let span = length + 2 * reach

    /// The window of the recording.
    package let recording: UnsafeMutablePointer<Float>
    /// The section of the reference. Its value number `reach` is expected to match the recording's first one.
    package let reference: UnsafeMutablePointer<Float>

    private let wide: FourierTransform
    private let back: FourierTransform
    private let narrow: FourierTransform
    private let cross: UnsafeMutablePointer<Float>
    private let hann: [Float]

    /// How far a peak must stand out from the rest, in standard deviations.
    private static let leastStrength: Float = 6.5
    /// The highest other peak, relative to the peak. With a higher one, the sound repeats itself.
    private static let mostRivalry: Float = 0.85
    /// How well the phases must agree, from 0 to 1. Unrelated sounds reach 0.1.
    private static let leastCoherence = 0.25

    package init() throws {
        wide = try FourierTransform(count: Self.span, direction: .forward)
        back = try FourierTransform(count: Self.span, direction: .inverse)
        narrow = try FourierTransform(count: Self.length, direction: .forward)
        recording = .allocate(capacity: Self.length)
        reference = .allocate(capacity: Self.span)
        cross = .allocate(capacity: 2 * Self.span)
        recording.initialize(repeating: 0, count: Self.length)
        reference.initialize(repeating: 0, count: Self.span)
        cross.initialize(repeating: 0, count: 2 * Self.span)
        hann = (0..<Self.length).map {
            Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(Self.length)))
        }
    }

    deinit {
        recording.deallocate()
        reference.deallocate()
        cross.deallocate()
    }

    /// By how many values the window is later in the reference than expected; nil when there is no clear
    /// match.
    package func displacement() -> Double? {
        let level = Self.level(recording, count: Self.length)
        let otherLevel = Self.level(reference, count: Self.span)
        guard level > 0, otherLevel > 0, level.isFinite, otherLevel.isFinite else { return nil }
        let scales = (1 / level, 1 / otherLevel)
        correlate(wide, from: 0, scales: scales)
        guard let place = peak() else { return nil }
        let whole = Int(place.rounded())
        guard whole >= 0, whole <= 2 * Self.reach else { return nil }
        correlate(narrow, from: whole, scales: scales)
        guard let rest = refine(from: place - Double(whole)) else { return nil }
        return Double(whole - Self.reach) + rest
    }

    /// The root mean square. Both sounds share one transform, so they are scaled to the same level.
    private static func level(_ values: UnsafeMutablePointer<Float>, count: Int) -> Float {
        var sum: Float = 0
        for index in 0..<count { sum += values[index] * values[index] }
        return (sum / Float(count)).squareRoot()
    }

    /// Computes the whitened cross spectrum of both sounds into `cross`.
    private func correlate(_ transform: FourierTransform, from start: Int, scales: (Float, Float)) {
        let size = transform.count
        let (scale, otherScale) = scales
        let isCut = size == Self.length
        transform.transform { values in
            hann.withUnsafeBufferPointer { hann in
                for index in 0..<Self.length {
                    values[2 * index] = recording[index] * hann[index] * scale
                    let other = reference[start + index] * otherScale
                    values[2 * index + 1] = isCut ? other * hann[index] : other
                }
            }
            for index in Self.length..<max(size, Self.length) {
                values[2 * index] = 0
                values[2 * index + 1] = reference[index] * otherScale
            }
        } reading: { spectrum in
            whiten(spectrum, size: size)
        }
    }

    /// The bins of the frequency band that is compared: above hum and below the filter's cutoff.
    private static func band(size: Int) -> Range<Int> {
        let width = BandlimitedReader.rate / Double(size)
        return Int(160 / width)..<Int(3300 / width)
    }

    /// Separates the two spectra, multiplies one by the conjugate of the other, and normalises the magnitudes.
    /// Bins far below the mean stay small, because they contain only noise.
    private func whiten(_ spectrum: UnsafePointer<Float>, size: Int) {
        let band = Self.band(size: size)
        var total: Float = 0
        for bin in band {
            let (a, b) = (spectrum[2 * bin], spectrum[2 * bin + 1])
            let (c, d) = (spectrum[2 * (size - bin)], spectrum[2 * (size - bin) + 1])
            let (xr, xi) = (a + c, b - d)
            let (yr, yi) = (b + d, c - a)
            let (re, im) = (xr * yr + xi * yi, xr * yi - xi * yr)
            cross[2 * bin] = re
            cross[2 * bin + 1] = im
            total += (re * re + im * im).squareRoot()
        }
        let floor = 0.1 * total / Float(band.count) + .leastNormalMagnitude
        for bin in band {
            let (re, im) = (cross[2 * bin], cross[2 * bin + 1])
            let scale = 1 / ((re * re + im * im).squareRoot() + floor)
            cross[2 * bin] = re * scale
            cross[2 * bin + 1] = im * scale
        }
    }

    /// Where the correlation over the whole span is highest, in values from the span's start; nil when no peak
    /// is clear enough.
    private func peak() -> Double? {
        let band = Self.band(size: Self.span)
        return back.transform { values in
            values.update(repeating: 0, count: 2 * Self.span)
            (values + 2 * band.lowerBound).update(
                from: cross + 2 * band.lowerBound, count: 2 * band.count)
        } reading: { output in
            var (best, place, squares): (Float, Int, Float) = (0, 0, 0)
            for index in 0...(2 * Self.reach) {
                let value = output[2 * index]
                squares += value * value
                guard value > best else { continue }
                (best, place) = (value, index)
            }
            let deviation = (squares / Float(2 * Self.reach + 1)).squareRoot()
            guard best > Self.leastStrength * deviation, place > 0, place < 2 * Self.reach,
                Self.rival(of: place, in: output) < Self.mostRivalry * best
            else { return nil }
            let (left, right) = (output[2 * place - 2], output[2 * place + 2])
            let bend = left - 2 * best + right
            return Double(place) + (bend < 0 ? Double(0.5 * (left - right) / bend) : 0)
        }
    }

    /// The highest value that doesn't belong to the peak at `place`.
    private static func rival(of place: Int, in output: UnsafePointer<Float>) -> Float {
        // Three milliseconds: the peak of narrow-band sound is that broad.
        let width = 24
        var best: Float = 0
        for index in 0...(2 * reach) where abs(index - place) > width {
            best = max(best, output[2 * index])
        }
        return best
    }

    /// The delay at which the phases in `cross` agree best, by Newton's method from a close guess; nil when they
    /// don't agree well enough.
    private func refine(from guess: Double) -> Double? {
        let band = Self.band(size: Self.length)
        let turn = 2 * Double.pi / Double(Self.length)
        var delay = guess
        var coherence = 0.0
        for _ in 0..<4 {
            var (sum, first, second, total) = (0.0, 0.0, 0.0, 0.0)
            // e^(iωd) is computed from bin to bin by a rotation.
            let lowest = turn * delay * Double(band.lowerBound)
            var (cosine, sine) = (cos(lowest), sin(lowest))
            let (stepCosine, stepSine) = (cos(turn * delay), sin(turn * delay))
            for bin in band {
                let (re, im) = (Double(cross[2 * bin]), Double(cross[2 * bin + 1]))
                let along = re * cosine - im * sine
                let across = re * sine + im * cosine
                let frequency = Double(bin)
                sum += along
                total += (re * re + im * im).squareRoot()
                first -= frequency * across
                second -= frequency * frequency * along
                (cosine, sine) = (
                    cosine * stepCosine - sine * stepSine, sine * stepCosine + cosine * stepSine
                )
            }
            guard total > 0, second < 0 else { return nil }
            coherence = sum / total
            delay -= first / (second * turn)
        }
        guard coherence > Self.leastCoherence, abs(delay - guess) < 1.5 else { return nil }
        return delay
    }
}
