import Media
import TimeWarp

extension VerificationReport.Video {
    /// The measurements of a track from those of its segments: counts are added up, errors are the largest, and
    /// means are weighted by how many frames were compared.
    init(merging parts: [Self]) {
        func sum(_ count: KeyPath<Self, Int>) -> Int {
            parts.reduce(0) { $0 + $1[keyPath: count] }
        }
        func mean(_ value: (Self) -> Double, by weight: KeyPath<Self, Int>) -> Double {
            let all = sum(weight)
            return all == 0
                ? 0
                : parts.reduce(0) { $0 + value($1) * Double($1[keyPath: weight]) } / Double(all)
        }
        self.init(
            framesExpected: sum(\.framesExpected), frames: sum(\.frames),
            framesMissing: sum(\.framesMissing), framesExtra: sum(\.framesExtra),
            largestTimeErrorSeconds: parts.map(\.largestTimeErrorSeconds).max() ?? 0,
            rmsTimeErrorSeconds: mean(
                { $0.rmsTimeErrorSeconds * $0.rmsTimeErrorSeconds }, by: \.frames
            ).squareRoot(),
            framesCompared: sum(\.framesCompared), framesIdentified: sum(\.framesIdentified),
            framesAlike: sum(\.framesAlike), framesWrong: sum(\.framesWrong),
            framesForeign: sum(\.framesForeign),
            kinds: parts.map(\.kinds).reduce(FrameKinds(), +),
            oddestMade: parts.flatMap(\.oddestMade).oddest,
            lagAtStartSeconds: parts.lazy.compactMap(\.lagAtStartSeconds).first,
            lagAtEndSeconds: parts.reversed().lazy.compactMap(\.lagAtEndSeconds).first,
            typicalDifference: mean(\.typicalDifference, by: \.framesCompared),
            timeErrors: parts.flatMap(\.timeErrors).thinned(to: 2000) { abs($0.seconds) })
    }
}

extension [VerificationReport.MadeFrame] {
    /// The five that are oddest, the oddest first.
    var oddest: Self { Array(sorted { $0.oddity > $1.oddity }.prefix(5)) }
}

extension VerificationReport.Sound {
    /// The measurements of a track from those of its segments.
    init(
        merging parts: [Self], of stream: Asset.Stream, lasting track: RenderPlan.AudioTrack,
        in written: Asset
    ) {
        let audible = parts.reduce(0) { $0 + $1.windowsAudible }
        let lags = parts.flatMap(\.lags)
        let found = (stream.end ?? written.duration).seconds - (stream.start?.seconds ?? 0)
        self.init(
            channels: stream.audioFormat?.channelCount ?? 0,
            windows: parts.reduce(0) { $0 + $1.windows }, windowsAudible: audible,
            windowsMatched: parts.reduce(0) { $0 + $1.windowsMatched },
            lagSeconds: lags.map(\.seconds).sorted().middle,
            lagAtStartSeconds: parts.lazy.compactMap(\.lagAtStartSeconds).first,
            lagAtEndSeconds: parts.reversed().lazy.compactMap(\.lagAtEndSeconds).first,
            largestLagSeconds: parts.compactMap(\.largestLagSeconds).max { abs($0) < abs($1) },
            correlation: audible == 0
                ? 0
                : parts.reduce(0) { $0 + $1.correlation * Double($1.windowsAudible) }
                    / Double(audible),
            spectrumCorrelation: parts.compactMap(\.spectrumCorrelation).sorted().middle,
            pitchErrorCents: parts.compactMap(\.pitchErrorCents).max { abs($0) < abs($1) },
            lengthErrorSeconds: found - Double(track.sampleCount) / Double(track.sampleRate),
            lags: lags.thinned(to: 2000) { abs($0.seconds) })
    }
}
