import Foundation

/// Reads the source for an engine that supports only a range of speeds.
///
/// It reads samples one by one, forwards or backwards, until its position is too far from where the map wants
/// it. Then it jumps to the map's position, or rather to the place nearby where the waveforms match best, and
/// crossfades (as in SOLA, Roucos and Wilgus 1985).
struct GrainHead {
    /// The position of the next sample, in samples at the output's rate from the map's source time 0.
    private(set) var position: Double
    private var source: SourceSound
    private var resampler: VarispeedResampler
    private var direction = 1.0
    /// Source samples for each sample at the output's rate.
    private let ratio: Double
    private let firstSourceSample: Double
    /// How far the position may be from where the map wants it, in samples.
    private let strayLimit: Double
    /// The shortest distance between two jumps, in samples.
    private let grain: Double
    private var readSinceJump: Double
    /// The length of a crossfade, in samples.
    private let fadeCount: Int
    /// How far to each side the best match is searched, in samples.
    private let searchReach: Int

    private static let strayLimitSeconds = 0.004
    private static let grainSeconds = 0.04
    private static let fadeSeconds = 0.01
    /// To each side. Both sides together are a whole wave of the lowest voices.
    private static let searchSeconds = 0.008

    init(_ retiming: AudioRetiming, source: SourceSound) {
        self.source = source
        ratio = retiming.sourceRate / retiming.outputRate
        firstSourceSample = retiming.sourceStart * retiming.sourceRate
        let start = retiming.map.pieces[0]
        position = (start.sourceStart * retiming.outputRate).rounded()
        direction = start.sourceEnd < start.sourceStart ? -1 : 1
        resampler = VarispeedResampler(interpolation: .sinc, steadySpeed: ratio)
        strayLimit = Self.strayLimitSeconds * retiming.outputRate
        grain = Self.grainSeconds * retiming.outputRate
        readSinceJump = grain
        fadeCount = Int(Self.fadeSeconds * retiming.outputRate)
        searchReach = Int(Self.searchSeconds * retiming.outputRate)
    }

    /// The number of source samples for each channel that have been read.
    var samplesIn: Int64 { source.samplesIn }

    /// Reads the samples before the start.
    mutating func readPreroll(count: Int) throws -> [[Float]] {
        try samples(from: position - direction * Double(count), direction, count: count)
    }

    /// Reads the samples of a step for all channels.
    mutating func read(_ step: StretchStep) throws -> [[Float]] {
        let begin = (step.target - step.direction * Double(step.count)).rounded()
        let hasStrayed = abs(begin - position) > strayLimit && readSinceJump >= grain
        guard hasStrayed || step.direction != direction else {
            let read = try samples(from: position, direction, count: step.count)
            position += direction * Double(step.count)
            readSinceJump += Double(step.count)
            return read
        }
        return try jump(to: begin, step)
    }

    private mutating func jump(to wanted: Double, _ step: StretchStep) throws -> [[Float]] {
        let before = try samples(from: position, direction, count: fadeCount)
        direction = step.direction
        let around = try samples(
            from: wanted - direction * Double(searchReach), direction,
            count: fadeCount + 2 * searchReach)
        let shift = WaveMatch.bestPlace(of: before, in: around) - searchReach
        let begin = wanted + direction * Double(shift)
        var after = try samples(from: begin, direction, count: step.count)
        let faded = min(fadeCount, step.count)
        for channel in after.indices {
            for index in 0..<faded {
                let share = Float(index + 1) / Float(faded + 1)
                let (old, new) = (before[channel][index], after[channel][index])
                after[channel][index] = old + (new - old) * share
            }
        }
        position = begin + direction * Double(step.count)
        readSinceJump = Double(step.count)
        return after
    }

    private mutating func samples(
        from first: Double, _ direction: Double, count: Int
    ) throws -> [[Float]] {
        let positions = (0..<count).map {
            (first + direction * Double($0)) * ratio + firstSourceSample
        }
        return try resampler.render(
            positions: positions, speeds: Array(repeating: direction * ratio, count: count),
            from: &source, margin: Int64(6 * grain * max(1, ratio)))
    }
}

/// Finds where a short sound fits best into another.
enum WaveMatch {
    /// The coarse search compares every fourth sample, which is enough for the frequencies of pitch.
    private static let stride = 4
    /// How much less a match at either end counts than one in the middle. Of two equal matches, as in a tone or
    /// in noise, the nearer one is taken.
    private static let bias: Float = 0.3

    /// The index in `around` from which on it is most similar to `piece`. Similarity is the correlation of all
    /// channels, normalised by loudness; the middle counts a little more.
    static func bestPlace(of piece: [[Float]], in around: [[Float]]) -> Int {
        let length = piece[0].count
        let lastPlace = around[0].count - length
        var best = (place: lastPlace / 2, score: -Float.infinity)
        for place in Swift.stride(from: 0, through: lastPlace, by: stride) {
            let distance = abs(Float(2 * place) / Float(max(1, lastPlace)) - 1)
            let score =
                score(piece, around, at: place, every: stride) * (1 - bias * distance)
            if score > best.score {
                best = (place, score)
            }
        }
        let coarse = best.place
        best.score = -.infinity
        for place in max(0, coarse - stride)...min(lastPlace, coarse + stride) {
            let score = score(piece, around, at: place, every: 1)
            if score > best.score {
                best = (place, score)
            }
        }
        return best.place
    }

    private static func score(
        _ piece: [[Float]], _ around: [[Float]], at place: Int, every step: Int
    ) -> Float {
        var product: Float = 0
        var energy: Float = 1e-9
        for (a, b) in zip(piece, around) {
            a.withUnsafeBufferPointer { a in
                b.withUnsafeBufferPointer { b in
                    var index = 0
                    while index < a.count {
                        let value = b[place + index]
                        product += a[index] * value
                        energy += value * value
                        index += step
                    }
                }
            }
        }
        return product / energy.squareRoot()
    }
}
