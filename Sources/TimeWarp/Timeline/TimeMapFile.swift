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
    ///   - source: an ``Asset`` or a ``CompositionAsset``.
    ///   - range: the range to use, in the source's time; nil for the whole source.
    ///   - path: the path of the time-map file.
    ///   - rate: the output frame rate, at which a framecurve's output frames count; with a variable one they
    ///     count at the source's rate.
    /// - Throws: ``MediaError`` if the file can't be read, is neither of the two, or maps to times outside of
    ///   the clip.
    public init(
        of source: some ClipSource, range: TimeRange? = nil, timeMapFile path: String,
        rate: RenderSettings.OutputRate = .source
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
                try self.init(
                    of: source.clipSource, range: range, frameCurve: text, rate: rate)
                return
            }
            let document = try TimeMapDocument(json: data)
            try self.init(of: source, range: range) { duration in
                try TimeMap(through: document.points, sourceDuration: duration)
            }
        } catch let error as CurveError {
            throw MediaError(.damaged, file: path, reason: error.description)
        }
    }

    private init(
        of source: Source, range: TimeRange?, frameCurve text: String,
        rate: RenderSettings.OutputRate
    ) throws {
        let curve = try FrameCurve(parsing: text)
        let frames = try SourceFrames(of: source, from: range?.start ?? .zero)
        var lasts = frames.rate.frameDuration
        if case .fixed(let rate) = rate {
            lasts = rate.frameDuration
        }
        try self.init(of: source, range: range) { duration in
            try curve.map(
                outputFrameDuration: lasts, frameStart: frames.start, sourceDuration: duration)
        }
    }
}

/// The start times of source frames.
private struct SourceFrames {
    private let times: FrameTimes?
    let rate: FrameRate
    private let zero: RationalTime
    private let first: Int

    /// The frames of a composition are on the grid of its rate.
    init(of source: Clip.Source, from zero: RationalTime) throws {
        let rate: FrameRate?
        switch source {
        case .asset(let asset):
            let stream = asset.videoStreams.first
            rate = stream?.videoFormat?.usualRate
            let index = try stream.map { try PacketIndex(of: asset, stream: $0) }
            times = index.flatMap { $0.isComplete ? $0.times : nil }
        case .composition(let composition):
            rate = composition.frameRate
            times = nil
        }
        guard let rate else {
            throw MediaError(
                .noUsableStream, file: source.path,
                reason: "it has no video, and a framecurve counts frames",
                remedy: "Write the time map as JSON, in seconds")
        }
        self.rate = rate
        self.zero = zero
        first = times?.frame(at: zero) ?? 0
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
