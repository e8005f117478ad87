import CLibAV

extension Frame {
    /// Limits samples to what the format can hold, in place.
    ///
    /// Of damaged files some decoders leave larger ones: FFmpeg's of H.264 conceals nothing in more than 8 bits. Encoders rely
    /// on there being none; x264 ends the program.
    ///
    /// - Throws: ``MediaError`` when memory has run out.
    /// - Complexity: a pass over the frame, if its samples don't fill their bytes.
    func limitSamples() throws {
        guard case .words(let depth, 0, .native)? = SampleLayout(pixelFormat), depth < 16 else {
            return
        }
        let largest = UInt16(1) << UInt16(depth) - 1
        var all: UInt16 = 0
        forEachRow { row in
            for sample in row {
                all |= sample
            }
        }
        guard all > largest else {
            return
        }
        // The decoder refers to it when it decodes others.
        try check(
            av_frame_make_writable(pointer), doing: "decoding a frame", "", as: .library)
        forEachRow { row in
            for index in row.indices {
                row[index] = min(row[index], largest)
            }
        }
    }

    /// Calls `body` with each row of each plane, as words.
    private func forEachRow(_ body: (UnsafeMutableBufferPointer<UInt16>) -> Void) {
        for plane in 0..<pixelFormat.planeCount {
            let byteCount = av_image_get_linesize(pixelFormat.raw, CInt(width), CInt(plane))
            guard byteCount > 0, let (start, stride, rows) = location(ofPlane: plane) else {
                continue
            }
            for row in 0..<rows {
                body(
                    UnsafeMutableBufferPointer(
                        start: (start + row * stride).assumingMemoryBound(to: UInt16.self),
                        count: Int(byteCount) / 2))
            }
        }
    }
}
