import Alignment
import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import Overview

@Suite("Beats and onsets")
struct BeatTests {
    /// The largest error of a time, in seconds, and how many weren't found at all.
    private func faults(_ found: [Double], _ wanted: [Double]) -> (error: Double, missed: Int) {
        let away = wanted.map { time in found.map { abs($0 - time) }.min() ?? .infinity }
        return (away.filter { $0 < 0.05 }.max() ?? 0, away.filter { $0 >= 0.05 }.count)
    }

    private func expect(_ found: [Double], at wanted: [Double], of what: String) {
        let faults = faults(found, wanted)
        #expect(faults.missed == 0, "\(what)")
        #expect(faults.error <= 0.005, "\(what)")
        #expect(found.count == wanted.count, "\(what)")
    }

    @Test(
        "clicks are found to within 5 ms, and their tempo to a hundredth",
        arguments: [55, 60, 90, 120, 128.5, 174, 200], [44100.0, 48000])
    func clicks(tempo: Double, rate: Double) throws {
        var sound = MadeSound(seconds: 30, rate: rate)
        let beats = sound.grid(tempo: tempo, from: 0.371, to: 29.5)
        for time in beats { sound.click(at: time) }
        let found = try Beats(of: sound.mono)
        expect(found.beats, at: beats, of: "beats")
        expect(found.onsets, at: beats, of: "onsets")
        #expect(abs((found.tempo ?? 0) - tempo) <= 0.02)
        #expect(found.sections.count == 1)
    }

    @Test(
        "every sample rate has bands, or is refused",
        arguments: [100.0, 120, 999, 1000, 2000, 8000])
    func sampleRates(rate: Double) throws {
        let sound = MonoSound(sampleRate: rate) {
            var blocks = [[Float](repeating: 0.1, count: Int(rate) * 8)].makeIterator()
            return { blocks.next() }
        }
        guard rate >= 1000 else {
            #expect(throws: AlignmentError.self) { try Beats(of: sound) }
            return
        }
        #expect(try Beats(of: sound).tempo == nil)
        let edges = OnsetStrength.edges(sampleRate: rate)
        #expect(edges.count > 3 && edges.last! < rate / 2)
    }

    @Test("noise doesn't move them by more than 5 ms", arguments: [0.003, 0.01, 0.03] as [Float])
    func noise(level: Float) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            var sound = MadeSound(seconds: 30, rate: 44100, noise: level, seed: seed)
            let beats = sound.grid(tempo: 120, from: 0.371, to: 29.5)
            for time in beats { sound.click(at: time) }
            expect(try Beats(of: sound.mono).beats, at: beats, of: "clicks, seed \(seed)")

