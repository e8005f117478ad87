import Documents
import Foundation
import Media
import TimeMaps

extension Clip {
    /// A clip that is retimed by a time-map file, which says which instant of the source is presented at which
    /// instant of the output: points as JSON, or a framecurve.
    ///
    /// A framecurve counts frames from 1; source frames count from the start of the range.
    ///
    /// - Parameters:
    ///   - source: a media file or a composition.
    ///   - range: the range to use, in the source's time; nil for the whole source.
    ///   - path: the path of the time-map file.
    ///   - rate: the output frame rate, at which a framecurve's output frames count; with a variable one they
    ///     count at the source's rate.
    /// - Throws: ``MediaError`` if the file can't be read, is neither of the two, or maps to times outside of
    ///   the clip.
    public init(
        of source: MediaSource, range: TimeRange? = nil, timeMapFile path: String,
        rate: RenderSettings.OutputRate = .source
    ) throws {
        try self.init(
            of: source,
            playing: Segment(of: source, range: range, timeMapFile: path, rate: rate))
    }
}

extension Segment {
    /// A range of a source, retimed by a time-map file; see ``Clip/init(of:range:timeMapFile:rate:)``.
    package init(
        of source: MediaSource, range: TimeRange?, timeMapFile path: String,
        rate: RenderSettings.OutputRate
    ) throws {
        let data = try SmallFile.data(
            at: path, kind: "a time map", largest: TimeMapDocument.largestFile)
        let isJSON = data.first { !" \n\r\t".utf8.contains($0) } == UInt8(ascii: "{")
        do {
            guard isJSON else {
                guard let text = String(data: data, encoding: .utf8) else {
                    throw MediaError(
                        .damaged, file: path, reason: "it is neither JSON nor a framecurve")
                }
                let curve = try FrameCurve(parsing: text)
                try self.init(of: source, range: range, curve, rate)
                return
            }
            try self.init(
                of: source, range: range, retiming: .timeMap(try TimeMapDocument(json: data)))
        } catch  where error is CurveError || error is DocumentError {
            throw MediaError(.damaged, file: path, reason: "\(error)")
        }
    }

    private init(
        of source: MediaSource, range: TimeRange?, _ curve: FrameCurve,
        _ rate: RenderSettings.OutputRate
    ) throws {
        let range = try range ?? TimeRange(start: .zero, end: source.duration)
        let frames = try SourceFrames(of: source, from: range.start)
        var lasts = frames.rate.frameDuration
        if case .fixed(let rate) = rate {
            lasts = rate.frameDuration
        }
        let map = try curve.map(
            outputFrameDuration: lasts, frameStart: frames.start, sourceDuration: range.duration)
        try self.init(
            of: source, range: range, retiming: .timeMap(TimeMapDocument(straight: map)))
    }
}

extension Clip {
    /// The source frame of every output frame, both at the source's usual rate, for compositing programs.
    ///
    /// Frames count from 1: output frames from the clip's start, and source frames from the start of its range. A record is
    /// the source at the start of its output frame; it lies between two source frames where the source does.
    ///
    /// - Throws: ``MediaError`` if the source has no video or the output more than 1 000 000 frames.
    /// - Complexity: O(n) in the number of output frames; reads the source's packets, without decoding them.
    public func frameCurve() throws -> FrameCurve {
        let frames = try SourceFrames(of: source, from: range.start)
        let lasts = frames.rate.frameDuration.seconds
        let count = max(1, (map.outputDuration / lasts).rounded())
        guard count <= Double(FrameCurve.mostPoints) else {
            throw MediaError(
                .incompatible, file: source.path,
                reason:
                    "a frame curve has \(FrameCurve.mostPoints) frames at the most, and this would have \(Int(count))"
            )
        }
        return FrameCurve(
            points: (0..<Int(count)).map { index in
                let instant = min(Double(index) * lasts, map.outputDuration)
                return FrameCurve.Point(
                    atFrame: index + 1,
                    sourceFrame: frames.frame(at: map.sourceTime(at: instant)) + 1)
            })
    }
}

/// The start times of source frames.
private struct SourceFrames {
    private let times: FrameTimes?
    let rate: FrameRate
    private let zero: RationalTime
    private let first: Int

    /// The frames of a composition are on the grid of its rate.
    init(of source: MediaSource, from zero: RationalTime) throws {
        guard let rate = source.videoFormat?.usualRate else {
            throw MediaError(
                .noUsableStream, file: source.path,
                reason: "it has no video, and a framecurve counts frames",
                remedy: "Write the time map as JSON, in seconds")
        }
        let index = try source.asset.flatMap { asset in
            try asset.mainVideo.map { try PacketIndex(of: asset, stream: $0) }
        }
        times = index.flatMap { $0.isComplete ? $0.times : nil }
        self.rate = rate
        self.zero = zero
        first = times?.frame(at: zero) ?? 0
    }

    /// The frame, counted from 0, at a time in seconds from the start of the range. Inside of a frame it is interpolated, and
    /// rounded to a millionth.
    func frame(at seconds: Double) -> Double {
        var frame = seconds * rate.framesPerSecond
        if let times, let place = try? RationalTime(fine: zero.seconds + seconds) {
            let index = times.frame(at: place)
            let begin = max(0, times.start(of: index).relative(to: zero).seconds)
            let end = times.end(of: index).relative(to: zero).seconds
            let share = end > begin ? min(max((seconds - begin) / (end - begin), 0), 1) : 0
            frame = Double(index - first) + share
        }
        return max(0, (frame * 1e6).rounded() / 1e6)
    }

    /// The time, in seconds from the start of the range, of a frame that is counted from 0. Inside of a frame
    /// it is interpolated.
    func start(of frame: Double) -> Double {
        guard let times else {
            return frame / rate.framesPerSecond
        }
        let whole = Int(min(max(frame.rounded(.down), 0), 1e9))
        let index = first + whole
        guard index < times.count else {
            return times.end(of: times.count - 1).relative(to: zero).seconds
        }
        let start = times.start(of: index).relative(to: zero).seconds
        let end = times.end(of: index).relative(to: zero).seconds
        return max(0, start) + (end - max(0, start)) * (frame - Double(whole))
    }
}
