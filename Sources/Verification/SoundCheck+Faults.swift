import Foundation
import Media

/// What all windows together say.
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
        let lengthError = self.lengthError
        var result = Result(
            sound: Verification.Sound(
                channels: writtenStream.audioFormat?.channelCount ?? 0, windows: windows.count,
                windowsAudible: audible.count, windowsMatched: matched.count,
                lagSeconds: lags.middle,
                lagAtStartSeconds: middle(told.prefix(tenth)),
                lagAtEndSeconds: middle(told.suffix(tenth)),
                largestLagSeconds: lags.max { abs($0) < abs($1) },
                correlation: audible.map(\.agreement).sorted().middle ?? 0,
                lengthErrorSeconds: lengthError,
                lags: told.thinned(to: 2000) { abs($0.lag) }.map {
                    .init(atSeconds: $0.seconds, seconds: $0.lag)
                }))
        if method == .envelope, !audible.isEmpty,
            audible.count(where: \.tells) < Self.fewestTelling
        {
            result.notes.append(
                "Where pitch is kept, sound is compared by when it gets louder, which it does too "
                    + "seldom here to tell whether it is the source's.")
        }
        result.faults =
            channels.faults + contentFaults(audible)
            + lagFaults(told, lags.middle ?? 0) + lengthFaults(lengthError)
        return result
    }

    /// Of waves, whether they agree; of envelopes, whether they do at one place only.
    func isMatched(_ found: (lag: Double?, agreement: Double)) -> Bool {
        found.agreement >= method.leastAgreement && (method == .waveform || found.lag != nil)
    }

    private typealias Lag = (seconds: Double, lag: Double)

    private func middle(_ lags: ArraySlice<Lag>) -> Double? {
        lags.map(\.lag).sorted().middle
    }

    private func contentFaults(_ audible: [Window]) -> [Verification.Fault] {
        let gaps = audible.compactMap(\.gap)
        if let first = gaps.first {
            let all = gaps.reduce(0) { $0 + $1.seconds }
            return [
                .init(
                    .soundContent, at: first.start,
                    "It is silent where the source isn't, for \(secondsText(all)) in all: first from "
                        + "\(secondsText(first.start)) on.")
            ]
        }
        let lost = audible.filter(\.isLost)
        if let first = lost.first, lost.count * 5 > audible.count {
            return [
                .init(
                    .soundContent, at: first.seconds,
                    "In \(lost.count) of \(audible.count) windows it is silent where the source isn't: "
                        + "the first at \(secondsText(first.seconds)).")
            ]
        }
        // Envelopes of even sounds tell nothing, and stretched ones agree here and there only.
        let telling = audible.filter(\.tells)
        guard method == .waveform || telling.count >= Self.fewestTelling else {
            return []
        }
        let strange = telling.filter { !isMatched(($0.lag, $0.agreement)) }
        let most = method == .waveform ? 0.2 : 0.8
        guard let first = strange.first, Double(strange.count) > most * Double(telling.count) else {
            return firstUnrelated(audible).map { window in
                [
                    .init(
                        .soundContent, at: window.seconds,
                        "From \(secondsText(window.seconds)) on sound has nothing of what the source has "
                            + "there.")
                ]
            } ?? []
        }
        return [
            .init(
                .soundContent, at: first.seconds,
                "In \(strange.count) of \(telling.count) windows sound isn't what the source has "
                    + "there: the first at \(secondsText(first.seconds)).")
        ]
    }

    /// The first of two windows after each other that have nothing of what they should.
    private func firstUnrelated(_ audible: [Window]) -> Window? {
        guard method == .waveform else {
            return nil
        }
        func isUnrelated(_ window: Window) -> Bool {
            window.isPlain && window.agreement < Self.unrelated
        }
        return zip(audible, audible.dropFirst()).first { isUnrelated($0) && isUnrelated($1) }?.0
    }

    private func lagFaults(_ lags: [Lag], _ typical: Double) -> [Verification.Fault] {
        let tolerance = method.tolerance
        guard abs(typical) <= tolerance else {
            return [
                .init(
                    .soundOffset, at: lags.first?.seconds, "Sound comes \(milliseconds(typical)).")
            ]
        }
        // One window may err where sound repeats itself; two after each other don't.
        let off = zip(lags, lags.dropFirst()).first { one, next in
            min(abs(one.lag), abs(next.lag)) > tolerance && abs(one.lag - next.lag) < tolerance
        }
        if let (window, _) = off {
            return [
                .init(
                    .soundOffset, at: window.seconds,
                    "From \(secondsText(window.seconds)) on sound comes \(milliseconds(window.lag))."
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
                "In \(astray.count) of \(lags.count) windows sound comes too early or too late: the "
                    + "first at \(secondsText(first.seconds)), \(milliseconds(first.lag)).")
        ]
    }

    private func lengthFaults(_ error: Double) -> [Verification.Fault] {
        let isExact = Self.exactCodecs.contains { writtenStream.codecName.hasPrefix($0) }
        guard abs(error) > (isExact ? Self.tick : Self.packetSeconds(of: writtenStream)) else {
            return []
        }
        return [
            .init(
                .duration,
                String(format: "Sound is %.3f s too ", abs(error))
                    + (error < 0 ? "short." : "long."))
        ]
    }

    /// Codecs whose packets end anywhere, so that only containers' times are rounded.
    private static let exactCodecs = ["pcm_", "flac"]
    /// Of times in milliseconds, at both ends.
    private static let tick = 0.002

    /// What files that don't state their end may have too much: a packet of the usual codecs, and the start
    /// of the next.
    static func packetSeconds(of stream: Asset.Stream) -> Double {
        min(max(0.03, 2048 / Double(stream.audioFormat?.sampleRate ?? 48_000)), 0.3)
    }
}
