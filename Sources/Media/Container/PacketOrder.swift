import CLibAV

/// Makes the times of one stream's packets such as containers hold: decoded one after the other, and none
/// after it is shown. Damaged files have others.
package struct PacketOrder {
    private var last: Int64?
    private var lastDuration: Int64 = 1
    /// Packets that were given another time.
    package private(set) var changedCount = 0

    package init() {}

    /// Takes the next packet of the stream, in the order of decoding.
    ///
    /// One that is decoded no later than the one before it is decoded a tick after that, and shown no
    /// earlier than it is decoded. One that states neither time follows the one before it; where only one is
    /// stated the other is left to the writer.
    package mutating func mend(_ packet: Packet) {
        let raw = packet.pointer
        guard raw.pointee.dts != TW_NO_PTS else {
            if raw.pointee.pts == TW_NO_PTS {
                follow(raw)
            }
            return
        }
        let (pts, dts) = (raw.pointee.pts, raw.pointee.dts)
        if let last, dts <= last {
            raw.pointee.dts = last == .max ? last : last + 1
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
