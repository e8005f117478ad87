import Media
import TimeMaps
import TimeWarp

/// Listens to both sounds at instants of a window, and compares the frequencies heard there.
struct PitchListening {
    private let map: TimeMap
    /// The output time at which the sound begins, and the asset time of the map's source time 0, in seconds.
    private let (outputStart, sourceStart): (Double, Double)
    private var source: SoundListening
    private var output: SoundListening
    private let comparison: SpectrumComparison

    /// The time between two instants, in seconds.
    private static let distance = 0.2
    /// Only where the map plays steadily at about these speeds a frame of the output is one of the source.
    private static let speeds = 0.1...3.0

    init(_ check: SoundCheck, _ was: AudioFormat, _ format: AudioFormat) throws {
        map = check.map
        outputStart = check.place?.start ?? 0
        sourceStart = check.clip.range.start.seconds
        source = try SoundListening(
            check.clip.asset, check.stream, was, rises: check.map.isRising, .mean)
        output = try SoundListening(
            check.written, check.writtenStream, format, rises: true, .mean)
        comparison = try SpectrumComparison()
    }

    /// Compares the frequencies in a window that begins at an instant of the sound.
    mutating func compare(
        from start: Double, lasting seconds: Double
    ) throws -> SpectrumComparison.Finding? {
        let half = Double(SpectrumComparison.frameCount) / SpectrumComparison.rate / 2
        for instant in stride(from: start + half, to: start + seconds - half, by: Self.distance) {
            let (before, after) = (
                map.sourceTime(at: instant - half), map.sourceTime(at: instant + half)
            )
            guard instant + half < map.outputDuration,
                Self.speeds.contains(abs(after - before) / (2 * half))
            else {
                continue
            }
            comparison.add(
                try output.boxes(at: edges(around: outputStart + instant)),
                try source.boxes(at: edges(around: sourceStart + map.sourceTime(at: instant))))
        }
        return comparison.take()
    }

    private func edges(around instant: Double) -> [Double] {
        let count = SpectrumComparison.frameCount
        return (0...count).map { instant + Double($0 - count / 2) / SpectrumComparison.rate }
    }
}
