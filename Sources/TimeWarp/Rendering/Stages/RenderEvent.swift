import TimeMaps

/// What happens while a render runs.
public enum RenderEvent: Sendable {
    /// How far it is; a few times a second.
    case progress(RenderProgress)
    /// A small picture of the frame being written, upright; as often as the settings ask.
    case preview(PreviewImage)
    /// The file is in its place. Always the last event.
    case finished(RenderReport)
}

/// How far a render is.
public struct RenderProgress: Hashable, Sendable, Codable {
    /// From 0 to 1.
    public let fraction: Double
    /// Pictures written so far; 0 when there is only sound.
    public let frames: Int64
    /// Pictures a second, over the whole render so far.
    public let framesPerSecond: Double
    /// Seconds since the start.
    public let elapsedSeconds: Double
    /// Seconds until the end, as far as the past tells; nil in the first moments.
    public let remainingSeconds: Double?
}

/// A small picture of a frame, as a person would see it.
public struct PreviewImage: Sendable {
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// Blue, green, red and an unused byte for each pixel, rows from the top.
    public let pixels: [UInt8]
    /// Where in the output it is shown, in seconds.
    public let outputSeconds: Double

    package init(width: Int, height: Int, pixels: [UInt8], outputSeconds: Double) {
        self.width = width
        self.height = height
        self.pixels = pixels
        self.outputSeconds = outputSeconds
    }
}
