import Foundation
import Media

/// Finds how far a window of one sound lies from where it was expected in another, to a small
/// part of a sample.
///
/// Generalised cross-correlation with the phase transform (Knapp & Carter 1976): first over half a
/// second either way to find the place, then over the place alone to measure it, where both sounds
/// are cut by the same window, so that what doesn't belong to the event can be told from what does.
package final class WindowMatcher {
    /// How many values of the recording one window has.
    package static let length = 8192
    /// How far the place may be from the expected one, in values.
    package static let reach = 4096
    /// How many values of the reference that takes.
    package static let span = length + 2 * reach

    /// The window of the recording.
    package let recording: UnsafeMutablePointer<Float>
    /// The stretch of the reference; value `reach` is expected to be the recording's first one.
    package let reference: UnsafeMutablePointer<Float>

    private let wide: FourierTransform
    private let back: FourierTransform
    private let narrow: FourierTransform
    private let cross: UnsafeMutablePointer<Float>
    private let hann: [Float]

    /// A peak must stand this far out of the rest, in standard deviations…
    private static let leastStrength: Float = 6.5
    /// …and be higher than any other by this much, else the sound repeats itself.
    private static let mostRivalry: Float = 0.85
    /// What the phases must agree by; those of unrelated sounds reach 0.1.
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

    /// How many values later than expected the window lies in the reference, `nil` where nothing
    /// can be told.
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

    /// The root mean square; both sounds share one transform, so they are brought to one level.
    private static func level(_ values: UnsafeMutablePointer<Float>, count: Int) -> Float {
        var sum: Float = 0
        for index in 0..<count { sum += values[index] * values[index] }
        return (sum / Float(count)).squareRoot()
    }

    /// Leaves the whitened cross spectrum of both sounds in `cross`.
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

    /// The bins of the band that is compared: hum below and the cutoff above are left out.
    private static func band(size: Int) -> Range<Int> {
        let width = BandlimitedReader.rate / Double(size)
        return Int(160 / width)..<Int(3300 / width)
    }

    /// Parts the two spectra, multiplies the one by the other's conjugate and evens the sizes out;
    /// bins far below the mean stay small, for they hold noise alone.
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

    /// Where the correlation over the whole span is highest, in values from the span's start.
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

    /// The highest value that is not part of the peak at `place`.
    private static func rival(of place: Int, in output: UnsafePointer<Float>) -> Float {
        // Three milliseconds: a narrow band of sound has a peak as broad as that.
        let width = 24
        var best: Float = 0
        for index in 0...(2 * reach) where abs(index - place) > width {
            best = max(best, output[2 * index])
        }
        return best
    }

    /// The delay that the phases in `cross` agree on best, by Newton's method from a near guess.
    private func refine(from guess: Double) -> Double? {
        let band = Self.band(size: Self.length)
        let turn = 2 * Double.pi / Double(Self.length)
        var delay = guess
        var coherence = 0.0
        for _ in 0..<4 {
            var (sum, first, second, total) = (0.0, 0.0, 0.0, 0.0)
            // e^(iωd) from bin to bin by rotation.
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
