import Alignment
import Foundation
import Media
import TimeMaps
import TimeWarp

/// Compares the sound of a finished track with what its map makes of the source's.
///
/// Both are brought to few values a second, window by window, and the lag is found at which they agree
/// best. Used on one thread.
struct SoundCheck {
    let clip: Clip
    let stream: Asset.Stream
    let written: Asset
    let writtenStream: Asset.Stream
    let sound: RenderSettings.Sound
    let stretches: Int?
    let checkCancelled: () throws -> Void

    struct Result {
        var sound: Verification.Sound
        var faults: [Verification.Fault] = []
        var notes: [String] = []
    }

    /// How two sounds are compared.
    enum Method {
        /// Sample for sample.
        case waveform
        /// Where pitch is kept, waves don't agree, but when it gets louder does.
        case envelope

        var measure: SoundBoxes.Measure { self == .waveform ? .mean : .loudness }
        var boxesPerSecond: Double { self == .waveform ? BandlimitedReader.rate : 500 }
        /// Boxes of a window: a second, or four.
        var length: Int { self == .waveform ? WindowMatcher.length : LagFinder.length }
        /// Boxes before and after it that it is looked for in: half a second.
        var reach: Int { self == .waveform ? WindowMatcher.reach : LagFinder.reach }
        /// A larger lag is a fault, in seconds.
        var tolerance: Double { self == .waveform ? 0.0015 : 0.004 }
        /// Windows that agree less aren't the source's.
        var leastAgreement: Double { self == .waveform ? 0.6 : 0.2 }
    }

    /// A window of the output.
    struct Window {
        let seconds: Double
        var isAudible = true
        /// Whether there is nearly nothing where the source has sound.
        var isLost = false
        /// Seconds of the first stretch of which that can be said, and where it begins.
        var gap: (start: Double, seconds: Double)?
        /// Whether it would be as loud as that, and not speeded up so much that what is heard is another
        /// part of what there was.
        var isPlain = false
        /// Whether the source's sound would be found here if it were there.
        var tells = true
        /// Nil where the sound repeats itself, so that nothing can be told.
        var lag: Double?
        var agreement = 0.0
    }

    /// Source samples that are looked at at once: what goes by faster isn't compared.
    private static let mostSamples = 10_000_000.0
    /// Of fewer windows of envelopes nothing is said for certain: 20 seconds.
    static let fewestTelling = 5
    /// Less of the power that should be there is silence.
    static let leastShare = 0.001
    /// At a higher speed what was audible may lie beyond what a file can hold, all of it.
    private static let plainSpeed = 1.02
    /// Unrelated sounds agree by less, whatever a codec does.
    static let unrelated = 0.3

    private var map: TimeMap { sound == .keep ? .identity(clip.range.duration) : clip.map }

    var method: Method {
        sound == .keepPitch && map.constantSpeed != 1 ? .envelope : .waveform
    }

    /// Sound that keeps its speed is cut off where the pictures end.
    private var lasts: Double { min(map.outputDuration, clip.map.outputDuration) }

    /// How long it lasts, minus how long it should: as long as the map says, or, where nothing is retimed, as
    /// it was.
    var lengthError: Double {
        func length(of stream: Asset.Stream, in asset: Asset) -> Double {
            (stream.end?.seconds ?? asset.duration.seconds) - (stream.start?.seconds ?? 0)
        }
        let found = length(of: writtenStream, in: written)
        let errors =
            [found - lasts]
            + (isUntouched ? [found - length(of: stream, in: clip.asset)] : [])
        return errors.min { abs($0) < abs($1) } ?? 0
    }

    private var isUntouched: Bool {
        map.constantSpeed == 1 && clip.range.duration == clip.asset.duration
    }

