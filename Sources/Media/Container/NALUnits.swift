import CLibAV

/// The NAL units of H.264 and HEVC packets: each after its length (ISO/IEC 14496-15), or after a start code
/// (ITU-T H.264 and H.265, annex B).
struct NALUnits {
    private let isHEVC: Bool
    /// How many bytes state a unit's length; nil if units come after start codes.
    private let lengthSize: Int?

    /// Nil for other codecs.
    init?(of parameters: AVCodecParameters) {
        guard parameters.codec_id == AV_CODEC_ID_H264 || parameters.codec_id == AV_CODEC_ID_HEVC
        else {
            return nil
        }
        isHEVC = parameters.codec_id == AV_CODEC_ID_HEVC
        // The header of a stream with lengths begins with its version, 1; HEVC's by some writers with 0 and a profile. One with
        // start codes begins with two or three zeros and a 1.
        let place = isHEVC ? 21 : 4
        let header = UnsafeBufferPointer(
            start: parameters.extradata, count: Int(parameters.extradata_size))
        let hasLengths =
            header.count > place
            && (header[0] == 1 || isHEVC && (header[0] != 0 || header[1] != 0 || header[2] > 1))
        lengthSize = hasLengths ? Int(header[place] & 3) + 1 : nil
    }

    /// Whether a packet has a picture at which a decoder forgets all others (IDR).
    func isInstantaneous(_ packet: Packet) -> Bool {
        let raw = packet.pointer.pointee
        guard let data = raw.data else {
            return false
        }
        return contains(in: UnsafeBufferPointer(start: data, count: Int(raw.size))) { first in
            let kind = isHEVC ? first >> 1 & 0x3F : first & 0x1F
            return isHEVC ? kind == 19 || kind == 20 : kind == 5
        }
    }

    /// - Parameter isWanted: asked for the first byte of each unit.
    private func contains(
        in bytes: UnsafeBufferPointer<UInt8>, _ isWanted: (UInt8) -> Bool
    ) -> Bool {
        var place = 0
        if let lengthSize {
            while place + lengthSize < bytes.count {
                let length = bytes[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
                place += lengthSize
                if length > 0, isWanted(bytes[place]) {
                    return true
                }
                place += length
            }
            return false
        }
        var zeros = 0
        while place + 1 < bytes.count {
            if zeros >= 2, bytes[place] == 1, isWanted(bytes[place + 1]) {
                return true
            }
            zeros = bytes[place] == 0 ? zeros + 1 : 0
            place += 1
        }
        return false
    }
}
