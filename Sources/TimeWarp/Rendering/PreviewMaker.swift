import Foundation
import Media

/// Makes small upright pictures of frames, seldom enough to cost nothing.
struct PreviewMaker {
    private static let longestSide = 320
    private let quarterTurns: Int
    private let interval: Duration
    private var lastMade: ContinuousClock.Instant?
    private var converter: PixelConverter?

    /// - Parameter rotation: degrees clockwise that a player turns the picture by.
    init(rotation: Double, secondsBetween seconds: Double) {
        quarterTurns = Int((rotation / 90).rounded()) % 4
        interval = .seconds(max(seconds, 0.1))
    }

    /// The picture, or nil when the last one was made a moment ago.
    mutating func preview(
        of frame: Frame, shownAt outputSeconds: Double
    ) throws -> PreviewImage? {
        let now = ContinuousClock.now
        guard lastMade.map({ now - $0 >= interval }) ?? true else {
            return nil
        }
        lastMade = now
        let scale = min(1, Double(Self.longestSide) / Double(max(frame.width, frame.height)))
        let width = max(1, Int(Double(frame.width) * scale))
        let height = max(1, Int(Double(frame.height) * scale))
        if converter?.accepts(frame) != true {
            converter = try PixelConverter(
                from: frame, to: .bgr0, width: width, height: height, path: "")
        }
        guard let small = try converter?.convert(frame),
            let pixels = small.withPlane(
                0,
                { bytes, stride in
                    Self.turned(
                        bytes, stride: stride, width: width, height: height, quarters: quarterTurns)
                })
        else {
            return nil
        }
        let isOnItsSide = quarterTurns % 2 == 1
        return PreviewImage(
            width: isOnItsSide ? height : width, height: isOnItsSide ? width : height,
            pixels: pixels, outputSeconds: outputSeconds)
    }

    /// Four-byte pixels turned clockwise by quarters.
    static func turned(
        _ bytes: UnsafeRawBufferPointer, stride: Int, width: Int, height: Int, quarters: Int
    ) -> [UInt8] {
        let outputWidth = quarters % 2 == 1 ? height : width
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let target: (x: Int, y: Int)
                switch quarters {
                case 1: target = (height - 1 - y, x)
                case 2: target = (width - 1 - x, height - 1 - y)
                case 3: target = (y, width - 1 - x)
                default: target = (x, y)
                }
                let from = y * stride + x * 4
                let to = (target.y * outputWidth + target.x) * 4
                for byte in 0..<4 {
                    pixels[to + byte] = bytes[from + byte]
                }
            }
        }
        return pixels
    }
}
