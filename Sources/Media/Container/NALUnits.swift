import CLibAV
import Foundation

/// The NAL units of H.264 and HEVC packets: each after its length (ISO/IEC 14496-15), or after a start code
/// (ITU-T H.264 and H.265, annex B).
struct NALUnits {
    private let isHEVC: Bool
    /// How many bytes state a unit's length; nil if units come after start codes.
    private let lengthSize: Int?
    /// The parameter sets in the stream's header.
    private let header: Set<[UInt8]>

    /// What a packet says of decoding.
    struct Content {
        /// How decoding can start there; nil if it can't.
        var start: Start?
        /// Whether it brings parameter sets that aren't those of the stream's header.
        var changesHeader = false
        /// Whether its units' lengths add up to its own, as they don't where the file is damaged.
        var isWhole = true
    }

    /// A picture with which decoding can start.
    enum Start {
        /// A decoder forgets all others (IDR).
        case instantaneous
        /// Only pictures that are stored after it and shown before it may need others (HEVC's CRA).
        case clean
    }

    /// Nil for other codecs.
    init?(of format: EncodedFormat) {
        // The header is released with the format.
        defer { withExtendedLifetime(format) {} }
        let parameters = format.parameters.pointee
        guard parameters.codec_id == AV_CODEC_ID_H264 || parameters.codec_id == AV_CODEC_ID_HEVC
        else {
            return nil
        }
        isHEVC = parameters.codec_id == AV_CODEC_ID_HEVC
        // The header of a stream with lengths begins with its version, 1; HEVC's by some writers with 0 and a profile. One with
        // start codes begins with two or three zeros and a 1.
        let place = isHEVC ? 21 : 4
        let stated = UnsafeBufferPointer(
            start: parameters.extradata, count: Int(parameters.extradata_size))
        let hasLengths =
            stated.count > place + 1
            && (stated[0] == 1 || isHEVC && (stated[0] != 0 || stated[1] != 0 || stated[2] > 1))
        lengthSize = hasLengths ? Int(stated[place] & 3) + 1 : nil
        var sets: Set<[UInt8]> = []
        if hasLengths {
            Self.forEachListed(in: stated, from: place + 1, isHEVC: isHEVC) {
                sets.insert(Self.bytes($0))
            }
        } else {
            Self.forEachMarked(in: stated) { sets.insert(Self.bytes($0)) }
        }
        header = sets
    }

    /// Whether the parameter sets of H.264 in the header have the number 0, which is stated first in a picture's, and after three
    /// bytes in a sequence's (ITU-T H.264, 7.3.2.1.1 and 7.3.2.2).
    var hasOnlyFirstHeaders: Bool {
        !isHEVC && !header.isEmpty
            && header.allSatisfy { unit in
                let place = kind(of: unit) == 7 ? 4 : 1
                return unit.count > place && unit[place] & 0x80 != 0
            }
    }

    /// Whether the sequence parameter set of HEVC says the high tier (ITU-T H.265, 7.3.2.2).
    var isHighTier: Bool {
        header.contains { unit in
            isHEVC && kind(of: unit) == 33 && unit.count > 3 && unit[3] & 0x20 != 0
        }
    }

    /// What is in a packet.
    func content(of packet: Packet) -> Content {
        var content = Content()
        content.isWhole = forEachUnit(of: packet) { unit in
            let kind = kind(of: unit)
            content.start = content.start ?? start(kind)
            content.changesHeader =
                content.changesHeader
                || isParameterSet(kind) && !header.contains(Self.bytes(unit))
        }
        return content
    }

    private func kind(of unit: some Collection<UInt8>) -> UInt8 {
        let first = unit.first ?? 0
        return isHEVC ? first >> 1 & 0x3F : first & 0x1F
    }

    private func start(_ kind: UInt8) -> Start? {
        switch (isHEVC, kind) {
        case (false, 5), (true, 19), (true, 20): .instantaneous
        case (true, Self.clean): .clean
        default: nil
        }
    }

    /// The kinds of HEVC's units with a picture at which decoding can start: of any stream, and of one that was cut there, whose
    /// pictures that are shown before it were left out (CRA_NUT and BLA_N_LP in table 7-1 of ITU-T H.265).
    private static let (clean, spliced) = (UInt8(21), UInt8(18))

