import CLibAV

/// Mixes pictures of one size and format by weight. Used on one thread.
///
/// It works on the numbers as they are stored, at the stream's own bit depth: gamma-encoded, as
/// nearly every editor and player cross-fades, with nothing converted and nothing lost where
/// pictures agree. Light itself adds up otherwise. With the BT.709 transfer, half black and half
/// white is 128 here and 180 in linear light, of 255 (126 and 171 in limited range): 52 code values
/// apart (45), the most there is. It falls quickly with contrast: greys of 64 and 192 are 15 apart,
/// 96 and 160 are 4. Blends of bright moving things before dark are thus darker than a
/// camera's long exposure.
///
/// Alpha is one more component. libav's formats hold straight alpha, so a colour that is
/// transparent in one picture counts in the mix as much as an opaque one.
///
/// Accuracy: two 8-bit pictures are mixed with weights in 65536ths, everything else in
/// single-precision sums. Samples are rounded to nearest, halves up, and off by at most 1 from the
/// exactly rounded value, for up to some 400 pictures of 16 bits and far more of fewer. Samples that
/// agree stay exactly as they are.
public final class FrameMixer {
    /// A mixer that has mixed nothing yet. Use it on one thread.
    public init() {}

    /// Whether pictures of the format can be mixed sample by sample.
    ///
    /// True for every layout (planar, semi-planar, packed) and byte order whose components are whole
    /// bytes, 9 to 16 bits in words of their own, or 32-bit floats. False for palettes,
    /// half-precision floats, Bayer patterns, pictures in graphics memory, and formats that put
    /// several components into one byte or word (`rgb565`, `x2rgb10`, `monob`).
    public static func canMix(_ format: PixelFormat) -> Bool {
        SampleLayout(format) != nil
    }

    /// The weighted mean of pictures.
    ///
    /// It is a bug of the caller, and stops the program, to give none, a weight that isn't above 0
    /// and finite, pictures that differ in size or format, or a format that ``canMix(_:)`` denies.
    /// Time grows with the number of pictures; memory is one new picture.
    ///
    /// - Parameter frames: pictures and weights; only the ratios of the weights matter.
    /// - Returns: a new picture with the first one's properties (time, colour, side data,
    ///   interlacing, aspect); or, when the weights of all others round to nothing (together less
    ///   than 2⁻¹⁷ of the sum), the remaining picture itself.
    /// - Throws: ``MediaError`` when memory has run out.
    public func mix(_ frames: [(frame: Frame, weight: Double)]) throws -> Frame {
        guard let first = frames.first?.frame, let layout = SampleLayout(first.pixelFormat) else {
            preconditionFailure("no pictures, or of a format that can't be mixed")
        }
        for (frame, weight) in frames {
            precondition(weight > 0 && weight.isFinite, "weights are above 0 and finite")
            precondition(
                frame.width == first.width && frame.height == first.height
                    && frame.pixelFormat == first.pixelFormat,
                "pictures are of one size and format")
        }
        let parts = Self.significant(frames)
        guard parts.count > 1 else {
            return parts[0].frame
        }
        let result = try Frame(
            format: first.pixelFormat, width: first.width, height: first.height)
        try check(
            av_frame_copy_props(result.pointer, first.pointer), doing: "mixing pictures", "",
            as: .library)
        for plane in 0..<first.pixelFormat.planeCount {
            Self.mix(parts, plane: plane, layout: layout, into: result)
        }
        return result
    }

    /// Those that can be seen in the result, with weights that sum to 1.
    private static func significant(
        _ frames: [(frame: Frame, weight: Double)]
    ) -> [(frame: Frame, weight: Double)] {
        // Against the largest weight first: the sum of huge ones may be infinite.
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
        precondition(sources.count == parts.count, "pictures have all their planes")
        let mixing = PlaneMixing(
            sources: sources, weights: parts.map(\.weight), target: target,
            rows: result.pixelFormat.rows(ofPlane: plane, pictureHeight: result.height),
            samplesPerRow: Int(bytesPerRow) / layout.bytesPerSample)
        mixing.run(layout)
    }
}
