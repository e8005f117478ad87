import Foundation
import Media

/// One grain: a short piece of the source, and where it goes in the output.
struct Grain {
    /// The output sample at its centre.
    var time: Int
    /// The position in the source at its centre.
    var centre: Int
    /// 1 where the source plays forward, −1 where it plays backward.
    var direction: Int
    /// The position in the source at which the sound begins that belongs to the grain; nil if all before does.
    var sourceBegin: Int?
    /// The position in the source at which it ends.
    var sourceEnd: Int?
    /// The output samples at which the grain begins and ends to be heard; nil if the window decides.
    var outputBegin: Int?
    var outputEnd: Int?
    /// The grain before, whose phases go on in this one; nil if phases are the source's own.
    var before: (time: Int, centre: Int)?
    /// How far phases are turned towards the source's own: 0 not at all, 1 completely.
    var homing: Float = 0
}

/// Turns the phases of grains so that each goes on where the one before ends: a phase vocoder with one decision for
/// each spectral peak and for all channels (Laroche and Dolson, "Improved phase vocoder time-scale modification of
/// audio", 1999, identity phase locking).
///
/// The advance of a peak's phase from one grain to the next is measured in the source, over exactly the hop of the output,
/// around the middle between both grains. So it needs no ratio and no unwrapping: at any speed, and along any curve, a
/// partial advances by its own frequency there.
struct GrainVocoder {
    /// The side lobes of loud partials lie 55 dB down, and the main lobe is five bins wide. With β = 6 neighbouring partials
    /// disturb each other's phases more, with 9 the main lobes of a chord's run into each other.
    static let beta = 7.5
    /// A narrower window in the output, so that grains whose phases are led back to the source's weaken each other less.
    private static let outputBeta = 15.0
    /// ½·σₒ²/σ² with the variance σₒ² of both windows' product.
    private static let overlapBend = Float(beta / (beta + outputBeta) / 2)
    /// Smaller turns, in radians, are as likely the doing of a neighbouring partial.
    private static let uncertainty: Float = 0.01
    /// Of the bins of noise, a thousandth is so much stronger than their mean.
    private static let clearness: Float = 4

    let windowCount: Int
    private let channelCount: Int
    private let forward: FourierTransform
    private let inverse: FourierTransform
    private let window: GrainWindow
    private let outputWindow: GrainWindow
    /// Where frames wait for a transform, and samples for the output.
    private let (frame, samples): (FourierValues, FourierValues)
    /// The spectra of the grain's own frame, and of those between which the advance of phases is measured, for each pair
    /// of channels.
    private var present: [PairSpectrum]
    private var (earlier, later): ([PairSpectrum], [PairSpectrum])
    /// The spectra of the grain before, with turned phases.
    private var turned: [PairSpectrum]
    private var power: [Float]
    /// The power above which a peak stands out clearly enough to be measured as a chirp.
    private var leastClearPower: Float = 0
    /// Room for the numbers of the bins with peaks.
    private var peaks: [Int]
    /// By what each peak is turned.
    private var rotors: [Complex] = []
    private let voice: VoiceShape?
    /// The windows of the frame that is analysed, of the grain's own frame, and of its output.
    private var cut: [Float]
    private var analysis: [Float]
    private var synthesis: [Float]
    private var weights: GrainWeights
    private let plainWeights: GrainWeights

    /// - Parameters:
    ///   - fade: how many samples a cut takes.
    ///   - voice: keeps the pulses of a voice; nil for music.
    /// - Throws: ``MediaError`` when memory has run out.
    init(channelCount: Int, windowCount: Int, fade: Int, voice: VoiceShape?) throws {
        self.voice = voice
        self.channelCount = channelCount
        self.windowCount = windowCount
        forward = try FourierTransform(count: windowCount, direction: .forward)
        inverse = try FourierTransform(count: windowCount, direction: .inverse)
        (frame, samples) = (
            try FourierValues(count: windowCount), try FourierValues(count: windowCount)
        )
        window = GrainWindow(count: windowCount, beta: Self.beta, fade: fade)
        outputWindow = GrainWindow(count: windowCount, beta: Self.outputBeta, fade: fade)
        func fresh() throws -> [PairSpectrum] {
            try stride(from: 0, to: channelCount, by: 2).map { _ in
                try PairSpectrum(count: windowCount)
            }
        }
        (present, earlier, later, turned) = (try fresh(), try fresh(), try fresh(), try fresh())
        power = [Float](repeating: 0, count: PairSpectrum.binCount(windowCount))
        peaks = [Int](repeating: 0, count: power.count)
        cut = [Float](repeating: 0, count: windowCount)
        (analysis, synthesis) = (cut, cut)
        weights = GrainWeights(count: windowCount)
        weights.set(analysis: window.shape, synthesis: outputWindow.shape)
        plainWeights = weights
    }

