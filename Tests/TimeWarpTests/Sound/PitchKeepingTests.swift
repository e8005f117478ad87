import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// What sound that keeps its pitch is worth, in figures.
@Suite("Sound that keeps its pitch")
struct PitchKeepingTests {
    static let rate = 48_000.0
    static let speeds = [0.5, 0.8, 1.5, 2]
    /// Speeds over four seconds, as formulas of the time scale.
    static let ramps = ["1/(1+t)", "1/(1-t/2)", "2-t"]

    // MARK: - Steady sound

    @Test("a tone stays 58 dB above what isn't the tone", arguments: speeds)
    func tone(speed: Double) throws {
        let heard = try Self.stretched([Self.tones([1000.3])], speed)[0]
        #expect(Self.signalToNoise(heard, [1000.3]) > 58)
    }

    @Test("a chord stays 46 dB above what isn't the chord", arguments: speeds)
    func chord(speed: Double) throws {
        let heard = try Self.stretched([Self.tones(Self.chord)], speed)[0]
        #expect(Self.signalToNoise(heard, Self.chord) > 46)
    }

    @Test("and both along ramps", arguments: ramps)
    func along(scale: String) throws {
        let map = try Self.ramp(scale)
        for (sound, least) in [([1000.3], 58.0), (Self.chord, 46)] {
            let heard = try Self.retimed([Self.tones(sound)], map)[0]
            let found = Self.signalToNoise(heard, sound)
            #expect(found > least, "\(sound)")
        }
    }

