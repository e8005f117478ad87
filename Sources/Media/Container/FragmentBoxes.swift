import Foundation

/// Reads and changes the boxes of an MP4 that fragments need (ISO/IEC 14496-12).
struct FragmentBoxes {
    /// A box and the range of its content.
    struct Box {
        let kind: String
        let content: Range<Int>
        var end: Int { content.upperBound }
    }
    private(set) var bytes: [UInt8]

    init(_ data: Data) {
        bytes = [UInt8](data)
    }

    /// The boxes in a range.
    func boxes(in range: Range<Int>) -> [Box] {
        var boxes: [Box] = []
        var place = range.lowerBound
        while place + 8 <= range.upperBound {
            let length = Int(number(at: place, bytes: 4))
            guard length >= 8, place + length <= range.upperBound else {
                break
            }
            let kind = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            boxes.append(Box(kind: kind, content: place + 8..<place + length))
            place += length
        }
        return boxes
    }

    /// All boxes at a path, such as `["moov", "trak"]`.
    func all(_ path: [String], in range: Range<Int>? = nil) -> [Box] {
        var ranges = [range ?? 0..<bytes.count]
        var found: [Box] = []
        for kind in path {
            found = ranges.flatMap { boxes(in: $0) }.filter { $0.kind == kind }
            ranges = found.map(\.content)
        }
        return found
    }

    /// Big-endian.
    func number(at place: Int, bytes count: Int) -> UInt64 {
        bytes[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func set(_ number: UInt64, at place: Int, bytes count: Int) {
        for index in 0..<count {
            bytes[place + index] = UInt8(truncatingIfNeeded: number >> ((count - 1 - index) * 8))
        }
    }
}

extension FragmentBoxes {
    /// The timescale (ticks per second) of each track of a `moov`, by the track's ID.
    var timescales: [UInt64: UInt64] {
        var scales: [UInt64: UInt64] = [:]
        for track in all(["moov", "trak"]) {
            guard let header = all(["tkhd"], in: track.content).first?.content,
                let media = all(["mdia", "mdhd"], in: track.content).first?.content
            else {
                continue
            }
            // In version 1 the times before these fields have 64 bits.
            let id = header.lowerBound + (bytes[header.lowerBound] == 1 ? 20 : 12)
            let scale = media.lowerBound + (bytes[media.lowerBound] == 1 ? 20 : 12)
            scales[number(at: id, bytes: 4)] = number(at: scale, bytes: 4)
        }
        return scales
    }

    /// The decode time of a track's first sample in a `moof` (box `tfdt`), and where it is stored.
    struct DecodeTime {
        let track: UInt64
        let place: Int
        let byteCount: Int
        let ticks: UInt64
    }

    var decodeTimes: [DecodeTime] {
        all(["moof", "traf"]).compactMap { fragment in
            guard let header = all(["tfhd"], in: fragment.content).first?.content,
                let time = all(["tfdt"], in: fragment.content).first?.content
            else {
                return nil
            }
            let count = bytes[time.lowerBound] == 1 ? 8 : 4
            return DecodeTime(
                track: number(at: header.lowerBound + 4, bytes: 4), place: time.lowerBound + 4,
                byteCount: count, ticks: number(at: time.lowerBound + 4, bytes: count))
        }
    }
}
