import Foundation

/// One channel of the sample clip's sound.
struct SampleSound {
    private let sampleRate: Int64
    private let sampleCount: Int64
    private let firstDegree: Int
    private let clickSeconds: Range<Int64>

    /// The melody in steps of the pentatonic scale, one every half second.
    private static let melody = [0, 2, 4, 3, 5, 4, 2, 1]
    private static let semitones = [0, 2, 4, 7, 9]
    private static let clickLevel = 0.8
    /// The levels of the fundamental, the octave and the twelfth.
    private static let partials = [0.08, 0.024, 0.009]

    init(scene: SampleScene, channel: Int) {
        sampleRate = Int64(scene.sampleRate)
        sampleCount = scene.sampleCount
        let (first, end) = (scene.flashSeconds.lowerBound, scene.flashSeconds.upperBound)
        clickSeconds = Int64(first)..<Int64(end)
        // A low-frequency channel carries up to 120 Hz, so its melody is two octaves lower, 55 to 110 Hz.
        let isLowFrequency = scene.channelCount >= 6 && channel == 3
        firstDegree = isLowFrequency ? -10 : 2 * channel
    }

    /// The note's frequency in Hz, on a major pentatonic scale from A3, 220 Hz.
    func frequency(ofNote note: Int) -> Double {
        let count = Self.melody.count
        let degree = firstDegree + Self.melody[((note % count) + count) % count]
        let octave = Int((Double(degree) / 5).rounded(.down))
        let semitone = 12 * octave + Self.semitones[degree - 5 * octave]
        return 220 * pow(2, Double(semitone) / 12)
    }

    func samples(from start: Int64, count: Int) -> [Float] {
        var samples = [Float](repeating: 0, count: count)
        var position = max(start, 0)
        let end = min(start + Int64(count), sampleCount)
        while position < end {
            let note = Int(2 * position / sampleRate)
            let noteEnd = min(end, (Int64(note + 1) * sampleRate + 1) / 2)
            play(note, in: position..<noteEnd, into: &samples, from: start)
            position = noteEnd
        }
        addClicks(to: &samples, from: start)
        return samples
    }

    private func play(
        _ note: Int, in places: Range<Int64>, into samples: inout [Float], from start: Int64
    ) {
        let frequency = frequency(ofNote: note)
        // A partial above the Nyquist frequency would alias to a wrong tone.
        let levels = Self.partials.enumerated().map { index, level in
            frequency * Double(index + 1) < 0.45 * Double(sampleRate) ? level : 0
        }
        let (first, second, third) = (levels[0], 2 * levels[1], levels[2])
        let interval = 1 / Double(sampleRate)
        let turn = 2 * Double.pi * frequency
        let noteStart = Double(note) / 2
        var place = places.lowerBound
        while place < places.upperBound {
            let time = Double(place) * interval - noteStart
            let (s, c) = (sin(turn * time), cos(turn * time))
            // sin 2x = 2 sin x cos x, sin 3x = 3 sin x − 4 sin³ x.
            let wave = s * (first + second * c + third * (3 - 4 * s * s))
            let left = Double(sampleCount - place) * interval
            samples[Int(place - start)] = Float(wave * Self.loudness(at: time, beforeEnd: left))
            place += 1
        }
    }

    /// The envelope of a note. It rises and falls softly, so that only the clicks sound like clicks.
    private static func loudness(at time: Double, beforeEnd left: Double) -> Double {
        var loudness = 1 - 1.1 * time
        if time < 0.02 { loudness *= softStep(time / 0.02) }
        if time > 0.44 { loudness *= softStep((0.5 - time) / 0.06) }
        if left < 0.02 { loudness *= softStep(left / 0.02) }
        return loudness
    }

    private static func softStep(_ x: Double) -> Double {
        let x = max(0, min(1, x))
        return x * x * (3 - 2 * x)
    }

    /// Adds the clicks. A click is ½ (1 + cos 2πt/T) within T/2 of its whole second, with T = 1 ms.
    private func addClicks(to samples: inout [Float], from start: Int64) {
        let reach = sampleRate / 2000
        let end = start + Int64(samples.count)
        let first = max(clickSeconds.lowerBound, (start - reach) / sampleRate)
        let last = min(clickSeconds.upperBound - 1, (end + reach) / sampleRate)
        guard first <= last else { return }
        for second in first...last {
            let peak = second * sampleRate
            for place in max(start, peak - reach)..<max(start, min(end, peak + reach + 1)) {
                let turns = Double(place - peak) * 1000 / Double(sampleRate)
                let pulse = Self.clickLevel * 0.5 * (1 + cos(2 * .pi * turns))
                samples[Int(place - start)] += place < sampleCount ? Float(pulse) : 0
            }
        }
    }
}