    @Test("noise keeps its level to half a decibel", arguments: speeds)
    func noise(speed: Double) throws {
        let noise = Self.noise()
        let heard = try Self.stretched([noise], speed)[0]
        #expect(
            abs(
                Self.decibels(Self.level(heard[4800..<heard.count - 4800]) / Self.level(noise[...]))
            ) < 0.5)
    }

    // MARK: - Changing sound

    @Test("a vibrato of 50 cents is followed within 3 cents", arguments: speeds)
    func vibrato(speed: Double) throws {
        let (depth, swing) = (440 * 0.03, 2 * Double.pi * 5.5)
        let samples = Self.samples { seconds in
            0.5 * sin(2 * .pi * 440 * seconds + 2 * .pi * depth / swing * sin(swing * seconds))
        }
        let heard = try Self.stretched([samples], speed)[0]
        let errors = Self.periods(heard[9600..<heard.count - 9600]).map { period in
            // The mean frequency of the source in the time that was played.
            let (from, to) = (period.start * speed, period.end * speed)
            let wanted = 440 + depth / swing * (sin(swing * to) - sin(swing * from)) / (to - from)
            return abs(1200 * log2(Double(period.count) / (period.end - period.start) / wanted))
        }
        #expect(errors.count > 300)
        #expect(errors.sorted()[errors.count * 95 / 100] < 3)
    }

    @Test("clicks come on time, once, and as loud as they were", arguments: speeds)
    func clicks(speed: Double) throws {
        try Self.checkClicks(.uniform(from: 4, to: 4 / speed)) { $0 / speed }
    }

    @Test(
        "clicks beside loud tones come on time as well, as loud as they were", arguments: speeds)
    func clicksOnTones(speed: Double) throws {
        /// The largest fourth difference around a place, in which tones are as good as silent, and where it is.
        func click(in samples: [Float], at place: Int) -> (level: Float, place: Int) {
            var near = Array(samples[place - 1200..<place + 1200])
            for _ in 0..<4 {
                for index in near.indices.dropLast() {
                    near[index] = near[index + 1] - near[index]
                }
                near.removeLast()
            }
            let peak = near.indices.max { abs(near[$0]) < abs(near[$1]) } ?? 0
            return (abs(near[peak]), place - 1200 + peak)
        }
        let places = [48_000, 81_600, 117_600]
        for (tones, level) in [([440], 0.3), ([1000], 0.2), ([440], 0.05), (Self.chord, 0.3)] {
            var samples = Self.tones(tones, tones.map { _ in 0.5 / Double(tones.count) })
            for place in places {
                for index in 0..<96 {
                    samples[place + index] += Float(
                        level * exp(-Double(index) / 16) * (index % 2 == 0 ? 1 : -0.7))
                }
            }
            let heard = try Self.stretched([samples], speed)[0]
            for place in places {
                let was = click(in: samples, at: place)
                let due = Int((Double(place) / speed).rounded())
                let found = click(in: heard, at: due)
                #expect(
                    abs(Self.decibels(Double(found.level / was.level))) < 1, "\(tones) \(level)")
                let late = (found.place - due) - (was.place - place)
                #expect(abs(late) < 48, "\(tones) \(level): \(late) samples")
            }
        }
    }

    @Test("and along ramps")
    func clicksOnRamps() throws {
        try Self.checkClicks(Self.ramp("1/(1+t)")) { 4 * log(1 + $0 / 4) }
        try Self.checkClicks(Self.ramp("1/(1-t/2)")) { -8 * log(1 - $0 / 8) }
    }

    private static func checkClicks(_ map: TimeMap, _ output: (Double) -> Double) throws {
        var random = SplitMix64(seed: 1)
        var samples = samples { _ in 1e-4 * Double.random(in: -1...1, using: &random) }
        let instants = (0..<9).map { 0.35 + 0.38 * Double($0) }
        for instant in instants {
            for offset in -96..<96 {
                let seconds = Double(offset) / rate
                samples[Int(instant * rate) + offset] += Float(
                    0.8 * exp(-abs(seconds) * 2000 * 48) * cos(2 * .pi * 2000 * seconds))
            }
        }
        let heard = try retimed([samples], map)[0]
        for instant in instants {
            let expected = Int((output(instant) * rate).rounded())
            let near = (expected - 2400..<expected + 2400)
            let peak = try #require(near.max { abs(heard[$0]) < abs(heard[$1]) })
            #expect(abs(peak - expected) < 20, "\(instant) s")
            #expect(abs(decibels(Double(abs(heard[peak])) / 0.8)) < 1, "\(instant) s")
            let second = near.filter { abs($0 - peak) > 240 }.map { abs(heard[$0]) }.max() ?? 0
            #expect(decibels(Double(second / abs(heard[peak]))) < -40, "\(instant) s")
        }
    }

    @Test("at normal speed the source passes through, and a tone doesn't sink where it joins")
    func joins() throws {
        let samples = Self.tones([440], seconds: 6)
        // Two seconds at normal speed, a second at double speed, and the rest at normal speed.
        let map = try TimeMap(
            through: [(0, 0), (2, 2), (2.5, 3), (5.5, 6)].map {
                TimeAnchor(
                    source: try RationalTime(seconds: $1, timescale: 10, rounding: .nearest),
                    output: try RationalTime(seconds: $0, timescale: 10, rounding: .nearest))
            }, sourceDuration: RationalTime(6, over: 1))
        let heard = try Self.retimed([samples], map)[0]
        #expect(Array(heard[..<95_900]) == Array(samples[..<95_900]))
        let back = Int(2.55 * Self.rate)
        #expect(Array(heard[back...]) == Array(samples[(back + 24_000)...]))
        let whole = Self.level(samples[...])
        for start in stride(from: 90_000, to: 130_000, by: 120) {
            #expect(Self.decibels(Self.level(heard[start..<start + 480]) / whole) > -1)
        }
    }

    @Test("46 ms after a ramp any sound is the source's")
    func backToTheSource() throws {
        let noise = Self.noise()
        let samples = zip(Self.tones(Self.chord), noise).map { $0 + 0.3 * $1 }
        let map = try TimeMap(
            through: [(0, 0), (1, 2), (3, 4)].map {
                TimeAnchor(source: RationalTime($1, over: 1), output: RationalTime($0, over: 1))
            }, sourceDuration: RationalTime(4, over: 1))
        let heard = try Self.retimed([samples], map)[0]
        let back = Int(1.046 * Self.rate)
        #expect(Array(heard[back...]) == Array(samples[(back + 48_000)...]))
    }

    @Test(
        "an attack in the first milliseconds comes when the map says, as loud as it was",
        arguments: [0.001, 0.002, 0.004, 0.006, 0.008, 0.01, 0.012], [1.0 / 3, 0.8, 1 / 0.7, 2])
    func early(instant: Double, speed: Double) throws {
        var samples = Self.samples { _ in 0 }
        for index in 0..<200 {
            samples[Int(instant * Self.rate) + index] =
                0.8 * exp(-Float(index) / 20) * (index % 2 == 0 ? 1 : -0.6)
        }
        let heard = try Self.stretched([samples], speed)[0]
        let peak = try #require(heard.indices.max { abs(heard[$0]) < abs(heard[$1]) })
        #expect(abs(Double(peak) - instant * Self.rate / speed) < 2)
        #expect(abs(Self.decibels(Double(abs(heard[peak])) / 0.8)) < 1)
    }

    @Test("a voice's pulses stay sharper when tuned for speech")
    func voice() throws {
        // About a hundred pulses a second, which ring at two resonances; their pitch moves as in a sentence.
        let samples = Self.samples { seconds in
            let cycle = 110 * seconds + 3 * sin(2 * .pi * 0.8 * seconds)
            let after = (cycle - cycle.rounded(.down)) / 110
            return 0.4 * exp(-after * 900)
                * (sin(2 * .pi * 700 * after) + sin(2 * .pi * 2600 * after))
        }
        func crest(_ tune: RenderSettings.PitchTune) throws -> Double {
            let heard = try Self.retimed([samples], .uniform(from: 4, to: 5), tune: tune)[0]
            let middle = heard[24_000..<200_000]
            let fourth = middle.reduce(0.0) { $0 + pow(Double($1), 4) } / Double(middle.count)
            return fourth / pow(Self.level(middle), 4)
        }
        #expect(try crest(.speech) > 1.5 * crest(.music))
    }

    // MARK: - Channels

    @Test("tones keep their places between the channels, to a degree", arguments: speeds)
    func panned(speed: Double) throws {
        let left = Self.tones([220, 1318.5], [0.3, 0.1])
        let right = Self.tones([220, 1318.5], [0.1, 0.2], phase: 0.7)
        let heard = try Self.stretched([left, right], speed)
        for frequency in [220, 1318.5] {
            let phases = heard.map { Self.phase($0[24_000..<48_000], frequency) }
            let angle = (phases[1] - phases[0] - 0.7).remainder(dividingBy: 2 * .pi)
            #expect(abs(angle) < .pi / 180)
        }
    }

    @Test("channels that are the same stay the same, to the bit")
    func identical() throws {
        let samples = zip(Self.noise(), Self.tones(Self.chord)).map { $0 + $1 }
        let heard = try Self.retimed([samples, samples, samples], Self.ramp("1/(1+t)"))
        #expect(heard[0] == heard[1])
        #expect(zip(heard[0], heard[2]).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("surround sound keeps its places")
    func surround() throws {
        let frequencies = [300.0, 400, 500, 60, 700, 900]
        let heard = try Self.stretched(frequencies.map { Self.tones([$0]) }, 0.8)
        for (channel, frequency) in zip(heard, frequencies) {
            #expect(Self.signalToNoise(channel, [frequency]) > 50)
        }
    }

    // MARK: - Anything else

    @Test("blocks of any size give the same sound")
    func blocks() throws {
        let map = try Self.ramp("2-t")
        let samples = [Self.noise()]
        #expect(
            try Self.retimed(samples, map, limit: 777) == Self.retimed(samples, map, limit: 4096))
    }

    @Test("in a freeze the sound fades out, or is held")
    func freeze() throws {
        let map = try TimeMap(
            through: [(0, 0), (2, 2), (4, 2), (6, 4)].map {
                TimeAnchor(source: RationalTime($1, over: 1), output: RationalTime($0, over: 1))
            }, sourceDuration: RationalTime(4, over: 1))
        let samples = Self.tones(Self.chord)
        let silent = try Self.retimed([samples], map)[0]
        #expect(silent[97_000..<191_000].allSatisfy { $0 == 0 })
        let held = try Self.retimed([samples], map, freezes: .hold)[0]
        #expect(Self.signalToNoise(held, Self.chord, in: 120_000..<168_000) > 30)
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let channels: [[Float]]
        var rate = 48_000.0
        /// What the sound may reach; a vocoder's phases move the partials of square waves.
        var mostPeak: Float = 0.7
    }

    static let hostileSounds = [
        Hostile(testDescription: "one sample", channels: [[0.5]]),
        Hostile(testDescription: "ten samples", channels: [[Float](repeating: 0.5, count: 10)]),
        Hostile(
            testDescription: "silence", channels: [[Float](repeating: 0, count: 48_000)],
            mostPeak: 0),
        Hostile(testDescription: "an offset", channels: [[Float](repeating: 0.5, count: 48_000)]),
        Hostile(
            testDescription: "a square wave at full scale",
            channels: [samples(seconds: 1) { sin(2 * .pi * 100.5 * $0) < 0 ? -1 : 1 }],
            mostPeak: 2.3),
        Hostile(
            testDescription: "what is no number",
            channels: [
                tones([440], seconds: 1).enumerated().map {
                    $0 % 10_007 == 9 ? [Float.nan, .infinity, 3e38][$0 / 10_007 % 3] : $1
                }
            ]),
        Hostile(testDescription: "192 kHz", channels: [tones([440], seconds: 1)], rate: 192_000),
        Hostile(testDescription: "8 kHz", channels: [tones([440], seconds: 1)], rate: 8000),
        Hostile(
            testDescription: "16 channels",
            channels: (0..<16).map { tones([200 + 50 * Double($0)], seconds: 1) }),
    ]

    @Test(
        "hostile sound keeps its length, and nothing but numbers comes out",
        arguments: hostileSounds)
    func hostile(_ sound: Hostile) throws {
        let seconds = Double(sound.channels[0].count) / sound.rate
        for speed in [0.25, 0.8, 1, 1.0003, 3] {
            let count = Int64((seconds / speed * sound.rate).rounded())
            let heard = try Self.retimed(
                sound.channels, .uniform(from: seconds, to: seconds / speed), rate: sound.rate,
                count: count)
            #expect(heard.count == sound.channels.count)
            #expect(heard.allSatisfy { Int64($0.count) == count })
            let peak = try #require(Finding.peak(of: heard), "\(speed): something is no number")
            #expect(peak <= sound.mostPeak, "\(speed)")
        }
    }

    @Test("a thousand cuts, backwards and forwards")
    func cuts() throws {
        var random = SplitMix64(seed: 1)
        var anchors: [TimeAnchor] = []
        for number in Int64(0)..<1000 {
            let (start, end) = (
                Int64.random(in: 0...400, using: &random), Int64.random(in: 0...400, using: &random)
            )
            anchors.append(
                TimeAnchor(
                    source: RationalTime(start, over: 100), output: RationalTime(number, over: 50)))
            anchors.append(
                TimeAnchor(
                    source: RationalTime(end, over: 100), output: RationalTime(number + 1, over: 50)
                ))
        }
        let map = try TimeMap(through: anchors, sourceDuration: RationalTime(4, over: 1))
        let store = try StoredSound(channelCount: 1, space: SpillSpace())
        try store.append(SampleBlock(start: 0, channels: [Self.tones(Self.chord)]))
        let heard = try Self.retimed(SourceSound(channelCount: 1, in: store), 1, map)[0]
        #expect(heard.count == 20 * 48_000)
        #expect(heard.allSatisfy { abs($0) < 1.2 })
        #expect(Self.level(heard[...]) > 0.1)
    }

    @Test("an attack is found at the same place wherever the search begins, and not in a low voice")
    func transients() throws {
        var samples = Self.tones([82], [0.3])
        samples[50_000] += 0.9
        let block = SampleBlock(start: 0, channels: [samples])
        var blocks: [SampleBlock?] = [block, nil]
        let retiming = AudioRetiming(
            map: try .uniform(from: 4, to: 4), sourceStart: 0, channelCount: 1,
            sourceRate: Self.rate, outputRate: Self.rate, sampleCount: 192_000)
        var source = GrainSource(
            retiming, source: SourceSound(channelCount: 1) { blocks.removeFirst() }, keeping: 0)
        for start in [10_000, 30_001, 44_444] {
            var finder = TransientFinder(channelCount: 1, sampleRate: Self.rate)
            let range = start..<100_000
            try source.load(finder.needed(for: 5000..<100_000))
            #expect(finder.transients(in: range, of: source).map(\.peak) == [50_000])
        }
    }
}

