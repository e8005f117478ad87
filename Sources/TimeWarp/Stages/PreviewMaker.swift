import Foundation
import Media

/// Makes small, upright previews of frames, so rarely that they cost little.
struct PreviewMaker {
    private static let longestSide = 320
    private let interval: Duration
    private var lastMade: ContinuousClock.Instant?
    private var images: SmallFrames

    /// Makes a preview maker.
    ///
    /// - Parameter rotation: by how many degrees a player rotates the video clockwise.
    init(rotation: Double, secondsBetween seconds: Double) {
        images = SmallFrames(rotation: rotation)
        interval = .seconds(max(seconds, 0.1))
    }

    /// A preview, or nil if it isn't time for one yet.
    mutating func preview(
        of frame: Frame, shownAt outputSeconds: Double
    ) throws -> PreviewImage? {
        let now = ContinuousClock.now
        guard lastMade.map({ now - $0 >= interval }) ?? true else {
            return nil
        }
        lastMade = now
        let scale = min(1, Double(Self.longestSide) / Double(max(frame.width, frame.height)))
        let stored = (
            max(1, Int(Double(frame.width) * scale)), max(1, Int(Double(frame.height) * scale))
        )
        let (width, height) = images.isOnItsSide ? (stored.1, stored.0) : stored
        return PreviewImage(
            width: width, height: height,
            pixels: try images.image(of: frame, width: width, height: height),
            outputSeconds: outputSeconds)
    }
}
