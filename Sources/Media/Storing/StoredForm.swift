import CLibAV
import Foundation

/// What stored frames have in common: everything but their pixels.
final class StoredForm {
    private static let alignment: CInt = 64
    let byteCount: Int
    /// A frame without pixels.
    private let properties: UnsafeMutablePointer<AVFrame>
    private let pool: BufferPool

    /// - Parameter earlier: a form whose buffers are reused if they have the same size.
    private init(of frame: Frame, after earlier: StoredForm?) throws {
        let raw = frame.pointer.pointee
        byteCount = Int(
            try check(
                av_image_get_buffer_size(
                    AVPixelFormat(raw.format), raw.width, raw.height, Self.alignment),
                doing: "storing a frame", "", as: .library))
        let fitting = earlier.flatMap { [byteCount] in $0.byteCount == byteCount ? $0.pool : nil }
        pool = try fitting ?? BufferPool(byteCount: byteCount)
        properties = try allocated(av_frame_alloc(), "")
        try check(
            av_frame_copy_props(properties, frame.pointer), doing: "storing a frame", "",
            as: .library)
        properties.pointee.format = raw.format
        properties.pointee.width = raw.width
        properties.pointee.height = raw.height
    }

    deinit {
        var properties: UnsafeMutablePointer<AVFrame>? = properties
        av_frame_free(&properties)
    }

    /// The form of a frame: an earlier one that fits, or a new one.
    static func of(_ frame: Frame, after earlier: StoredForm?) throws -> StoredForm {
        if let earlier, earlier.fits(frame) {
            return earlier
        }
        return try StoredForm(of: frame, after: earlier)
    }

    /// Whether a frame differs only in its pixels.
    private func fits(_ frame: Frame) -> Bool {
        let (a, b) = (properties.pointee, frame.pointer.pointee)
        return a.format == b.format && a.width == b.width && a.height == b.height
            && properties.hasSideData(of: frame.pointer) && a.repeat_pict == b.repeat_pict
            && tw_frame_field_flags(properties) == tw_frame_field_flags(frame.pointer)
            && a.color_range == b.color_range && a.color_primaries == b.color_primaries
            && a.color_trc == b.color_trc && a.colorspace == b.colorspace
            && a.chroma_location == b.chroma_location
            && av_cmp_q(a.sample_aspect_ratio, b.sample_aspect_ratio) == 0
    }

    func copy(_ frame: Frame, to bytes: UnsafeMutableRawBufferPointer) throws {
        let raw = frame.pointer
        try raw.withPlanes { data, strides in
            let result = data.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 4) {
                av_image_copy_to_buffer(
                    bytes.bindMemory(to: UInt8.self).baseAddress, CInt(bytes.count), $0, strides,
                    AVPixelFormat(raw.pointee.format), raw.pointee.width, raw.pointee.height,
                    Self.alignment)
            }
            try check(result, doing: "storing a frame", "", as: .library)
        }
    }

    /// A copy of a frame that fits.
    func copy(of frame: Frame) throws -> Frame {
        try makeFrame { try copy(frame, to: $0) }
    }

    func makeFrame(_ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws -> Frame {
        let frame = try Frame()
        let raw = frame.pointer
        try check(
            av_frame_copy_props(raw, properties), doing: "reading a stored frame", "",
            as: .library)
        (raw.pointee.format, raw.pointee.width, raw.pointee.height) = (
            properties.pointee.format, properties.pointee.width, properties.pointee.height
        )
        let buffer = try pool.buffer()
        raw.pointee.buf.0 = buffer
        _ = try raw.withPlanes { data, strides in
            try check(
                av_image_fill_arrays(
                    data, strides, buffer.pointee.data, AVPixelFormat(raw.pointee.format),
                    raw.pointee.width, raw.pointee.height, Self.alignment),
                doing: "reading a stored frame", "", as: .library)
        }
        try fill(UnsafeMutableRawBufferPointer(start: buffer.pointee.data, count: byteCount))
        return frame
    }
}

/// Buffers of one size that are reused.
private final class BufferPool {
    private let pool: OpaquePointer

    init(byteCount: Int) throws {
        // Codecs may read a few bytes beyond the end.
        guard let pool = av_buffer_pool_init(byteCount + 64, Self.pages) else {
            throw MediaError(.library, file: "", reason: "out of memory")
        }
        self.pool = pool
    }

    deinit {
        var pool: OpaquePointer? = pool
        av_buffer_pool_uninit(&pool)
    }

    /// Allocates pages, which go back to the system at once. Frames that are kept for long would leave holes in a heap.
    private static let pages: @convention(c) (Int) -> UnsafeMutablePointer<AVBufferRef>? = { size in
        let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let start, start != MAP_FAILED else {
            return nil
        }
        let buffer = av_buffer_create(
            start.assumingMemoryBound(to: UInt8.self), size,
            { size, start in munmap(start, Int(bitPattern: size)) },
            UnsafeMutableRawPointer(bitPattern: size), 0)
        if buffer == nil {
            munmap(start, size)
        }
        return buffer
    }

    func buffer() throws -> UnsafeMutablePointer<AVBufferRef> {
        try allocated(av_buffer_pool_get(pool), "")
    }
}

extension UnsafeMutablePointer<AVFrame> {
    fileprivate func hasSideData(of other: UnsafeMutablePointer<AVFrame>) -> Bool {
        guard pointee.nb_side_data == other.pointee.nb_side_data else {
            return false
        }
        return (0..<Int(pointee.nb_side_data)).allSatisfy { index in
            guard let a = pointee.side_data[index]?.pointee,
                let b = other.pointee.side_data[index]?.pointee
            else {
                return false
            }
            return a.type == b.type && a.size == b.size
                && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0)
        }
    }

    /// Calls `body` with the first four planes. Video frames have no more.
    fileprivate func withPlanes<Result>(
        _ body: (
            _ data: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
            _ strides: UnsafeMutablePointer<CInt>
        ) throws -> Result
    ) rethrows -> Result {
        try withUnsafeMutablePointer(to: &pointee.data) { data in
            try data.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { data in
                try withUnsafeMutablePointer(to: &pointee.linesize) { strides in
                    try strides.withMemoryRebound(to: CInt.self, capacity: 8) { strides in
                        try body(data, strides)
                    }
                }
            }
        }
    }
}