// MARK: - Sounds and measures

extension PitchKeepingTests {
    static let chord = [220, 277.2, 329.6, 440, 554.4]

    static func samples(seconds: Double = 4, _ value: (Double) -> Double) -> [Float] {
        (0..<Int(seconds * rate)).map { Float(value(Double($0) / rate)) }
    }

    static func tones(
        _ frequencies: [Double], _ levels: [Double]? = nil, seconds: Double = 4, phase: Double = 0
    ) -> [Float] {
        let levels = levels ?? frequencies.map { _ in 0.4 / Double(frequencies.count) }
        return samples(seconds: seconds) { seconds in
            var sum = 0.0
            for index in frequencies.indices {
                sum += levels[index] * sin(2 * .pi * frequencies[index] * seconds + phase)
            }
            return sum
        }
    }

    static func noise() -> [Float] {
        var random = SplitMix64(seed: 1)
        return samples { _ in 0.2 * Double.random(in: -1...1, using: &random) }
    }

    static func ramp(_ scale: String) throws -> TimeMap {
        let source = RationalTime(4, over: 1)
        return try TimeMap(
            warping: source, by: Curve.scale(Formula(scale)).timeScale(duration: source))
    }

    static func stretched(_ channels: [[Float]], _ speed: Double) throws -> [[Float]] {
        try retimed(channels, .uniform(from: 4, to: 4 / speed))
    }

