import CLibAV

/// Blends frames of one size and pixel format: a weighted mean. Used on one thread.
///
/// It blends the numbers as they are stored, at the stream's own bit depth. They are gamma-encoded, and nearly all
/// editors and players cross-fade such numbers. Nothing is converted, so nothing is lost where frames are equal.
/// Linear light gives other results. With the BT.709 transfer function, half black and half white is 128 of 255
/// here and 180 in linear light (126 and 171 in limited range). This difference of 52 code values (45 in limited
/// range) is the largest possible. It falls quickly with contrast: for greys of 64 and 192 it is 15, for 96 and
/// 160 it is 4. Blends of bright moving objects before a dark background are thus darker than the long exposure of
/// a camera.
///
/// Alpha is blended like any other component. libav's formats have straight alpha, so the colour of a transparent
/// pixel counts as much as that of an opaque one.
///
/// Accuracy: two 8-bit frames are blended with weights in 65536ths, all others with single-precision sums. Samples
/// are rounded to nearest, halves up. They differ from the exactly rounded value by at most 1, for up to about 400
/// frames of 16 bits and far more frames of fewer bits. Samples that are equal in all frames stay exactly as they
/// are.
package final class FrameMixer {
    /// Creates a mixer. It has no state, so one mixer may blend frames of different formats in turn.
    package init() {}

    /// Whether frames of a pixel format can be blended.
    ///
    /// True for every layout (planar, semi-planar, packed) and byte order if each component is a whole byte, a
    /// word of its own with 9 to 16 bits, or a 32-bit float. False for palettes, half-precision floats, Bayer
    /// patterns, frames in graphics memory, and formats that store several components in one byte or word
    /// (`rgb565`, `x2rgb10`, `monob`).
    package static func canMix(_ format: PixelFormat) -> Bool {
        SampleLayout(format) != nil
    }

    /// Returns the weighted mean of frames.
    ///
    /// The program stops if there are no frames, if a weight isn't finite and above 0, if frames differ in size or
    /// pixel format, or if ``canMix(_:)`` is false for that format: these are bugs of the caller. Time grows with
    /// the number of frames; one new frame is allocated.
    ///
    /// - Parameter frames: frames and their weights, of which only the ratios matter.
    /// - Returns: a new frame with the properties of the first one (time, colour, side data, interlacing, aspect
    ///   ratio). If the weights of all frames but one round to nothing (together less than 2⁻¹⁷ of the sum), that
    ///   one frame itself.
    /// - Throws: ``MediaError`` when memory has run out.
    package func mix(_ frames: [(frame: Frame, weight: Double)]) throws -> Frame {
        guard let first = frames.first?.frame, let layout = SampleLayout(first.pixelFormat) else {
            preconditionFailure("no frames, or frames of a format that can't be mixed")
        }
        for (frame, weight) in frames {
            precondition(weight > 0 && weight.isFinite, "weights are above 0 and finite")
            precondition(
                frame.width == first.width && frame.height == first.height
                    && frame.pixelFormat == first.pixelFormat,
                "frames are of one size and format")
        }
        let parts = Self.significant(frames)
        guard parts.count > 1 else {
            return parts[0].frame
        }
        let result = try Frame(
            format: first.pixelFormat, width: first.width, height: first.height)
        try check(
            av_frame_copy_props(result.pointer, first.pointer), doing: "mixing frames", "",
            as: .library)
        for plane in 0..<first.pixelFormat.planeCount {
            Self.mix(parts, plane: plane, layout: layout, into: result)
        }
        return result
    }

    /// The frames that are visible in the result, with weights that sum to 1.
    private static func significant(
        _ frames: [(frame: Frame, weight: Double)]
    ) -> [(frame: Frame, weight: Double)] {
        // Weights are divided by the largest first, because the sum of huge weights may be infinite.
        let largest = frames.map(\.weight).max() ?? 1
        let sum = frames.reduce(0) { $0 + $1.weight / largest }
        let least = sum / 131072 / Double(frames.count)
        let parts = frames.filter { $0.weight / largest >= least }
        let remaining = parts.reduce(0) { $0 + $1.weight / largest }
        return parts.map { ($0.frame, $0.weight / largest / remaining) }
    }

    private static func mix(
        _ parts: [(frame: Frame, weight: Double)], plane: Int, layout: SampleLayout,
        into result: Frame
    ) {
        let bytesPerRow = av_image_get_linesize(
            result.pixelFormat.raw, CInt(result.width), CInt(plane))
        guard bytesPerRow > 0, let target = PlaneMemory(result, plane) else {
            return
        }
        let sources = parts.compactMap { PlaneMemory($0.frame, plane) }
        precondition(sources.count == parts.count, "frames have all their planes")
        let mixing = PlaneMixing(
            sources: sources, weights: parts.map(\.weight), target: target,
            rows: result.pixelFormat.rows(ofPlane: plane, frameHeight: result.height),
            samplesPerRow: Int(bytesPerRow) / layout.bytesPerSample)
        mixing.run(layout)
    }
}
