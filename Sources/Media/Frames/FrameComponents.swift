import CLibAV

/// The components of a pixel format (luma and chroma, or red, green and blue, and alpha), each as rows of samples of
/// its own, however they lie in memory: planar, semi-planar or packed, in either byte order.
package struct FrameComponents: Sendable {
    /// How many components there are, 1 to 4.
    package let count: Int
    /// The bits of a sample: 8, or 9 to 16 in words of 16 bits.
    package let depth: Int
    /// Whether the first three components are red, green and blue. Otherwise the first one is luma.
    package let isRGB: Bool
    private let places: [Place]
    private let swapsBytes: Bool
    private let shift: Int

    private struct Place {
        let plane: Int
        /// In samples, from the start of a row and from one sample to the next.
        let offset: Int
        let step: Int
        /// How often width and height are halved.
        let halvings: (x: Int, y: Int)
    }

    /// Nil for formats whose samples don't have bytes of their own (see ``FrameMixer/canMix(_:)``), and for those of
    /// floating-point numbers.
    package init?(_ format: PixelFormat) {
        guard let layout = SampleLayout(format),
            let descriptor = av_pix_fmt_desc_get(format.raw)?.pointee
        else {
            return nil
        }
        switch layout {
        case .bytes: (depth, shift, swapsBytes) = (8, 0, false)
        case .words(let depth, let shift, let order):
            (self.depth, self.shift, swapsBytes) = (depth, shift, order == .swapped)
        case .floats: return nil
        }
        isRGB = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
        count = Int(descriptor.nb_components)
        let components = [
            descriptor.comp.0, descriptor.comp.1, descriptor.comp.2, descriptor.comp.3,
        ]
        places = components.prefix(count).enumerated().map { number, component in
            // Of YUV, only the second and the third component may be smaller.
            let isChroma = (1...2).contains(number)
            return Place(
                plane: Int(component.plane),
                offset: Int(component.offset) / layout.bytesPerSample,
                step: Int(component.step) / layout.bytesPerSample,
                halvings: isChroma
                    ? (Int(descriptor.log2_chroma_w), Int(descriptor.log2_chroma_h)) : (0, 0))
        }
    }

    /// The bytes of a sample, 1 or 2.
    package var bytesPerSample: Int { depth > 8 ? 2 : 1 }

    /// How many samples of a frame one sample of a component covers in each direction: 1, 2 or 4.
    package func coverage(_ component: Int) -> (x: Int, y: Int) {
        (1 << places[component].halvings.x, 1 << places[component].halvings.y)
    }

    /// The size of a component in a frame of a size, in samples.
    package func size(_ component: Int, ofWidth width: Int, height: Int) -> (
        width: Int, height: Int
    ) {
        let (x, y) = coverage(component)
        return ((width + x - 1) / x, (height + y - 1) / y)
    }

    /// Copies a row of a component: `count` samples as bytes, or as words of the processor's byte order whose upper
    /// bits are 0.
    package func read(
        _ component: Int, row: Int, of frame: Frame, count: Int,
        into target: UnsafeMutableRawPointer
    ) {
        let place = places[component]
        guard let (start, stride) = frame.firstRow(ofPlane: place.plane) else {
            preconditionFailure("a frame has all planes of its format")
        }
        let row = UnsafeRawPointer(start + row * stride)
        guard depth > 8 else {
            copy(
                row.assumingMemoryBound(to: UInt8.self) + place.offset, step: place.step,
                to: target.assumingMemoryBound(to: UInt8.self), step: 1, count: count)
            return
        }
        let words = target.assumingMemoryBound(to: UInt16.self)
        copy(
            row.assumingMemoryBound(to: UInt16.self) + place.offset, step: place.step, to: words,
            step: 1, count: count)
        if swapsBytes || shift > 0 {
            for x in 0..<count {
                words[x] = (swapsBytes ? words[x].byteSwapped : words[x]) >> UInt16(shift)
            }
        }
    }

    /// Makes a frame with the properties of another one, whose components are filled by `fill`.
    ///
    /// - Parameter fill: is called once. The frame is complete when it has called its argument for all rows of all
    ///   components, with samples as ``read(_:row:of:count:into:)`` returns them.
    /// - Throws: ``MediaError`` when memory has run out.
    package func frame(
        like model: Frame,
        _ fill: (
            _ write: (_ component: Int, _ row: Int, _ samples: UnsafeRawPointer, _ count: Int) ->
                Void
        ) -> Void
    ) throws -> Frame {
        let frame = try Frame(
            format: model.pixelFormat, width: model.width, height: model.height)
        try check(
            av_frame_copy_props(frame.pointer, model.pointer), doing: "making a frame", "",
            as: .library)
        fill { write($1, of: $0, to: frame, from: $2, count: $3) }
        return frame
    }

    private func write(
        _ row: Int, of component: Int, to frame: Frame, from samples: UnsafeRawPointer, count: Int
    ) {
        let place = places[component]
        guard let (start, stride) = frame.firstRow(ofPlane: place.plane) else {
            preconditionFailure("a frame has all planes of its format")
        }
        let row = start + row * stride
        guard depth > 8 else {
            copy(
                samples.assumingMemoryBound(to: UInt8.self), step: 1,
                to: row.assumingMemoryBound(to: UInt8.self) + place.offset, step: place.step,
                count: count)
            return
        }
        let words = row.assumingMemoryBound(to: UInt16.self) + place.offset
        copy(
            samples.assumingMemoryBound(to: UInt16.self), step: 1, to: words, step: place.step,
            count: count)
        if swapsBytes || shift > 0 {
            for x in 0..<count {
                let word = words[x * place.step] << UInt16(shift)
                words[x * place.step] = swapsBytes ? word.byteSwapped : word
            }
        }
    }
}

private func copy<Sample>(
    _ source: UnsafePointer<Sample>, step: Int, to target: UnsafeMutablePointer<Sample>,
    step targetStep: Int, count: Int
) {
    if step == 1, targetStep == 1 {
        target.update(from: source, count: count)
        return
    }
    for x in 0..<count {
        target[x * targetStep] = source[x * step]
    }
}
