import Alignment

/// Finds lags by either method.
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

    /// How many values later a window comes than it should, and how well it agrees there.
    ///
    /// - Parameter other: what it should be, with as many values before and after as the method has reach.
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
            // What fits where it should as well repeats itself.
            let here = LagFinder.agreement(of: window, with: other[WindowMatcher.reach...])
            return here > agreement - Self.hardlyWorse ? (nil, here) : (lag, agreement)
        }
    }

    /// A millisecond: what lies so near agrees nearly as well anyway.
    private static let nearby = 8.0
    private static let hardlyWorse = 0.02
}
