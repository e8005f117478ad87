import Media
import TimeMaps

/// Calculates each output sample at the source position that the map says, so that pitch follows speed, as on a
/// tape.
struct VarispeedRetimer: AudioRetimer {
    private let retiming: AudioRetiming
    private var cursor: TimeMap.Cursor
    private var resampler: VarispeedResampler
    private var source: SourceSound
    private let fades: CutFades
    private var nextSample: Int64 = 0

    /// How many source samples the positions of one block may span. Where a time scale touches zero, the positions of
    /// a few output samples may lie hours apart.
    private static let longestSpan = Double(1 << 20)

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
        // The samples before and after a jump may be hours apart in the source, and are never needed together.
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
        let near = positions.prefix { abs($0 - positions[0]) <= Self.longestSpan }.count
        positions.removeLast(count - near)
        speeds.removeLast(count - near)
        var channels = try resampler.render(positions: positions, speeds: speeds, from: &source)
        fades.apply(to: &channels, first: nextSample)
        nextSample += Int64(near)
        return channels
    }

    /// Rounds a position that is nearly a whole sample: at normal speed, positions are whole except for
    /// rounding errors.
    private func wholeIfNearly(_ position: Double) -> Double {
        // The nearest whole number, as long as it has less than 52 bits; `rounded()` would be a call on processors
        // from before 2008.
        let whole = (position + 0x1.8p52) - 0x1.8p52
        return abs(position - whole) < 1e-7 ? whole : position
    }

    /// Fills in the source positions, in samples, and the source samples for each output sample.
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
            // Backwards, an output sample takes the value at its end; forwards, the value at its start. So
            // reversed sound is exactly the forward sound with the last sample first.
            positions[index] = wholeIfNearly(positions[index] + min(0, speeds[index]))
        }
    }
}

extension VarispeedResampler {
    /// The values at positions of a source, one array for each channel. It first loads the source samples that
    /// they need.
    ///
    /// - Parameter margin: how many earlier samples to keep, for later positions that step back.
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
