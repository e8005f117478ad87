import CLibAV
import TimeMaps

/// One stream of one file, decoded from where it is read to the end.
///
/// Damaged packets are passed over and counted; the decoder goes on at the next good one.
final class StreamDecoder {
    let demuxer: Demuxer
    let streamIndex: Int
    /// What could not be read or decoded so far.
    private(set) var damage: StreamDamage
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let frame: UnsafeMutablePointer<AVFrame>
    private var inputEnded = false
    /// Errors while the decoder was emptied at the end.
    private var errorsAtEnd = 0
    /// When the packet that was decoded last is shown.
    private var lastStamp = TW_NO_PTS
    /// Set when reading broke off before the end of the file.
    private(set) var hasBrokenOff = false
    /// Read already, and next to be decoded.
    private var ahead: Packet?

    /// What becomes of a packet.
    enum PacketUse {
        case decode
        /// Decoded only if other pictures refer to it.
        case decodeForOthers
        case leaveOut
        /// Decoded, and nothing after it is read: what the decoder holds comes out.
        case decodeLast
    }
    /// Decides about every packet that is read; all are decoded where there is none.
    var choose: ((Packet) -> PacketUse)?
    /// Called for every packet that is read; what it throws ends the reading.
    var checkCancelled: () throws -> Void = {}

    /// - Parameter threads: for the codec itself; 0 lets libav take one a core.
    init(of asset: Asset, stream: Asset.Stream, threads: Int) throws {
        damage = StreamDamage(of: asset, stream: stream)
        demuxer = try Demuxer.reopening(asset)
        streamIndex = stream.index
        demuxer.select([stream.index])
        let source = demuxer.stream(stream.index)
        guard let codec = avcodec_find_decoder(source.pointee.codecpar.pointee.codec_id) else {
            throw MediaError(
                .unsupported, file: asset.path,
                reason: "this FFmpeg has no decoder for \(stream.codecName)")
        }
        try Self.requireModestSize(source.pointee.codecpar.pointee, of: asset, stream)
        frame = try allocated(av_frame_alloc(), asset.path)
        context = try allocated(avcodec_alloc_context3(codec), asset.path)
        try check(
            avcodec_parameters_to_context(context, source.pointee.codecpar),
            doing: "reading the parameters of stream \(stream.index)", asset.path, as: .damaged)
        // Without it libav can't move timestamps past encoder delay.
        context.pointee.pkt_timebase = source.pointee.time_base
        context.pointee.thread_count = CInt(threads)
        context.pointee.max_pixels = Int64(MediaLimits.pixelCount)
        try check(
            avcodec_open2(context, codec, nil), doing: "opening the \(stream.codecName) decoder",
            asset.path, as: .unsupported)
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    private static func requireModestSize(
        _ parameters: AVCodecParameters, of asset: Asset, _ stream: Asset.Stream
    ) throws {
        let (width, height) = (Int(parameters.width), Int(parameters.height))
        guard width * height <= MediaLimits.pixelCount else {
            throw MediaError(
                .unsupported, file: asset.path,
                reason: "stream \(stream.index) says that its pictures have \(width) by \(height) "
                    + "pixels, and not more than \(MediaLimits.pixelCount) in all are decoded",
                remedy: "The file is damaged, or needs to be made smaller by another program")
        }
    }

    var timeBase: AVRational {
        demuxer.stream(streamIndex).pointee.time_base
    }

    /// Notes a picture that is shown, if a part of it is made up.
    func note(_ frame: Frame) {
        if frame.isMadeUpInPart {
            damage.makeUpPicture(at: frame.pointer.pointee.best_effort_timestamp)
        }
    }

    /// Notes sound that should be there and isn't.
    func noteHole(at sample: Int64, count: Int64, sampleRate: Int) {
        damage.miss(sample: sample, count: count, sampleRate: sampleRate)
    }

    /// Notes what came out of the decoder and can't be used.
    func noteUnusable() {
        damage.leaveOutPacket(at: lastStamp)
    }

    /// Goes to the last key frame at or before a time of the container, as far as it can.
    func seek(to timestamp: Int64) -> Bool {
        let result = demuxer.withContext {
            av_seek_frame($0, CInt(streamIndex), timestamp, AVSEEK_FLAG_BACKWARD)
        }
        avcodec_flush_buffers(context)
        inputEnded = false
        ahead = nil
        return result >= 0
    }

    /// Decodes on and calls `body` with the next frame, which is overwritten after; nil at the end.
    func next<Result>(_ body: (UnsafeMutablePointer<AVFrame>) throws -> Result) throws -> Result? {
        while true {
            let result = avcodec_receive_frame(context, frame)
            switch result {
            case 0...:
                defer { av_frame_unref(frame) }
                return try body(frame)
            case TW_ERROR_AGAIN:
                try feed()
            case TW_ERROR_EOF:
                return nil
            default:
                damage.leaveOutPacket(at: lastStamp)
                errorsAtEnd += inputEnded ? 1 : 0
                guard errorsAtEnd < 1000 else {
                    return nil
                }
                try feed()
            }
        }
    }

    /// Reads on without decoding until a packet is found, which is then the next to be decoded.
    ///
    /// - Parameter verdict: whether it is that one, or nil to read on; false gives up.
    func advance(until verdict: (Packet) -> Bool?) throws -> Bool {
        while let packet = try readPacket() {
            try checkCancelled()
            guard let isFound = verdict(packet) else {
                continue
            }
            ahead = isFound ? packet : nil
            return isFound
        }
        return false
    }

    private func feed() throws {
        guard !inputEnded, let (packet, use) = try nextChosen() else {
            inputEnded = true
            avcodec_send_packet(context, nil)
            return
        }
        context.pointee.skip_frame =
            use == .decodeForOthers ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        lastStamp = packet.statedTicks
        let result = avcodec_send_packet(context, packet.pointer)
        if result < 0 && result != TW_ERROR_AGAIN {
            damage.leaveOutPacket(at: lastStamp)
        }
        inputEnded = use == .decodeLast
        if inputEnded {
            avcodec_send_packet(context, nil)
        }
    }

    private func nextChosen() throws -> (packet: Packet, use: PacketUse)? {
        while let packet = try ahead ?? readPacket() {
            ahead = nil
            try checkCancelled()
            let use = choose?(packet) ?? .decode
            if use != .leaveOut {
                return (packet, use)
            }
        }
        return nil
    }

    private func readPacket() throws -> Packet? {
        do {
            while let packet = try demuxer.readPacket() {
                if Int(packet.pointer.pointee.stream_index) == streamIndex {
                    return packet
                }
            }
        } catch let error as MediaError where error.code == .diskFailed {
            throw error
        } catch {
            // What came before is whole and is kept; the caller reports where it broke off.
            hasBrokenOff = true
            if let error = error as? MediaError {
                damage.breakOff(error, at: lastStamp == TW_NO_PTS ? nil : lastStamp)
            }
        }
        return nil
    }
}