    static func retimed(
        _ channels: [[Float]], _ map: TimeMap, rate: Double = Self.rate, count: Int64? = nil,
        tune: RenderSettings.PitchTune = .music, freezes: RenderSettings.FreezeSound = .silence,
        limit: Int = 4096
    ) throws -> [[Float]] {
        var place = 0
        let source = SourceSound(channelCount: channels.count) {
            guard place < channels[0].count else {
                return nil
            }
            let end = min(place + 1021, channels[0].count)
            defer { place = end }
            return SampleBlock(
                start: Int64(place), channels: channels.map { Array($0[place..<end]) })
        }
        return try retimed(
            source, channels.count, map, rate: rate, count: count, tune: tune, freezes: freezes,
            limit: limit)
    }

    static func retimed(
        _ source: SourceSound, _ channelCount: Int, _ map: TimeMap, rate: Double = Self.rate,
        count: Int64? = nil, tune: RenderSettings.PitchTune = .music,
        freezes: RenderSettings.FreezeSound = .silence, limit: Int = 4096
    ) throws -> [[Float]] {
        var retimer = try PitchKeepingRetimer(
            AudioRetiming(
                map: map, sourceStart: 0, channelCount: channelCount, sourceRate: rate,
                outputRate: rate,
                sampleCount: count ?? Int64((map.outputDuration * rate).rounded())),
            tune: tune, freezes: freezes, source: source)
        var heard = [[Float]](repeating: [], count: channelCount)
        while let block = try retimer.next(limit: limit) {
            for channel in heard.indices {
                heard[channel] += block[channel]
            }
        }
        return heard
    }

