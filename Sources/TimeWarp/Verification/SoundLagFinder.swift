/// Finds lags by either method.
struct SoundLagFinder {
    private let matcher: WindowMatcher?
    private let finder: LagFinder?

    init(_ method: SoundCheck.Method) throws {
        matcher = method == .waveform ? try WindowMatcher() : nil
        finder = method == .envelope ? try LagFinder() : nil
    }

    /// How many values later a window comes than it should, and how well it agrees there.
    ///
    /// - Parameter other: what it should be, with as many values before and after as the method has reach.
    func lag(of window: [Float], in other: [Float]) -> (lag: Double?, agreement: Double) {
        if let finder {
            return finder.lag(of: window, in: other)
        }
        guard let matcher else {
            return (nil, 0)
        }
        matcher.recording.update(from: window, count: WindowMatcher.length)
        matcher.reference.update(from: other, count: WindowMatcher.span)
        let reach = Double(WindowMatcher.reach)
        let lag = matcher.displacement().map { min(max(-$0, -reach), reach) }
        let place = WindowMatcher.reach - Int((lag ?? 0).rounded())
        return (lag, LagFinder.agreement(of: window, with: other[place...]))
    }
}
