import CLibAV

extension Packet {
    /// Tells keyframes of H.263 by their own header: in Matroska libav takes every packet for one.
    func mendKeyFlag(of codec: AVCodecID) {
        let raw = pointer.pointee
        guard codec == AV_CODEC_ID_H263 || codec == AV_CODEC_ID_H263P, let data = raw.data,
            raw.size >= 8, let isIntra = Self.isIntra(UnsafeBufferPointer(start: data, count: 8))
        else {
            return
        }
        if isIntra {
            pointer.pointee.flags |= AV_PKT_FLAG_KEY
        } else {
            pointer.pointee.flags &= ~AV_PKT_FLAG_KEY
        }
    }

    /// Whether a picture refers to no other one (ITU-T H.263, 5.1); nil if it has no picture header.
    ///
    /// ```
    /// bit  0          22      30        35       38
    ///      start code TR      1 0 …     format   picture type          format 7: UFEP and an extended header
    /// ```
    private static func isIntra(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
        let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        func field(_ start: Int, _ count: Int) -> UInt64 {
            (bits << UInt64(start)) >> UInt64(64 - count)
        }
        guard field(0, 22) == 0x20, field(30, 2) == 2 else {
            return nil
        }
        guard field(35, 3) == 7 else {
            return field(38, 1) == 0
        }
        // The extended header begins with 18 more bits where UFEP is 1.
        return field(field(38, 3) == 1 ? 59 : 41, 3) == 0
    }
}
