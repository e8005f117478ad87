import CLibAV
import Foundation

/// Reads the times of Matroska's blocks that lie before zero (RFC 9559, 10.2). libav knows no time of them.
///
/// ```
/// cluster   Timestamp 0
///   block   track, time −200 relative to the cluster, flags, data
/// ```
/// A block's time has 16 bits, so only blocks in clusters that begin within the first 32768 ticks can be meant.
final class BlockTimes {
    private let path: String
    /// The file, once a packet without a time has been met; below 0 if it can't be opened.
    private lazy var file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    /// Where clusters begin, and their times in ticks, as far as the file has been looked at.
    private var clusters: [(start: Int64, time: Int64)] = []
    /// Where the next element of the segment begins; nil if no more clusters matter.
    private var unread: Int64? = 0
    /// How many elements were looked at.
    private var looks = 0

    /// More elements than half a minute has: a hostile file may consist of empty ones.
    private static let mostLooks = 1 << 16
    private static let cluster: UInt64 = 0x1F43_B675
    private static let segment: UInt64 = 0x1853_8067
    private static let timestamp: UInt64 = 0xE7
    /// An element's size that isn't known yet, as live writers leave it.
    private static let unknownSize: Int64 = -1

    init(_ path: String) {
        self.path = path
    }

    deinit {
        if looks > 0, file >= 0 {
            close(file)
        }
    }

    /// The time of a packet that has none, in ticks; nil if it has one, or its block isn't before zero.
    func time(of packet: Packet) -> Int64? {
        let raw = packet.pointer.pointee
        guard raw.pts == TW_NO_PTS, raw.pos > 0, let cluster = clusterTime(at: raw.pos),
            let head = bytes(at: raw.pos, 10), let width = Self.width(head[0]), width < 8
        else {
            return nil
        }
        let relative = Int16(bitPattern: UInt16(head[width]) << 8 | UInt16(head[width + 1]))
        let time = cluster + Int64(relative)
        return time < 0 ? time : nil
    }

    /// The time of the cluster that a place in the file is in.
    private func clusterTime(at place: Int64) -> Int64? {
        while let next = unread, next <= place {
            looks += 1
            unread = looks <= Self.mostLooks ? look(at: next) : nil
        }
        return clusters.last { $0.start <= place }?.time
    }

    /// Looks at an element, and returns where the next one to look at begins.
    private func look(at place: Int64) -> Int64? {
        guard let element = element(at: place) else {
            return nil
        }
        switch element.id {
        case Self.segment:
            return element.content
        case Self.cluster:
            guard let time = timestamp(in: element.content),
                (0...Int64(Int16.max)).contains(time)
            else {
                return nil
            }
            clusters.append((place, time))
            return element.size == Self.unknownSize ? nil : element.content + element.size
        default:
            return element.size == Self.unknownSize ? nil : element.content + element.size
        }
    }

    /// A cluster's Timestamp, which is its first element but for a checksum.
    private func timestamp(in start: Int64) -> Int64? {
        var place = start
        for _ in 0..<3 {
            guard let element = element(at: place), element.size >= 0, element.size <= 8 else {
                return nil
            }
            if element.id == Self.timestamp {
                return bytes(at: element.content, Int(element.size)).map {
                    Int64(truncatingIfNeeded: $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
                }
            }
            place = element.content + element.size
        }
        return nil
    }

    private func element(at place: Int64) -> (id: UInt64, size: Int64, content: Int64)? {
        guard let head = bytes(at: place, 12), let idWidth = Self.width(head[0]), idWidth <= 4,
            let sizeWidth = Self.width(head[idWidth])
        else {
            return nil
        }
        let id = head[..<idWidth].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let mask = (UInt64(1) << UInt64(7 * sizeWidth)) - 1
        let size =
            head[idWidth..<idWidth + sizeWidth].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & mask
        let content = place + Int64(idWidth + sizeWidth)
        let isSane = size < UInt64(1) << 48
        return (
            id, size == mask ? Self.unknownSize : isSane ? Int64(size) : Int64(1) << 48, content
        )
    }

    /// How many bytes a number has whose first byte is this; nil if that isn't one.
    private static func width(_ first: UInt8) -> Int? {
        first == 0 ? nil : first.leadingZeroBitCount + 1
    }

    private func bytes(at place: Int64, _ count: Int) -> [UInt8]? {
        let read = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(file, buffer.baseAddress, count, off_t(place)))
        }
        return read.count == count ? read : nil
    }
}
