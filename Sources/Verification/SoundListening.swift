import Media
import TimeMaps
import TimeWarp

/// One of the two sounds, as boxes.
struct SoundListening {
    private let asset: Asset
    private let stream: Asset.Stream
    private let rate: Double
    private let rises: Bool
    private let boxes: SoundBoxes
    private var sound: SourceSound?
    /// From the start on; nil once it began elsewhere, where decoders stumble over what they can't know.
    private var wholeReader: SampleReader?
    /// Seconds up to which it has been read.
    private var reached = 0.0

    /// Seconds further on that are read through; what lies further is sought.
    private static let readThrough = 10.0

    /// - Parameter rises: whether it is asked for in order.
    init(
        _ asset: Asset, _ stream: Asset.Stream, _ format: AudioFormat, rises: Bool,
        _ measure: SoundBoxes.Measure
    ) throws {
        self.asset = asset
        self.stream = stream
        self.rises = rises
        rate = Double(format.sampleRate)
        boxes = SoundBoxes(measure: measure)
    }

    /// What of it couldn't be read or decoded so far; nil where that can't be told.
    var damage: StreamDamage? { wholeReader?.damage }

    /// - Parameter times: where one box ends and the next begins, in asset time.
    mutating func boxes(at times: [Double]) throws -> [[Float]] {
        let first = times.min() ?? 0
        let goesOn = rises && first <= reached + Self.readThrough
        var sound = try (goesOn ? self.sound : nil) ?? opened(at: first)
        defer { self.sound = sound }
        self.sound = nil
        reached = times.max() ?? 0
        return try boxes.boxes(between: times.map { $0 * rate }, of: &sound)
    }

    private mutating func opened(at seconds: Double) throws -> SourceSound {
        let start = try RationalTime(seconds: max(0, seconds - 0.1), timescale: 1000)
        let reader = try SampleReader(of: asset, stream: stream, from: start)
        wholeReader = sound == nil && start == .zero ? reader : nil
        return SourceSound(channelCount: reader.channelCount) { try reader.next() }
    }
}