    func run() throws -> Result {
        guard let was = stream.audioFormat, let format = writtenStream.audioFormat else {
            throw MediaError(.noUsableStream, file: written.path, reason: "it has no sound")
        }
        let method = method
        var source = try SoundListening(
            clip.asset, stream, was, rises: map.isRising, method.measure)
        var output = try SoundListening(written, writtenStream, format, rises: true, method.measure)
        let finder = try SoundLagFinder(method)
        var channels = ChannelMatrix(
            output: format.channelCount, source: was.channelCount, holdsWaves: method == .waveform)
        var windows: [Window] = []
        var tooFast = 0
        let seconds = Double(method.length) / method.boxesPerSecond
        // A file of a lower rate holds less.
        let plain = Self.plainSpeed * min(1, Double(format.sampleRate) / Double(was.sampleRate))
        for place in places(lasting: lasts, seconds) {
            try checkCancelled()
            let start = Double(place) * seconds
            let around = instants(
                start, -method.reach, method.length + 2 * method.reach, method)
            let times = sourceTimes(around)
            let span = (times.max() ?? 0) - (times.min() ?? 0)
            guard span * Double(was.sampleRate) < Self.mostSamples else {
                tooFast += 1
                continue
            }
            let heard = try output.boxes(at: instants(start, 0, method.length, method))
            let wanted = try source.boxes(at: times)
            windows.append(
                compare(
                    heard, wanted, at: start, isPlain: span < plain * played(around),
                    finder, &channels))
        }
        var result = result(windows, channels)
        result.faults += output.damage?.faults ?? []
        result.notes += (source.damage?.sentences ?? []).map { "The source is damaged: \($0)." }
        if tooFast > 0 {
            result.notes.append(
                "In \(tooFast) of \(tooFast + windows.count) windows sound goes by too fast to be "
                    + "compared.")
        }
        return result
    }

    /// Windows to look at: all, or some spread evenly.
    private func places(lasting lasts: Double, _ seconds: Double) -> some Sequence<Int> {
        let count = max(1, Int((lasts / seconds).rounded(.up)))
        let looked = min(stretches ?? count, count)
        return (0..<looked).lazy.map { $0 * (count - 1) / max(1, looked - 1) }
    }

    private func instants(
        _ start: Double, _ first: Int, _ count: Int, _ method: Method
    ) -> [Double] {
        (first...first + count).map { start + Double($0) / method.boxesPerSecond }
    }

    /// The instants of the asset that are heard at instants of the output.
    private func sourceTimes(_ instants: [Double]) -> [Double] {
        let offset = clip.range.start.seconds
        return instants.map { map.sourceTime(at: min(max($0, 0), lasts)) + offset }
    }

    /// For how long of these instants sound is played.
    private func played(_ instants: [Double]) -> Double {
        min(instants.last ?? 0, lasts) - max(instants.first ?? 0, 0)
    }

    // MARK: - One window

    private func compare(
        _ heard: [[Float]], _ wanted: [[Float]], at seconds: Double, isPlain: Bool,
        _ finder: SoundLagFinder, _ channels: inout ChannelMatrix
    ) -> Window {
        let (heard, wanted) = (heard.map(sharpened), wanted.map(sharpened))
        let floor = method == .waveform ? 1e-8 : 1e-6
        let middle = wanted.map { Array($0[method.reach..<method.reach + method.length]) }
        let loudest = middle.map(power).max() ?? 0
        let loudestHeard = heard.map(power).max() ?? 0
        guard max(loudest, loudestHeard) > floor else {
            return Window(seconds: seconds, isAudible: false)
        }
        // All channels at once, so that those in each other's place don't spoil it; or each by itself,
        // where they cancel each other out.
        let pairs = [(mixed(heard), mixed(wanted))] + zip(heard, wanted)
        var best = (lag: Double?.none, agreement: -1.0)
        for (one, other) in pairs where best.agreement < method.leastAgreement {
            let found = finder.lag(of: one, in: other)
            best = found.agreement > best.agreement ? found : best
        }
        let lag = Int((best.lag ?? 0).rounded())
        let place = min(max(method.reach - lag, 0), 2 * method.reach)
        if isMatched(best) {
            channels.add(heard, wanted, from: place)
        }
        let gap =
            method == .waveform && isPlain
            ? SoundGap(in: heard, of: wanted, from: [place, method.reach]) : nil
        let tells =
            method == .waveform || finder.lag(of: mixed(middle), in: mixed(wanted)).lag != nil
        return Window(
            seconds: seconds,
            isLost: loudest > floor && loudestHeard < Self.leastShare * loudest,
            gap: gap.map {
                (
                    seconds + Double($0.start) / method.boxesPerSecond,
                    Double($0.length) / method.boxesPerSecond
                )
            },
            isPlain: isPlain && loudest > SoundGap.audible, tells: tells,
            lag: best.lag.map { $0 / method.boxesPerSecond },
            agreement: best.agreement)
    }

    /// What changes counts, not what hums on.
    private func sharpened(_ values: [Float]) -> [Float] {
        let share: Float = method == .waveform ? 0.95 : 1
        return [0] + zip(values.dropFirst(), values).map { $0 - share * $1 }
    }

    private func power(_ values: [Float]) -> Double {
        values.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(values.count, 1))
    }

    private func mixed(_ channels: [[Float]]) -> [Float] {
        var sum = channels[0]
        for channel in channels.dropFirst() {
            for place in sum.indices {
                sum[place] += channel[place]
            }
        }
        return sum
    }
}
