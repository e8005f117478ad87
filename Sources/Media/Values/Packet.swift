import CLibAV
import TimeMaps

/// A compressed packet, as read from a demuxer or made by an encoder.
///
/// It has one owner at a time, and is passed on from stage to stage.
// @unchecked: a stage doesn't keep a packet that it has passed on, and libav counts the references to the bytes
// atomically.
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

    /// The size in bytes.
    package var byteCount: Int {
        Int(pointer.pointee.size)
    }

    /// Whether it is a keyframe, at which decoding can start.
    package var isKey: Bool {
        pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
    }
}

extension Packet {
    /// Whether the file's edit list discards its frame, though other frames may refer to it.
    package var isDiscarded: Bool {
        pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0
    }

    /// Returns a new packet that shares the bytes of this one.
    package func copy() throws -> Packet {
        let copy = try Packet()
        try check(
            av_packet_ref(copy.pointer, pointer), doing: "copying a packet", "", as: .library)
        return copy
    }
}

// MARK: - Times

extension Packet {
    /// Sets PTS and DTS to `start`, sets the duration, and marks the packet as a keyframe.
    ///
    /// - Parameter timescale: ticks per second of the times.
    package func retime(start: Int64, duration: Int64, timescale: Int32) {
        pointer.pointee.pts = start
        pointer.pointee.dts = start
        pointer.pointee.duration = duration
        pointer.pointee.time_base = AVRational(num: 1, den: timescale)
        pointer.pointee.flags |= AV_PKT_FLAG_KEY
    }

    /// Sets the times of a video packet, which then is no longer discarded.
    ///
    /// - Parameters:
    ///   - shown: the PTS.
    ///   - decoded: the DTS; later than that of the previous packet, and not after `shown`.
    ///   - timeBase: the length of a tick of the times.
    package func retime(
        shown: Int64, decoded: Int64, duration: Int64, timeBase: RationalTime
    ) {
        precondition(decoded <= shown, "a frame is decoded before it is shown")
        pointer.pointee.pts = shown
        pointer.pointee.dts = decoded
        pointer.pointee.duration = duration
        pointer.pointee.time_base = timeBase.asTimeBase
        pointer.pointee.flags &= ~AV_PKT_FLAG_DISCARD
    }

    /// The PTS in ticks of the packet's time base; nil if it has none.
    package var pts: Int64? {
        pointer.pointee.pts == TW_NO_PTS ? nil : pointer.pointee.pts
    }

    /// The PTS, or else the DTS, in ticks of the packet's time base; libav's "no time" if it has neither.
    var statedTicks: Int64 {
        pointer.pointee.pts != TW_NO_PTS ? pointer.pointee.pts : pointer.pointee.dts
    }

    /// Makes the DTS at least `ticks`, but not later than the PTS.
    package func decodeNotBefore(_ ticks: Int64) {
        pointer.pointee.dts = max(pointer.pointee.dts, min(ticks, pointer.pointee.pts))
    }

    /// Makes the DTS `ticks`, but not later than the PTS.
    package func decode(at ticks: Int64) {
        pointer.pointee.dts = min(ticks, pointer.pointee.pts)
    }

    /// When its frame ends, in ticks of the packet's time base; nil without a PTS.
    package var end: Int64? { pts.map { $0 + pointer.pointee.duration } }

    /// Makes the last packet of a video track end at a tick, as ``end(at:)`` does at a time.
    package func endTrack(at tick: Int64) {
        guard let pts, tick > pts else {
            return
        }
        pointer.pointee.dts = pts
        pointer.pointee.duration = tick - pts
    }

    /// Makes the last packet of a video stream end at a time, and its DTS the PTS. Reordering makes DTS earlier by whole
    /// frames, and MP4 computes a track's duration from them.
    package func end(at time: RationalTime) {
        let raw = pointer.pointee
        let end = av_rescale_q(
            time.value, AVRational(num: 1, den: time.timescale), raw.time_base)
        endTrack(at: end)
    }

    /// Subtracts `origin` from PTS and DTS.
    package func move(earlierBy origin: RationalTime) {
        let ticks = av_rescale_q(
            origin.value, AVRational(num: 1, den: origin.timescale), pointer.pointee.time_base)
        pointer.pointee.pts = Self.time(pointer.pointee.pts, laterBy: 0 &- ticks)
        pointer.pointee.dts = Self.time(pointer.pointee.dts, laterBy: 0 &- ticks)
    }

    /// The time, or the nearest that is near enough to zero: sums and differences of a few can't overflow.
    static func bounded(_ time: Int64) -> Int64 {
        min(max(time, -(1 << 58)), 1 << 58)
    }

    /// Adds ticks to a time. "No time" stays as it is, and a time beyond 64 bits becomes "no time".
    static func time(_ time: Int64, laterBy ticks: Int64) -> Int64 {
        let (result, overflow) = time.addingReportingOverflow(ticks)
        return time == TW_NO_PTS || overflow ? TW_NO_PTS : result
    }

    /// The DTS in seconds; nil if it has none.
    package var decodeSeconds: Double? {
        guard pointer.pointee.dts != TW_NO_PTS else {
            return nil
        }
        return Double(pointer.pointee.dts) * av_q2d(pointer.pointee.time_base)
    }

    /// The PTS in seconds; nil if it has none.
    package var presentationSeconds: Double? {
        guard pointer.pointee.pts != TW_NO_PTS else {
            return nil
        }
        return Double(pointer.pointee.pts) * av_q2d(pointer.pointee.time_base)
    }

    /// The duration in seconds; 0 if unknown.
    package var durationSeconds: Double {
        Double(pointer.pointee.duration) * av_q2d(pointer.pointee.time_base)
    }
}
