import CLibAV
import TimeMaps

/// An index of a video track: the presentation time of each frame, and the places where decoding can begin.
///
/// It is made from the packets alone, without decoding. Frames are numbered from 0 in presentation order, packets
/// from 0 in the order in which they are stored:
/// ```
/// packets   I0 P4 B2 b1 b3 │ I8 B6 b5 b7 …     a group (GOP) begins at each keyframe
/// frames    0  1  2  3  4    5  6  7  8 …      5, 6 and 7 need both groups (open GOP): they belong to
///           └─ group 0 ────────────┘ └─ …      the first, which is decoded beyond the next keyframe
/// ```
/// It takes 28 bytes for each frame and 40 for each group.
package struct PacketIndex: Sendable {
    /// A group of frames that are decoded together (GOP).
    package struct Group: Sendable, Hashable {
        /// The number of the packet, a keyframe, at which decoding starts.
        package let firstPacket: Int
        /// The numbers of the frames that can be decoded completely if decoding starts there.
        package let frames: Range<Int>
        /// The PTS of that packet in the file; nil for the start of the file.
        let stamp: Int64?
        package let beginning: Beginning
    }

    /// How a decoder can begin with a group when it has decoded something else until there.
    package enum Beginning: Int32, Sendable, Hashable {
        /// Not without what is stored before.
        case open = 0
        /// As it is: nothing after its first packet refers to anything before it.
        case closed = 1
        /// If the frames are left out that are stored after its first packet and shown before it, and the packet says so.
        case splice = 2
    }

    /// The presentation times of the frames, in asset time.
    package let times: FrameTimes
    /// The groups in presentation order. Each frame is in exactly one of them.
    package let groups: [Group]
    /// Whether every packet states a PTS of its own, so that frames can be told apart by it. If not, only decoding
    /// shows when the frames are presented.
    package var isComplete: Bool { shortcoming == nil }

    /// Whether what a decoder has to know changes in the middle: packets bring parameter sets that the stream's header
    /// doesn't have.
    package let changesHeader: Bool

    /// The numbers of packets that are damaged so that they can't be put into another form, in increasing order.
    package let broken: [Int]

    /// The first reason why frames can't be told apart by their times; nil if they can.
    package let shortcoming: Shortcoming?

    /// A reason why frames can't be told apart by the times that their packets state.
    package enum Shortcoming: Sendable, Hashable {
        /// A packet states no time. Its number counts from 0; `after` is the latest time stated before it.
        case unstated(packet: Int, after: RationalTime?)
        /// Two frames have the same time.
        case repeated(RationalTime)
        /// An edit list plays several parts of the stream, and packets between them are hidden.
        case severalEdits
        /// There are no times, or they are further from zero than any recording lasts.
        case unusable
    }

    /// The packets whose frames are never shown, in the order in which they are stored.
    package let hidden: [HiddenPacket]

    /// A packet whose frame is never shown.
    package struct HiddenPacket: Sendable {
        /// The number of the packet in the stream, from 0.
        package let packet: Int
        /// The packet's presentation time, in asset time; nil if the file states none.
        package let time: RationalTime?
        /// Whether it is a normal frame that only the file's edit list discards.
        package let isDiscarded: Bool
    }

    /// The PTS of the frames as the file states them, in increasing order.
    let stamps: [Int64]
    /// The number of each frame's packet.
    let packets: [Int32]

    /// Creates the index by reading all packets of a stream. None is decoded.
    ///
    /// If the file is damaged so that it can't be read on, the index ends there.
    ///
    /// - Parameter checkCancelled: called for each packet; an error that it throws ends the reading and is
    ///   rethrown.
    /// - Throws: ``MediaError`` when the file can't be read.
    /// - Complexity: one pass over the file.
    package init(
        of asset: Asset, stream: Asset.Stream, checkCancelled: () throws -> Void = {}
    ) throws {
        let scan = try PacketScan(of: asset, stream: stream, checkCancelled)
        let order = scan.packets.indices
            .filter { !scan.packets[$0].isHidden && scan.packets[$0].stamp != TW_NO_PTS }
            .sorted { scan.packets[$0].stamp < scan.packets[$1].stamp }
        let stamps = order.map { scan.packets[$0].stamp }
        self.stamps = stamps
        packets = order.map(Int32.init)
        shortcoming = Self.shortcoming(scan, stamps, of: asset, stream)
        times = FrameTimes(
            stamps, lastDuration: order.last.map { scan.packets[$0].duration } ?? 0, of: asset,
            stream: stream)
        groups = Self.groups(scan, stamps: stamps)
        changesHeader = scan.changesHeader
        broken = scan.broken
        hidden = Self.hidden(scan, of: asset, stream: stream)
    }

    private static func shortcoming(
        _ scan: PacketScan, _ stamps: [Int64], of asset: Asset, _ stream: Asset.Stream
    ) -> Shortcoming? {
        func time(_ stamp: Int64) -> RationalTime? {
            RationalTime(stamp, in: stream.timeBase.rational)?.relative(to: asset.origin)
        }
        if let packet = scan.packets.firstIndex(where: { !$0.isHidden && $0.stamp == TW_NO_PTS }) {
            let before = scan.packets[..<packet].map(\.stamp).filter { $0 != TW_NO_PTS }
            return .unstated(packet: packet, after: before.max().flatMap(time))
        }
        guard FrameTimes.hold(stamps, of: stream) else {
            return .unusable
        }
        if let first = stamps.first, let last = stamps.last,
            scan.packets.contains(where: { $0.isDiscarded && (first...last).contains($0.stamp) })
        {
            // Their times may be those of other frames.
            return .severalEdits
        }
        let repeated = zip(stamps, stamps.dropFirst()).first { $0 == $1 }
        return repeated.map { .repeated(time($0.0) ?? .zero) }
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
                isDiscarded: entry.isDiscarded)
        }
    }

    private static func groups(_ scan: PacketScan, stamps: [Int64]) -> [Group] {
        // The frames before the first keyframe may or may not be decodable; the reader tries.
        var starts: [(packet: Int, frame: Int, stamp: Int64?)] = [(0, 0, nil)]
        let beginnings = scan.beginnings
        for (packet, entry) in scan.packets.enumerated()
        where packet > 0 && entry.isKey && !entry.isHidden {
            let frame = stamps.firstPlace(notBelow: entry.stamp)
            // A keyframe that isn't shown after the previous keyframe doesn't begin a new group.
            if let last = starts.last, frame > last.frame {
                starts.append((packet, frame, entry.stamp))
            }
        }
        let ends = starts.dropFirst().map(\.frame) + [stamps.count]
        return zip(starts, ends).map {
            Group(
                firstPacket: $0.packet, frames: $0.frame..<$1, stamp: $0.stamp,
                beginning: beginnings[$0.packet] ?? .open)
        }
    }

    /// Returns the position in ``groups`` of the group that a frame is in. O(log n).
    ///
    /// - Parameter frame: the number of the frame.
    package func group(ofFrame frame: Int) -> Int {
        groups.indices.partitionPoint { groups[$0].frames.lowerBound > frame } - 1
    }

    /// Returns the number of the packet that a frame is decoded from, from 0.
    ///
    /// - Parameter frame: the number of the frame, less than the number of frames; otherwise the program stops.
    package func packet(ofFrame frame: Int) -> Int {
        Int(packets[frame])
    }

    /// The number of the frame that has a PTS, or nil. O(log n).
    func frame(at stamp: Int64) -> Int? {
        let place = stamps.firstPlace(notBelow: stamp)
        return place < stamps.count && stamps[place] == stamp ? place : nil
    }
}

