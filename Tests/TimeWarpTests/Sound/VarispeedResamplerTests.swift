import Foundation
import Media
import Testing

@testable import TimeWarp

@Suite("Sound at exact positions")
struct VarispeedResamplerTests {
    /// A window that holds a tone on every channel, from sample 0 on.
    private func window(_ samples: [Float], channels: Int = 1) -> SampleWindow {
        var window = SampleWindow(channelCount: channels)
        let planes = (0..<channels).map { channel in samples.map { $0 / Float(channel + 1) } }
        window.append(SampleBlock(start: 0, channels: planes))
        return window
    }

    private func render(
        _ interpolation: Interpolation, _ window: SampleWindow, positions: [Double],
        speed: Double = 1, channels: Int = 1, blockSize: Int = .max
    ) -> [[Float]] {
        render(
            interpolation, window, positions: positions,
            speeds: Array(repeating: speed, count: positions.count), channels: channels,
            blockSize: blockSize)
    }

    private func render(
        _ interpolation: Interpolation, _ window: SampleWindow, positions: [Double],
        speeds allSpeeds: [Double], channels: Int = 1, blockSize: Int = .max
    ) -> [[Float]] {
        var resampler = VarispeedResampler(interpolation: interpolation)
        var output = [[Float]](repeating: [], count: channels)
        var place = 0
        while place < positions.count {
            let block = Array(
                positions[place..<min(positions.count, place + min(blockSize, 65_536))])
            let speeds = Array(allSpeeds[place..<place + block.count])
            let planes = (0..<channels).map { _ in
                UnsafeMutablePointer<Float>.allocate(capacity: block.count)
            }
            block.withUnsafeBufferPointer { block in
                speeds.withUnsafeBufferPointer { speeds in
                    resampler.render(positions: block, speeds: speeds, from: window, into: planes)
                }
            }
            for (channel, plane) in planes.enumerated() {
                output[channel] += UnsafeBufferPointer(start: plane, count: block.count)
                plane.deallocate()
            }
            place += block.count
        }
        return output
    }

