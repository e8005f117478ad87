import Media
import SampleMedia

/// Two random frames of 1920x1080 pixels to blend.
public struct BlendingKernel {
    private let mixer = FrameMixer()
    private let frames: [Frame]

    /// Makes the frames in a pixel format, by libav's name such as `yuv420p`; nil if the format is unknown.
    public init?(pixelFormat name: String) throws {
        guard let format = PixelFormat(named: name) else { return nil }
        frames = try (0..<2).map { try Self.painted(format, seed: $0) }
    }

    /// Blends the two frames, of which the second one has this weight, and returns the width of the result.
    public func blend(_ weight: Double) throws -> Int {
        try mixer.mix([(frame: frames[0], weight: 1 - weight), (frames[1], weight)]).width
    }

    private static func painted(_ format: PixelFormat, seed: Int) throws -> Frame {
        try Frame.painted(format: format, width: 1920, height: 1080) { bytes, _, _ in
            for index in bytes.indices {
                // The high byte of a 10-bit sample holds two bits.
                let isHigh = format.bitDepth > 8 && index % 2 == 1
                let value = (index &* 31 &+ index / 977 &+ seed &* 101) & 0xff
                bytes[index] = UInt8(isHigh ? value & 3 : value)
            }
        }
    }
}

/// A sample clip whose packets are indexed.
public struct IndexingKernel {
    private let asset: Asset
    /// The number of the clip's frames.
    public let frameCount: Int

    /// Writes the clip into a folder.
    public init(in folder: String) throws {
        let path = folder + "/sample.mp4"
        let scene = try SampleScene(
            width: 320, height: 240, frameRate: (numerator: 30, denominator: 1), frameCount: 1800)
        try SampleClip.write(scene, to: path, existing: .refuse)
        asset = try Asset(at: path)
        frameCount = try PacketIndex(of: asset, stream: asset.videoStreams[0]).times.count
    }

    /// Finds when each frame is shown and where decoding can begin, and returns the number of GOPs.
    public func index() throws -> Int {
        try PacketIndex(of: asset, stream: asset.videoStreams[0]).groups.count
    }
}
