import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// What both ways of retiming sound must do: give the exact length, however the input is cut into blocks.
@Suite("Retimed sound")
struct AudioRetimerTests {
    static let rate = 48_000.0

    enum Way: String, CaseIterable {
        case varispeed, pitchKept
    }

    private func retimer(
        _ way: Way, _ map: TimeMap, of samples: [[Float]], rate: Double = Self.rate,
        outputRate: Double = Self.rate
    ) throws -> any AudioRetimer {
        var place = 0
        let source = SourceSound(channelCount: samples.count) {
            guard place < samples[0].count else {
                return nil
            }
            let end = min(place + 1021, samples[0].count)
            defer { place = end }
            return SampleBlock(
                start: Int64(place), channels: samples.map { Array($0[place..<end]) })
        }
        let retiming = AudioRetiming(
            map: map, sourceStart: 0, channelCount: samples.count, sourceRate: rate,
            outputRate: outputRate,
            sampleCount: Int64((map.outputDuration * outputRate).rounded()))
        switch way {
        case .varispeed: return VarispeedRetimer(retiming, interpolation: .sinc, source: source)
        case .pitchKept: return try PitchKeepingRetimer(retiming, source: source)
        }
    }

    @Test("backwards at half speed a tone keeps its length, and its pitch where that is asked for")
    func backwards() throws {
        let samples = [tone(440, seconds: 4), tone(1000, seconds: 4)]
        let store = try StoredSound(channelCount: 2, space: SpillSpace())
        try store.append(SampleBlock(start: 0, channels: samples))
        let length = RationalTime(4, over: 1)
        let map = try TimeMap(
            pieces: [
                TimeMap.Piece(ExactLine(.zero, RationalTime(8, over: 1), from: length, to: .zero))
            ], sourceDuration: length)
        let retiming = AudioRetiming(
            map: map, sourceStart: 0, channelCount: 2, sourceRate: Self.rate,
            outputRate: Self.rate, sampleCount: 8 * 48_000)
        let source = SourceSound(channelCount: 2, in: store)
        let ways: [(any AudioRetimer, [Double])] = [
            (VarispeedRetimer(retiming, interpolation: .sinc, source: source), [220, 500]),
            (try PitchKeepingRetimer(retiming, source: source), [440, 1000]),
        ]
        for (retimer, tones) in ways {
            let sound = try sound(retimer)
            #expect(sound.allSatisfy { $0.count == 8 * 48_000 })
            for (channel, frequency) in zip(sound, tones) {
                let middle = Array(channel[96_000..<288_000])
                let crossings = zip(middle, middle.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
                // Over four seconds, with one wave more or less at the ends.
                #expect(abs(Double(crossings) / 4 - frequency) < 1)
                #expect((middle.max() ?? 0) > 0.3)
            }
        }
    }

    @Test("sound on either side of a cut is never in memory at once")
    func cut() throws {
        let length = RationalTime(3600, over: 1)
        let store = try StoredSound(channelCount: 1, space: SpillSpace())
        // A hole in the file is silence, and writing a file with holes takes no time.
        try store.append(SampleBlock(start: 0, channels: [tone(440, seconds: 1)]))
        let map = try TimeMap(
            through: [(0, 0), (1, 1), (1, 3500), (2, 3501)].map {
                TimeAnchor(source: RationalTime($1, over: 1), output: RationalTime($0, over: 1))
            }, sourceDuration: length)
        let fades = CutFades(map, rate: Self.rate)
        #expect(fades.nextCut(after: 0) == 48_000)
        #expect(fades.nextCut(after: 48_000) == nil)
        var retimer = VarispeedRetimer(
            AudioRetiming(
                map: map, sourceStart: 0, channelCount: 1, sourceRate: Self.rate,
                outputRate: Self.rate, sampleCount: 96_000),
            interpolation: .sinc, source: SourceSound(channelCount: 1, in: store))
        var lengths: [Int] = []
        while let block = try retimer.next(limit: 10_000) {
            lengths.append(block[0].count)
        }
        #expect(
            lengths == [
                10_000, 10_000, 10_000, 10_000, 8_000, 10_000, 10_000, 10_000, 10_000, 8_000,
            ])
    }

    private func sound(_ retimer: any AudioRetimer, limit: Int = 4096) throws -> [[Float]] {
        var retimer = retimer
        var all: [[Float]] = []
        while let block = try retimer.next(limit: limit) {
            #expect(block.allSatisfy { $0.count == block[0].count && $0.count <= limit })
            all = all.isEmpty ? block : zip(all, block).map { $0 + $1 }
        }
        return all
    }

    private func tone(_ frequency: Double, seconds: Double, rate: Double = Self.rate) -> [Float] {
        (0..<Int(seconds * rate)).map { Float(0.4 * sin(2 * .pi * frequency * Double($0) / rate)) }
    }

