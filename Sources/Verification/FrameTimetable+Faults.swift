/// What follows from the times of frames alone.
extension FrameTimetable {
    /// The largest error of a frame's time, in seconds.
    var largestError: Double { entries.reduce(0) { max($0, abs($1.error)) } }

    /// The root mean square of the errors of all frames' times, in seconds.
    var rmsError: Double {
        let squares = entries.reduce(0) { $0 + $1.error * $1.error }
        return entries.isEmpty ? 0 : (squares / Double(entries.count)).squareRoot()
    }

    /// The errors over output time, for the page: at most 2000, the largest of each section.
    var errors: [VerificationReport.Point] {
        entries.thinned(to: 2000) { abs($0.error) }.map {
            .init(atSeconds: $0.seconds, seconds: $0.error)
        }
    }

    /// All entries, or those in some sections of one second that are spread evenly.
    ///
    /// - Parameters:
    ///   - stretches: the number of sections; nil for all entries.
    ///   - start: the output seconds at which the first section begins.
    func sampled(_ stretches: Int?, from start: Double) -> [Entry] {
        guard let stretches, let last = entries.last, last.seconds - start > Double(stretches)
        else {
            return entries
        }
        let distance = (last.seconds - start - 1) / Double(max(1, stretches - 1))
        return entries.filter { entry in
            let seconds = entry.seconds - start
            return seconds - (seconds / distance).rounded(.down) * distance < 1
        }
    }

    /// The kinds of ``faults``.
    static let faultKinds: Set<VerificationReport.Kind> = [
        .frameTimes, .missingFrames, .extraFrames,
    ]

    /// Frames at the wrong time, missing frames, and frames that are too many.
    var faults: [VerificationReport.Fault] {
        var faults: [VerificationReport.Fault] = []
        let off = entries.filter { abs($0.error) > Self.tolerance }
        if let first = off.first {
            let worst = off.reduce(first) { abs($1.error) > abs($0.error) ? $1 : $0 }
            faults.append(
                .init(
                    .frameTimes, at: first.seconds,
                    "\(counted(off.count, "frame")) shown at the wrong time: the first at "
                        + "\(secondsText(first.seconds)), \(milliseconds(first.error)); the worst "
                        + "\(milliseconds(worst.error))."))
        }
        if let first = missing.first {
            faults.append(
                .init(
                    .missingFrames, at: first,
                    "\(counted(missing.count, "frame")) missing: the first at \(secondsText(first))."
                ))
        }
        if let first = extra.first {
            faults.append(
                .init(
                    .extraFrames, at: first,
                    "\(counted(extra.count, "frame")) too many: the first at \(secondsText(first))."
                ))
        }
        return faults
    }
}
