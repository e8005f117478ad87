/// Checks the frames of a gap, in which a composition shows nothing: they are there, at their times, and black.
struct GapCheck {
    let table: FrameTimetable
    /// The number of sections of one second in which frames are looked at; nil for everything.
    let stretches: Int?
    /// Whether something is seen there whose frames aren't compared, as in a dissolve.
    var isMixed = false
    let checkCancelled: () throws -> Void

    /// - Parameter count: the number of frames that the output has in the gap.
    func run(_ output: SignatureReader, count: Int) throws -> FrameCheck.Result {
        let looked =
            isMixed ? [] : table.sampled(stretches, from: table.entries.first?.seconds ?? 0)
        let seconds = Dictionary(uniqueKeysWithValues: looked.map { ($0.frame, $0.seconds) })
        var compared = 0
        var bright: [Double] = []
        try output.start(looked.map(\.frame).makeIterator())
        while let found = try output.next() {
            try checkCancelled()
            compared += 1
            if !found.signature.isBlack {
                bright.append(seconds[found.frame] ?? 0)
            }
        }
        return FrameCheck.Result(
            video: figures(count: count, compared: compared, bright: bright.count),
            faults: table.faults + faults(bright))
    }

    private func faults(_ bright: [Double]) -> [VerificationReport.Fault] {
        bright.first.map { first in
            [
                .init(
                    .frameContent, at: first,
                    "\(counted(bright.count, "frame")) not black: the first at "
                        + "\(secondsText(first)).")
            ]
        } ?? []
    }

    private func figures(count: Int, compared: Int, bright: Int) -> VerificationReport.Video {
        VerificationReport.Video(
            framesExpected: table.expectedCount, frames: count,
            framesMissing: table.missing.count, framesExtra: table.extra.count,
            largestTimeErrorSeconds: table.largestError, rmsTimeErrorSeconds: table.rmsError,
            framesCompared: compared, framesIdentified: 0, framesAlike: compared - bright,
            framesWrong: 0, framesForeign: bright, kinds: FrameKinds(), oddestMade: [],
            lagAtStartSeconds: nil, lagAtEndSeconds: nil,
            typicalDifference: 0, timeErrors: table.errors)
    }
}
