import Foundation
import Media
import Plotting
import TimeMaps
import TimeWarp

/// A film strip: small frames of a clip side by side, evenly spread over the clip, as editors show them in a
/// timeline.
public struct FilmStrip: Sendable {
    /// The number of frames.
    public let count: Int
    /// The width of each frame in pixels.
    public let width: Int
    /// The height of each frame in pixels.
    public let height: Int
    /// One image with all frames from left to right, ``count`` times ``width`` wide.
    public let image: PreviewImage

    /// Decodes `count` frames, each at the middle of its share of the clip. In a long clip with long GOPs it
    /// takes the nearest frame at which decoding can start instead.
    ///
    /// - Parameters:
    ///   - asset: the clip; its first video track is used.
    ///   - range: the part that the frames share evenly; nil for the whole clip.
    ///   - index: of the video track, if it is known; otherwise it is made.
    ///   - count: the number of frames.
    ///   - height: the height of each frame in pixels; the width follows from the aspect ratio.
    ///   - checkCancelled: called regularly; the error that it throws stops the work.
    /// - Throws: ``MediaError`` when there is no video track, or when the file can't be read; what
    ///   `checkCancelled` throws. A frame that can't be decoded is replaced by one that can.
    /// - Complexity: one pass over the file's packets. In long clips one frame is decoded for each frame shown;
    ///   in parts of up to 1000 frames, up to all of them.
    public init(
        of asset: Asset, count: Int = 24, height: Int = 90,
        checkCancelled: @escaping () throws -> Void = {}
    ) throws {
        try self.init(
            of: asset, range: nil, index: nil, count: count, height: height,
            checkCancelled: checkCancelled)
    }

    package init(
        of asset: Asset, range: TimeRange?, index: PacketIndex?, count: Int = 24,
        height: Int = 90, checkCancelled: @escaping () throws -> Void
    ) throws {
        guard let stream = asset.mainVideo, let format = stream.videoFormat else {
            throw MediaError(
                .noUsableStream, file: asset.path, reason: "it has no video track to show")
        }
        let widest = Double(CairoSurface.largestSide / max(count, 1))
        let shown = Double(height) * format.shownRatio(turned: stream.rotation)
        // A panorama, or a file with a wrong aspect ratio, is limited to what a drawing can hold.
        let width = shown.isFinite ? max(1, Int(min(shown.rounded(), widest))) : 1
        let keyframes = try Keyframes(
            of: asset, stream: stream, range: range, index: index, count: count,
            checkCancelled: checkCancelled)
        var sheet = [UInt8](repeating: 0, count: width * height * count * 4)
        var converter = SmallFrames(rotation: stream.rotation)
        for place in 0..<count {
            try checkCancelled()
            guard let frame = try keyframes.frame(at: place) else {
                continue
            }
            let small = try converter.image(of: frame, width: width, height: height)
            for row in 0..<height {
                let target = (row * count + place) * width * 4
                sheet.replaceSubrange(
                    target..<target + width * 4,
                    with: small[row * width * 4..<(row + 1) * width * 4])
            }
        }
        self.count = count
        self.width = width
        self.height = height
        image = PreviewImage(
            width: width * count, height: height, pixels: sheet, outputSeconds: 0)
    }

    /// One frame of the strip as an image of its own.
    ///
    /// - Parameter place: the number of the frame, from 0 to ``count`` − 1.
    public func image(at place: Int) -> PreviewImage {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for row in 0..<height {
            let start = (row * count + place) * width * 4
            pixels += image.pixels[start..<start + width * 4]
        }
        return PreviewImage(
            width: width, height: height, pixels: pixels,
            outputSeconds: image.outputSeconds)
    }
}

/// Decodes frames that are spread over a stream, at little cost.
private final class Keyframes {
    private let asset: Asset
    private let stream: Asset.Stream
    private let reader: FrameReader?
    /// The number of the frame for each place of the strip.
    private let wanted: [Int]
    private var last: (number: Int, frame: Frame)?
    private let fallBack: Frame?

    init(
        of asset: Asset, stream: Asset.Stream, range: TimeRange?, index known: PacketIndex?,
        count: Int, checkCancelled: @escaping () throws -> Void
    ) throws {
        self.asset = asset
        self.stream = stream
        let index =
            try known ?? PacketIndex(of: asset, stream: stream, checkCancelled: checkCancelled)
        guard index.isComplete else {
            // A file without timestamps would have to be decoded completely, so all places show its first frame.
            fallBack = try FrameStream(of: asset, stream: stream).next()?.frame
            (reader, wanted) = (nil, [])
            return
        }
        fallBack = nil
        let seconds = (range?.duration ?? asset.duration).seconds
        let start = range?.start.seconds ?? 0
        func frame(at seconds: Double) throws -> Int {
            index.times.frame(at: try RationalTime(seconds: seconds, timescale: 1_000_000))
        }
        let isShort = try frame(at: start + seconds) - frame(at: start) < Self.shortClip
        wanted = try (0..<count).map { place in
            let frame = try frame(at: start + seconds * (Double(place) + 0.5) / Double(count))
            let group = index.groups[index.group(ofFrame: frame)].frames
            // In short parts and short GOPs the exact frame; otherwise one that needs no others.
            let isCheap = isShort || group.count <= Self.shortGroup
            return isCheap ? frame : Self.nearest(group, frame, index)
        }
        reader = try FrameReader(
            of: asset, stream: stream, index: index, threads: 1, checkCancelled: checkCancelled)
        try reader?.start(Set(wanted).sorted().makeIterator())
    }

    /// The longest part and the longest GOP, in frames, in which exact frames are decoded.
    private static let shortClip = 1000
    private static let shortGroup = 12

    /// The nearer start of a GOP: that of this group or that of the next one.
    private static func nearest(_ group: Range<Int>, _ frame: Int, _ index: PacketIndex) -> Int {
        let next = group.upperBound
        guard next < index.times.count else {
            return group.lowerBound
        }
        return frame - group.lowerBound <= next - frame ? group.lowerBound : next
    }

    /// The frame for a place. Places must be requested in order.
    func frame(at place: Int) throws -> Frame? {
        guard let reader else {
            return fallBack
        }
        while last.map({ $0.number < wanted[place] }) ?? true {
            guard let next = try reader.next() else {
                break
            }
            last = next
        }
        return last?.frame
    }
}
