import CLibAV

/// Packets as plain bytes, all numbers little-endian:
/// ```
/// pts  dts  duration   time base    flags  side data    (type, size, bytes) …   compressed bytes
/// i64  i64  i64        i32 i32      i32    i32 count     i32   i32              the rest
/// ```
extension Packet {
    /// The packet with its times, flags and side data.
    package var stored: [UInt8] {
        let packet = pointer.pointee
        var bytes = ByteWriter(capacity: byteCount + 64)
        bytes.add(packet.pts)
        bytes.add(packet.dts)
        bytes.add(packet.duration)
        bytes.add(packet.time_base.num)
        bytes.add(packet.time_base.den)
        bytes.add(packet.flags)
        bytes.add(packet.side_data_elems)
        for index in 0..<Int(packet.side_data_elems) {
            let data = packet.side_data[index]
            bytes.add(data.type.rawValue)
            bytes.add(UInt32(data.size))
            bytes.add(UnsafeRawBufferPointer(start: data.data, count: Int(data.size)))
        }
        bytes.add(UnsafeRawBufferPointer(start: packet.data, count: byteCount))
        return bytes.bytes
    }

    /// Restores a packet.
    ///
    /// - Returns: nil if the bytes aren't a packet.
    /// - Throws: ``MediaError`` if memory has run out.
    package static func restored(from bytes: ArraySlice<UInt8>) throws -> Packet? {
        var input = ByteParser(bytes)
        guard let pts = input.next(Int64.self), let dts = input.next(Int64.self),
            let duration = input.next(Int64.self), let numerator = input.next(Int32.self),
            let denominator = input.next(Int32.self), let flags = input.next(Int32.self),
            let count = input.next(Int32.self), denominator > 0, numerator > 0
        else {
            return nil
        }
        let packet = try Packet()
        for _ in 0..<max(0, count) {
            guard let type = input.next(UInt32.self), let size = input.next(UInt32.self),
                let data = input.next(byteCount: Int(size))
            else {
                return nil
            }
            guard
                let place = av_packet_new_side_data(
                    packet.pointer, AVPacketSideDataType(rawValue: type), data.count)
            else {
                throw MediaError(.library, file: "", reason: "out of memory")
            }
            data.withUnsafeBufferPointer { data in
                data.baseAddress.map { place.update(from: $0, count: data.count) }
            }
        }
        try packet.fill(with: input.rest)
        packet.pointer.pointee.pts = pts
        packet.pointer.pointee.dts = dts
        packet.pointer.pointee.duration = duration
        packet.pointer.pointee.time_base = AVRational(num: numerator, den: denominator)
        packet.pointer.pointee.flags = flags
        return packet
    }

    private func fill(with bytes: ArraySlice<UInt8>) throws {
        // A packet of side data alone has no bytes.
        guard !bytes.isEmpty else {
            return
        }
        try check(
            av_grow_packet(pointer, CInt(bytes.count)), doing: "reading a packet", "", as: .library)
        bytes.withUnsafeBufferPointer {
            pointer.pointee.data.update(from: $0.baseAddress!, count: $0.count)
        }
    }
}

extension EncodedFormat {
    /// What must be equal for packets of two encoders to follow one another: codec, headers, and reordering.
    package var signature: [UInt8] {
        let own = parameters.pointee
        var bytes = ByteWriter(capacity: 64 + Int(own.extradata_size))
        bytes.add(own.codec_id.rawValue)
        bytes.add(own.format)
        bytes.add(own.video_delay)
        bytes.add(own.width)
        bytes.add(own.height)
        bytes.add(own.sample_rate)
        bytes.add(own.initial_padding)
        bytes.add(timeBase.num)
        bytes.add(timeBase.den)
        bytes.add(UnsafeRawBufferPointer(start: own.extradata, count: Int(own.extradata_size)))
        return bytes.bytes
    }
}