            var notes = MadeSound(seconds: 30, rate: 48000, noise: level, seed: seed)
            let times = notes.grid(tempo: 100, from: 0.5, to: 29.5)
            for (place, time) in times.enumerated() {
                notes.tone([110, 440, 220, 880, 330][place % 5], at: time, seconds: 0.5)
            }
            let found = try Beats(of: notes.mono)
            expect(found.beats, at: times, of: "tones, seed \(seed)")
            #expect(abs((found.tempo ?? 0) - 100) <= 0.02)
        }
    }

    @Test(
        "a tempo may change", arguments: [(120, 90), (100, 150), (84, 126)] as [(Double, Double)])
    func change(from first: Double, to second: Double) throws {
        var sound = MadeSound(seconds: 60, rate: 44100, noise: 0.003)
        let early = sound.grid(tempo: first, from: 0.5, to: 30)
        let late = sound.grid(tempo: second, from: early[early.count - 1] + 60 / second, to: 59.5)
        for (place, time) in (early + late).enumerated() {
            sound.tone([330, 440][place % 2], at: time, seconds: 0.3)
        }
        let found = try Beats(of: sound.mono)
        expect(found.beats, at: early + late, of: "beats")
        #expect(found.sections.count == 2)
        let tempi = found.sections.map(\.tempo)
        #expect(zip(tempi, [first, second]).allSatisfy { abs($0 - $1) <= 0.05 })
        #expect(abs(found.sections[0].end - early[early.count - 1]) <= 0.005)
    }

    @Test("drums with eighths between the beats have the beat of bass drum and snare")
    func drums() throws {
        var sound = MadeSound(seconds: 30, rate: 48000, noise: 0.001)
        let beats = sound.grid(tempo: 120, from: 0.25, to: 29.5)
        for (place, time) in beats.enumerated() {
            sound.tone(place % 2 == 0 ? 60 : 200, at: time, seconds: 0.15, level: 0.6)
            if place % 2 == 1 { sound.hiss(at: time, seconds: 0.1, level: 0.3) }
        }
        for time in sound.grid(tempo: 240, from: 0.25, to: 29.5) {
            sound.hiss(at: time, seconds: 0.03, level: 0.08)
        }
        expect(try Beats(of: sound.mono).beats, at: beats, of: "beats")
    }

    @Test("beats go on through a rest, and end with the sound")
    func rest() throws {
        var sound = MadeSound(seconds: 40, rate: 44100)
        let beats = sound.grid(tempo: 110, from: 0.4, to: 33)
        for time in beats where !(15..<20).contains(time) { sound.click(at: time) }
        let found = try Beats(of: sound.mono)
        expect(found.beats, at: beats, of: "beats")
        #expect(found.onsets.count < beats.count)
    }

    @Test("noise, silence and nothing have no beat")
    func nothing() throws {
        for sound in [
            MadeSound(seconds: 20, rate: 44100, noise: 0.1), MadeSound(seconds: 20, rate: 48000),
            MadeSound(seconds: 0.01, rate: 48000), MadeSound(seconds: 0, rate: 8000),
        ] {
            let found = try Beats(of: sound.mono)
            #expect(found.beats.isEmpty)
            #expect(found.tempo == nil)
            #expect(found.onsets.count <= 1)
        }
    }

    @Test("loudness doesn't matter, and samples that aren't numbers are silent")
    func loudness() throws {
        var sound = MadeSound(seconds: 20, rate: 44100)
        let beats = sound.grid(tempo: 96, from: 0, to: 19.5)
        for time in beats { sound.tone(440, at: time, seconds: 0.4) }
        let loud = try Beats(of: sound.mono)
        expect(loud.beats, at: beats, of: "beats, the first at the very beginning")
        sound.scale(by: 0.004)
        #expect(try Beats(of: sound.mono).beats == loud.beats)
        sound.values[12345] = .nan
        sound.values[54321] = .infinity
        expect(try Beats(of: sound.mono).beats, at: beats, of: "beats")
    }

    @Test("twenty minutes are read block by block, and their beats don't drift")
    func long() throws {
        let period = (0..<4000).map { Float($0 < 8 ? 0.8 : 0) }
        let sound = MonoSound(sampleRate: 8000) {
            var left = 2 * 1200
            return {
                left -= 1
                return left < 0 ? nil : period
            }
        }
        let found = try Beats(of: sound)
        #expect(found.tempo == 120)
        expect(found.beats, at: (0..<2400).map { Double($0) / 2 }, of: "beats")
    }

    @Test("a file without sound says so")
    func silentFile() throws {
        let folder = try TemporaryFolder()
        try TestClip { $0.audioCodec = nil }.write(to: folder.path("a.mp4"))
        #expect(throws: MediaError.self) { try Beats(of: try Asset(at: folder.path("a.mp4"))) }
    }

    @Test("in a file, they are counted from the asset's beginning")
    func file() throws {
        let folder = try TemporaryFolder()
        var sound = MadeSound(seconds: 12, rate: 48000)
        let beats = sound.grid(tempo: 100, from: 0.2, to: 11.5)
        for time in beats { sound.click(at: time) }
        try ReferenceTools.writeSound(
            [sound.values, sound.values], sampleRate: 48000, to: folder.path("a.wav"))
        // AAC has priming samples, which don't count.
        try ReferenceTools.ffmpeg(["-i", folder.path("a.wav"), folder.path("a.m4a")])
        for name in ["a.wav", "a.m4a"] {
            expect(try Beats(of: try Asset(at: folder.path(name))).beats, at: beats, of: name)
        }
    }
}

/// Sound made of clicks, tones and noise.
private struct MadeSound {
    let rate: Double
    var values: [Float]
    private var generator: SplitMix64

    init(seconds: Double, rate: Double, noise: Float = 0, seed: UInt64 = 1) {
        self.rate = rate
        generator = SplitMix64(seed: seed)
        values = [Float](repeating: 0, count: Int(seconds * rate))
        if noise > 0 {
            for index in values.indices { values[index] = noise * generator.bell() }
        }
    }

    var mono: MonoSound {
        let values = values
        return MonoSound(sampleRate: rate) {
            var start = 0
            return {
                guard start < values.count else { return nil }
                let end = min(start + 5003, values.count)
                defer { start = end }
                return Array(values[start..<end])
            }
        }
    }

    func grid(tempo: Double, from start: Double, to end: Double) -> [Double] {
        Array(stride(from: start, to: end, by: 60 / tempo))
    }

    /// A millisecond of noise that begins with its peak.
    mutating func click(at time: Double, level: Float = 0.8) {
        add(at: time, seconds: 0.0015) { place, generator in
            let value: Float = place == 0 ? 1 : 2 * generator.unit() - 1
            return level * exp(-Float(place) / 12) * value
        }
    }

    mutating func hiss(at time: Double, seconds: Double, level: Float) {
        let fall = Float(4 / (seconds * rate))
        add(at: time, seconds: seconds) { place, generator in
            level * exp(-Float(place) * fall) * generator.bell()
        }
    }

    /// A tone that is there within 2 ms and fades.
    mutating func tone(_ pitch: Double, at time: Double, seconds: Double, level: Float = 0.4) {
        let (rate, count) = (rate, seconds * rate)
        add(at: time, seconds: seconds) { place, _ in
            let now = Double(place) / rate
            let attack: Double = min(1, now / 0.002)
            let end: Double = min(1, (count - Double(place)) / (0.02 * rate))
            let wave: Double = sin(2 * Double.pi * pitch * now)
            return level * Float(attack * end * exp(-2.5 * now / seconds) * wave)
        }
    }

    mutating func scale(by gain: Float) {
        for index in values.indices { values[index] *= gain }
    }

    private mutating func add(
        at time: Double, seconds: Double, _ value: (Int, inout SplitMix64) -> Float
    ) {
        let first = Int((time * rate).rounded())
        for place in 0..<Int(seconds * rate) where values.indices.contains(first + place) {
            values[first + place] += value(place, &generator)
        }
    }
}
