import CLibAV
import TimeMaps

/// Compressed packets of a file in the order they are stored, undecoded. Used on one thread.
package final class PacketReader {
    private let demuxer: Demuxer
    private let asset: Asset
    private let wanted: Set<Int>
    /// What stopped reading before the end of the file, if damage did.
    package private(set) var breakOff: MediaError?

    /// Where a container doesn't say when packets are shown, only when they are decoded (AVI).
    package enum MissingTimes: Sendable {
        case leftOut, workedOut
    }

    /// - Parameter streams: which to read; the others are passed over.
    package init(
        of asset: Asset, streams: [Asset.Stream], missingTimes: MissingTimes = .leftOut
    ) throws {
        self.asset = asset
        demuxer = try Demuxer.reopening(asset)
        if missingTimes == .workedOut {
            demuxer.completeTimes()
        }
        wanted = Set(streams.map(\.index))
        demuxer.select(wanted)
    }

    /// The next packet and the index of its stream, or nil at the end.
    ///
    /// Its times are the file's own; `Packet`'s seconds count from the container's zero. Where the file is
    /// damaged beyond finding a way on, that is the end, and ``breakOff`` says so.
    ///
    /// - Throws: ``MediaError`` when the disk fails.
    package func next() throws -> (packet: Packet, stream: Int)? {
        while let packet = try readPacket() {
            let index = Int(packet.pointer.pointee.stream_index)
            // What was read while probing comes whether it is selected or not.
            guard wanted.contains(index) else {
                continue
            }
            packet.pointer.pointee.time_base = demuxer.stream(index).pointee.time_base
            return (packet, index)
        }
        return nil
    }

    private func readPacket() throws -> Packet? {
        do {
            return try demuxer.readPacket()
        } catch let error as MediaError where error.code == .damaged {
            breakOff = error
            return nil
        }
    }

    /// What the writer must know of a stream.
    package func encodedFormat(of stream: Asset.Stream) throws -> EncodedFormat {
        try EncodedFormat(copying: demuxer.stream(stream.index), path: asset.path)
    }

    /// What the writer must know of a stream whose packets are given new times.
    package func encodedFormat(
        of stream: Asset.Stream, ticksPerSecond: Int32, rate: FrameRate?
    ) throws -> EncodedFormat {
        try EncodedFormat(
            copying: demuxer.stream(stream.index), path: asset.path,
            ticksPerSecond: ticksPerSecond, rate: rate)
    }

    /// The picture of a cover stream, which libav keeps apart from the packets in the file.
    package func cover(of stream: Asset.Stream) throws -> Packet? {
        let source = demuxer.stream(stream.index)
        guard source.pointee.attached_pic.size > 0 else {
            return nil
        }
        let packet = try Packet()
        try check(
            av_packet_ref(packet.pointer, &source.pointee.attached_pic),
            doing: "reading the cover", asset.path, as: .damaged)
        packet.retime(start: 0, duration: 0, timescale: 1000)
        return packet
    }
}
