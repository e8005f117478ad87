import Media
import Synchronization
import TimeMaps

/// The frames of a clip as small JPEG images, second by second.
///
/// Players need them where a browser's video element is too slow: it plays forward only, and seeks to a frame by
/// decoding all frames since the last keyframe. Here a group of frames (GOP) is decoded once, and the images of the
/// seconds in it are there for playing backwards through it.
// @unchecked: the worker is used by one thread at a time.
public final class FrameImages: @unchecked Sendable {
    /// The images of one second of the clip.
    public struct Second: Sendable {
        /// When each frame begins, in seconds of asset time; increasing. The first is the frame that is shown when the
        /// second begins.
        public let times: [Double]
        /// A JPEG file for each time.
        public let images: [[UInt8]]
    }

    /// The clip's duration in whole seconds, rounded up.
    public let seconds: Int
    private let worker: Worker
    private let isWorking = Mutex(())

    /// How many seconds before and after the one that is asked for are decoded with it, if they are in the same group.
    private static let most = (before: 10, after: 3)

    /// Opens a clip.
    ///
    /// - Parameters:
    ///   - asset: the clip; its first video track is used.
    ///   - height: the height of the images in pixels, at most; wide images have at most 16/9 of it as width.
    ///   - checkCancelled: called regularly; the error that it throws stops the work.
    /// - Throws: ``MediaError`` when there is no video track, its frames state no times, or it is HDR video, whose
    ///   colours JPEG can't show; what `checkCancelled` throws.
    /// - Complexity: one pass over the file's packets.
    public init(
        of asset: Asset, height: Int = 360, checkCancelled: () throws -> Void = {}
    ) throws {
        seconds = Int(asset.duration.seconds.rounded(.up))
        worker = try Worker(of: asset, height: height, checkCancelled)
    }

    /// Decodes one second, and those near it that cost little more.
    ///
    /// - Parameters:
    ///   - second: from 0 to ``seconds`` − 1; other seconds have no frames.
    ///   - isBackwards: whether the seconds before are wanted next, instead of those after.
    ///   - checkCancelled: called for each frame; the error that it throws stops the work.
    /// - Returns: the images by their seconds; without those that can't be decoded.
    /// - Throws: ``MediaError`` when the file can't be read; what `checkCancelled` throws.
    /// - Complexity: the frames since the keyframe before are decoded.
    public func images(
        at second: Int, isBackwards: Bool, checkCancelled: () throws -> Void = {}
    ) throws -> [Int: Second] {
        guard second >= 0, second < seconds else {
            return [:]
        }
        return try isWorking.withLock { _ in
            try worker.images(of: worker.run(to: second, isBackwards), checkCancelled)
        }
    }

    /// Decodes and encodes; used by one caller at a time.
    private final class Worker {
        private let reader: FrameReader
        private let conformer: FrameConformer
        private let encoder: JPEGEncoder
        private let lastSecond: Int

        /// More frames than these in a second are thinned out: no screen shows them.
        private static let mostFrames = 120

        init(of asset: Asset, height: Int, _ checkCancelled: () throws -> Void) throws {
            guard let stream = asset.mainVideo, let format = stream.videoFormat else {
                throw MediaError(
                    .noUsableStream, file: asset.path, reason: "it has no video track to show")
            }
            let index = try PacketIndex(of: asset, stream: stream, checkCancelled: checkCancelled)
            guard index.isComplete, !format.color.isHighDynamicRange else {
                throw MediaError(
                    .unsupported, file: asset.path, reason: "its frames can't be shown one by one")
            }
            let shape = format.shownRatio(turned: stream.rotation)
            let (width, height) = Self.size(shape.isFinite && shape > 0 ? shape : 1, height)
            reader = try FrameReader(of: asset, stream: stream, index: index)
            encoder = try JPEGEncoder(width: width, height: height, path: asset.path)
            conformer = FrameConformer(to: encoder.format, from: stream, path: asset.path)
            lastSecond = Int(asset.duration.seconds.rounded(.up)) - 1
        }

        /// Even sides of about that shape.
        private static func size(_ shape: Double, _ height: Int) -> (width: Int, height: Int) {
            let width = min(shape * Double(height), Double(height) * 16 / 9)
            let even = { (side: Double) in max(2, 2 * Int((side / 2).rounded())) }
            return (even(width), even(min(Double(height), width / shape)))
        }

        /// The seconds that are decoded with one.
        func run(to second: Int, _ isBackwards: Bool) throws -> ClosedRange<Int> {
            let frames = try numbers(in: second)
            let groups = reader.index.groups
            let edge = reader.index.group(
                ofFrame: isBackwards ? frames.lowerBound : frames.upperBound)
            if isBackwards {
                let begin = reader.index.times.start(of: groups[edge].frames.lowerBound).seconds
                let earliest = max(Int(begin.rounded(.up)), second - FrameImages.most.before)
                // The first frame may begin within the second.
                return max(0, min(earliest, second))...max(second, 0)
            }
            let end = reader.index.times.end(of: groups[edge].frames.upperBound - 1).seconds
            return
                second...max(second, min(Int(end) - 1, second + FrameImages.most.after, lastSecond))
        }

        /// The numbers of the frames that are shown in a second.
        private func numbers(in second: Int) throws -> ClosedRange<Int> {
            let times = reader.index.times
            let first = times.frame(at: RationalTime(Int64(second), over: 1))
            let end = RationalTime(Int64(second) + 1, over: 1)
            let last = times.frame(at: end)
            return first...max(first, times.start(of: last) < end ? last : last - 1)
        }

        func images(
            of run: ClosedRange<Int>, _ checkCancelled: () throws -> Void
        ) throws -> [Int: Second] {
            let wanted = try run.flatMap { second in
                let numbers = try numbers(in: second)
                let step = (numbers.count - 1) / Self.mostFrames + 1
                return stride(from: numbers.lowerBound, through: numbers.upperBound, by: step)
                    .map { (second: second, number: $0) }
            }
            try reader.start(Set(wanted.map(\.number)).sorted().makeIterator())
            var made: [Int: [UInt8]] = [:]
            while let (number, frame) = try reader.next() {
                try checkCancelled()
                made[number] = try encoder.image(of: conformer.conform(frame))
            }
            return Dictionary(grouping: wanted, by: \.second).mapValues { frames in
                let found = frames.compactMap { frame in
                    made[frame.number].map { (frame.number, $0) }
                }
                return Second(
                    times: found.map { reader.index.times.start(of: $0.0).seconds },
                    images: found.map(\.1))
            }
        }
    }
}

extension ColorDescription {
    /// Whether the transfer characteristics are those of HDR video: PQ or HLG (H.273).
    fileprivate var isHighDynamicRange: Bool { transfer == 16 || transfer == 18 }
}
