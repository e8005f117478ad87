import CLibAV
import TimeMaps

/// When every picture of a stream is shown and where decoding can begin, from packets alone.
///
/// Pictures are numbered in the order they are shown, packets in the order they are stored:
/// ```
/// packets   I0 P4 B2 b1 b3 │ I8 B6 b5 b7 …     a group begins at each key packet
/// pictures  0  1  2  3  4    5  6  7  8 …      5, 6 and 7 need both groups: they belong to the
///           └─ group 0 ────────────┘ └─ …      first, whose decoding goes on past the next key
/// ```
/// Takes 28 bytes a picture and 40 a group.
public struct PacketIndex: Sendable {
    /// Pictures that are decoded together.
    public struct Group: Sendable, Hashable {
        /// The key packet that decoding starts at.
        public let firstPacket: Int
        /// The pictures that are complete when decoding started there.
        public let pictures: Range<Int>
        /// What the file states as that packet's time; nil for the start of the file.
        let stamp: Int64?
    }

    /// When the pictures are shown.
    public let times: PictureTimes
    /// In order; together they hold every picture once.
    public let groups: [Group]
    /// Whether every packet states its own time, so that pictures can be told apart by it. Where not,
    /// only decoding tells when pictures are shown.
    public let isComplete: Bool

    /// Packets that show no picture, in the order they are stored.
    public let hidden: [HiddenPacket]

    /// A packet that shows no picture.
    public struct HiddenPacket: Sendable {
        /// Its place among all packets of the stream.
        public let packet: Int
        /// Asset time; nil where the file states none.
        public let time: RationalTime?
        /// Whether it is a picture like any other, which only the file's edit list cuts away.
        public let isCutAway: Bool
    }

    /// Presentation times as the file states them, rising.
    private let stamps: [Int64]
    /// The packet of each picture.
    private let packets: [Int32]

    /// Reads all packets of a stream, decoding none.
    ///
    /// - Parameter checkCancelled: called for each packet; what it throws ends the reading.
    /// - Throws: ``MediaError`` when the file can't be read.
    /// - Complexity: one pass over the file.
    public init(
        of asset: Asset, stream: Asset.Stream, checkCancelled: () throws -> Void = {}
    ) throws {
        let scan = try PacketScan(of: asset, stream: stream, checkCancelled)
        let order = scan.packets.indices
            .filter { !scan.packets[$0].isHidden && scan.packets[$0].stamp != TW_NO_PTS }
            .sorted { scan.packets[$0].stamp < scan.packets[$1].stamp }
        let stamps = order.map { scan.packets[$0].stamp }
        self.stamps = stamps
        packets = order.map(Int32.init)
        let areDistinct = zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 }
        let areStated = !scan.packets.contains { !$0.isHidden && $0.stamp == TW_NO_PTS }
        isComplete =
            areDistinct && areStated && PictureTimes.hold(stamps, of: stream)
        times = PictureTimes(
            stamps, lastDuration: order.last.map { scan.packets[$0].duration } ?? 0, of: asset,
            stream: stream)
        groups = Self.groups(scan, stamps: stamps)
        hidden = Self.hidden(scan, of: asset, stream: stream)
    }

    private static func hidden(
        _ scan: PacketScan, of asset: Asset, stream: Asset.Stream
    ) -> [HiddenPacket] {
        let base = stream.timeBase.rational
        return scan.packets.enumerated().filter(\.element.isHidden).map { packet, entry in
            HiddenPacket(
                packet: packet,
                time: entry.stamp == TW_NO_PTS
                    ? nil : RationalTime(entry.stamp, in: base)?.relative(to: asset.origin),
                isCutAway: entry.isCutAway)
        }
    }

    private static func groups(_ scan: PacketScan, stamps: [Int64]) -> [Group] {
        // What comes before the first key picture may or may not decode; it is tried.
        var starts: [(packet: Int, picture: Int, stamp: Int64?)] = [(0, 0, nil)]
        for (packet, entry) in scan.packets.enumerated()
        where packet > 0 && entry.isKey && !entry.isHidden {
            let picture = stamps.firstPlace(notBelow: entry.stamp)
            // A key picture that isn't shown after the one before it can't split the film there.
            if let last = starts.last, picture > last.picture {
                starts.append((packet, picture, entry.stamp))
            }
        }
        let ends = starts.dropFirst().map(\.picture) + [stamps.count]
        return zip(starts, ends).map {
            Group(firstPacket: $0.packet, pictures: $0.picture..<$1, stamp: $0.stamp)
        }
    }

    /// The group that holds a picture. O(log n).
    public func group(ofPicture picture: Int) -> Int {
        groups.indices.partitionPoint { groups[$0].pictures.lowerBound > picture } - 1
    }

    /// The packet that a picture comes from: its place among all packets of the stream.
    public func packet(ofPicture picture: Int) -> Int {
        Int(packets[picture])
    }

    /// The picture that a stated time belongs to. O(log n).
    func picture(at stamp: Int64) -> Int? {
        let place = stamps.firstPlace(notBelow: stamp)
        return place < stamps.count && stamps[place] == stamp ? place : nil
    }
}

extension [Int64] {
    /// Where a value would have to be put in a rising list.
    fileprivate func firstPlace(notBelow value: Int64) -> Int {
        indices.partitionPoint { self[$0] >= value }
    }
}

/// What packets say of themselves, in the order they are stored.
private struct PacketScan {
    struct Entry {
        let stamp: Int64
        let duration: Int64
        let isKey: Bool
        /// Needed by others and never shown.
        let isHidden: Bool
        /// Not shown because an edit list says so.
        let isCutAway: Bool
    }
    private(set) var packets: [Entry] = []

    init(
        of asset: Asset, stream: Asset.Stream, _ checkCancelled: () throws -> Void
    ) throws {
        let reader = try PacketReader(of: asset, streams: [stream])
        // Where it breaks off what came before is whole; whoever decodes will say where that is.
        while let (packet, _) = try reader.next() {
            try checkCancelled()
            let raw = packet.pointer.pointee
            packets.append(
                Entry(
                    stamp: raw.pts, duration: raw.duration, isKey: packet.isKey,
                    isHidden: packet.isCutAway || packet.isInvisible(in: stream.codecName),
                    isCutAway: packet.isCutAway))
        }
    }
}

extension Packet {
    /// Whether the picture in it is only for others to refer to.
    fileprivate func isInvisible(in codec: String) -> Bool {
        // RFC 6386, 9.1: bit 4 of a VP8 frame's tag is show_frame. VP9 and AV1 put hidden pictures
        // into the packet of one that is shown.
        guard codec == "vp8", let first = pointer.pointee.data, pointer.pointee.size > 0 else {
            return false
        }
        return first.pointee & 0x10 == 0
    }
}
