/// Reads the packets of consecutive frames as they are stored. Used on one thread.
package final class PacketRun {
    /// What a decoder has to know of the packets.
    package let format: EncodedFormat
    private let reader: PacketReader
    private let index: PacketIndex
    /// The numbers of the packets that are still to come.
    private var left: Range<Int>
    /// The first frame. Those that are shown before it and stored after it are left out.
    private let first: Int
    /// Marks the first packet if frames are left out; nil if it needs no mark.
    private var marking: NALUnits?
    private let path: String

    /// - Parameters:
    ///   - packets: the numbers of the packets, of which the first begins a group.
    ///   - index: the index of the stream, which must be complete.
    /// - Throws: ``MediaError`` if the file can't be read, or isn't what the index says.
    /// - Complexity: a seek.
    package init(
        _ packets: Range<Int>, of stream: Asset.Stream, in asset: Asset, index: PacketIndex
    ) throws {
        precondition(index.isComplete, "packets are told apart by their stated times")
        (self.index, left, path) = (index, packets, asset.path)
        reader = try PacketReader(of: asset, streams: [stream])
        format = try reader.encodedFormat(of: stream)
        guard let group = index.groups.first(where: { $0.firstPacket == packets.lowerBound })
        else {
            preconditionFailure("packets are read from the start of a group on")
        }
        first = group.frames.lowerBound
        marking = group.beginning == .splice ? NALUnits(of: format) : nil
        if let stamp = group.stamp, try !reader.seek(to: stamp, of: stream) {
            throw MediaError.changedPackets(path)
        }
    }

    /// The next packet and the number of its frame; nil after the last.
    package func next() throws -> (packet: Packet, frame: Int)? {
        while !left.isEmpty {
            guard let (packet, _) = try reader.next(), let frame = packet.pts.flatMap(index.frame),
                index.packet(ofFrame: frame) == left.lowerBound
            else {
                throw reader.breakOff ?? MediaError.changedPackets(path)
            }
            left.removeFirst()
            try marking?.markSplice(packet)
            marking = nil
            if frame >= first {
                return (packet, frame)
            }
        }
        return nil
    }
}

extension MediaError {
    /// A file isn't what it was when it was planned.
    static func changedPackets(_ path: String) -> MediaError {
        MediaError(
            .changed, file: path, reason: "its packets aren't those that were there before",
            remedy: "Restore the file, or begin again")
    }
}
