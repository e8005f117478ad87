import CLibAV
import TimeMaps

/// A compressed packet, as read from a demuxer or made by an encoder.
///
/// It has one owner at a time and is handed on from stage to stage.
// @unchecked: nobody keeps a packet that was handed on, and libav counts the references to its
// bytes atomically.
package final class Packet: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVPacket>

    /// An empty packet.
    init() throws {
        pointer = try allocated(av_packet_alloc(), "")
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&pointer)
    }

    /// The packet's bytes. Size in bytes.
    package var byteCount: Int {
        Int(pointer.pointee.size)
    }

    /// Whether decoding can start here.
    package var isKey: Bool {
        pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
    }
}

extension Packet {
    /// Whether the file's edit list cuts its picture away, though others may refer to it.
    package var isCutAway: Bool {
        pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0
    }

    /// A packet of its own with the same bytes, which both share.
    package func copy() throws -> Packet {
        let copy = try Packet()
        try check(
            av_packet_ref(copy.pointer, pointer), doing: "copying a packet", "", as: .library)
        return copy
    }
}

// MARK: - Times

extension Packet {
    /// Gives it new times, in ticks of `1 / timescale` seconds.
    package func retime(start: Int64, duration: Int64, timescale: Int32) {
        pointer.pointee.pts = start
        pointer.pointee.dts = start
        pointer.pointee.duration = duration
        pointer.pointee.time_base = AVRational(num: 1, den: timescale)
        pointer.pointee.flags |= AV_PKT_FLAG_KEY
    }

    /// Gives a picture new times, in ticks of `1 / timescale` seconds.
    ///
    /// - Parameter decoded: strictly later than that of the packet before it, and not after `shown`.
    package func retime(shown: Int64, decoded: Int64, duration: Int64, timescale: Int32) {
        precondition(decoded <= shown, "a picture is decoded before it is shown")
        pointer.pointee.pts = shown
        pointer.pointee.dts = decoded
        pointer.pointee.duration = duration
        pointer.pointee.time_base = AVRational(num: 1, den: timescale)
        pointer.pointee.flags &= ~AV_PKT_FLAG_DISCARD
    }

    /// When it is presented, in its own ticks; nil if it has no time.
    package var shownTicks: Int64? {
        pointer.pointee.pts == TW_NO_PTS ? nil : pointer.pointee.pts
    }

    /// When it is presented, or else decoded, in its own ticks; libav's "no time" where neither is stated.
    var statedTicks: Int64 {
        pointer.pointee.pts != TW_NO_PTS ? pointer.pointee.pts : pointer.pointee.dts
    }

    /// Sets its decoding time later where it is earlier, though never after it is presented.
    package func decodeNotBefore(_ ticks: Int64) {
        pointer.pointee.dts = max(pointer.pointee.dts, min(ticks, pointer.pointee.pts))
    }

    /// Counts its times from another zero.
    package func move(earlierBy origin: RationalTime) {
        let ticks = av_rescale_q(
            origin.value, AVRational(num: 1, den: origin.timescale), pointer.pointee.time_base)
        pointer.pointee.pts = Self.time(pointer.pointee.pts, laterBy: 0 &- ticks)
        pointer.pointee.dts = Self.time(pointer.pointee.dts, laterBy: 0 &- ticks)
    }

    /// No time stays none, and what lies beyond 64 bits becomes none.
    static func time(_ time: Int64, laterBy ticks: Int64) -> Int64 {
        let (result, overflow) = time.addingReportingOverflow(ticks)
        return time == TW_NO_PTS || overflow ? TW_NO_PTS : result
    }

    /// When it is decoded, in seconds of the file being written; nil if it has no time.
    package var decodeSeconds: Double? {
        guard pointer.pointee.dts != TW_NO_PTS else {
            return nil
        }
        return Double(pointer.pointee.dts) * av_q2d(pointer.pointee.time_base)
    }

    /// When it is presented, in seconds of the file being written; nil if it has no time.
    package var presentationSeconds: Double? {
        guard pointer.pointee.pts != TW_NO_PTS else {
            return nil
        }
        return Double(pointer.pointee.pts) * av_q2d(pointer.pointee.time_base)
    }

    /// How long it is presented, in seconds; 0 if unknown.
    package var durationSeconds: Double {
        Double(pointer.pointee.duration) * av_q2d(pointer.pointee.time_base)
    }
}
