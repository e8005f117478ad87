import TimeMaps

/// An event of a render.
public enum RenderEvent: Sendable {
    /// Progress; a few times per second.
    case progress(RenderProgress)
    /// A small, upright image of the frame being written, as often as the ``Renderer`` was asked for.
    case preview(PreviewImage)
    /// The file is complete and has its final name. Always the last event.
    case finished(RenderReport)
}

/// The progress of a render.
public struct RenderProgress: Hashable, Sendable, Codable {
    /// The share that is done, from 0 to 1.
    public let fraction: Double
    /// Frames written so far; 0 if there is only audio.
    public let frames: Int64
    /// Frames per second, averaged over the render so far.
    public let framesPerSecond: Double
    /// Seconds since the render started.
    public let elapsedSeconds: Double
    /// The estimated seconds until the end; nil at first.
    public let remainingSeconds: Double?
}

/// A small image of a frame, as a player would show it.
public struct PreviewImage: Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// Blue, green, red and an unused byte for each pixel, top row first.
    public let pixels: [UInt8]
    /// The output time at which it is shown, in seconds.
    public let outputSeconds: Double

    package init(width: Int, height: Int, pixels: [UInt8], outputSeconds: Double) {
        self.width = width
        self.height = height
        self.pixels = pixels
        self.outputSeconds = outputSeconds
    }
}
