import CLibAV
import TimeMaps

/// Reads compressed packets of a file in the order in which they are stored. Used on one thread.
package final class PacketReader {
    private let demuxer: Demuxer
    private let asset: Asset
    private let wanted: Set<Int>
    /// Where the sound read so far ends, by stream, in ticks.
    private var endsOfSound: [Int: Int64] = [:]
    /// A packet that was found by seeking and comes next.
    private var ahead: (packet: Packet, stream: Int)?
    /// The error that stopped reading before the end of the file, if the file is damaged.
    package private(set) var breakOff: MediaError?

    /// What to do about packets without a PTS, in containers that store only the DTS (AVI).
    package enum MissingTimes: Sendable {
        /// They stay without a PTS.
        case leftOut
        /// libav derives the PTS from the following packets.
        case workedOut
    }

    /// - Parameter streams: the streams to read; packets of others are skipped.
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

    /// Returns the next packet and the index of its stream, or nil at the end.
    ///
    /// Times are those of the file, so `Packet`'s seconds count from the container's zero. Damage that can't be
    /// skipped counts as the end, and is then in ``breakOff``.
    ///
    /// - Throws: ``MediaError`` when the disk fails.
    package func next() throws -> (packet: Packet, stream: Int)? {
        if let found = ahead {
            ahead = nil
            return found
        }
        while let packet = try readPacket() {
            let index = Int(packet.pointer.pointee.stream_index)
            // Packets that libav read while probing come whether their stream is selected or not.
            guard wanted.contains(index) else {
                continue
            }
            packet.pointer.pointee.time_base = demuxer.stream(index).pointee.time_base
            if asset.restarts == nil || !overlaps(packet, index) {
                return (packet, index)
            }
        }
        return nil
    }

    /// Goes on at the keyframe of a stream that has a PTS, in ticks of the stream.
    ///
    /// - Returns: whether it was found.
    func seek(to stamp: Int64, of stream: Asset.Stream) throws -> Bool {
        let timeBase = demuxer.stream(stream.index).pointee.time_base
        return try KeyframeSearch(stamp: stamp, timeBase: timeBase).run(
            seek: {
                ahead = nil
                return demuxer.seek(to: $0, of: stream.index)
            },
            advance: { verdict in
                while let (packet, index) = try next() {
                    guard index == stream.index, let isFound = verdict(packet) else {
                        continue
                    }
                    ahead = isFound ? (packet, index) : nil
                    return isFound
                }
                return false
            })
    }

    /// Whether most of a packet of sound lies before the end of those that were read. Where times start again, the sound
    /// before is often a bit longer than its video.
    private func overlaps(_ packet: Packet, _ index: Int) -> Bool {
        guard demuxer.stream(index).pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO,
            let start = packet.pts
        else {
            return false
        }
        let lasts = Packet.bounded(packet.pointer.pointee.duration)
        let end = Packet.bounded(start) + lasts
        if let last = endsOfSound[index], end - last <= lasts / 2 {
            return true
        }
        endsOfSound[index] = end
        return false
    }

    private func readPacket() throws -> Packet? {
        do {
            return try demuxer.readPacket()
        } catch let error as MediaError where error.code == .damaged {
            breakOff = error
            return nil
        }
    }

    /// The description of a stream that the muxer needs.
    package func encodedFormat(of stream: Asset.Stream) throws -> EncodedFormat {
        try EncodedFormat(copying: demuxer.stream(stream.index), path: asset.path)
    }

    /// The description of a stream whose packets get new times.
    ///
    /// - Parameters:
    ///   - timeBase: the length of a tick of the new times.
    ///   - rate: the average frame rate that the new times result in.
    package func encodedFormat(
        of stream: Asset.Stream, timeBase: RationalTime, rate: FrameRate?
    ) throws -> EncodedFormat {
        try EncodedFormat(
            copying: demuxer.stream(stream.index), path: asset.path,
            retimed: (timeBase.asTimeBase, rate))
    }

    /// The packet with the image of a cover stream, which libav keeps apart from the other packets.
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
