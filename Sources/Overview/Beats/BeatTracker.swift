import Foundation

/// Places beats on the onsets by dynamic programming: D. Ellis, "Beat tracking by dynamic programming", Journal of
/// New Music Research 36 (2007), with a tempo that may change: where it does, τ is the one of both that fits better.
///
/// With s the strengths, smoothed and relative to their deviation, and τ the time between beats, the best sum that a
/// row of beats which ends at frame n can have is
///
///     C(n) = s(n) + max(0, max over p from n − 2τ to n − τ/2 of C(p) − 100·ln²((n − p)/τ))
///
/// The last beat is where C is largest; from there, the choices lead back to the first. Memory: 2 bytes a frame.
struct BeatTracker {
    private static let tightness: Float = 100
    /// The deviation of the Gaussian that smooths strengths, in frames.
    private static let smoothing = 3.0

    /// The frames of the beats, in order.
    private(set) var frames: [Int] = []

    init(_ excess: [Float], _ path: TempoPath, checkCancelled: () throws -> Void) throws {
        let kernel = Self.kernel
        let scale = 1 / max(Self.deviation(excess), .leastNormalMagnitude)
        let logarithms = (0..<1024).map { log(Float(max($0, 1))) }
        // The choice at each frame: how many frames before it the beat before it lies; 0 if it is the first.
        var choices = [UInt16](repeating: 0, count: excess.count)
        var sums = [Float](repeating: 0, count: 1024)
        var last = (sum: Float(0), frame: 0)
        var periods = path.candidates(at: 0)
        for frame in excess.indices {
            if frame.isMultiple(of: 1 << 16) { try checkCancelled() }
            if frame.isMultiple(of: Int(OnsetStrength.rate)) {
                periods = path.candidates(at: frame)
            }
            let (first, second) = (Float(log(periods.first)), Float(log(periods.second)))
            let nearest = Int(min(periods.first, periods.second) / 2)
            let furthest = min(frame, Int(2 * max(periods.first, periods.second)))
            var (best, choice) = (Float(0), 0)
            for distance in stride(from: nearest, through: furthest, by: 1) {
                let value = logarithms[distance]
                let away = min(abs(value - first), abs(value - second))
                let sum = sums[(frame - distance) & 1023] - Self.tightness * away * away
                if sum > best { (best, choice) = (sum, distance) }
            }
            let sum = best + scale * Self.smoothed(excess, frame, kernel)
            sums[frame & 1023] = sum
            choices[frame] = UInt16(choice)
            if sum > last.sum { last = (sum, frame) }
        }
        guard last.sum > 0 else { return }
        var frame = last.frame
        frames = [frame]
        while choices[frame] > 0 {
            frame -= Int(choices[frame])
            frames.append(frame)
        }
        frames.reverse()
    }

    private static let kernel: [Float] = {
        let values = (-9...9).map { exp(-0.5 * pow(Double($0) / smoothing, 2)) }
        return values.map { Float($0 / values.reduce(0, +)) }
    }()

    private static func smoothed(_ excess: [Float], _ frame: Int, _ kernel: [Float]) -> Float {
        var sum: Float = 0
        for place in kernel.indices {
            let index = frame + place - kernel.count / 2
            if excess.indices.contains(index) { sum += kernel[place] * excess[index] }
        }
        return sum
    }

    private static func deviation(_ excess: [Float]) -> Float {
        var (sum, squares) = (0.0, 0.0)
        for value in excess {
            sum += Double(value)
            squares += Double(value * value)
        }
        let count = Double(max(excess.count, 1))
        return Float(max(0, squares / count - (sum / count) * (sum / count)).squareRoot())
    }
}