    private func tone(_ frequency: Double, _ count: Int) -> [Float] {
        (0..<count).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / 48_000)) }
    }

    @Test("an hour to an hour and a second keeps tones to 120 dB", arguments: [1, 5, 10, 15, 20.0])
    func cleanTones(kilohertz: Double) {
        let window = window(tone(kilohertz * 1000, 6000))
        let speed = 3600.0 / 3601
        let positions = (200..<5500).map { Double($0) * speed }
        let heard = render(.sinc, window, positions: positions, speed: speed)[0]
        var (signal, noise) = (0.0, 0.0)
        for (position, sample) in zip(positions, heard) {
            let ideal = 0.5 * sin(2 * .pi * kilohertz * 1000 * position / 48_000)
            signal += ideal * ideal
            noise += (Double(sample) - ideal) * (Double(sample) - ideal)
        }
        #expect(10 * log10(signal / noise) >= 120)
    }

    /// A sweep of the speed from a half to double: positions a quadratic in output time.
    private func sweep(_ count: Int) -> (positions: [Double], speeds: [Double]) {
        let speeds = (0..<count).map { 0.5 + 1.5 * Double($0) / Double(count) }
        let positions = (0..<count).map { index in
            let y = Double(index)
            return 300 + 0.5 * y + 0.75 * y * y / Double(count)
        }
        return (positions, speeds)
    }

    @Test(
        "a sweep from half to double speed keeps tones to 120 dB", arguments: [1, 5, 10, 15, 20.0])
    func cleanSweep(kilohertz: Double) {
        let window = window(tone(kilohertz * 1000, 16_000))
        let (positions, speeds) = sweep(12_000)
        let heard = render(.sinc, window, positions: positions, speeds: speeds)[0]
        var (signal, noise) = (0.0, 0.0)
        // Only where the output can hold the tone; at higher speeds it lies on the kernel's slope.
        for (index, sample) in heard.enumerated() where speeds[index] * kilohertz < 20.2 {
            let ideal = 0.5 * sin(2 * .pi * kilohertz * 1000 * positions[index] / 48_000)
            signal += ideal * ideal
            noise += (Double(sample) - ideal) * (Double(sample) - ideal)
        }
        #expect(10 * log10(signal / noise) >= 120)
    }

    @Test("a sweep cut into blocks of any size is the same to the bit", arguments: [1, 13, 512])
    func sweepInBlocks(size: Int) {
        let window = window(tone(997, 16_000), channels: 3)
        let (positions, speeds) = sweep(6000)
        let whole = render(
            .sinc, window, positions: positions, speeds: speeds, channels: 3)
        #expect(
            whole
                == render(
                    .sinc, window, positions: positions, speeds: speeds, channels: 3,
                    blockSize: size))
    }

    @Test("as the cutoff follows the speed nothing jumps")
    func noClicks() {
        // A change of cutoff would be heard first in a tone on the kernel's slope.
        let window = window(tone(11_700, 40_000))
        let speeds = (0..<9000).map { 1.9 + 0.4 * Double($0) / 9000 }
        var positions = [300.0]
        for speed in speeds.dropLast() {
            positions.append(positions[positions.count - 1] + speed)
        }
        let heard = render(.sinc, window, positions: positions, speeds: speeds)[0]
        // The level at each instant, from the sample and from the tone a quarter wave later.
        let quarter = 48_000 / 11_700.0 / 4
        let partner = render(
            .sinc, window, positions: positions.map { $0 + quarter }, speeds: speeds)[0]
        let levels = zip(heard, partner).map { ($0 * $0 + $1 * $1).squareRoot() }
        for (level, next) in zip(levels, levels.dropFirst()) {
            #expect(abs(level - next) < 1e-3)
        }
        #expect(levels[0] > 0.2 && levels[8999] < 0.001)
    }

    @Test("backwards is forwards read from its end, and standing still stands still")
    func directions() {
        let window = window(tone(3000, 4000))
        let positions = (0..<500).map { 1000.3 + Double($0) * 1.7 }
        let speeds = [Double](repeating: 1.7, count: 500)
        let forward = render(.sinc, window, positions: positions, speeds: speeds)[0]
        let backward = render(
            .sinc, window, positions: positions.reversed(), speeds: speeds.map { -$0 })[0]
        #expect(backward == forward.reversed())
        let still = render(.sinc, window, positions: [1234.5, 1234.5], speeds: [0, 0])[0]
        #expect(still[0] == still[1] && abs(still[0]) > 0.01)
    }

    @Test("a tone that double speed would fold back vanishes")
    func noAliases() {
        let window = window(tone(13_000, 8000))
        let positions = (200..<3800).map { Double($0) * 2 }
        let heard = render(.sinc, window, positions: positions, speed: 2)[0]
        let power = heard.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(heard.count)
        #expect(10 * log10(power / 0.125) <= -110)
    }

    @Test("the result doesn't depend on the blocks, to the bit", arguments: Interpolation.allCases)
    func blocks(interpolation: Interpolation) {
        let window = window(tone(997, 3000))
        let positions = (0..<2500).map { Double($0) * 1.0371 + 0.25 }
        let whole = render(interpolation, window, positions: positions, speed: 1.0371)
        for size in [1, 7, 64, 999] {
            #expect(
                render(interpolation, window, positions: positions, speed: 1.0371, blockSize: size)
                    == whole)
        }
    }

    @Test("control points: straight and smooth between neighbours, silence outside")
    func controlPoints() {
        let window = window([1, 3, -1])
        let positions = [0, 0.25, 0.5, 1, 1.75, 2, 2.5, 5, -3]
        let linear = render(.linear, window, positions: positions)[0]
        #expect(linear == [1, 1.5, 2, 3, 0, -1, -0.5, 0, 0])
        let smooth = render(.smooth, window, positions: positions)[0]
        // S(¼) is 5/32, S(¾) 27/32.
        #expect(smooth == [1, 1.3125, 2, 3, -0.375, -1, -0.5, 0, 0])
    }

    @Test("a constant stays that constant at any speed")
    func constant() {
        let window = window([Float](repeating: 0.25, count: 40_000))
        for speed in [0.001, 0.5, 1, 1.001, 3, 60, 200] {
            let positions = (0..<20).map { 20_000 + Double($0) * speed }
            for sample in render(.sinc, window, positions: positions, speed: speed)[0] {
                #expect(abs(sample - 0.25) < 1e-6)
            }
        }
    }

    @Test("eight channels stay apart")
    func channels() {
        let window = window(tone(440, 2000), channels: 8)
        let positions = (200..<1800).map { Double($0) + 0.3 }
        let heard = render(.sinc, window, positions: positions, channels: 8)
        for channel in 1..<8 {
            for (first, other) in zip(heard[0], heard[channel]) {
                #expect(abs(first / Float(channel + 1) - other) < 1e-6)
            }
        }
    }

    @Test("the span covers everything that is touched", arguments: Interpolation.allCases)
    func span(interpolation: Interpolation) {
        let samples = tone(3000, 4000)
        for speed in [0.3, 1, 2.5] {
            let positions = (0..<300).map { 1500 + Double($0) * speed }
            let speeds = [Double](repeating: speed, count: positions.count)
            let resampler = VarispeedResampler(interpolation: interpolation)
            let span = positions.withUnsafeBufferPointer { positions in
                speeds.withUnsafeBufferPointer { speeds in
                    resampler.sourceSpan(positions: positions, speeds: speeds)
                }
            }
            var exact = SampleWindow(channelCount: 1)
            exact.append(
                SampleBlock(
                    start: span.lowerBound,
                    channels: [Array(samples[Int(span.lowerBound)..<Int(span.upperBound)])]))
            let narrow = render(interpolation, exact, positions: positions, speed: speed)
            let wide = render(interpolation, window(samples), positions: positions, speed: speed)
            for (a, b) in zip(narrow[0], wide[0]) {
                #expect(abs(a - b) < 1e-6)
            }
        }
    }

    @Test("a window forgets what is behind and keeps what is ahead")
    func forgetting() {
        var window = SampleWindow(channelCount: 1)
        for block in 0..<100 {
            let start = Int64(block * 100)
            window.append(
                SampleBlock(start: start, channels: [(0..<100).map { Float(start) + Float($0) }]))
            window.discard(before: start + 50)
            #expect(window.start == start + 50)
            #expect(window.end == start + 100)
            #expect(window.withChannels { $0[0].first } == Float(start + 50))
        }
    }
}
