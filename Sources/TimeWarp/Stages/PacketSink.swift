import Media

/// Receives the packets of an encoder.
struct PacketSink: Sendable {
    /// Receives the format of the packets, before the first packet.
    let open: @Sendable (EncodedFormat) throws -> Void
    let send: @Sendable (Packet) throws -> Void
    /// Called after the last packet of a track.
    var finish: @Sendable () -> Void = {}
}

extension PacketSink {
    /// A track of the file that is being written.
    init(_ interleaver: Interleaver, track: Int) {
        self.init(
            open: { interleaver.open(track, as: $0) },
            send: { try interleaver.send($0, to: track) },
            finish: { interleaver.finish(track) })
    }
}
