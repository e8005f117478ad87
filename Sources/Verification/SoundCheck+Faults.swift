import Foundation
import Media

/// The conclusions from all windows together.
extension SoundCheck {
    func result(
        _ windows: [Window], _ channels: ChannelMatrix
    ) -> Result {
        let audible = windows.filter(\.isAudible)
        let matched = audible.filter { isMatched(($0.lag, $0.agreement)) }
        let told = matched.compactMap { window in
            window.lag.map { (seconds: window.seconds, lag: $0) }
        }
        let lags = told.map(\.lag).sorted()
        let tenth = max(1, told.count / 10)
        let spectra = audible.compactMap(\.spectrum)
        let lengthError = self.lengthError
        var result = Result(
            sound: VerificationReport.Sound(
                channels: writtenStream.audioFormat?.channelCount ?? 0, windows: windows.count,
                windowsAudible: audible.count, windowsMatched: matched.count,
                lagSeconds: lags.middle,
                lagAtStartSeconds: middle(told.prefix(tenth)),
                lagAtEndSeconds: middle(told.suffix(tenth)),
                largestLagSeconds: lags.max { abs($0) < abs($1) },
                correlation: audible.map(\.agreement).sorted().middle ?? 0,
                spectrumCorrelation: spectra.map(\.agreement).sorted().middle,
                pitchErrorCents: pitched(spectra).map(\.cents).sorted().middle,
                lengthErrorSeconds: lengthError,
                lags: told.thinned(to: 2000) { abs($0.lag) }.map {
                    .init(atSeconds: $0.seconds, seconds: $0.lag)
                }))
        if method == .envelope, !audible.isEmpty,
            audible.count(where: \.tells) < Self.fewestTelling
        {
            result.notes.append(
                "Changes of loudness show when sound that keeps its pitch is heard; here there are too few."
            )
        }
        result.faults =
            channelFaults(channels) + contentFaults(audible)
            + lagFaults(told, lags.middle ?? 0) + pitchFaults(audible)
            + (place == nil ? Self.lengthFaults(lengthError, of: writtenStream) : [])
        return result
    }

    /// Channels are compared where the output has those of the source.
    private func channelFaults(_ channels: ChannelMatrix) -> [VerificationReport.Fault] {
        let isMixed = stream.audioFormat?.layout != writtenStream.audioFormat?.layout
        return place != nil && isMixed ? [] : channels.faults
    }

    /// Whether a window matches: the waveforms agree, or the envelopes agree at exactly one place.
    func isMatched(_ found: (lag: Double?, agreement: Double)) -> Bool {
        found.agreement >= method.leastAgreement && (method == .waveform || found.lag != nil)
    }

    private typealias Lag = (seconds: Double, lag: Double)

    private func middle(_ lags: ArraySlice<Lag>) -> Double? {
        lags.map(\.lag).sorted().middle
    }

    private func contentFaults(_ audible: [Window]) -> [VerificationReport.Fault] {
        let gaps = audible.compactMap(\.gap)
        if let first = gaps.first {
            let all = gaps.reduce(0) { $0 + $1.seconds }
            return [
                .init(
                    .soundContent, at: first.start,
                    "The output is silent where the source isn't, for \(secondsText(all)) in all: "
                        + "first from \(secondsText(first.start)) on.")
            ]
        }
        let lost = audible.filter(\.isLost)
        if let first = lost.first, lost.count * 5 > audible.count {
            return [
                .init(
                    .soundContent, at: first.seconds,
                    "In \(lost.count) of \(audible.count) windows the output is silent where the "
                        + "source isn't: the first at \(secondsText(first.seconds)).")
            ]
        }
        // Envelopes of steady sounds mean nothing, and those of stretched sounds agree only partly.
        let telling = audible.filter(\.tells)
        guard method == .waveform || telling.count >= Self.fewestTelling else {
            return []
        }
        let strange = telling.filter { !isMatched(($0.lag, $0.agreement)) }
        let most = method == .waveform ? 0.2 : 0.5
        guard let first = strange.first, Double(strange.count) > most * Double(telling.count) else {
            return firstUnrelated(audible).map { window in
                [
                    .init(
                        .soundContent, at: window.seconds,
                        "From \(secondsText(window.seconds)) on the sound is unrelated to the "
                            + "source's sound at that time.")
                ]
            } ?? []
        }
        return [
            .init(
                .soundContent, at: first.seconds,
                "In \(strange.count) of \(telling.count) windows the sound isn't the source's "
                    + "sound at that time: the first at \(secondsText(first.seconds)).")
        ]
    }

