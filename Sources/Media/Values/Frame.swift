import CLibAV

/// A decoded video frame.
///
/// It is immutable and shared by reference, also between threads, so a frame that is repeated is in memory once.
package final class Frame: @unchecked Sendable {
    // @unchecked Sendable: nothing writes to the AVFrame after `init`, and libav counts the references to its
    // buffers atomically.
    let pointer: UnsafeMutablePointer<AVFrame>

    /// An empty frame, for a decoder to fill before anyone else sees it.
    init() throws {
        pointer = try allocated(av_frame_alloc(), "")
    }

    /// A new frame with memory for pixels, which are undefined.
    init(format: PixelFormat, width: Int, height: Int) throws {
        pointer = try allocated(av_frame_alloc(), "")
        pointer.pointee.format = format.raw.rawValue
        pointer.pointee.width = CInt(width)
        pointer.pointee.height = CInt(height)
        try check(av_frame_get_buffer(pointer, 0), doing: "making a frame", "", as: .library)
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&pointer)
    }

    /// The width in pixels, as stored.
    package var width: Int { Int(pointer.pointee.width) }
    /// The height in pixels, as stored.
    package var height: Int { Int(pointer.pointee.height) }
    /// How the pixels lie in memory.
    package var pixelFormat: PixelFormat { PixelFormat(AVPixelFormat(pointer.pointee.format)) }

    /// How the stored numbers stand for colours.
    package var color: ColorDescription {
        let raw = pointer.pointee
        return ColorDescription(
            primaries: UInt32(raw.color_primaries.rawValue),
            transfer: UInt32(raw.color_trc.rawValue), matrix: UInt32(raw.colorspace.rawValue),
            range: UInt32(raw.color_range.rawValue),
            chromaLocation: UInt32(raw.chroma_location.rawValue)
        ).of(pixelFormat)
    }

    /// The frame's own HDR metadata: mastering display and content light level.
    var lightMetadata: [Asset.SideData] {
        let kinds = [
            (AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_MASTERING_DISPLAY_METADATA),
            (AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_CONTENT_LIGHT_LEVEL),
        ]
        return kinds.compactMap { kind, packetKind in
            guard let data = av_frame_get_side_data(pointer, kind)?.pointee, let bytes = data.data
            else {
                return nil
            }
            return Asset.SideData(
                type: UInt32(packetKind.rawValue),
                bytes: Array(UnsafeBufferPointer(start: bytes, count: Int(data.size))))
        }
    }

    /// Calls `body` with the bytes of one plane, top row first.
    ///
    /// The bytes are valid only during the call. Rows may be longer than their pixels need: each begins
    /// `bytesPerRow` bytes after the one above.
    ///
    /// - Parameter plane: from 0; 0 is luma, or the only plane of packed formats.
    /// - Returns: the result of `body`; nil if there is no such plane, or the frame is stored bottom row first.
    package func withPlane<Result>(
        _ plane: Int, _ body: (_ bytes: UnsafeRawBufferPointer, _ bytesPerRow: Int) -> Result
    ) -> Result? {
        guard let (start, stride, rows) = location(ofPlane: plane), stride > 0 else {
            return nil
        }
        return body(UnsafeRawBufferPointer(start: start, count: stride * rows), stride)
    }

    /// Creates a frame whose planes are filled by `paint`.
    ///
    /// - Parameters:
    ///   - width: in pixels.
    ///   - height: in pixels.
    ///   - paint: called once for each plane, from 0; it must set all bytes, which are undefined before and valid
    ///     only during the call. Each row begins `bytesPerRow` bytes after the one above.
    /// - Throws: ``MediaError`` when memory has run out or the size is impossible, and what `paint` throws.
    package static func painted(
        format: PixelFormat, width: Int, height: Int, color: ColorDescription = .unknown,
        _ paint: (
            _ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int, _ plane: Int
        ) throws -> Void
    ) throws -> Frame {
        let frame = try Frame(format: format, width: width, height: height)
        frame.pointer.pointee.color_primaries = AVColorPrimaries(color.primaries)
        frame.pointer.pointee.color_trc = AVColorTransferCharacteristic(color.transfer)
        frame.pointer.pointee.colorspace = AVColorSpace(color.matrix)
        frame.pointer.pointee.color_range = AVColorRange(color.range)
        for index in 0..<format.planeCount {
            guard let (start, stride, rows) = frame.location(ofPlane: index) else {
                continue
            }
            let bytes = UnsafeMutableRawBufferPointer(start: start, count: stride * rows)
            try paint(bytes, stride, index)
        }
        return frame
    }

    /// Whether the decoder had to conceal errors in a part of the frame, because data was damaged or missing.
    var isMadeUpInPart: Bool {
        pointer.pointee.decode_error_flags != 0
            || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    /// Returns the frame without its last column, row or both, if that gives the size; otherwise the frame itself.
    ///
    /// The pixels are shared, not copied.
    ///
    /// - Throws: ``MediaError`` when memory has run out.
    func cropped(toWidth width: Int, height: Int) throws -> Frame {
        guard (0...1).contains(self.width - width), (0...1).contains(self.height - height),
            (self.width, self.height) != (width, height)
        else {
            return self
        }
        let cropped = try sharingPixels()
        cropped.pointer.pointee.width = CInt(width)
        cropped.pointer.pointee.height = CInt(height)
        return cropped
    }

    /// The width of a pixel divided by its height, as the codec states it; nil if it doesn't.
    var sampleAspectRatio: VideoFormat.Ratio? {
        pointer.pointee.sample_aspect_ratio.known.map { VideoFormat.Ratio($0.num, over: $0.den) }
    }

    /// Whether it carries closed captions (CEA-608 or CEA-708): a few letters in each frame.
    package var hasCaptions: Bool { av_frame_get_side_data(pointer, AV_FRAME_DATA_A53_CC) != nil }

    /// Whether the frame consists of two fields that were taken one after the other.
    package var isInterlaced: Bool { tw_frame_field_flags(pointer) & 1 != 0 }

    /// Returns the frame with its field order reversed; the frame itself if it isn't interlaced.
    ///
    /// The pixels are shared, not copied.
    ///
    /// - Throws: ``MediaError`` when memory has run out.
    package func withFieldsSwapped() throws -> Frame {
        guard isInterlaced else {
            return self
        }
        let swapped = try sharingPixels()
        tw_frame_swap_fields(swapped.pointer)
        return swapped
    }

    /// A new frame with the same pixels, which aren't copied, to be changed before anyone else sees it.
    private func sharingPixels() throws -> Frame {
        let frame = try Frame()
        try check(
            av_frame_ref(frame.pointer, pointer), doing: "sharing a frame", "", as: .library)
        return frame
    }

    /// Where a plane's top row is, the distance in bytes to the row below, and the number of rows; nil if there is no such plane.
    func location(
        ofPlane index: Int
    ) -> (start: UnsafeMutableRawPointer, stride: Int, rows: Int)? {
        guard (0..<pixelFormat.planeCount).contains(index) else {
            return nil
        }
        guard let (start, stride) = firstRow(ofPlane: index) else {
            return nil
        }
        return (start, stride, pixelFormat.rows(ofPlane: index, frameHeight: height))
    }

    /// The address of a plane's top row, and the distance in bytes to the row below, which is negative in frames
    /// that are stored bottom row first.
    func firstRow(ofPlane index: Int) -> (start: UnsafeMutableRawPointer, stride: Int)? {
        let start = withUnsafePointer(to: &pointer.pointee.data) {
            UnsafeRawPointer($0).assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)[index]
        }
        let stride = withUnsafePointer(to: &pointer.pointee.linesize) {
            UnsafeRawPointer($0).assumingMemoryBound(to: CInt.self)[index]
        }
        return start.map { (UnsafeMutableRawPointer($0), Int(stride)) }
    }

    /// How many bytes the pixels take without padding; 0 if that is unknown.
    package var byteCount: Int {
        max(
            0,
            Int(
                av_image_get_buffer_size(
                    AVPixelFormat(pointer.pointee.format), pointer.pointee.width,
                    pointer.pointee.height, 1)))
    }
}

