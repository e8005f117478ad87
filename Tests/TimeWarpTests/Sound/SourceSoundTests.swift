import Media
import Testing

@testable import TimeWarp

@Suite("The source's sound around a place")
struct SourceSoundTests {
    /// A block of ones at each of these positions.
    private func sound(_ starts: [Int64], count: Int = 1000) -> SourceSound {
        var left = starts[...]
        return SourceSound(channelCount: 1) {
            left.popFirst().map {
                SampleBlock(start: $0, channels: [[Float](repeating: 1, count: count)])
            }
        }
    }

    private func held(_ sound: SourceSound, _ span: Range<Int64>) -> [Float] {
        span.map { place in
            let index = Int(place - sound.window.start)
            let held = sound.window.withChannels { Array($0[0]) }
            return held.indices.contains(index) ? held[index] : 0
        }
    }

    @Test("a hole is silent, whether it is entered, crossed or left out")
    func holes() throws {
        var sound = sound([0, 5000])
        try sound.load(990..<1010)
        #expect(
            held(sound, 990..<1010) == [Float](repeating: 1, count: 10)
                + .init(repeating: 0, count: 10))
        try sound.load(3000..<3004)
        #expect(held(sound, 3000..<3004) == [0, 0, 0, 0])
        try sound.load(4998..<5002)
        #expect(held(sound, 4998..<5002) == [0, 0, 1, 1])
    }

    @Test("a hole of days that is left out is not held in memory")
    func daysOfSilence() throws {
        let far: Int64 = 10_000_000_000
        var sound = sound([0, far])
        try sound.load(0..<10)
        try sound.load(far / 2..<far / 2 + 10)
        #expect(sound.window.channels[0].count < 10_000)
        try sound.load(far - 5..<far + 5)
        #expect(held(sound, far - 5..<far + 5) == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
        #expect(sound.window.channels[0].count < 10_000)
    }
}
