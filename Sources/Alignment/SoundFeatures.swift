import Foundation
import Media

/// The loudness of a sound in a few frequency bands, a hundred times per second. That is enough to find its
/// position in another recording, and takes 1000 bytes per second.
struct SoundFeatures {
    /// Frames per second. A frame is 20 ms of sound here.
    static let rate = 100.0
    /// How long a frame is.
    private static let frameSeconds = 0.02
    /// The edges of the bands in hertz. Speech and most music have energy in each band, and the lowest sample
    /// rate still covers them all.
    static let edges: [Double] = [150, 250, 350, 500, 650, 850, 1150, 1550, 2050, 2800, 3800]
    /// The number of bands.
    static let bandCount = edges.count - 1

    /// The levels in steps of `step` decibels above `bottom`, frame by frame and within a frame band by band.
    private(set) var levels: [UInt8] = []
    /// The duration of the sound, in seconds.
    private(set) var duration = 0.0
    /// The number of frames.
    var frameCount: Int { levels.count / Self.bandCount }
    /// The level that one in a hundred frames reaches in the loudest band, in decibels relative to full scale
    /// (a negative number).
    private(set) var peakDecibels = 0.0

    /// In decibels relative to full scale.
    private static let bottom = -140.0
    private static let step = 0.625
    /// A level this many decibels below a band's loud frames counts as noise of the microphone.
    private static let depth = 45.0
    /// An energy that is this share of the mean around it counts as noise, too.
    private static let knee: Float = 0.1
    /// Half the width over which that mean is taken, in frames.
    private static let farReach = 200
    /// The energy of each level.
    private static let energies = (0..<256).map {
        Float(pow(10, (bottom + Double($0) * step) / 10))
    }
    /// The largest difference of a loudness from the mean around it, as a natural logarithm.
    private static let clip: Float = 4.5
    /// The share of the bands' common value that is subtracted.
    private static let commonShare: Float = 0.9
    /// Half the width over which a loudness is compared with the mean, in frames.
    static let reach = 30

    private var floors = [UInt8](repeating: 0, count: Self.bandCount)

    /// Reads the whole sound. O(n) in its length; the memory is that of the features.
    init(_ sound: MonoSound, checkCancelled: () throws -> Void) throws {
        let stream = try SoundStream(sound, slackSeconds: 0.1)
        let spectrum = try BandSpectrum(
            sampleRate: sound.sampleRate, seconds: Self.frameSeconds, edges: Self.edges)
        let spacing = sound.sampleRate / Self.rate
        var energies = [Float](repeating: 0, count: 2 * Self.bandCount)
        var frame = 0
        while true {
            let places = [frame, frame + 1].map { Int((Double($0) * spacing).rounded()) }
            let isThere = try stream.read(
                upTo: places[1] + spectrum.length, checkCancelled: checkCancelled)
            guard isThere else { break }
            let apart = places[1] - places[0]
            stream.withSamples(from: places[0], count: spectrum.length + apart) { samples in
                spectrum.measure(samples, samples + apart, into: &energies)
            }
            levels.append(contentsOf: energies.lazy.map(Self.level))
            frame += 2
        }
        duration = Double(stream.end) / sound.sampleRate
        measureFloors()
    }

    /// The time of a frame's middle, in seconds, for frame numbers that may have a fraction.
    static func time(ofFrame frame: Double) -> Double {
        frame / rate + frameSeconds / 2
    }

    /// Writes by how much each of `count` frames from `start` on differs from the 0.6 s around it: all frames
    /// of one band, then all of the next. Frames before the first and after the last are 0.
    func write(from start: Int, count: Int, into values: UnsafeMutablePointer<Float>) {
        for band in 0..<Self.bandCount {
            write(band: band, from: start, count: count, into: values + band * count)
        }
        // Beats repeat and are similar in all bands. The differences between bands identify the position.
        let share = Self.commonShare / Float(Self.bandCount)
        for index in 0..<count {
            var sum: Float = 0
            for band in 0..<Self.bandCount { sum += values[band * count + index] }
            for band in 0..<Self.bandCount { values[band * count + index] -= share * sum }
        }
    }

    private func write(
        band: Int, from start: Int, count: Int, into values: UnsafeMutablePointer<Float>
    ) {
        let length = count + 2 * Self.reach
        withUnsafeTemporaryAllocation(of: Float.self, capacity: length) { room in
            guard let loudness = room.baseAddress else { return }
            writeLoudness(band: band, from: start - Self.reach, count: length, into: loudness)
            var sum: Float = 0
            for index in 0..<(2 * Self.reach) { sum += loudness[index] }
            let share = 1 / Float(2 * Self.reach + 1)
            for index in 0..<count {
                sum += loudness[index + 2 * Self.reach]
                let excess = loudness[index + Self.reach] - sum * share
                let frame = start + index
                let isInside = frame >= 0 && frame < frameCount
                values[index] = isInside ? min(max(excess, -Self.clip), Self.clip) : 0
                sum -= loudness[index]
            }
        }
    }

    /// Writes the loudness relative to that of the 4 s around it, as a logarithm that flattens out towards the
    /// noise of a room.
    private func writeLoudness(
        band: Int, from start: Int, count: Int, into values: UnsafeMutablePointer<Float>
    ) {
        let last = frameCount - 1
        let far = Self.farReach
        let least = Double(Self.energies[Int(floors[band])])
        levels.withUnsafeBufferPointer { levels in
            Self.energies.withUnsafeBufferPointer { energies in
                guard let base = levels.baseAddress, let table = energies.baseAddress else {
                    return
                }
                let energy = { (frame: Int) -> Float in
                    table[Int(base[min(max(frame, 0), last) * Self.bandCount + band])]
                }
                var sum = 0.0
                for frame in (start - far)..<(start + far) { sum += Double(energy(frame)) }
                for index in 0..<count {
                    let frame = start + index
                    sum += Double(energy(frame + far))
                    let mean = Float(max(sum, 0) / Double(2 * far + 1) + least)
                    values[index] = log(energy(frame) / mean + Self.knee)
                    sum -= Double(energy(frame - far))
                }
            }
        }
    }

    private static func level(_ energy: Float) -> UInt8 {
        guard energy.isFinite, energy > 1e-14 else { return 0 }
        let steps = (10 * log10(Double(energy)) - bottom) / step
        return UInt8(min(max(steps, 0), 255))
    }

    private mutating func measureFloors() {
        var loudest = 0
        for band in 0..<Self.bandCount {
            var counts = [Int](repeating: 0, count: 256)
            for frame in 0..<frameCount { counts[Int(levels[frame * Self.bandCount + band])] += 1 }
            var above = 0
            let loud = (0..<256).reversed().first { level in
                above += counts[level]
                return above * 100 > frameCount
            }
            loudest = max(loudest, loud ?? 0)
            floors[band] = UInt8(max(Double(loud ?? 0) - Self.depth / Self.step, 0))
        }
        peakDecibels = Self.bottom + Double(loudest) * Self.step
    }
}
