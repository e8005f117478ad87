import CLibAV

/// Corrects the times of one stream's packets so that a container can hold them: each DTS is later than the
/// previous one and not later than its PTS. Damaged files may have other times. Packets of sound that are shorter than a tick
/// may have equal times; ``Muxer`` keeps these apart where a container's own ticks have to rise.
package struct PacketOrder {
    private var last: Int64?
    private var lastDuration: Int64 = 1
    /// How many packets got another time.
    package private(set) var changedCount = 0

    private let mayBeEqual: Bool

    package init(of stream: Asset.Stream) {
        mayBeEqual = stream.audioFormat != nil
    }

    /// Corrects the next packet of the stream, in decoding order.
    ///
    /// If the DTS isn't later than the previous one, it becomes one tick later than that, or for sound equal to it; a PTS
    /// before the DTS becomes equal to it. A packet with neither time follows the previous packet. If it has only one of them,
    /// the muxer determines the other.
    package mutating func mend(_ packet: Packet) {
        let raw = packet.pointer
        guard raw.pointee.dts != TW_NO_PTS else {
            if raw.pointee.pts == TW_NO_PTS {
                follow(raw)
            }
            return
        }
        let (pts, dts) = (raw.pointee.pts, raw.pointee.dts)
        if let last {
            raw.pointee.dts = max(dts, mayBeEqual || last == .max ? last : last + 1)
        }
        if pts != TW_NO_PTS {
            raw.pointee.pts = max(pts, raw.pointee.dts)
        }
        last = raw.pointee.dts
        lastDuration = max(1, raw.pointee.duration)
        changedCount += raw.pointee.dts != dts || raw.pointee.pts != pts ? 1 : 0
    }

    private mutating func follow(_ packet: UnsafeMutablePointer<AVPacket>) {
        let (next, overflow) = (last ?? 0).addingReportingOverflow(last == nil ? 0 : lastDuration)
        packet.pointee.dts = overflow ? .max : next
        packet.pointee.pts = packet.pointee.dts
        last = packet.pointee.dts
        lastDuration = max(1, packet.pointee.duration)
        changedCount += 1
    }
}
