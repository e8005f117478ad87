import Alignment

/// Finds the beginnings of sounds in one pass over a recording.
///
/// A frame holds an onset if its strength is the largest within 30 ms and exceeds a threshold that follows the sound:
/// with q₁ and q₂ the lower quartile and the median of the second around it,
///
///     q₂ + 7·(q₂ − q₁) + 0.15
///
/// The part below the median is spread by noise alone, so that many onsets don't hide each other. Peaks over a running
/// threshold are those of S. Böck, F. Krebs and M. Schedl, "Evaluating the online capabilities of onset detection
/// methods", ISMIR 2012.
struct OnsetDetector {
    /// The onsets, in order.
    private(set) var onsets: [Onset] = []
    /// By how much each frame's strength exceeds the median around it. 800 bytes a second.
    private(set) var excess: [Float] = []

    /// Half the width over which quartiles are taken, in frames.
    private static let reach = 100
    /// Half the width over which an onset is the largest, in frames.
    private static let alone = 6
    private static let spread: Float = 7
    private static let least: Float = 0.15

    /// Reads the whole sound. O(n) in its length.
    init(_ sound: MonoSound, checkCancelled: () throws -> Void) throws {
        let stream = try SoundStream(sound, slackSeconds: 1.5)
        let strength = try OnsetStrength(stream, checkCancelled: checkCancelled)
        let placer = try OnsetPlacer(sampleRate: sound.sampleRate)
        var window = RunningQuartiles(reach: Self.reach)
        for _ in 0..<strength.firstFrame {
            window.append(0)
            settle(&window, strength, placer, stream)
        }
        var frame = strength.firstFrame
        while try stream.read(
            upTo: strength.end(ofFrame: frame + 1), checkCancelled: checkCancelled)
        {
            let (first, second) = strength.measure(frame: frame, in: stream)
            for value in [first, second] {
                window.append(value)
                settle(&window, strength, placer, stream)
            }
            frame += 2
        }
        for _ in 0..<Self.reach {
            window.append(nil)
            settle(&window, strength, placer, stream)
        }
    }

    /// Decides about the frame in the middle of the window.
    private mutating func settle(
        _ window: inout RunningQuartiles, _ strength: OnsetStrength, _ placer: OnsetPlacer,
        _ stream: SoundStream
    ) {
        guard let value = window.middle else { return }
        let frame = excess.count
        let (lower, median) = window.quartiles
        excess.append(max(0, value - median))
        guard value >= median + Self.spread * (median - lower) + Self.least,
            window.isLargest(within: Self.alone)
        else { return }
        let end = strength.end(ofFrame: frame)
        onsets.append(Onset(frame: frame, time: placer.time(near: end, in: stream)))
    }
}

/// The values around a place that moves on, and their quartiles.
private struct RunningQuartiles {
    private let reach: Int
    /// The last values in order of time; nil after the end.
    private var values: [Float?] = []
    private var sorted: [Float] = []

    init(reach: Int) {
        self.reach = reach
        values = Array(repeating: nil, count: 2 * reach + 1)
    }

    /// The value in the middle; nil before the first and after the last.
    var middle: Float? { values[reach] }

    /// The lower quartile and the median.
    var quartiles: (lower: Float, median: Float) {
        (sorted[sorted.count / 4], sorted[sorted.count / 2])
    }

    mutating func append(_ value: Float?) {
        if let old = values.removeFirst() {
            sorted.remove(at: place(of: old))
        }
        values.append(value)
        if let value {
            sorted.insert(value, at: place(of: value))
        }
    }

    /// Whether no value around the middle is larger, and none before it as large.
    func isLargest(within distance: Int) -> Bool {
        guard let middle else { return false }
        return (1...distance).allSatisfy { step in
            (values[reach - step] ?? -1) < middle && (values[reach + step] ?? -1) <= middle
        }
    }

    /// Where a value is, or would be, among the sorted ones.
    private func place(of value: Float) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
