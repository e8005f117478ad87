import CCairo

/// A Cairo surface and the context that draws on it, freed together.
///
/// Cairo stores the first error in the object in which it happened, and later calls on that object do
/// nothing. So drawing calls are not checked; the status is checked once, when the image is taken out.
package final class CairoSurface {
    /// The largest width or height, in pixels. Cairo's own limit is 32767.
    package static let largestSide = 16384

    private let surface: OpaquePointer
    /// The `cairo_t`. Valid as long as the surface lives.
    package let context: OpaquePointer
    private let sink: ByteSink

    private init(adopting surface: OpaquePointer, sink: ByteSink = ByteSink()) throws {
        // When an allocation fails, Cairo returns a static object with the status, never nil.
        self.surface = surface
        self.context = cairo_create(surface)
        self.sink = sink
        try check("starting a drawing")
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// A black image in memory, for PNG.
    ///
    /// - Throws: ``PlotError`` when a side isn't from 1 to ``largestSide`` pixels, or when Cairo fails.
    package static func image(width: Int, height: Int) throws -> CairoSurface {
        try CairoSurface(
            adopting: cairo_image_surface_create(
                CAIRO_FORMAT_RGB24, try side(width), try side(height)))
    }

    /// An image in memory with initial pixels of four bytes each: blue, green, red and an unused byte.
    ///
    /// - Throws: ``PlotError`` when a side isn't from 1 to ``largestSide`` pixels, when the number of bytes is
    ///   wrong, or when Cairo fails.
    package static func image(width: Int, height: Int, pixels: [UInt8]) throws -> CairoSurface {
        let image = try image(width: width, height: height)
        let stride = Int(cairo_image_surface_get_stride(image.surface))
        guard pixels.count == width * height * 4,
            let rows = cairo_image_surface_get_data(image.surface)
        else {
            throw PlotError(
                .invalidSize,
                "An image of \(width)x\(height) pixels takes \(width * height * 4) bytes, not "
                    + "\(pixels.count).")
        }
        for row in 0..<height {
            let start = rows + row * stride
            for (place, byte) in pixels[row * width * 4..<(row + 1) * width * 4].enumerated() {
                start[place] = byte
            }
        }
        cairo_surface_mark_dirty(image.surface)
        return image
    }

    /// An SVG document of one page, measured in pixels.
    package static func svg(width: Int, height: Int) throws -> CairoSurface {
        let sink = ByteSink()
        let surface: OpaquePointer = cairo_svg_surface_create_for_stream(
            ByteSink.write, sink.opaque, Double(try side(width)), Double(try side(height)))
        cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX)
        return try CairoSurface(adopting: surface, sink: sink)
    }

    /// Runs `body` with a surface that draws on the caller's BGRA memory.
    ///
    /// The surface must not be used after `body`, because the memory may be gone then.
    ///
    /// - Throws: ``PlotError`` when the size or the memory doesn't fit, or when Cairo fails; what `body` throws.
    package static func drawing(
        on pixels: UnsafeMutableRawBufferPointer, width: Int, height: Int, bytesPerRow: Int,
        _ body: (CairoSurface) throws -> Void
    ) throws {
        let (w, h) = (try side(width), try side(height))
        guard let base = pixels.baseAddress, bytesPerRow >= 4 * width, bytesPerRow % 4 == 0,
            let stride = Int32(exactly: bytesPerRow), pixels.count >= bytesPerRow * height,
            Int(bitPattern: base) % 4 == 0
        else {
            throw PlotError(
                .invalidSize,
                "An image of \(width)x\(height) pixels needs rows of at least \(4 * width) bytes "
                    + "that are aligned to 4 bytes; the memory has rows of \(bytesPerRow) bytes "
                    + "and \(pixels.count) bytes in all.")
        }
        let surface = try CairoSurface(
            adopting: cairo_image_surface_create_for_data(
                base.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, w, h, stride))
        try body(surface)
        cairo_surface_finish(surface.surface)
        try surface.check("drawing a frame")
    }

    /// Ends an SVG drawing and returns the document.
    package func finishedSVG() throws -> [UInt8] {
        cairo_show_page(context)
        try check("drawing the SVG")
        cairo_surface_finish(surface)
        try Self.check(cairo_surface_status(surface), "writing the SVG")
        return sink.bytes
    }

    /// The current image as a PNG file.
    package func png() throws -> [UInt8] {
        try check("drawing the PNG")
        cairo_surface_flush(surface)
        let status = cairo_surface_write_to_png_stream(surface, ByteSink.write, sink.opaque)
        try Self.check(status, "writing the PNG")
        return sink.bytes
    }

    private func check(_ doing: String) throws {
        try Self.check(cairo_status(context), doing)
        try Self.check(cairo_surface_status(surface), doing)
    }

    private static func check(_ status: cairo_status_t, _ doing: String) throws {
        guard status != CAIRO_STATUS_SUCCESS else { return }
        let reason = cairo_status_to_string(status).map { String(cString: $0) } ?? "unknown"
        throw PlotError(.drawing, "Cairo failed at \(doing): \(reason).")
    }

    private static func side(_ length: Int) throws -> Int32 {
        guard (1...largestSide).contains(length) else {
            throw PlotError(
                .invalidSize,
                "The sides of an image must be 1 to \(largestSide) pixels long, not \(length).")
        }
        return Int32(length)
    }
}

/// Collects the bytes that Cairo writes.
private final class ByteSink {
    var bytes: [UInt8] = []

    /// An unowned reference for Cairo. Whoever passes it on must keep the sink alive while Cairo may write.
    var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let write: cairo_write_func_t = { closure, data, length in
        guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
        let sink = Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
        sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
        return CAIRO_STATUS_SUCCESS
    }
}
