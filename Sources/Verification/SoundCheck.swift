import Alignment
import Foundation
import Media
import TimeMaps
import TimeWarp

/// Compares the sound of a finished track with the source's sound, retimed by the map.
///
/// Both are reduced to few values per second. Then, window by window, it finds the lag at which they agree
/// best. Used on one thread.
struct SoundCheck {
    let clip: AssetClip
    let stream: Asset.Stream
    let written: Asset
    let writtenStream: Asset.Stream
    let sound: RenderSettings.AudioMode
    let stretches: Int?
    /// Where this sound lies, if it is one of several segments of the output's track. Its length isn't checked
    /// then.
    var place: Place?
    let checkCancelled: () throws -> Void

    /// Where the sound of a segment lies in the output's track.
    struct Place {
        /// The output seconds at which the segment starts.
        let start: Double
        /// Where in the segment nothing else is heard and nothing fades, in seconds from its start. Only windows
        /// that lie completely inside are compared.
        let clear: [Range<Double>]
    }

    struct Result {
        var sound: VerificationReport.Sound
        var faults: [VerificationReport.Fault] = []
        var notes: [String] = []
    }

    /// How two sounds are compared.
    enum Method {
        /// Sample by sample.
        case waveform
        /// By the loudness over time, and by the frequencies that are heard. If the pitch is kept, waveforms don't agree, but
        /// those do.
        case envelope

        var measure: SoundBoxes.Measure { self == .waveform ? .mean : .loudness }
        var boxesPerSecond: Double { self == .waveform ? BandlimitedReader.rate : 500 }
        /// The number of boxes in a window: about one second, or about four.
        var length: Int { self == .waveform ? WindowMatcher.length : LagFinder.length }
        /// The largest lag in either direction, in boxes: half a second.
        var reach: Int { self == .waveform ? WindowMatcher.reach : LagFinder.reach }
        /// The largest lag that isn't a fault, in seconds.
        var tolerance: Double { self == .waveform ? 0.0015 : 0.004 }
        /// The least correlation of a window with the source's sound.
        var leastAgreement: Double { self == .waveform ? 0.6 : 0.35 }
    }

    /// A window of the output.
    struct Window {
        let seconds: Double
        var isAudible = true
        /// Whether the output is nearly silent where the source has sound.
        var isLost = false
        /// The first gap: where the output is nearly silent and the source isn't, in output seconds.
        var gap: (start: Double, seconds: Double)?
        /// Whether the source is loud enough here, and plays slowly enough that the output must contain all of
        /// its frequencies.
        var isPlain = false
        /// Whether the source's sound has features by which it could be recognised in this window.
        var tells = true
        /// By how many seconds the sound is late; nil if it repeats itself, so that the lag isn't clear.
        var lag: Double?
        /// The correlation with the source, from -1 to 1.
        var agreement = 0.0
        /// How the frequencies that are heard agree; nil if that wasn't compared.
        var spectrum: SpectrumComparison.Finding?
    }

    /// The shortest last window, relative to a whole one.
    private static let shortestRest = 0.05
    /// The largest number of source samples for a window. Faster sections are not compared.
    private static let mostSamples = 10_000_000.0
    /// The least number of windows for a verdict by envelopes: 20 seconds.
    static let fewestTelling = 5
    /// An output with less than this share of the expected power counts as silent.
    static let leastShare = 0.001
    /// At a higher speed, all that was audible may have frequencies beyond what the output's sample rate allows.
    private static let plainSpeed = 1.02
    /// Unrelated sounds have a lower correlation, whatever a codec does.
    static let unrelated = 0.3

    var map: TimeMap { sound == .keep ? .identity(clip.range.duration) : clip.map }

    var method: Method {
        sound == .keepPitch && map.constantSpeed != 1 ? .envelope : .waveform
    }

    /// How long the sound should last, in seconds. Sound that keeps its speed ends with the video.
    private var lasts: Double { min(map.outputDuration, clip.map.outputDuration) }

    /// The actual minus the expected duration of the sound, in seconds. The map determines the expected
    /// duration; if nothing is retimed, the original duration is right, too.
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
        var pitch = method == .envelope ? try PitchListening(self, was, format) : nil
        var channels = ChannelMatrix(
            output: format.channelCount, source: was.channelCount, holdsWaves: method == .waveform)
        var windows: [Window] = []
        var tooFast = 0
        // A file with a lower sample rate has less room for high frequencies.
        let plain = Self.plainSpeed * min(1, Double(format.sampleRate) / Double(was.sampleRate))
        let origin = place?.start ?? 0
        for start in starts() {
            try checkCancelled()
            let around = instants(
                start, -method.reach, method.length + 2 * method.reach, method)
            let times = sourceTimes(around)
            let span = (times.max() ?? 0) - (times.min() ?? 0)
            guard span * Double(was.sampleRate) < Self.mostSamples else {
                tooFast += 1
                continue
            }
            // Beyond its stated end a packet may hold more sound, which isn't played.
            let end = place == nil ? lasts + max(0, lengthError) : .infinity
            let heard = try output.boxes(
                at: instants(origin + start, 0, method.length, method).map { min($0, end) })
            let wanted = try source.boxes(at: times)
            var window = compare(
                heard, wanted, at: origin + start, isPlain: span < plain * played(around),
                finder, &channels)
            window.spectrum = try pitch?.compare(
                from: start, lasting: Double(method.length) / method.boxesPerSecond)
            windows.append(window)
        }
        var result = result(windows, channels)
        let isSameCodec = stream.codecName == writtenStream.codecName
        result.faults +=
            output.damage?.faults(passedOnFrom: isSameCodec ? source.damage : nil) ?? []
        result.notes += (source.damage?.sentences ?? []).map { "The source is damaged: \($0)." }
        if tooFast > 0 {
            result.notes.append(
                "In \(tooFast) of \(tooFast + windows.count) windows the sound plays too fast to "
                    + "be compared.")
        }
        return result
    }

    /// When the windows to compare begin, in seconds from the start of this sound: of all, or of ``stretches`` of
    /// them, spread evenly.
    private func starts() -> [Double] {
        let all = allStarts()
        let looked = min(stretches ?? all.count, all.count)
        return (0..<looked).map { all[$0 * (all.count - 1) / max(1, looked - 1)] }
    }

    private func allStarts() -> [Double] {
        let seconds = Double(method.length) / method.boxesPerSecond
        guard let place else {
            // The rest of a window at the end, if it is too short to tell anything, is left out.
            let count = max(1, Int((lasts / seconds - Self.shortestRest).rounded(.up)))
            return (0..<count).map { Double($0) * seconds }
        }
        return place.clear.flatMap { range in
            (0..<Int((range.upperBound - range.lowerBound) / seconds)).map {
                range.lowerBound + Double($0) * seconds
            }
        }
    }

    /// Whether there is a window to compare.
    var hasWindows: Bool { !allStarts().isEmpty }

    private func instants(
        _ start: Double, _ first: Int, _ count: Int, _ method: Method
    ) -> [Double] {
        (first...first + count).map { start + Double($0) / method.boxesPerSecond }
    }

    /// The asset times that are heard at instants of the output.
    private func sourceTimes(_ instants: [Double]) -> [Double] {
        let offset = clip.range.start.seconds
        return instants.map { map.sourceTime(at: min(max($0, 0), lasts)) + offset }
    }

    /// How long sound is played between the first and the last of these instants, in seconds.
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
        // First the mix of all channels, so that swapped channels do no harm; then each channel alone, in
        // case channels cancel each other out in the mix.
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

    /// The differences between values, so that changes count more than steady tones.
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
