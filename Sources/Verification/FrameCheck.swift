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
    let clip: AssetClip
    let stream: Asset.Stream
    let written: Asset
    let writtenStream: Asset.Stream
    let settings: RenderSettings
    /// The number of sections of one second in which frames are compared; nil for everything.
    let stretches: Int?
    /// Whether it is one of several segments of the output's track.
    var isSegment = false
    /// The ranges of output seconds in which packets were kept, in order.
    var kept: [Range<Double>] = []
    let checkCancelled: () throws -> Void

    /// The measurements of one track.
    struct Result {
        var video: VerificationReport.Video
        var faults: [VerificationReport.Fault] = []
        var notes: [String] = []
    }

    func run() throws -> Result {
        let source = try SignatureReader(
            of: clip.asset, stream: stream, withDigests: identical.exist,
            checkCancelled: checkCancelled)
        let output = try SignatureReader(
            of: written, stream: writtenStream, withDigests: identical.exist,
            checkCancelled: checkCancelled)
        guard source.times.count > 0, output.times.count > 0 else {
            throw MediaError(
                .damaged, file: source.times.count > 0 ? written.path : clip.asset.path,
                reason: "its video track has no frames")
        }
        let result = try compare(
            timetable(source, output), source, output, count: output.times.count)
        return Result(
            video: result.video,
            faults: shapeFaults() + result.faults
                + output.damage.faults(
                    passedOnFrom: stream.codecName == writtenStream.codecName ? source.damage : nil),
            notes: result.notes
                + Self.rateNotes(for: result.faults, wanted: fixedRate, found: writtenStream))
    }

    /// Compares the frames of a timetable.
    ///
    /// - Parameter count: the number of frames that the output has there.
    func compare(
        _ table: FrameTimetable, _ source: SignatureReader, _ output: SignatureReader, count: Int
    ) throws -> Result {
        let expectation = FrameExpectation(
            source.times, clip: clip, frames: settings.video.frames,
            hasCollisions: table.hasCollisions)
        var comparison = Comparison(
            entries: table.sampled(
                stretches, from: isSegment ? table.entries.first?.seconds ?? 0 : 0),
            table: table, expectation: expectation,
            frameCount: source.times.count, pixelCount: pixelCount, identical: identical)
        var notes: [String] = []
        if source.isCutShort || output.isCutShort {
            notes.append(
                "Frames without timestamps have to be decoded to know their times, and there are "
                    + "more of them than fit into memory: frames from "
                    + "\(secondsText(told(source, output))) on were not compared."
            )
        }
        if let size = smallest {
            notes.append(
                "Frames of \(size) pixels are too small to be told apart: what they show is not compared."
            )
        } else if settings.video.shutterDegrees != nil {
            notes.append("Frames averaged by a shutter are not compared one by one.")
        } else if settings.video.skipsRepeats {
            notes.append("Frames made while repeats were skipped are not compared one by one.")
        } else {
            try comparison.run(
                source, output, rises: clip.map.isRising, checkCancelled: checkCancelled)
        }
        if comparison.compared > 0, comparison.identified == 0, comparison.wrong.isEmpty {
            notes.append(
                "No frame differs enough from its neighbours to tell which of them is shown.")
        }
        notes += source.damage.sentences.map { "The source is damaged: \($0)." }
        return Result(
            video: figures(table, comparison, count: count),
            faults: comparison.turnFaults + table.faults + comparison.faults, notes: notes)
    }

    private var identical: IdenticalFrames { IdenticalFrames(of: writtenStream, kept: kept) }

    /// The size of the frames of either file, if it is so small that codecs change all of it; nil if it isn't.
    private var smallest: String? {
        [stream, writtenStream].compactMap(\.videoFormat)
            .first { min($0.width, $0.height) < Self.leastSide }
            .map { "\($0.width) by \($0.height)" }
    }

    /// The number of pixels of a frame, in the file that has fewer.
    private var pixelCount: Int {
        [stream, writtenStream].compactMap(\.videoFormat).map { $0.width * $0.height }.min() ?? 1
    }

    /// Codecs keep differences between blocks of this many pixels, not within them.
    private static let leastSide = 8

    // MARK: - Times

    private func timetable(
        _ source: SignatureReader, _ output: SignatureReader
    ) -> FrameTimetable {
        let end = told(source, output)
        let all = Presentations(source.times, map: clip.map, range: clip.range)
        let presentations = all.lazy.filter { $0.frame >= source.firstDecodable }
        guard let rate = fixedRate else {
            return FrameTimetable(
                output.times, from: output.firstDecodable,
                starts: presentations.map(\.start.seconds), end: end)
        }
        return FrameTimetable(
            output.times, from: output.firstDecodable, rate: rate, map: clip.map,
            firstPresentation: presentations.first { _ in true }?.start.seconds ?? 0, end: end)
    }

    /// The frame rate that the output should have; nil for a variable one.
    private var fixedRate: FrameRate? {
        guard case .fixed(let rate)? = stream.videoFormat.map(settings.video.outputRate(of:)) else {
            return nil
        }
        return rate
    }

    /// A note that an output with frames at wrong times has another frame rate than it should have.
    ///
    /// - Parameters:
    ///   - faults: those of its frames.
    ///   - wanted: the rate that it should have; nil for a variable one.
    static func rateNotes(
        for faults: [VerificationReport.Fault], wanted: FrameRate?, found: Asset.Stream
    ) -> [String] {
        guard faults.contains(where: { FrameTimetable.faultKinds.contains($0.kind) }),
            case .constant(let rate)? = found.videoFormat?.cadence, rate != wanted
        else {
            return []
        }
        return [
            "The output has \(rate) frames per second instead of \(wanted?.description ?? "a variable rate"). "
                + "If that was asked for, give that frame rate here, too."
        ]
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

    private func shapeFaults() -> [VerificationReport.Fault] {
        guard let was = stream.videoFormat, let format = writtenStream.videoFormat else {
            return []
        }
        return Self.shapeFaults(
            wanted: was.shownRatio(turned: stream.rotation),
            found: format.shownRatio(turned: writtenStream.rotation))
    }

    static func shapeFaults(wanted: Double, found: Double) -> [VerificationReport.Fault] {
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

    private func figures(
        _ table: FrameTimetable, _ comparison: Comparison, count: Int
    ) -> VerificationReport.Video {
        return VerificationReport.Video(
            framesExpected: table.expectedCount, frames: count,
            framesMissing: table.missing.count, framesExtra: table.extra.count,
            largestTimeErrorSeconds: table.largestError, rmsTimeErrorSeconds: table.rmsError,
            framesCompared: comparison.compared, framesIdentified: comparison.identified,
            framesAlike: comparison.compared - comparison.identified - comparison.wrong.count
                - comparison.foreign.count,
            framesWrong: comparison.wrong.count, framesForeign: comparison.foreign.count,
            kinds: comparison.kinds, oddestMade: comparison.oddest,
            lagAtStartSeconds: comparison.lag(in: isSegment ? 0..<1.01 : 0..<0.1),
            lagAtEndSeconds: comparison.lag(in: isSegment ? 0..<1.01 : 0.9..<1.01),
            typicalDifference: comparison.typicalDifference,
            timeErrors: table.errors)
    }
}
