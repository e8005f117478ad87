import CLibAV

/// A decoded picture.
///
/// Repeated frames are shared by reference, between threads too.
// @unchecked: nothing writes to the AVFrame once `init` is done, and libav counts the
// references to its buffers atomically.
public final class Frame: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVFrame>

    /// An empty frame, for a decoder to fill before anyone else sees it.
    init() throws {
        pointer = try allocated(av_frame_alloc(), "")
    }

    /// A picture of its own with room for pixels.
    init(format: PixelFormat, width: Int, height: Int) throws {
        pointer = try allocated(av_frame_alloc(), "")
        pointer.pointee.format = format.raw.rawValue
        pointer.pointee.width = CInt(width)
        pointer.pointee.height = CInt(height)
        try check(av_frame_get_buffer(pointer, 0), doing: "making a picture", "", as: .library)
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&pointer)
    }

    /// Width in pixels.
    public var width: Int { Int(pointer.pointee.width) }
    /// Height in pixels.
    public var height: Int { Int(pointer.pointee.height) }
    /// How the pixels lie in memory.
    public var pixelFormat: PixelFormat { PixelFormat(AVPixelFormat(pointer.pointee.format)) }

    /// How its numbers mean colours.
    public var color: ColorDescription {
        let raw = pointer.pointee
        return ColorDescription(
            primaries: UInt32(raw.color_primaries.rawValue),
            transfer: UInt32(raw.color_trc.rawValue), matrix: UInt32(raw.colorspace.rawValue),
            range: UInt32(raw.color_range.rawValue),
            chromaLocation: UInt32(raw.chroma_location.rawValue))
    }

    /// HDR metadata that came with the picture: mastering display, content light level.
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
    /// - Parameter plane: 0 is luma, or the only plane of packed formats.
    public func withPlane<Result>(
        _ plane: Int, _ body: (_ bytes: UnsafeRawBufferPointer, _ bytesPerRow: Int) -> Result
    ) -> Result? {
        guard let (start, stride, rows) = location(ofPlane: plane), stride > 0 else {
            return nil
        }
        return body(UnsafeRawBufferPointer(start: start, count: stride * rows), stride)
    }

    /// Makes a picture by letting `paint` fill each of its planes.
    public static func painted(
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

    /// Whether the decoder had to make up a part of it, because what it should be made of was damaged or
    /// missing.
    var isMadeUpInPart: Bool {
        pointer.pointee.decode_error_flags != 0
            || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    /// Whether it holds two fields that were taken one after the other.
    public var isInterlaced: Bool { tw_frame_field_flags(pointer) & 1 != 0 }

    /// The same picture, of whose two fields the other one comes first; itself, if it isn't interlaced.
    public func withFieldsSwapped() throws -> Frame {
        guard isInterlaced else {
            return self
        }
        let swapped = try Frame()
        try check(
            av_frame_ref(swapped.pointer, pointer), doing: "swapping fields", "", as: .library)
        tw_frame_swap_fields(swapped.pointer)
        return swapped
    }

    private func location(
        ofPlane index: Int
    ) -> (start: UnsafeMutableRawPointer, stride: Int, rows: Int)? {
        guard (0..<pixelFormat.planeCount).contains(index) else {
            return nil
        }
        guard let (start, stride) = firstRow(ofPlane: index) else {
            return nil
        }
        return (start, stride, pixelFormat.rows(ofPlane: index, pictureHeight: height))
    }

    /// Where a plane's first row is, and the next one from there: before it, in upside-down pictures.
    func firstRow(ofPlane index: Int) -> (start: UnsafeMutableRawPointer, stride: Int)? {
        let start = withUnsafePointer(to: &pointer.pointee.data) {
            UnsafeRawPointer($0).assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)[index]
        }
        let stride = withUnsafePointer(to: &pointer.pointee.linesize) {
            UnsafeRawPointer($0).assumingMemoryBound(to: CInt.self)[index]
        }
        return start.map { (UnsafeMutableRawPointer($0), Int(stride)) }
    }

    /// Bytes that the picture takes in memory, in its own pixel format.
    public var byteCount: Int {
        max(
            0,
            Int(
                av_image_get_buffer_size(
                    AVPixelFormat(pointer.pointee.format), pointer.pointee.width,
                    pointer.pointee.height, 1)))
    }
}

/// How pixels lie in memory; libav's names (`yuv420p`, `bgra`, …).
public struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
    let raw: AVPixelFormat

    init(_ raw: AVPixelFormat) {
        self.raw = raw
    }

    /// The format of that name, or nil where libav knows none.
    public init?(named name: String) {
        let raw = av_get_pix_fmt(name)
        guard raw != AV_PIX_FMT_NONE else {
            return nil
        }
        self.init(raw)
    }

    /// 8-bit planar YUV, chroma halved in both directions.
    public static let yuv420p = PixelFormat(AV_PIX_FMT_YUV420P)
    /// 8-bit blue, green, red and alpha, one byte each.
    public static let bgra = PixelFormat(AV_PIX_FMT_BGRA)
    /// Opaque: the fourth byte is ignored.
    public static let bgr0 = PixelFormat(AV_PIX_FMT_BGR0)

    public static func == (a: PixelFormat, b: PixelFormat) -> Bool {
        a.raw.rawValue == b.raw.rawValue
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(raw.rawValue)
    }

    public var description: String {
        av_get_pix_fmt_name(raw).map { String(cString: $0) } ?? "unknown"
    }

    private var descriptor: AVPixFmtDescriptor? {
        av_pix_fmt_desc_get(raw)?.pointee
    }

    /// Bits a component; the deepest where they differ. 0 if unknown.
    public var bitDepth: Int {
        guard let descriptor else {
            return 0
        }
        let components = descriptor.comp
        let all = [components.0, components.1, components.2, components.3]
        return all.prefix(Int(descriptor.nb_components)).map { Int($0.depth) }.max() ?? 0
    }

    /// Whether there is transparency.
    public var hasAlpha: Bool {
        (descriptor?.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    }

    /// Whether it is red, green and blue rather than luma and chroma.
    public var isRGB: Bool {
        (descriptor?.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
    }

    /// log2 of how much narrower and lower the chroma planes are: (1, 1) is 4:2:0.
    public var chromaShift: (horizontal: Int, vertical: Int) {
        (Int(descriptor?.log2_chroma_w ?? 0), Int(descriptor?.log2_chroma_h ?? 0))
    }

    /// How many planes a picture has.
    public var planeCount: Int {
        max(0, Int(av_pix_fmt_count_planes(raw)))
    }

    func rows(ofPlane plane: Int, pictureHeight: Int) -> Int {
        let isChroma = (plane == 1 || plane == 2) && !isRGB
        let shift = isChroma ? chromaShift.vertical : 0
        return -((-pictureHeight) >> shift)
    }

    func columns(ofPlane plane: Int, pictureWidth: Int) -> Int {
        let isChroma = (plane == 1 || plane == 2) && !isRGB
        let shift = isChroma ? chromaShift.horizontal : 0
        return -((-pictureWidth) >> shift)
    }

    /// From one sample of a plane to the next: of packed formats, of all their components.
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
