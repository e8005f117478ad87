import TimeMaps

/// A time map in numbers: what is shown at instants of the output, and how fast it plays there.
///
/// It says what a ``CurveEvaluation`` can't: that a source instant is shown twice, for a while, or backwards.
public struct TimeMapEvaluation: Sendable, Codable {
    /// The time map at one instant of the output.
    public struct Sample: Hashable, Sendable, Codable {
        /// Output time in seconds.
        public var output: Double
        /// The source time shown then, in seconds.
        public var source: Double
        /// The speed in source seconds per output second: 0 freezes, and below 0 plays backwards.
        public var speed: Double

        /// A sample of a time map. Nothing is checked.
        public init(output: Double, source: Double, speed: Double) {
            self.output = output
            self.source = source
            self.speed = speed
        }
    }

    /// What is plotted, in words.
    public let title: String
    /// Samples in order of output time. Where the speed or the source jumps there are two at one output time.
    public let samples: [Sample]
    /// The lowest speed of the samples.
    public let minimumSpeed: Double
    /// The highest speed of the samples.
    public let maximumSpeed: Double
    /// How long the clip lasts, in seconds.
    public let sourceDurationSeconds: Double
    /// How long the output lasts, in seconds.
    public let outputDurationSeconds: Double
    /// Sentences about what the user may not expect.
    public let warnings: [String]

    /// Evaluates a time map. Speeds beyond ±1000, which last for less than a frame, count as ±1000, and speeds
    /// less than a billionth from 0 or 1 as 0 or 1.
    ///
    /// - Parameters:
    ///   - map: any time map.
    ///   - title: what is plotted, in words.
    ///   - sampleCount: the number of evenly spaced samples, at least 2, to which each piece's ends are added.
    /// - Complexity: O(sampleCount · log n + n) for n pieces.
    public init(of map: TimeMap, title: String, sampleCount: Int = 1025) {
        self.title = title
        samples = Self.samples(of: map, step: map.outputDuration / Double(max(sampleCount, 2) - 1))
        let speeds = samples.lazy.map(\.speed)
        minimumSpeed = speeds.min() ?? 1
        maximumSpeed = speeds.max() ?? 1
        sourceDurationSeconds = map.sourceDuration
        outputDurationSeconds = map.outputDuration
        warnings = map.warnings
    }

    /// The plot of the time map.
    ///
    /// - Throws: ``PlotError`` when a number is too large to be drawn.
    public var plot: TimeMapPlot {
        get throws {
            try TimeMapPlot(
                title: title, samples: samples, sourceDuration: sourceDurationSeconds)
        }
    }

    private static func samples(of map: TimeMap, step: Double) -> [Sample] {
        var samples: [Sample] = []
        func append(_ output: Double, _ source: Double, speedAt instant: Double) {
            // Pieces meet to within a nanosecond.
            let sample = Sample(
                output: max(output, samples.last?.output ?? 0), source: source,
                speed: clean(map.speed(at: instant)))
            guard samples.last != sample else { return }
            samples.append(sample)
        }
        for piece in map.pieces {
            let (start, end) = (piece.outputStart, piece.outputEnd)
            append(start, piece.sourceStart, speedAt: start)
            // A straight line needs only its ends.
            if piece.exact == nil {
                for index in stride(from: (start / step).rounded(.down) + 1, to: end / step, by: 1)
                where start < index * step && index * step < end {
                    append(
                        index * step, map.sourceTime(at: index * step), speedAt: index * step)
                }
            }
            append(end, piece.sourceEnd, speedAt: end - min(2e-9, (end - start) / 2))
        }
        return samples
    }

    private static func clean(_ speed: Double) -> Double {
        let limit = TimeMap.scaleLimits.upperBound
        let near = [0.0, 1].first { abs(speed - $0) < 1e-9 }
        return near ?? min(max(speed, -limit), limit)
    }
}