    /// The positions in the source that a grain needs.
    func needed(for grain: Grain) -> Range<Int> {
        var centres = [grain.centre]
        if let before = grain.before {
            centres += measured(grain, before)
        }
        let (low, high) = (centres.min() ?? 0, centres.max() ?? 0)
        return low - windowCount / 2 - 1..<high + windowCount / 2 + 2
    }

    /// The centres between which the advance of phases is measured.
    private func measured(_ grain: Grain, _ before: (time: Int, centre: Int)) -> [Int] {
        let hop = grain.time - before.time
        let middle = (grain.centre + before.centre) / 2
        let first = middle - grain.direction * (hop / 2)
        return [first, first + grain.direction * hop]
    }

    /// Makes a grain, and adds it to the output.
    mutating func make(_ grain: Grain, of source: GrainSource, into output: inout GrainSum) {
        let isCut = analyse(source, grain.centre, grain, \.present)
        setWeights(grain, isCut: isCut)
        if let before = grain.before {
            let centres = measured(grain, before)
            _ = analyse(source, centres[0], grain, \.earlier)
            _ = analyse(source, centres[1], grain, \.later)
            let speed = Float(abs(grain.centre - before.centre)) / Float(grain.time - before.time)
            turn(speed: speed, homing: grain.homing)
        }
        swap(&turned, &present)
        let first = grain.time - windowCount / 2
        output.reserve(upTo: first + windowCount)
        output.add(weights, from: first)
        for (number, spectrum) in turned.enumerated() {
            frame.floats.update(from: spectrum.values.floats, count: 2 * windowCount)
            inverse.transform(frame, into: samples)
            for channel in 2 * number..<min(2 * number + 2, channelCount) {
                let part = spectrum.isSingle ? 0 : channel % 2
                output.add(samples.floats + part, channel: channel, from: first, weights)
            }
        }
    }

    /// Sets the weights of a grain whose own frame was analysed last.
    private mutating func setWeights(_ grain: Grain, isCut: Bool) {
        // Where its frame is cut a grain is silent but for what its turned partials leak there.
        let begin = [
            grain.outputBegin.map { $0 - grain.time },
            grain.sourceBegin.map { ($0 - grain.centre) * grain.direction },
        ].compactMap(\.self).max()
        let end = [
            grain.outputEnd.map { $0 - grain.time },
            grain.sourceEnd.map { ($0 - grain.centre) * grain.direction },
        ].compactMap(\.self).min()
        let isOutputCut = outputWindow.write(begin: begin, end: end, to: &synthesis)
        if isCut || isOutputCut {
            weights.set(analysis: cut, synthesis: synthesis)
        } else {
            weights = plainWeights
        }
    }

    /// Fills in the spectra of the frames around a position in the source; the centre of a frame has phase 0.
    ///
    /// - Returns: whether the sound that belongs to the grain begins or ends in the frame.
    private mutating func analyse(
        _ source: GrainSource, _ centre: Int, _ grain: Grain,
        _ spectra: WritableKeyPath<GrainVocoder, [PairSpectrum]>
    ) -> Bool {
        let (direction, half) = (grain.direction, windowCount / 2)
        let isCut = window.write(
            begin: grain.sourceBegin.map { ($0 - centre) * direction },
            end: grain.sourceEnd.map { ($0 - centre) * direction }, to: &cut)
        let range =
            direction > 0
            ? centre - half..<centre + half : centre - half + 1..<centre + half + 1
        for number in present.indices {
            var isSingle = true
            source.withSamples(2 * number, range) { first in
                guard 2 * number + 1 < channelCount else {
                    write(first, nil, direction)
                    return
                }
                source.withSamples(2 * number + 1, range) { second in
                    let bytes = range.count * MemoryLayout<Float>.stride
                    isSingle = memcmp(first, second, bytes) == 0
                    write(first, isSingle ? nil : second, direction)
                }
            }
            forward.transform(frame, into: self[keyPath: spectra][number].values)
            self[keyPath: spectra][number].isSingle = isSingle
        }
        return isCut
    }

    /// Writes windowed samples of one or two channels to ``frame``, the centre first.
    private func write(
        _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>?, _ direction: Int
    ) {
        let (half, values) = (windowCount / 2, frame.floats)
        cut.withUnsafeBufferPointer { cut in
            let window = cut.baseAddress!
            // Samples from the window's begin to the centre, then from the centre on.
            for (from, to) in [(0, half), (half, 0)] {
                let start = direction > 0 ? from : windowCount - 1 - from
                interleave(
                    first + start, (second ?? first) + start, direction, window + from, half,
                    into: values + 2 * to)
            }
        }
        if second == nil {
            for index in 0..<windowCount {
                values[2 &* index &+ 1] = 0
            }
        }
    }

