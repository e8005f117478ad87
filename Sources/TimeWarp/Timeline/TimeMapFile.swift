import Foundation
import Media
import TimeMaps

extension Clip {
    /// A clip retimed by a file that says which instant of the source is shown at which instant of the
    /// output: points as JSON, or a framecurve.
    ///
    /// Frames of a framecurve are counted from 1, those of the source from the start of the range.
    ///
    /// - Parameter rate: the output's, in which a framecurve counts; a variable one counts in the
    ///   source's.
    /// - Throws: ``MediaError`` when the file can't be read or is neither, or leaves the clip.
    public init(
        of asset: Asset, range: TimeRange? = nil, timeMapFile path: String,
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
                try self.init(of: asset, range: range, frameCurve: text, rate: rate)
                return
            }
            let document = try TimeMapDocument(json: data)
            try self.init(of: asset, range: range) { duration in
                try TimeMap(through: document.points, sourceDuration: duration)
            }
        } catch let error as CurveError {
            throw MediaError(.damaged, file: path, reason: error.description)
        }
    }

    private init(
        of asset: Asset, range: TimeRange?, frameCurve text: String, rate: RenderSettings.OutputRate
    ) throws {
        let curve = try FrameCurve(parsing: text)
        guard let stream = asset.videoStreams.first, let format = stream.videoFormat else {
            throw MediaError(
                .noUsableStream, file: asset.path,
                reason: "it has no picture, and a framecurve counts frames",
                remedy: "Write the time map as JSON, in seconds")
        }
        let frames = SourceFrames(
            try PacketIndex(of: asset, stream: stream), rate: format.usualRate,
            from: range?.start ?? .zero)
        var lasts = format.usualRate.frameDuration
        if case .fixed(let rate) = rate {
            lasts = rate.frameDuration
        }
        try self.init(of: asset, range: range) { duration in
            try curve.map(
                outputFrameDuration: lasts, frameStart: frames.start, sourceDuration: duration)
        }
    }
}

/// Where the frames of a source begin.
private struct SourceFrames {
    private let times: FrameTimes?
    private let rate: FrameRate
    private let zero: RationalTime
    private let first: Int

    init(_ index: PacketIndex, rate: FrameRate, from zero: RationalTime) {
        times = index.isComplete ? index.times : nil
        self.rate = rate
        self.zero = zero
        first = times?.picture(at: zero) ?? 0
    }

    /// Seconds from the zero to a frame counted from 0, straight inside a frame.
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
