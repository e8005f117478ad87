import Foundation

/// The time between beats, second by second.
///
/// For each second, the strengths e of the eight seconds around it are compared with themselves l later:
///
///     r(l) = Σ e(m)·e(m + l) / Σ e(m)²
///
/// As in D. Ellis, "Beat tracking by dynamic programming", Journal of New Music Research 36 (2007), the lag counts
/// more where the double lag fits too, and near half a second:
///
///     w(l) = exp(−½ (log₂(l / 0.5 s) / 0.9)²) · (r(l) + ½ r(2l) + ¼ r(2l − 1) + ¼ r(2l + 1))
///
/// It counts half where half the lag fits as well: r(l/2) > 0.9 r(l). Then that is the beat, and this every second one.
///
/// Of all paths through the seconds, the one is taken that has the largest sum of w less a price for each change of
/// tempo (Viterbi), so that a tempo may drift and jump, and a bar that fits another tempo doesn't.
struct TempoPath {
    /// The time between beats in each second, in frames of ``OnsetStrength``.
    private(set) var periods: [Double] = []
    /// How much of the sound repeats with the beat, 0 to 1: the mean of r.
    private(set) var clarity = 0.0

    /// Lags are counted in hundredths of a second: two frames.
    private static let framesPerLag = 2
    private static let lagsPerSecond = Int(OnsetStrength.rate) / framesPerLag
    /// 50 to 240 beats per minute.
    private static let lags = 25...120
    private static let windowSeconds = 8
    private static let usual = 50.0
    private static let octaves = 0.9
    /// A larger share is a change of tempo.
    private static let change = 0.04
    /// Two lags fit alike if their repeats differ by less than this.
    private static let alike: Float = 0.9
    /// The price of a change of tempo by an octave.
    private static let price: Float = 4

    init(_ excess: [Float], checkCancelled: () throws -> Void) throws {
        let strengths = Self.smoothed(excess)
        let seconds = max(1, strengths.count / Self.lagsPerSecond)
        var best: [Float] = []
        var came: [[UInt8]] = []
        var refined: [[Float]] = []
        var clarities: [[Float]] = []
        for second in 0..<seconds {
            try checkCancelled()
            let repeats = Self.repeats(strengths, second)
            let weights = Self.weights(repeats)
            let (totals, from) = Self.extended(best)
            best = zip(totals, weights).map { $0 + $1 }
            came.append(from)
            refined.append(Self.lags.map { Self.peak(repeats, $0) })
            clarities.append(Self.lags.map { repeats[$0] })
        }
        var state = best.indices.max { best[$0] < best[$1] } ?? 0
        for second in (0..<seconds).reversed() {
            let lag = Double(Self.lags.lowerBound + state) + Double(refined[second][state])
            periods.append(lag * Double(Self.framesPerLag))
            clarity += Double(max(0, clarities[second][state])) / Double(seconds)
            state = Int(came[second][state])
        }
        periods.reverse()
    }

    /// The times between beats that are possible at a frame: where the tempo changes within four seconds, both of
    /// them, because eight seconds don't tell exactly where.
    func candidates(at frame: Int) -> (first: Double, second: Double) {
        let second = min(frame / Int(OnsetStrength.rate), periods.count - 1)
        let here = periods[second]
        for step in 1...Self.windowSeconds / 2 {
            for other in [second - step, second + step] where periods.indices.contains(other) {
                if abs(periods[other] / here - 1) > Self.change {
                    return (here, periods[other])
                }
            }
        }
        return (here, here)
    }

    /// The strengths in hundredths of a second, smoothed so that a peak between two lags counts for both.
    private static func smoothed(_ excess: [Float]) -> [Float] {
        stride(from: 0, to: excess.count - 1, by: framesPerLag).map { frame in
            var sum: Float = 0
            for (place, weight) in kernel.enumerated() {
                let index = frame + place - kernel.count / 2 + 1
                if excess.indices.contains(index) { sum += weight * excess[index] }
            }
            return sum
        }
    }

    private static let kernel: [Float] = [1, 3, 5, 5, 3, 1].map { $0 / 18 }

    /// r of each lag from 0 on.
    private static func repeats(_ strengths: [Float], _ second: Int) -> [Float] {
        let middle = second * lagsPerSecond + lagsPerSecond / 2
        let half = windowSeconds * lagsPerSecond / 2
        let range = max(0, middle - half)..<min(strengths.count, middle + half)
        let mean = range.isEmpty ? 0 : strengths[range].reduce(0, +) / Float(range.count)
        let window = strengths[range].map { $0 - mean }
        let whole = window.reduce(0) { $0 + $1 * $1 }
        let most = 2 * lags.upperBound + 1
        guard whole > 0 else { return [Float](repeating: 0, count: most + 1) }
        return window.withUnsafeBufferPointer { window in
            (0...most).map { lag in
                var sum: Float = 0
                for index in 0..<max(0, window.count - lag) {
                    sum += window[index] * window[index + lag]
                }
                // Fewer products are summed at longer lags.
                return sum / whole * Float(window.count)
                    / Float(max(window.count - lag, window.count / 2))
            }
        }
    }

    private static func weights(_ repeats: [Float]) -> [Float] {
        lags.map { lag in
            let away = log2(Double(lag) / usual) / octaves
            let double =
                0.5 * repeats[2 * lag] + 0.25 * repeats[2 * lag - 1] + 0.25 * repeats[2 * lag + 1]
            let half = max(height(repeats, lag / 2), height(repeats, (lag + 1) / 2))
            let share: Float = half > alike * repeats[lag] ? 0.5 : 1
            return share * Float(exp(-0.5 * away * away)) * (repeats[lag] + double)
        }
    }

    /// The best sum with which each tempo can be reached from the second before, and from which tempo.
    private static func extended(_ best: [Float]) -> (totals: [Float], from: [UInt8]) {
        guard !best.isEmpty else {
            return (lags.map { _ in 0 }, lags.map { _ in 0 })
        }
        var totals: [Float] = []
        var from: [UInt8] = []
        for to in best.indices {
            var (most, at) = (-Float.infinity, 0)
            for start in best.indices {
                let value = best[start] - price * logarithms[abs: start, to]
                if value > most { (most, at) = (value, start) }
            }
            totals.append(most)
            from.append(UInt8(at))
        }
        return (totals, from)
    }

    private static let logarithms = Logarithms(lags.map { Float(log2(Double($0))) })

    private struct Logarithms {
        let values: [Float]
        init(_ values: [Float]) { self.values = values }
        subscript(abs first: Int, second: Int) -> Float { abs(values[first] - values[second]) }
    }

    /// The height of the peak of a parabola through r beside a lag.
    private static func height(_ repeats: [Float], _ lag: Int) -> Float {
        repeats[lag] - 0.25 * (repeats[lag - 1] - repeats[lag + 1]) * peak(repeats, lag)
    }

    /// By how much of a lag the peak of a parabola through r lies beside a lag; 0 if there is no peak.
    private static func peak(_ repeats: [Float], _ lag: Int) -> Float {
        let (a, b, c) = (repeats[lag - 1], repeats[lag], repeats[lag + 1])
        let bend = a - 2 * b + c
        return bend < 0 ? min(max(0.5 * (a - c) / bend, -0.5), 0.5) : 0
    }
}
