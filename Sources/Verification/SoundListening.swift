import Media
import TimeMaps
import TimeWarp

/// Reads one of the two sounds as boxes.
struct SoundListening {
    private let asset: Asset
    private let stream: Asset.Stream
    private let rate: Double
    private let rises: Bool
    private let boxes: SoundBoxes
    private var sound: SourceSound?
    /// The reader, if it has read from the start without seeking; nil otherwise, because after a seek decoders
    /// report errors that aren't damage.
    private var wholeReader: SampleReader?
    /// The asset time up to which the sound has been read, in seconds.
    private var reached = 0.0

    /// The largest distance in seconds that is read through. For a larger one the reader seeks.
    private static let readThrough = 10.0

    /// - Parameter rises: whether the boxes are requested in order of time.
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

    /// The parts of the sound that couldn't be read or decoded so far; nil if that isn't known.
    var damage: StreamDamage? { wholeReader?.damage }

    /// The boxes of each channel.
    ///
    /// - Parameter times: the edges of the boxes in asset time, in seconds.
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