    private func ramp(_ duration: Double, _ formula: String) throws -> TimeMap {
        let source = try RationalTime(seconds: duration, timescale: 1000, rounding: .nearest)
        return try TimeMap(
            warping: source, by: Curve.scale(Formula(formula)).timeScale(duration: source))
    }

    private func uniform(_ source: Double, _ output: Double) throws -> TimeMap {
        try .uniform(
            from: RationalTime(seconds: source, timescale: 1_000_000, rounding: .nearest),
            to: RationalTime(seconds: output, timescale: 1_000_000, rounding: .nearest))
    }

    @Test(
        "the length is exact at any speed", arguments: Way.allCases,
        [0.003, 0.04, 0.3, 0.99, 1, 1.0003, 1.7, 5, 40])
    func exactLength(way: Way, factor: Double) throws {
        let seconds = factor > 3 ? 0.2 : 1.0
        let samples = tone(500, seconds: seconds)
        let map = try uniform(seconds, seconds * factor)
        let heard = try sound(retimer(way, map, of: [samples, samples]))
        #expect(heard.count == 2)
        #expect(heard[0].count == Int((map.outputDuration * Self.rate).rounded()))
        #expect(heard[0].allSatisfy { $0.isFinite })
        // At 333 times speed, a resampled tone is too high to be heard. A tone whose pitch is kept is heard.
        #expect(heard[0].contains { abs($0) > 0.1 } == (way == .pitchKept || factor > 0.02))
    }

    @Test("a source of one sample, or none, gives its length all the same", arguments: Way.allCases)
    func tinySources(way: Way) throws {
        for count in [0, 1, 2] {
            let map = try uniform(0.05, 0.08)
            let samples = [Float](repeating: 0.5, count: count)
            let heard = try sound(retimer(way, map, of: [samples]))
            #expect(heard[0].count == 3840)
        }
    }

    @Test("silence stays silent", arguments: Way.allCases)
    func silence(way: Way) throws {
        let samples = [Float](repeating: 0, count: 48_000)
        let heard = try sound(retimer(way, ramp(1, "1+t"), of: [samples]))
        #expect(heard[0].allSatisfy { $0 == 0 })
    }

    @Test("blocks of any size hold the same sound", arguments: Way.allCases)
    func blocks(way: Way) throws {
        let samples = tone(440, seconds: 1)
        let whole = try sound(retimer(way, ramp(1, "1+t"), of: [samples]))
        for limit in [1, 100, 777] {
            #expect(try sound(retimer(way, ramp(1, "1+t"), of: [samples]), limit: limit) == whole)
        }
    }

    @Test("another output rate changes neither pitch nor length", arguments: Way.allCases)
    func rates(way: Way) throws {
        let samples = tone(1000, seconds: 2, rate: 44_100)
        let map = try uniform(2, 2)
        let heard = try sound(retimer(way, map, of: [samples], rate: 44_100, outputRate: 48_000))
        #expect(heard[0].count == 96_000)
        #expect(abs(pitch(of: heard[0][24_000..<72_000], near: 1000) - 1000) < 0.05)
    }

    /// The frequency of a tone, from how its phase turns against one near it.
    private func pitch(of samples: ArraySlice<Float>, near frequency: Double) -> Double {
        func phase(_ part: ArraySlice<Float>) -> Double {
            var (real, imaginary) = (0.0, 0.0)
            for index in part.indices {
                // Under a Hann window, so that the other half of the tone's spectrum doesn't leak in.
                let place = Double(index - part.startIndex) / Double(part.count)
                let value = Double(part[index]) * (1 - cos(2 * .pi * place))
                let angle = 2 * .pi * frequency * Double(index) / Self.rate
                real += value * cos(angle)
                imaginary -= value * sin(angle)
            }
            return atan2(imaginary, real)
        }
        let half = samples.count / 2
        let middle = samples.startIndex + half
        var turn = phase(samples[middle...]) - phase(samples[samples.startIndex..<middle])
        turn -= 2 * .pi * (turn / (2 * .pi)).rounded()
        return frequency + turn / (2 * .pi) * Self.rate / Double(half)
    }

    // MARK: - Pitch kept

    @Test("pitch stays within 3 cents along a ramp", arguments: ["1/(1+t)", "1+t", "2-1.5*t"])
    func pitchStays(formula: String) throws {
        let samples = tone(440, seconds: 6)
        let heard = try sound(retimer(.pitchKept, ramp(6, formula), of: [samples]))[0]
        let window = 9600
        var worst = 0.0
        var off: [Double] = []
        for start in stride(from: window, to: heard.count - 2 * window, by: window / 2) {
            let found = pitch(of: heard[start..<start + window], near: 440)
            off.append(abs(1200 * log2(found / 440)))
            worst = max(worst, off[off.count - 1])
        }
        // The engine resets its phases when it leaves normal speed, so one window may be off.
        #expect(off.sorted().dropLast().last ?? 99 < 3, "\(formula): \(worst) cents")
        #expect(off.reduce(0, +) / Double(off.count) < 1)
    }

