import Plotting
import TimeWarp

extension PreviewImage {
    /// The image as a PNG file.
    ///
    /// - Throws: ``PlotError`` when a side is longer than 16384 pixels, or when the encoder fails.
    public func png() throws -> [UInt8] {
        try CairoSurface.image(width: width, height: height, pixels: pixels).png()
    }
}
