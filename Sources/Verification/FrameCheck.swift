import Media
import TimeMaps
import TimeWarp

/// Compares the frames of a finished video track with those that its map requires.
///
/// ```
/// source    … 11  12  13  14  15 …        output frame 30 should show 13: it does if it resembles 13 more
/// output              30                  than 11, 12, 14 and 15, or what frames 29 and 31 should show
/// ```
/// Used on one thread.
struct FrameCheck {
    let clip: Clip
    let stream: Asset.Stream
    let written: Asset
    let writtenStream: Asset.Stream
    let settings: RenderSettings
    /// The number of sections of one second in which frames are compared; nil for everything.
    let stretches: Int?
    /// Whether it is one of several segments of the output's track.
    var isSegment = false
    let checkCancelled: () throws -> Void

    /// The measurements of one track.
    struct Result {
        var pictures: Verification.Pictures
        var faults: [Verification.Fault] = []
        var notes: [String] = []
    }

    func run() throws -> Result {
        let source = try SignatureReader(
            of: clip.asset, stream: stream, checkCancelled: checkCancelled)
        let output = try SignatureReader(
            of: written, stream: writtenStream, checkCancelled: checkCancelled)
        guard source.times.count > 0, output.times.count > 0 else {
            throw MediaError(
                .damaged, file: source.times.count > 0 ? written.path : clip.asset.path,
                reason: "its video track has no frames")
        }
        let result = try compare(timetable(source, output), source, output)
        return Result(
            pictures: result.pictures,
            faults: shapeFaults() + result.faults + output.damage.faults, notes: result.notes)
    }

    /// Compares the frames of a timetable.
    func compare(
        _ table: FrameTimetable, _ source: SignatureReader, _ output: SignatureReader
    ) throws -> Result {
        let expectation = FrameExpectation(
            source.times, clip: clip, blends: settings.frames.usesNeighbours)
        var comparison = Comparison(
            entries: sampled(table.entries), table: table, expectation: expectation,
            pictureCount: source.times.count)
        var notes: [String] = []
        if source.isCutShort || output.isCutShort {
            notes.append(
                "Frames without timestamps have to be decoded to know their times, and there are "
                    + "more of them than fit into memory: frames from "
                    + "\(secondsText(told(source, output))) on were not compared."
            )
        }
        if settings.shutterDegrees == nil {
            try comparison.run(
                source, output, rises: clip.map.isRising, checkCancelled: checkCancelled)
        } else {
            notes.append("Frames averaged by a shutter are not compared one by one.")
        }
        if comparison.compared > 0, comparison.identified == 0, comparison.wrong.isEmpty {
            notes.append(
                "No frame differs enough from its neighbours to tell which of them is shown.")
        }
        notes += source.damage.sentences.map { "The source is damaged: \($0)." }
        return Result(
            pictures: figures(table, comparison),
            faults: comparison.turnFaults + timeFaults(table) + comparison.faults, notes: notes)
    }

    // MARK: - Times

    private func timetable(
        _ source: SignatureReader, _ output: SignatureReader
    ) -> FrameTimetable {
        let end = told(source, output)
        let turns = Presentations(source.times, map: clip.map, range: clip.range)
        let rate: FrameRate
        switch settings.rate {
        case .any:
            return FrameTimetable(output.times, turns: turns.map(\.start.seconds), end: end)
        case .source: rate = stream.videoFormat?.usualRate ?? FrameRate(25)
        case .fixed(let fixed): rate = fixed
        }
        return FrameTimetable(
            output.times, rate: rate, map: clip.map,
            firstPresentation: turns.first { _ in true }?.start.seconds ?? 0, end: end)
    }

    /// The output seconds up to which the frames of both files are known.
    private func told(_ source: SignatureReader, _ output: SignatureReader) -> Double {
        var end = output.isCutShort ? Self.end(of: output) : .infinity
        if source.isCutShort {
            let last = Self.end(of: source) - clip.range.start.seconds
            end = min(end, clip.map.isRising ? clip.map.outputTime(of: max(0, last)) : 0)
        }
        return end
    }

    private static func end(of reader: SignatureReader) -> Double {
        reader.times.end(of: reader.times.count - 1).seconds
    }

    private func timeFaults(_ table: FrameTimetable) -> [Verification.Fault] {
        var faults: [Verification.Fault] = []
        let off = table.entries.filter { abs($0.error) > FrameTimetable.tolerance }
        if let first = off.first {
            let worst = off.reduce(first) { abs($1.error) > abs($0.error) ? $1 : $0 }
            faults.append(
                .init(
                    .frameTimes, at: first.seconds,
                    "\(counted(off.count, "frame")) shown at the wrong time: the first at "
                        + "\(secondsText(first.seconds)), \(milliseconds(first.error)); the worst "
                        + "\(milliseconds(worst.error))."))
        }
        if let first = table.missing.first {
            faults.append(
                .init(
                    .missingFrames, at: first,
                    "\(counted(table.missing.count, "frame")) missing: the first at \(secondsText(first))."
                ))
        }
        if let first = table.extra.first {
            faults.append(
                .init(
                    .extraFrames, at: first,
                    "\(counted(table.extra.count, "frame")) too many: the first at \(secondsText(first))."
                ))
        }
        return faults
    }

    private func shapeFaults() -> [Verification.Fault] {
        guard let was = stream.videoFormat, let format = writtenStream.videoFormat else {
            return []
        }
        let (wanted, found) = (
            was.shownRatio(turned: stream.rotation),
            format.shownRatio(turned: writtenStream.rotation)
        )
        guard abs(found / wanted - 1) > 0.02 else {
            return []
        }
        return [
            .init(
                .shape,
                "The frames have an aspect ratio of \(rounded(found)) instead of "
                    + "\(rounded(wanted)).")
        ]
    }

    /// All entries, or those in ``stretches`` sections of one second that are spread evenly.
    private func sampled(_ entries: [FrameTimetable.Entry]) -> [FrameTimetable.Entry] {
        guard let stretches, let last = entries.last, last.seconds > Double(stretches) else {
            return entries
        }
        let distance = (last.seconds - 1) / Double(max(1, stretches - 1))
        return entries.filter { entry in
            entry.seconds - (entry.seconds / distance).rounded(.down) * distance < 1
        }
    }

    private func figures(
        _ table: FrameTimetable, _ comparison: Comparison
    ) -> Verification.Pictures {
        let errors = table.entries.map(\.error)
        let squares = errors.reduce(0) { $0 + $1 * $1 }
        return Verification.Pictures(
            framesExpected: table.expectedCount,
            frames: table.entries.count + table.extra.count,
            framesMissing: table.missing.count, framesExtra: table.extra.count,
            largestTimeErrorSeconds: errors.reduce(0) { max($0, abs($1)) },
            rmsTimeErrorSeconds: errors.isEmpty
                ? 0 : (squares / Double(errors.count)).squareRoot(),
            framesCompared: comparison.compared, framesIdentified: comparison.identified,
            framesAlike: comparison.compared - comparison.identified - comparison.wrong.count
                - comparison.foreign.count,
            framesWrong: comparison.wrong.count, framesForeign: comparison.foreign.count,
            lagAtStartSeconds: comparison.lag(in: isSegment ? 0..<1.01 : 0..<0.1),
            lagAtEndSeconds: comparison.lag(in: isSegment ? 0..<1.01 : 0.9..<1.01),
            typicalDifference: comparison.typicalDifference,
            timeErrors: table.entries.thinned(to: 2000) { abs($0.error) }.map {
                .init(atSeconds: $0.seconds, seconds: $0.error)
            })
    }
}
