import Foundation
import Testing

@testable import SampleMedia

@Suite("Sample sound")
struct SampleSoundTests {
    private func scene(
        seconds: Int = 3, sampleRate: Int = 48000, channelCount: Int = 2
    ) throws -> SampleScene {
        try SampleScene(
            width: 160, height: 120, frameRate: (30, 1), frameCount: 30 * seconds,
            sampleRate: sampleRate, channelCount: channelCount)
    }

    /// How strong a frequency is in the samples: the magnitude of their Fourier sum, per sample.
    private func share(of frequency: Double, in samples: ArraySlice<Float>, rate: Int) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(index) / Double(rate)
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
    }

    @Test("a click peaks exactly at each whole second from 1 on", arguments: [44100, 48000, 11025])
    func clicks(sampleRate: Int) throws {
        let scene = try scene(seconds: 4, sampleRate: sampleRate)
        for channel in scene.sound(from: 0, count: Int(scene.sampleCount)) {
            let loud = channel.indices.filter { abs(channel[$0]) > 0.75 }
            let peaks = Set(loud.map { Int((Double($0) / Double(sampleRate)).rounded()) })
            #expect(peaks == [1, 2, 3])
            for second in peaks {
                let place = second * sampleRate
                // The melody is silent there, so the peak comes from the click alone.
                #expect(abs(channel[place] - 0.8) < 1e-6)
                let near = (place - 20)...(place + 20)
                #expect(near.max { channel[$0] < channel[$1] } == place)
            }
        }
    }

    @Test("a click lasts a millisecond and is well above the melody")
    func clickIsClear() throws {
        let scene = try scene()
        for channel in scene.sound(from: 0, count: Int(scene.sampleCount)) {
            let outside = channel.indices.filter { $0 % 48000 > 24 && $0 % 48000 < 48000 - 24 }
            let loudest = outside.map { abs(channel[$0]) }.max()
            #expect(try #require(loudest) < 0.12)
            #expect(try #require(loudest) > 0.05)
        }
    }

    @Test("each channel has its own tone", arguments: [1, 2, 6, 8])
    func tones(channelCount: Int) throws {
        let scene = try scene(seconds: 1, channelCount: channelCount)
        // The middle of the first note, away from its ends.
        let sound = scene.sound(from: 2400, count: 16800)
        let pitches = (0..<channelCount).map { scene.toneFrequency(ofChannel: $0, atSecond: 0.1) }
        #expect(Set(pitches).count == channelCount)
        for channel in 0..<channelCount {
            let shares = pitches.map { share(of: $0, in: sound[channel][...], rate: 48000) }
            let strongest = shares.indices.max { shares[$0] < shares[$1] }
            #expect(strongest == channel)
        }
    }

    @Test("channels never meet on a pitch, and the melody moves")
    func melody() throws {
        let scene = try scene(channelCount: 8)
        for note in 0..<16 {
            let pitches = (0..<8).map {
                scene.toneFrequency(ofChannel: $0, atSecond: Double(note) / 2)
            }
            #expect(Set(pitches).count == 8)
            // With many channels, the fourth carries nothing above 120 Hz.
            #expect(pitches[3] < 120)
        }
        #expect(
            scene.toneFrequency(ofChannel: 0, atSecond: 0)
                != scene.toneFrequency(ofChannel: 0, atSecond: 0.5))
    }

    @Test("asked for in blocks, the sound is the same to the bit", arguments: [1, 7, 1024, 48001])
    func blocks(size: Int) throws {
        let scene = try scene(seconds: size == 1 ? 1 : 3, sampleRate: 11025)
        let whole = scene.sound(from: -10, count: Int(scene.sampleCount) + 20)
        var joined: [[Float]] = [[], []]
        var start: Int64 = -10
        while joined[0].count < whole[0].count {
            let count = min(size, whole[0].count - joined[0].count)
            for (channel, block) in scene.sound(from: start, count: count).enumerated() {
                joined[channel] += block
            }
            start += Int64(count)
        }
        #expect(joined == whole)
    }

    @Test("outside of the clip there is silence, and the ends are soft")
    func ends() throws {
        let scene = try scene(seconds: 2)
        #expect(scene.sampleCount == 96000)
        for channel in scene.sound(from: -1000, count: 98000) {
            #expect(channel[..<1000].allSatisfy { $0 == 0 })
            #expect(channel[97000...].allSatisfy { $0 == 0 })
            #expect(abs(channel[1000]) < 1e-3 && abs(channel[96999]) < 1e-3)
        }
    }

    @Test("the sound is as long as the video, to the nearest sample")
    func length() throws {
        let scene = try SampleScene(
            width: 160, height: 120, frameRate: (30000, 1001), frameCount: 300, sampleRate: 44100,
            channelCount: 1)
        #expect(abs(scene.durationInSeconds - 10.01) < 1e-12)
        #expect(scene.sampleCount == 441_441)
        #expect(scene.sound(from: 0, count: 0) == [[]])
    }

    @Test("no partial lies above the Nyquist frequency")
    func bandLimit() throws {
        let scene = try scene(seconds: 1, sampleRate: 8000, channelCount: 8)
        let pitch = scene.toneFrequency(ofChannel: 7, atSecond: 0.1)
        let sound = scene.sound(from: 800, count: 2400)[7][...]
        #expect(3 * pitch > 4000)
        // Three times the pitch would alias to 8000 Hz minus that frequency.
        #expect(share(of: 8000 - 3 * pitch, in: sound, rate: 8000) < 1e-3)
        #expect(share(of: 2 * pitch, in: sound, rate: 8000) > 5e-3)
    }
}