    /// Says in a packet that begins with a picture of the kind ``Start/clean`` that a stream was cut there, so that a decoder
    /// forgets what it decoded before. Nothing else of the packet changes.
    func markSplice(_ packet: Packet) throws {
        try check(
            av_packet_make_writable(packet.pointer), doing: "marking a packet", "", as: .library)
        _ = forEachUnit(of: packet) { unit in
            if isHEVC, kind(of: unit) == Self.clean, let data = packet.pointer.pointee.data {
                // The first bit is 0, six bits are the kind, and the last belongs to the layer.
                data[unit.startIndex] = Self.spliced << 1 | data[unit.startIndex] & 1
            }
        }
    }

    private func isParameterSet(_ kind: UInt8) -> Bool {
        isHEVC ? (32...34).contains(kind) : kind == 7 || kind == 8
    }

    /// The bytes of a unit, without zeros that only fill up.
    private static func bytes(_ unit: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        Array(unit[..<(unit.lastIndex { $0 != 0 }.map { $0 + 1 } ?? unit.startIndex)])
    }
}

// MARK: - Where units begin and end

extension NALUnits {
    private typealias Unit = Slice<UnsafeBufferPointer<UInt8>>

    /// The units in a packet.
    ///
    /// - Returns: whether their lengths, if they are stated, add up to that of the packet.
    private func forEachUnit(of packet: Packet, _ body: (Unit) -> Void) -> Bool {
        guard let data = packet.pointer.pointee.data else {
            return true
        }
        let bytes = UnsafeBufferPointer(start: data, count: packet.byteCount)
        guard let lengthSize else {
            Self.forEachMarked(in: bytes, body)
            return true
        }
        return Self.forEachMeasured(in: bytes, lengthSize: lengthSize, body)
    }

    /// The units in packets with lengths.
    ///
    /// - Returns: whether the lengths add up to that of the packet.
    private static func forEachMeasured(
        in bytes: UnsafeBufferPointer<UInt8>, lengthSize: Int, _ body: (Unit) -> Void
    ) -> Bool {
        var place = 0
        while place + lengthSize < bytes.count {
            let length = bytes[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
            place += lengthSize
            if length > 0 {
                body(bytes[place..<min(place + length, bytes.count)])
            }
            place += length
        }
        return place == bytes.count
    }

    /// The units in packets with start codes.
    private static func forEachMarked(
        in bytes: UnsafeBufferPointer<UInt8>, _ body: (Unit) -> Void
    ) {
        var start = end(ofMarkIn: bytes, from: 0)
        while let begin = start, begin < bytes.count {
            start = end(ofMarkIn: bytes, from: begin)
            body(bytes[begin..<(start.map { $0 - 3 } ?? bytes.count)])
        }
    }

    /// Where the next start code ends; nil if there is none.
    private static func end(ofMarkIn bytes: UnsafeBufferPointer<UInt8>, from place: Int) -> Int? {
        var last = place + 2
        while let base = bytes.baseAddress, last < bytes.count,
            let found = memchr(base + last, 1, bytes.count - last)
        {
            last = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found)) + 1
            if bytes[last - 2] == 0, bytes[last - 3] == 0 {
                return last
            }
        }
        return nil
    }

    /// The units in the header of a stream with lengths: for H.264 a list of each kind, for HEVC a list of such lists.
    private static func forEachListed(
        in header: UnsafeBufferPointer<UInt8>, from start: Int, isHEVC: Bool, _ body: (Unit) -> Void
    ) {
        var place = start
        func number(_ count: Int) -> Int {
            defer { place += count }
            return place + count <= header.count
                ? header[place..<place + count].reduce(0) { $0 << 8 | Int($1) } : 0
        }
        for list in 0..<(isHEVC ? number(1) : 2) {
            // The upper bits of the number of H.264's sequence parameter sets are reserved.
            place += isHEVC ? 1 : 0
            let count = isHEVC ? number(2) : list == 0 ? number(1) & 0x1F : number(1)
            for _ in 0..<count where place < header.count {
                let length = number(2)
                let end = min(place + length, header.count)
                if place < end {
                    body(header[place..<end])
                }
                place += length
            }
        }
    }
}
