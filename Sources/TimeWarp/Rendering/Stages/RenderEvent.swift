import TimeMaps

/// An event of a render.
public enum RenderEvent: Sendable {
    /// The progress, some times a second.
    case progress(RenderProgress)
    /// A small upright image of the frame that is being written, as often as the settings ask for.
    case preview(PreviewImage)
    /// The output file is complete and in its place. It is always the last event.
    case finished(RenderReport)
}

/// The progress of a render.
public struct RenderProgress: Hashable, Sendable, Codable {
    /// The share of the work that is done, 0 to 1.
    public let fraction: Double
    /// The number of frames written so far; 0 if there is only sound.
    public let frames: Int64
    /// Frames written a second, on average since the start.
    public let framesPerSecond: Double
    /// The time since the start, in seconds.
    public let elapsedSeconds: Double
    /// The estimated remaining time, in seconds; nil in the first moments.
    public let remainingSeconds: Double?
}

/// A small upright image of a frame.
public struct PreviewImage: Sendable {
    /// The width, in pixels.
    public let width: Int
    /// The height, in pixels.
    public let height: Int
    /// Four bytes for each pixel: blue, green, red and an unused one. Rows go from top to bottom, without
    /// padding.
    public let pixels: [UInt8]
    /// When the frame is presented, in output seconds.
    public let outputSeconds: Double

    package init(width: Int, height: Int, pixels: [UInt8], outputSeconds: Double) {
        self.width = width
        self.height = height
        self.pixels = pixels
        self.outputSeconds = outputSeconds
    }
}
