/// Reads a sound once from start to end, and keeps only the samples around the last requested position.
///
/// Positions must be requested in increasing order, except that the last `slackSeconds` remain available.
package final class SoundStream {
    /// Samples per second.
    package let sampleRate: Double
    /// The number of samples read so far; the whole length once the end has been reached.
    package private(set) var end = 0

    private let next: () throws -> [Float]?
    private let slack: Int
    private var kept: [Float] = []
    private var keptStart = 0
    private var isFinished = false

    package init(_ sound: MonoSound, slackSeconds: Double) throws {
        sampleRate = sound.sampleRate
        next = try sound.open()
        slack = Int(slackSeconds * sound.sampleRate)
    }

    /// Continues reading until `place` samples have been read or the end is reached.
    ///
    /// - Returns: whether the sound has that many samples.
    package func read(upTo place: Int, checkCancelled: () throws -> Void) throws -> Bool {
        while end < place, !isFinished {
            try checkCancelled()
            guard let block = try next() else {
                isFinished = true
                break
            }
            kept.append(contentsOf: block)
            end += block.count
            forget(before: min(place, end) - slack)
        }
        return end >= place
    }

    /// Calls `body` with `count` samples from position `start` on, which must have been read. Samples before
    /// the first, after the last, and those dropped already are 0.
    package func withSamples<Result>(
        from start: Int, count: Int, _ body: (UnsafePointer<Float>) throws -> Result
    ) rethrows -> Result {
        guard start < keptStart || start + count > keptStart + kept.count else {
            return try kept.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return try body([]) }
                return try body(base + (start - keptStart))
            }
        }
        var padded = [Float](repeating: 0, count: count)
        let first = max(start, keptStart)
        let last = min(start + count, keptStart + kept.count)
        if first < last {
            let part = kept[(first - keptStart)..<(last - keptStart)]
            padded.replaceSubrange((first - start)..<(last - start), with: part)
        }
        return try padded.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return try body([]) }
            return try body(base)
        }
    }

    /// Drops old samples, many at a time, so that moving the rest costs little.
    private func forget(before place: Int) {
        let excess = min(place - keptStart, kept.count)
        guard excess > max(slack, 1 << 15) else { return }
        kept.removeFirst(excess)
        keptStart += excess
    }
}
