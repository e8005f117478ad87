import Media
import TimeMaps

/// Gives every output sample its value at the source position that the map says: pitch follows
/// speed, as on a tape.
struct VarispeedRetimer: AudioRetimer {
    private let retiming: AudioRetiming
    private var cursor: TimeMap.Cursor
    private var resampler: VarispeedResampler
    private var source: SourceSound
    private let fades: CutFades
    private var nextSample: Int64 = 0

    init(_ retiming: AudioRetiming, interpolation: Interpolation, source: SourceSound) {
        self.retiming = retiming
        self.source = source
        cursor = retiming.map.cursor()
        fades = CutFades(retiming.map, rate: retiming.outputRate)
        let ratio = retiming.sourceRate / retiming.outputRate
        resampler = VarispeedResampler(
            interpolation: interpolation,
            steadySpeed: retiming.map.constantSpeed.map { $0 * ratio })
    }

    var samplesIn: Int64 { source.samplesIn }

    mutating func next(limit: Int) throws -> [[Float]]? {
        // What lies on either side of a cut may be hours apart, and is never needed at once.
        let end = min(fades.nextCut(after: nextSample) ?? .max, retiming.sampleCount)
        let count = Int(min(Int64(limit), end - nextSample))
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
        var channels = try resampler.render(positions: positions, speeds: speeds, from: &source)
        fades.apply(to: &channels, first: nextSample)
        nextSample += Int64(count)
        return channels
    }

    /// At normal speed positions are samples themselves, but for what the arithmetic leaves over.
    private func wholeIfNearly(_ position: Double) -> Double {
        let whole = position.rounded()
        return abs(position - whole) < 1e-7 ? whole : position
    }

    /// Source positions in samples, and source samples an output sample.
    private mutating func locate(
        _ positions: UnsafeMutableBufferPointer<Double>,
        _ speeds: UnsafeMutableBufferPointer<Double>
    ) {
        cursor.fill(
            positions, speeds, firstTick: nextSample, ticksPerSecond: retiming.outputRate)
        let ratio = retiming.sourceRate / retiming.outputRate
        let first = retiming.sourceStart * retiming.sourceRate
        for index in positions.indices {
            positions[index] = positions[index] * retiming.sourceRate + first
            speeds[index] *= ratio
            // Backwards a sample has the value at its end, as forwards at its start: so what is
            // played backwards is what is played forwards, last sample first.
            positions[index] = wholeIfNearly(positions[index] + min(0, speeds[index]))
        }
    }
}

extension VarispeedResampler {
    /// The values at positions of a source, after bringing in what they need of it.
    ///
    /// - Parameter margin: samples before those that are kept for positions that step back.
    mutating func render(
        positions: [Double], speeds: [Double], from source: inout SourceSound, margin: Int64 = 0
    ) throws -> [[Float]] {
        try positions.withUnsafeBufferPointer { positions in
            try speeds.withUnsafeBufferPointer { speeds in
                let span = sourceSpan(positions: positions, speeds: speeds)
                try source.load(span.lowerBound - margin..<span.upperBound)
                let planes = source.window.channels.map { _ in
                    UnsafeMutablePointer<Float>.allocate(capacity: positions.count)
                }
                defer {
                    for plane in planes {
                        plane.deallocate()
                    }
                }
                render(positions: positions, speeds: speeds, from: source.window, into: planes)
                return planes.map { Array(UnsafeBufferPointer(start: $0, count: positions.count)) }
            }
        }
    }
}