extension [Int64] {
    /// The first index in a increasing list whose value isn't below `value`.
    fileprivate func firstPlace(notBelow value: Int64) -> Int {
        indices.partitionPoint { self[$0] >= value }
    }
}

/// What the packets state, in the order in which they are stored.
private struct PacketScan {
    struct Entry {
        let stamp: Int64
        let duration: Int64
        let isKey: Bool
        /// How decoding can start at it, where the codec says so.
        let start: NALUnits.Start?
        /// Whether its frame is never shown.
        let isHidden: Bool
        /// Whether an edit list discards its frame.
        let isDiscarded: Bool
    }
    private(set) var packets: [Entry] = []
    /// Whether keyframes say how decoding can start at them.
    private var statesStarts = false
    /// Whether a packet brings another header than the stream's.
    private(set) var changesHeader = false
    /// The packets whose units don't fit.
    private(set) var broken: [Int] = []

    init(
        of asset: Asset, stream: Asset.Stream, _ checkCancelled: () throws -> Void
    ) throws {
        if let images = asset.images {
            // Reading them all would take as long as decoding them.
            packets = (0..<Int64(images.count)).map {
                Entry(
                    stamp: $0, duration: 1, isKey: true, start: nil, isHidden: false,
                    isDiscarded: false)
            }
            return
        }
        let reader = try PacketReader(of: asset, streams: [stream])
        let units = NALUnits(of: try reader.encodedFormat(of: stream))
        statesStarts = units != nil
        // If reading stops early, the packets before are good; the reader that decodes reports where it stopped.
        while let (packet, _) = try reader.next() {
            try checkCancelled()
            let raw = packet.pointer.pointee
            let content = units?.content(of: packet)
            changesHeader =
                changesHeader || content?.changesHeader ?? false || packet.bringsHeader
            if content?.isWhole == false {
                broken.append(packets.count)
            }
            packets.append(
                Entry(
                    stamp: raw.pts, duration: raw.duration, isKey: packet.isKey,
                    start: content?.start,
                    isHidden: packet.isDiscarded || packet.isInvisible(in: stream.codecName),
                    isDiscarded: packet.isDiscarded))
        }
    }
}

extension PacketScan {
    /// How decoders can begin with keyframes, by the numbers of these, but for those with which they can't; none if not every
    /// packet states a time.
    fileprivate var beginnings: [Int: PacketIndex.Beginning] {
        guard packets.allSatisfy({ $0.stamp != TW_NO_PTS }) else {
            return [:]
        }
        var beginnings: [Int: PacketIndex.Beginning] = [:]
        // The earliest time stated from a packet on, and from the keyframe after it on.
        var (earliest, later) = (Int64.max, Int64.max)
        for (number, entry) in packets.enumerated().reversed() {
            earliest = min(earliest, entry.stamp)
            guard entry.isKey else {
                continue
            }
            if entry.start == .clean {
                beginnings[number] = later > entry.stamp ? .splice : nil
            } else if entry.start == .instantaneous || !statesStarts, earliest == entry.stamp {
                beginnings[number] = .closed
            }
            later = earliest
        }
        return beginnings
    }
}

extension Packet {
    /// Whether the container states another header from this packet on.
    fileprivate var bringsHeader: Bool {
        var size = 0
        return av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, &size) != nil
    }

    /// Whether its frame is never shown and only serves as a reference for others.
    fileprivate func isInvisible(in codec: String) -> Bool {
        // RFC 6386, 9.1: bit 4 of a VP8 frame's tag is show_frame. VP9 and AV1 store hidden frames in the packet
        // of a frame that is shown.
        guard codec == "vp8", let first = pointer.pointee.data, pointer.pointee.size > 0 else {
            return false
        }
        return first.pointee & 0x10 == 0
    }
}
