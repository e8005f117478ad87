import Media
import TimeMaps

/// Gives every output sample its value at the source position that the map says.
///
/// Streaming: it asks for source blocks as the map moves on and keeps only what the kernel still
/// reaches, so memory doesn't grow with length. For rising maps.
struct AudioRetimer {
    private var cursor: TimeMap.Cursor
    private var resampler: VarispeedResampler
    private var window: SampleWindow
    private let sourceRate: Double
    private let outputRate: Double
    private let firstSourceSample: Double
    private let sampleCount: Int64
    private let channelCount: Int
    private var nextSample: Int64 = 0
    private var ahead: SampleBlock?
    private var sourceEnded = false
    /// Source samples taken so far, a channel.
    private(set) var samplesIn: Int64 = 0

    /// - Parameters:
    ///   - clip: whose map is obeyed.
    ///   - sourceRate: samples a second of the blocks that are read.
    ///   - sampleCount: how many samples to make in all.
    init(
        _ clip: Clip, channelCount: Int, sourceRate: Int, outputRate: Int, sampleCount: Int64,
        interpolation: Interpolation
    ) {
        cursor = clip.map.cursor()
        let ratio = Double(sourceRate) / Double(outputRate)
        resampler = VarispeedResampler(
            interpolation: interpolation, steadySpeed: clip.map.constantSpeed.map { $0 * ratio })
        window = SampleWindow(channelCount: channelCount)
        self.sourceRate = Double(sourceRate)
        self.outputRate = Double(outputRate)
        firstSourceSample = clip.range.start.seconds * Double(sourceRate)
        self.sampleCount = sampleCount
        self.channelCount = channelCount
    }

    /// The next samples, at most `limit` a channel; nil when all have been made.
    ///
    /// - Parameter read: hands over the next source block, nil at the end.
    mutating func next(
        limit: Int, reading read: () throws -> SampleBlock?
    ) throws -> [[Float]]? {
        let count = Int(min(Int64(limit), sampleCount - nextSample))
        guard count > 0 else {
            return nil
        }
        var positions = [Double](repeating: 0, count: count)
        var speeds = positions
        positions.withUnsafeMutableBufferPointer { positions in
            speeds.withUnsafeMutableBufferPointer { speeds in
                locate(positions, speeds)
            }
        }
        nextSample += Int64(count)
        return try positions.withUnsafeBufferPointer { positions in
            try speeds.withUnsafeBufferPointer { speeds in
                try render(positions, speeds, reading: read)
            }
        }
    }

    /// Source positions in samples, and source samples an output sample.
    private mutating func locate(
        _ positions: UnsafeMutableBufferPointer<Double>,
        _ speeds: UnsafeMutableBufferPointer<Double>
    ) {
        cursor.fill(positions, speeds, firstTick: nextSample, ticksPerSecond: outputRate)
        let ratio = sourceRate / outputRate
        for index in positions.indices {
            positions[index] = positions[index] * sourceRate + firstSourceSample
            speeds[index] *= ratio
        }
    }

    private mutating func render(
        _ positions: UnsafeBufferPointer<Double>, _ speeds: UnsafeBufferPointer<Double>,
        reading read: () throws -> SampleBlock?
    ) throws -> [[Float]] {
        let span = resampler.sourceSpan(positions: positions, speeds: speeds)
        window.discard(before: span.lowerBound)
        try load(upTo: span.upperBound, reading: read)
        let planes = (0..<channelCount).map { _ in
            UnsafeMutablePointer<Float>.allocate(capacity: positions.count)
        }
        defer {
            for plane in planes {
                plane.deallocate()
            }
        }
        resampler.render(positions: positions, speeds: speeds, from: window, into: planes)
        return planes.map { Array(UnsafeBufferPointer(start: $0, count: positions.count)) }
    }

    private mutating func load(
        upTo end: Int64, reading read: () throws -> SampleBlock?
    ) throws {
        while window.end < end {
            if ahead == nil && !sourceEnded {
                ahead = try read()
                sourceEnded = ahead == nil
            }
            guard let block = ahead else {
                return
            }
            if !window.isEmpty && block.start > window.end {
                // A hole is silence, filled only as far as it is reached.
                window.append(silence: Int(min(block.start, end) - window.end))
                continue
            }
            window.append(block)
            samplesIn += Int64(block.count)
            ahead = nil
        }
    }
}