/// How a frame's pixels lie in memory, by libav's names, such as `yuv420p` and `bgra`.
public struct PixelFormat: Hashable, Sendable, Codable, CustomStringConvertible {
    let raw: AVPixelFormat

    init(_ raw: AVPixelFormat) {
        self.raw = raw
    }

    /// Creates the format that libav knows by a name, such as `yuv420p`; nil if there is none.
    public init?(named name: String) {
        let raw = av_get_pix_fmt(name)
        guard raw != AV_PIX_FMT_NONE else {
            return nil
        }
        self.init(raw)
    }

    /// Reads libav's name for a format.
    ///
    /// - Throws: `DecodingError` if libav knows no format of that name.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let format = PixelFormat(named: name) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "there is no pixel format \(name)")
        }
        self = format
    }

    /// Writes libav's name for the format.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// 8-bit planar YUV 4:2:0: chroma has half the width and height.
    package static let yuv420p = PixelFormat(AV_PIX_FMT_YUV420P)
    /// 8-bit blue, green, red and alpha, packed: four bytes a pixel.
    package static let bgra = PixelFormat(AV_PIX_FMT_BGRA)
    /// 8-bit blue, green and red, packed: four bytes a pixel, of which the fourth is ignored.
    package static let bgr0 = PixelFormat(AV_PIX_FMT_BGR0)

    /// Whether nearly everything plays H.264 in it: 8-bit 4:2:0.
    package var isPlain: Bool {
        ["yuv420p", "yuvj420p", "nv12", "nv21", "gray"].contains(description)
    }

    /// Whether its samples have the full range of values whatever a stream says.
    var isFullRange: Bool { description.hasPrefix("yuvj") }

    /// The format with samples of full range, where libav has a name for that.
    var ofFullRange: PixelFormat {
        PixelFormat(named: description.replacing("yuv4", with: "yuvj4")) ?? self
    }

    /// Whether both are the same format.
    public static func == (a: PixelFormat, b: PixelFormat) -> Bool {
        a.raw.rawValue == b.raw.rawValue
    }

    /// Hashes the format.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(raw.rawValue)
    }

    /// libav's name for the format, such as `yuv420p`; `unknown` if it has none.
    public var description: String {
        av_get_pix_fmt_name(raw).map { String(cString: $0) } ?? "unknown"
    }

    private var descriptor: AVPixFmtDescriptor? {
        av_pix_fmt_desc_get(raw)?.pointee
    }

    /// The bits of a component, such as 8 or 10; the highest number if components differ, 0 if unknown.
    public var bitDepth: Int {
        guard let descriptor else {
            return 0
        }
        let components = descriptor.comp
        let all = [components.0, components.1, components.2, components.3]
        return all.prefix(Int(descriptor.nb_components)).map { Int($0.depth) }.max() ?? 0
    }

    /// Whether there is an alpha channel.
    public var hasAlpha: Bool {
        (descriptor?.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    }

    /// Whether pixels are stored as red, green and blue, not as luma and chroma.
    public var isRGB: Bool {
        (descriptor?.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
    }

    /// Whether pixels have brightness alone, maybe with alpha.
    var isGrey: Bool {
        guard let descriptor else {
            return false
        }
        let others = UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM)
        return descriptor.nb_components <= 2 && descriptor.flags & others == 0
    }

    /// The chroma subsampling: the base-2 logarithms of the factors by which chroma planes are narrower and lower.
    ///
    /// (1, 1) is 4:2:0, (1, 0) is 4:2:2, (0, 0) is 4:4:4.
    package var chromaShift: (horizontal: Int, vertical: Int) {
        (Int(descriptor?.log2_chroma_w ?? 0), Int(descriptor?.log2_chroma_h ?? 0))
    }

    /// The number of planes that a frame has.
    package var planeCount: Int {
        max(0, Int(av_pix_fmt_count_planes(raw)))
    }

    func rows(ofPlane plane: Int, frameHeight: Int) -> Int {
        let isChroma = (plane == 1 || plane == 2) && !isRGB
        let shift = isChroma ? chromaShift.vertical : 0
        return -((-frameHeight) >> shift)
    }

    func columns(ofPlane plane: Int, frameWidth: Int) -> Int {
        let isChroma = (plane == 1 || plane == 2) && !isRGB
        let shift = isChroma ? chromaShift.horizontal : 0
        return -((-frameWidth) >> shift)
    }

    /// The distance in bytes from one pixel of a plane to the next; in packed formats that covers all components.
    func bytesPerSample(ofPlane plane: Int) -> Int {
        guard let descriptor else {
            return 1
        }
        let all = [
            descriptor.comp.0, descriptor.comp.1, descriptor.comp.2, descriptor.comp.3,
        ].prefix(Int(descriptor.nb_components))
        return max(1, all.filter { Int($0.plane) == plane }.map { Int($0.step) }.max() ?? 1)
    }
}
