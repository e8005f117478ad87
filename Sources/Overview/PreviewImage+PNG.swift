import Plotting
import TimeWarp

extension PreviewImage {
    /// The picture as a PNG file.
    ///
    /// - Throws: ``PlotError`` when it is larger than a drawing can be.
    public func png() throws -> [UInt8] {
        try CairoSurface.image(width: width, height: height, pixels: pixels).png()
    }
}