    /// Turns the present spectra so that their phases go on from those of the grain before.
    private mutating func turn(speed: Float, homing: Float) {
        let peakCount = findPeaks()
        leastClearPower = Self.clearness * power.reduce(0, +) / Float(power.count)
        rotors.removeAll(keepingCapacity: true)
        for peak in peaks[..<peakCount] {
            rotors.append(rotor(at: peak, speed, homing: homing))
        }
        if homing == 0 {
            voice?.restore(&rotors, at: peaks[..<peakCount], power: power)
        }
        var first = 0
        for number in 0..<peakCount {
            let next =
                number + 1 < peakCount
                ? (peaks[number] + peaks[number + 1] + 1) / 2 : power.count
            for spectrum in present {
                spectrum.turn(first..<next, by: rotors[number])
            }
            first = next
        }
    }

    /// Finds the bins that are stronger than two neighbours on both sides.
    ///
    /// - Returns: how many there are; at least one.
    private mutating func findPeaks() -> Int {
        var count = 0
        let binCount = power.count
        power.withUnsafeMutableBufferPointer { power in
            peaks.withUnsafeMutableBufferPointer { peaks in
                power.update(repeating: 0)
                guard let values = power.baseAddress else {
                    return
                }
                for spectrum in present {
                    spectrum.addPower(to: values)
                }
                for bin in 0..<binCount &- 2 {
                    // Below bin 0 the spectrum is mirrored.
                    let own = values[bin]
                    let (before, beforeThat) = (
                        values[bin == 0 ? 1 : bin &- 1], values[bin < 2 ? 2 &- bin : bin &- 2]
                    )
                    // Without branches, because they couldn't be foreseen.
                    let falls =
                        (own > before ? 1 : 0) & (own > beforeThat ? 1 : 0)
                        & (own >= values[bin &+ 1] ? 1 : 0) & (own > values[bin &+ 2] ? 1 : 0)
                    peaks[count] = bin
                    count &+= falls
                }
            }
        }
        if count == 0 {
            peaks[0] = 0
        }
        return max(count, 1)
    }

    /// By what the source's phases at a peak are turned: the phases before, advanced as the source's advance, against the
    /// source's phases here.
    private func rotor(at bin: Int, _ speed: Float, homing: Float) -> Complex {
        var sum = Complex(0, 0)
        for pair in present.indices {
            // Of turned · later · conj(earlier) · conj(present) only the phase counts.
            let (before, here) = (turned[pair].bin(bin), present[pair].bin(bin))
            let (from, to) = (earlier[pair].bin(bin), later[pair].bin(bin))
            sum += before.0 * to.0 * (from.0 * here.0).conjugate
            sum += before.1 * to.1 * (from.1 * here.1).conjugate
        }
        let length = sum.power.squareRoot()
        guard length > 1e-30, length < .infinity else {
            return Complex(1, 0)
        }
        sum = sum * straightening(at: bin, speed)
        guard homing > 0 else {
            return Complex(sum.real / length, sum.imaginary / length)
        }
        return Complex(angle: sum.angle * (1 - homing))
    }

    /// The turn that keeps the changes of a partial's frequency from being flattened.
    ///
    /// With the phases φ at the peak and its biases b, a partial has the phase φ − b: that is what has to go on. And where
    /// grains overlap, their own changes of frequency, which are the source's, bend the phase of the sum by
    /// ½·(1 − speed)·x·σₒ²/σ², with the variance σₒ² of the product of both windows.
    private func straightening(at bin: Int, _ speed: Float) -> Complex {
        guard bin > 0, bin + 1 < power.count, power[bin] > leastClearPower,
            let here = Chirp(present, at: bin), let before = Chirp(turned, at: bin),
            let from = Chirp(earlier, at: bin), let to = Chirp(later, at: bin)
        else {
            return Complex(1, 0)
        }
        let measured =
            here.bias - before.bias - to.bias + from.bias
            - Self.overlapBend * (1 - speed) * (here.rise - before.rise)
        let square = measured * measured
        return Complex(angle: measured * square / (square + Self.uncertainty * Self.uncertainty))
    }
}

/// Multiplies two channels with a window, and writes them in turn.
private func interleave(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ direction: Int,
    _ window: UnsafePointer<Float>, _ count: Int, into values: UnsafeMutablePointer<Float>
) {
    if direction > 0 {
        for index in 0..<count {
            values[2 &* index] = first[index] * window[index]
            values[2 &* index &+ 1] = second[index] * window[index]
        }
    } else {
        for index in 0..<count {
            values[2 &* index] = first[0 &- index] * window[index]
            values[2 &* index &+ 1] = second[0 &- index] * window[index]
        }
    }
}