    @Test(
        "far outside of the engine's range pitch and sound stay",
        arguments: [1 / 40.0, 1 / 9.0, 30])
    func farOut(factor: Double) throws {
        let seconds = factor < 1 ? 12.0 : 0.4
        let samples = tone(440, seconds: seconds)
        let map = try uniform(seconds, seconds * factor)
        let heard = try sound(retimer(.pitchKept, map, of: [samples]))[0]
        let middle = heard[heard.count / 4..<heard.count * 3 / 4]
        let power = middle.reduce(0.0) { (sum: Double, sample: Float) -> Double in
            sum + Double(sample * sample)
        }
        let level = (power / Double(middle.count) * 2).squareRoot()
        #expect(abs(level - 0.4) < 0.08, "level \(level)")
        #expect(abs(1200 * log2(pitch(of: middle.prefix(9600), near: 440) / 440)) < 5)
    }

    /// Clicks half a second apart, over faint noise.
    private func clicks(seconds: Double, rate: Double) -> [Float] {
        var random = SplitMix64(seed: 7)
        var samples = (0..<Int(seconds * rate)).map { _ in
            1e-4 * (2 * random.unit() - 1)
        }
        for time in stride(from: 0.25, to: seconds, by: 0.5) {
            for offset in -90..<90 {
                let distance = Double(offset) / rate
                samples[Int(time * rate) + offset] += Float(
                    0.8 * exp(-abs(distance) * 2000) * cos(2 * .pi * 2000 * distance))
            }
        }
        return samples
    }

    static let clickCases: [(formula: String, rate: Double)] = [
        ("1+t", 48_000), ("1/(1+t)", 48_000), ("2-1.5*t", 48_000), ("1+t", 44_100),
        ("1", 48_000), ("1.0003", 48_000), ("0.7", 48_000),
    ]

    @Test("clicks lie where the map says: to 5 ms usually, to 15 ms always", arguments: clickCases)
    func clicksLieRight(formula: String, rate: Double) throws {
        let map = try ramp(12, formula)
        let samples = clicks(seconds: 12, rate: rate)
        let heard = try sound(
            retimer(.pitchKept, map, of: [samples], rate: rate, outputRate: rate))[0]
        var errors: [Double] = []
        for time in stride(from: 0.25, to: 12, by: 0.5) {
            let expected = map.outputTime(of: time)
            let low = max(0, Int((expected - 0.06) * rate))
            let high = min(heard.count, Int((expected + 0.06) * rate))
            let loudest = (low..<high).max { abs(heard[$0]) < abs(heard[$1]) } ?? low
            let reach = Int(0.01 * rate)
            var (weight, moment) = (0.0, 0.0)
            for index in max(0, loudest - reach)..<min(heard.count, loudest + reach) {
                let energy = Double(heard[index] * heard[index])
                weight += energy * energy
                moment += energy * energy * Double(index)
            }
            errors.append(abs(moment / weight / rate - expected))
        }
        errors.sort()
        #expect(errors[errors.count / 2] < 0.005, "\(formula): median \(errors[errors.count / 2])")
        #expect(errors[errors.count - 1] < 0.015, "\(formula): worst \(errors[errors.count - 1])")
    }

    @Test("nearly normal speed leaves a tone alone, to a fade now and then")
    func nearlyNormal() throws {
        let samples = tone(1000, seconds: 4)
        let heard = try sound(retimer(.pitchKept, uniform(4, 4.02), of: [samples]))[0]
        for start in stride(from: 4800, to: heard.count - 9600, by: 480) {
            let part = heard[start..<start + 480]
            let level = (part.reduce(0.0) { $0 + Double($1 * $1) } / 480 * 2).squareRoot()
            #expect(abs(level - 0.4) < 0.02, "at \(Double(start) / Self.rate) s")
        }
    }

    @Test("a freeze is silent, and sound comes back after it")
    func freeze() throws {
        func time(_ seconds: Int64) -> RationalTime { RationalTime(seconds, over: 1) }
        let map = try TimeMap(
            pieces: [
                .init(ExactLine(time(0), time(1), from: time(0), to: time(1))),
                .init(ExactLine(time(1), time(2), from: time(1), to: time(1))),
                .init(ExactLine(time(2), time(3), from: time(1), to: time(2))),
            ], sourceDuration: time(2))
        let heard = try sound(retimer(.pitchKept, map, of: [tone(440, seconds: 2)]))[0]
        #expect(heard.count == 144_000)
        #expect(heard[50_000..<95_000].allSatisfy { $0 == 0 })
        #expect(heard[10_000..<40_000].contains { $0 > 0.3 })
        #expect(heard[105_000..<140_000].contains { $0 > 0.3 })
    }
}
