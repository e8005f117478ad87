import Foundation
import Media
import Plotting
import TimeMaps
import TimeWarp

/// Small pictures of a clip side by side, evenly spread over it: what editors show beneath a timeline.
public struct FilmStrip: Sendable {
    /// How many pictures there are.
    public let count: Int
    /// Of each picture, in pixels.
    public let width: Int
    /// Of each picture, in pixels.
    public let height: Int
    /// All of them from left to right.
    public let picture: PreviewImage

    /// Decodes as many pictures, each at the middle of its share of the clip; in long clips the nearest at
    /// which decoding can begin.
    ///
    /// - Parameters:
    ///   - height: of each picture, in pixels.
    ///   - checkCancelled: called now and then; what it throws ends the work.
    /// - Throws: ``MediaError`` when there is no picture that can be decoded.
    /// - Complexity: one pass over the file's packets, and one picture decoded for each shown.
    public init(
        of asset: Asset, count: Int = 24, height: Int = 90,
        checkCancelled: @escaping () throws -> Void = {}
    ) throws {
        guard let stream = asset.videoStreams.first, let format = stream.videoFormat else {
            throw MediaError(
                .noUsableStream, file: asset.path, reason: "it has no pictures to show")
        }
        let widest = Double(CairoSurface.largestSide / max(count, 1))
        let shown = Double(height) * format.shownRatio(turned: stream.rotation)
        // Of a panorama, or a file that lies about its pixels, no more than a drawing can hold.
        let width = shown.isFinite ? max(1, Int(min(shown.rounded(), widest))) : 1
        let pictures = try KeyPictures(
            of: asset, stream: stream, count: count, checkCancelled: checkCancelled)
        var sheet = [UInt8](repeating: 0, count: width * height * count * 4)
        var converter = SmallPictures(rotation: stream.rotation)
        for place in 0..<count {
            try checkCancelled()
            guard let frame = try pictures.frame(at: place) else {
                continue
            }
            let small = try converter.picture(of: frame, width: width, height: height)
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
        picture = PreviewImage(
            width: width * count, height: height, pixels: sheet, outputSeconds: 0)
    }

    /// One of the pictures by itself.
    public func picture(at place: Int) -> PreviewImage {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for row in 0..<height {
            let start = (row * count + place) * width * 4
            pixels += picture.pixels[start..<start + width * 4]
        }
        return PreviewImage(
            width: width, height: height, pixels: pixels,
            outputSeconds: picture.outputSeconds)
    }
}

/// Pictures that cost one decoding each, spread over a stream.
private final class KeyPictures {
    private let asset: Asset
    private let stream: Asset.Stream
    private let reader: FrameReader?
    /// The picture for each place.
    private let wanted: [Int]
    private var last: (picture: Int, frame: Frame)?
    private let fallBack: Frame?

    init(
        of asset: Asset, stream: Asset.Stream, count: Int,
        checkCancelled: @escaping () throws -> Void
    ) throws {
        self.asset = asset
        self.stream = stream
        let index = try PacketIndex(of: asset, stream: stream, checkCancelled: checkCancelled)
        guard index.isComplete else {
            // Without times of its own a file has to be decoded from its start: one picture tells enough.
            fallBack = try FrameStream(of: asset, stream: stream).next()?.frame
            (reader, wanted) = (nil, [])
            return
        }
        fallBack = nil
        let seconds = asset.duration.seconds
        wanted = try (0..<count).map { place in
            let middle = seconds * (Double(place) + 0.5) / Double(count)
            let picture = index.times.picture(
                at: try RationalTime(seconds: middle, timescale: 1_000_000))
            let group = index.groups[index.group(ofPicture: picture)].pictures
            // In short clips and groups the picture itself; else what can be had at once.
            let isCheap = index.times.count <= Self.shortClip || group.count <= Self.shortGroup
            return isCheap ? picture : Self.nearest(group, picture, index)
        }
        reader = try FrameReader(
            of: asset, stream: stream, index: index, threads: 1, checkCancelled: checkCancelled)
        try reader?.start(Set(wanted).sorted().makeIterator())
    }

    /// Pictures that may well be decoded for a strip, of a clip and of a group.
    private static let shortClip = 1000
    private static let shortGroup = 12

    private static func nearest(_ group: Range<Int>, _ picture: Int, _ index: PacketIndex) -> Int {
        let next = group.upperBound
        guard next < index.times.count else {
            return group.lowerBound
        }
        return picture - group.lowerBound <= next - picture ? group.lowerBound : next
    }

    /// The picture for a place; asked in order.
    func frame(at place: Int) throws -> Frame? {
        guard let reader else {
            return fallBack
        }
        while last.map({ $0.picture < wanted[place] }) ?? true {
            guard let next = try reader.next() else {
                break
            }
            last = next
        }
        return last?.frame
    }
}
