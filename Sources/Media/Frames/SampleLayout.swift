import CLibAV

/// How a frame's samples lie in memory, for formats in which each sample has bytes of its own.
enum SampleLayout: Hashable {
    case bytes
    /// 16-bit words with 9 to 16 meaningful bits, above `shift` unused bits.
    case words(depth: Int, shift: Int, order: ByteOrder)
    /// 32 bits each.
    case floats(ByteOrder)

    enum ByteOrder: Hashable {
        case native, swapped
    }

    /// Nil for formats that pack several components into one byte or word, have less than a byte for a component,
    /// use a palette, or aren't in main memory.
    init?(_ format: PixelFormat) {
        guard let descriptor = av_pix_fmt_desc_get(format.raw)?.pointee else {
            return nil
        }
        let excluded =
            AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL
            | AV_PIX_FMT_FLAG_BAYER
        let all = [
            descriptor.comp.0, descriptor.comp.1, descriptor.comp.2, descriptor.comp.3,
        ]
        let components = all.prefix(Int(descriptor.nb_components))
        guard descriptor.flags & UInt64(excluded) == 0, let first = components.first,
            let size = Self.bytesPerSample(descriptor, first),
            Self.areApart(Array(components), bytesPerSample: size)
        else {
            return nil
        }
        let isBigEndian = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0
        let order = isBigEndian == (Int(1).bigEndian == 1) ? ByteOrder.native : .swapped
        switch size {
        case 1: self = .bytes
        case 2: self = .words(depth: Int(first.depth), shift: Int(first.shift), order: order)
        default: self = .floats(order)
        }
    }

    private static func bytesPerSample(
        _ descriptor: AVPixFmtDescriptor, _ component: AVComponentDescriptor
    ) -> Int? {
        let isFloat = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_FLOAT) != 0
        switch (Int(component.depth), Int(component.shift), isFloat) {
        case (8, 0, false): return 1
        case (9...16, let shift, false) where Int(component.depth) + shift <= 16: return 2
        case (32, 0, true): return 4
        default: return nil
        }
    }

    /// Whether all components have the same form, and no two share bytes.
    private static func areApart(
        _ components: [AVComponentDescriptor], bytesPerSample size: Int
    ) -> Bool {
        let places = Set(components.map { [$0.plane, $0.offset] })
        return places.count == components.count
            && components.allSatisfy { component in
                component.depth == components[0].depth && component.shift == components[0].shift
                    && component.offset >= 0 && Int(component.offset) % size == 0
                    && Int(component.step) % size == 0
            }
    }

    /// 1, 2 or 4.
    var bytesPerSample: Int {
        switch self {
        case .bytes: 1
        case .words: 2
        case .floats: 4
        }
    }
}