    /// The first of two consecutive windows that are unrelated to the source.
    private func firstUnrelated(_ audible: [Window]) -> Window? {
        guard method == .waveform else {
            return nil
        }
        func isUnrelated(_ window: Window) -> Bool {
            window.isPlain && window.agreement < Self.unrelated
        }
        return zip(audible, audible.dropFirst()).first { isUnrelated($0) && isUnrelated($1) }?.0
    }

    /// The findings of windows with partials that are clear enough to tell the pitch.
    private func pitched(
        _ findings: [SpectrumComparison.Finding]
    ) -> [SpectrumComparison.Finding] {
        findings.filter { $0.agreement >= Self.clearAgreement }
    }

    /// Faults of sound that should have kept its pitch.
    private func pitchFaults(_ audible: [Window]) -> [VerificationReport.Fault] {
        let clear = audible.filter { ($0.spectrum?.agreement ?? 0) >= Self.clearAgreement }
        func fault(_ window: Window, _ cents: Double) -> VerificationReport.Fault {
            .init(
                .soundPitch, at: window.seconds,
                String(
                    format: "From %@ on the sound is %.0f cents too %@: its pitch isn't kept.",
                    secondsText(window.seconds), abs(cents), cents < 0 ? "low" : "high"))
        }
        // A single window may be wrong, two consecutive ones aren't.
        for (one, next) in zip(clear, clear.dropFirst()) {
            let (cents, after) = (one.spectrum?.cents ?? 0, next.spectrum?.cents ?? 0)
            if min(abs(cents), abs(after)) > Self.mostCents, cents * after > 0 {
                return [fault(one, cents)]
            }
        }
        if clear.count == 1, let cents = clear[0].spectrum?.cents, abs(cents) > Self.mostCents {
            return [fault(clear[0], cents)]
        }
        let found = audible.compactMap { window in window.spectrum.map { (window, $0.agreement) } }
        guard let first = found.first, let middle = found.map(\.1).sorted().middle,
            middle < Self.leastAgreement
        else {
            return []
        }
        return [
            .init(
                .soundContent, at: first.0.seconds,
                "The frequencies that are heard aren't the source's at that time: their correlation "
                    + "is \(rounded(middle)).")
        ]
    }

    /// Spectra that agree so well tell the pitch.
    private static let clearAgreement = 0.6
    /// Unrelated sounds have a lower correlation of frequencies.
    private static let leastAgreement = 0.2
    /// The largest difference in pitch that isn't a fault, in cents.
    private static let mostCents = 12.0

    private func lagFaults(_ lags: [Lag], _ typical: Double) -> [VerificationReport.Fault] {
        let tolerance = method.tolerance
        guard abs(typical) <= tolerance else {
            return [
                .init(
                    .soundOffset, at: lags.first?.seconds, "The sound is \(milliseconds(typical)).")
            ]
        }
        // A single window may be wrong where sound repeats itself; two consecutive ones aren't.
        let off = zip(lags, lags.dropFirst()).first { one, next in
            min(abs(one.lag), abs(next.lag)) > tolerance && abs(one.lag - next.lag) < tolerance
        }
        if let (window, _) = off {
            return [
                .init(
                    .soundOffset, at: window.seconds,
                    "From \(secondsText(window.seconds)) on the sound is "
                        + "\(milliseconds(window.lag))."
                )
            ]
        }
        let astray = lags.filter { abs($0.lag) > tolerance }
        guard let first = astray.first, astray.count > max(2, lags.count / 10) else {
            return []
        }
        return [
            .init(
                .soundOffset, at: first.seconds,
                "In \(astray.count) of \(lags.count) windows the sound is too early or too late: "
                    + "the first at \(secondsText(first.seconds)), \(milliseconds(first.lag)).")
        ]
    }

    /// A fault if the sound of a track is too long or too short.
    static func lengthFaults(_ error: Double, of stream: Asset.Stream) -> [VerificationReport.Fault]
    {
        let isExact = exactCodecs.contains { stream.codecName.hasPrefix($0) }
        guard abs(error) > (isExact ? tick : packetSeconds(of: stream)) else {
            return []
        }
        return [
            .init(
                .duration,
                "The sound is \(secondsText(abs(error))) too \(error < 0 ? "short" : "long").")
        ]
    }

    /// Codecs whose last packet can have any length, so that only the container rounds the duration.
    private static let exactCodecs = ["pcm_", "flac"]
    /// The rounding of times in milliseconds at both ends, in seconds.
    private static let tick = 0.002

    /// By how many seconds sound may be too long in files that don't store its end: a packet of the usual
    /// codecs, and the start of the next one.
    static func packetSeconds(of stream: Asset.Stream) -> Double {
        min(max(0.03, 2048 / Double(stream.audioFormat?.sampleRate ?? 48_000)), 0.3)
    }
}
