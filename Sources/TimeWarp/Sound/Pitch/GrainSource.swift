import Foundation

/// The source's sound at the output's sample rate, around the grains that are being made.
///
/// Positions count samples at the output's rate from the map's source time 0. Where both rates are the same they are
/// the source's own samples; else they are computed once each, by band-limited interpolation.
struct GrainSource {
    private var source: SourceSound
    private var resampler: VarispeedResampler
    /// Source samples for each sample at the output's rate.
    private let ratio: Double
    /// The source sample at position 0.
    private let origin: Double
    private var channels: [[Float]]
    /// The position of the first sample in memory.
    private var start = 0
    /// How many samples before those asked for stay in memory.
    private let kept: Int

    /// What is no number, or 80 dB above full scale, is a defect of the file. It becomes silence, because it would spoil
    /// the whole grain.
    private static let loudest: Float = 1e4

    init(_ retiming: AudioRetiming, source: SourceSound, keeping kept: Int) {
        self.source = source
        self.kept = kept
        ratio = retiming.sourceRate / retiming.outputRate
        origin = retiming.sourceStart * retiming.sourceRate
        resampler = VarispeedResampler(interpolation: .sinc, steadySpeed: ratio)
        channels = Array(repeating: [], count: retiming.channelCount)
    }

    /// The number of source samples for each channel that have been read.
    var samplesIn: Int64 { source.samplesIn }

    private var end: Int { start + channels[0].count }

    /// Loads the samples of a range of positions.
    mutating func load(_ range: Range<Int>) throws {
        guard range.lowerBound < start || range.upperBound > end else {
            return
        }
        let low = range.lowerBound
        if low < start || low > end {
            try replace(with: low..<max(range.upperBound, low))
            return
        }
        let surplus = low - kept - start
        if surplus > 1 << 14 {
            for channel in channels.indices {
                channels[channel].removeFirst(surplus)
            }
            start += surplus
        }
        let more = try samples(end..<range.upperBound + 4096)
        for channel in channels.indices {
            channels[channel] += more[channel]
        }
    }

    private mutating func replace(with range: Range<Int>) throws {
        channels = try samples(range)
        start = range.lowerBound
    }

    private mutating func samples(_ range: Range<Int>) throws -> [[Float]] {
        var channels = try resampled(range)
        for channel in channels.indices {
            channels[channel].withUnsafeMutableBufferPointer { samples in
                for index in samples.indices where !(abs(samples[index]) <= Self.loudest) {
                    samples[index] = 0
                }
            }
        }
        return channels
    }

    private mutating func resampled(_ range: Range<Int>) throws -> [[Float]] {
        let margin = Int64(Double(kept) * max(1, ratio)) + 64
        if ratio == 1, origin == origin.rounded() {
            let first = Int64(range.lowerBound) + Int64(origin)
            try source.load(first - margin..<first + Int64(range.count))
            return source.window.samples(first..<first + Int64(range.count))
        }
        let positions = range.map { Double($0) * ratio + origin }
        return try resampler.render(
            positions: positions, speeds: Array(repeating: ratio, count: positions.count),
            from: &source, margin: margin)
    }

    /// Calls `body` with a channel's samples of a range that was loaded.
    func withSamples<Result>(
        _ channel: Int, _ range: Range<Int>, _ body: (UnsafePointer<Float>) throws -> Result
    ) rethrows -> Result {
        try channels[channel].withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress, range.lowerBound >= start, range.upperBound <= end
            else {
                preconditionFailure("the range was loaded")
            }
            return try body(base + (range.lowerBound - start))
        }
    }
}
