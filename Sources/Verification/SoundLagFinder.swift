import Alignment

/// Measures lags by the waveform or by the envelope.
enum SoundLagFinder {
    case waveform(WindowMatcher)
    case envelope(LagFinder)

    init(_ method: SoundCheck.Method) throws {
        self =
            switch method {
            case .waveform: .waveform(try WindowMatcher())
            case .envelope: .envelope(try LagFinder())
            }
    }

    /// By how many values a window is later than it should be, nil if that isn't clear, and the correlation there.
    ///
    /// - Parameter other: the expected values, with `reach` more values before and after.
    func lag(of window: [Float], in other: [Float]) -> (lag: Double?, agreement: Double) {
        switch self {
        case .envelope(let finder):
            return finder.lag(of: window, in: other)
        case .waveform(let matcher):
            matcher.recording.update(from: window, count: WindowMatcher.length)
            matcher.reference.update(from: other, count: WindowMatcher.span)
            let reach = Double(WindowMatcher.reach)
            let lag = matcher.displacement().map { min(max(-$0, -reach), reach) }
            let place = WindowMatcher.reach - Int((lag ?? 0).rounded())
            let agreement = LagFinder.agreement(of: window, with: other[place...])
            guard abs(lag ?? 0) > Self.nearby else {
                return (lag, agreement)
            }
            // A sound that matches nearly as well without a lag repeats itself.
            let here = LagFinder.agreement(of: window, with: other[WindowMatcher.reach...])
            return here > agreement - Self.hardlyWorse ? (nil, here) : (lag, agreement)
        }
    }

    /// A millisecond, in values. Places so close to each other have nearly the same correlation in any sound.
    private static let nearby = 8.0
    /// By how much the correlation may be lower at a place that counts as equally good.
    private static let hardlyWorse = 0.02
}
