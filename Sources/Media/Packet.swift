import CLibAV
import TimeMaps

/// A compressed packet, as read from a demuxer or made by an encoder.
///
/// It has one owner at a time and is handed on from stage to stage.
// @unchecked: nobody keeps a packet that was handed on, and libav counts the references to its
// bytes atomically.
public final class Packet: @unchecked Sendable {
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
    public var byteCount: Int {
        Int(pointer.pointee.size)
    }

    /// Whether decoding can start here.
    public var isKey: Bool {
        pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
    }
}