    static func level(_ samples: ArraySlice<Float>) -> Double {
        (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
    }

    static func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }

    static func phase(_ samples: ArraySlice<Float>, _ frequency: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        let count = Double(samples.count)
        for (index, sample) in samples.enumerated() {
            let window = 1 - cos(2 * .pi * (Double(index) + 0.5) / count)
            let angle = 2 * .pi * frequency * Double(index) / rate
            real += window * Double(sample) * cos(angle)
            imaginary -= window * Double(sample) * sin(angle)
        }
        return atan2(imaginary, real)
    }

    /// The level of tones against everything else, in decibels: over two seconds at most, and half a
    /// second from both ends, unless told otherwise.
    static func signalToNoise(
        _ samples: [Float], _ frequencies: [Double], in range: Range<Int>? = nil
    ) -> Double {
        let part = samples[range ?? 24_000..<min(samples.count - 24_000, 120_000)]
        // Least squares for the amplitudes of sines and cosines: nearly orthogonal, so a few rounds converge.
        var rest = [Double](repeating: 0, count: part.count)
        var whole = 0.0
        for index in rest.indices {
            rest[index] = Double(part[part.startIndex + index])
            whole += rest[index] * rest[index]
        }
        for _ in 0..<3 {
            for frequency in frequencies {
                for shift in [0, Double.pi / 2] {
                    remove(2 * .pi * frequency / rate, shift, from: &rest)
                }
            }
        }
        var noise = 1e-30
        for value in rest {
            noise += value * value
        }
        return 10 * log10(whole / noise)
    }

    private static func remove(_ step: Double, _ shift: Double, from rest: inout [Double]) {
        var (product, power) = (0.0, 0.0)
        for index in rest.indices {
            let wave = sin(step * Double(index) + shift)
            product += wave * rest[index]
            power += wave * wave
        }
        for index in rest.indices {
            rest[index] -= product / power * sin(step * Double(index) + shift)
        }
    }

    /// The periods between each upward crossing of zero and the fourth one after it, in seconds.
    static func periods(_ samples: ArraySlice<Float>) -> [(start: Double, end: Double, count: Int)]
    {
        let crossings = samples.indices.dropLast().compactMap { index -> Double? in
            let (one, next) = (Double(samples[index]), Double(samples[index + 1]))
            return one < 0 && next >= 0 ? (Double(index) + one / (one - next)) / rate : nil
        }
        return zip(crossings, crossings.dropFirst(4)).map { ($0, $1, 4) }
    }
}

extension TimeMap {
    fileprivate static func uniform(from source: Double, to output: Double) throws -> TimeMap {
        try .uniform(
            from: RationalTime(seconds: source, timescale: 48_000_000, rounding: .nearest),
            to: RationalTime(seconds: output, timescale: 48_000_000, rounding: .nearest))
    }
}
