import CLibAV
import TimeMaps

/// Decodes one stream of a file, from the current position to the end.
///
/// Damaged packets are skipped and counted, and decoding continues with the next good packet.
final class StreamDecoder {
    let demuxer: Demuxer
    let streamIndex: Int
    /// What couldn't be read or decoded so far.
    private(set) var damage: StreamDamage
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let frame: UnsafeMutablePointer<AVFrame>
    private let hardware: HardwareDecoder?
    private var inputEnded = false
    /// How many errors occurred while the decoder was drained at the end.
    private var errorsAtEnd = 0
    /// The timestamp of the packet that was decoded last.
    private var lastStamp = TW_NO_PTS
    /// Whether reading stopped before the end of the file.
    private(set) var hasBrokenOff = false
    /// A packet that has been read already and is decoded next.
    private var ahead: Packet?

    /// What to do with a packet.
    enum PacketUse {
        case decode
        /// Decoded only if other frames refer to it.
        case decodeForOthers
        case leaveOut
        /// Decoded as the last one: nothing more is read, and the decoder is drained.
        case decodeLast
    }
    /// Decides what to do with each packet that is read; if nil, all are decoded.
    var choose: ((Packet) -> PacketUse)?
    /// Called for every packet that is read; an error that it throws ends the reading.
    var checkCancelled: () throws -> Void = {}

    /// - Parameters:
    ///   - threads: how many threads the codec may use; 0 means one for each core.
    ///   - hardware: decodes in place of software where it can.
    /// - Throws: ``MediaError`` if the stream can't be decoded, or there is no such hardware.
    init(
        of asset: Asset, stream: Asset.Stream, threads: Int, by hardware: HardwareDecoding = .off
    ) throws {
        damage = StreamDamage(of: asset, stream: stream)
        demuxer = try Demuxer.reopening(asset)
        streamIndex = stream.index
        demuxer.select([stream.index])
        let source = demuxer.stream(stream.index)
        guard let codec = stream.decoder else {
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
        // libav needs it to move timestamps past the encoder delay.
        context.pointee.pkt_timebase = source.pointee.time_base
        context.pointee.thread_count = CInt(threads)
        context.pointee.max_pixels = Int64(MediaLimits.pixelCount)
        self.hardware = try hardware.device.map {
            try HardwareDecoder($0, for: codec, path: asset.path)
        }
        if let decoder = self.hardware {
            decoder.attach(to: context)
            context.pointee.thread_count = 1
        }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if stream.codecName == "exr" {
            // OpenEXR stores light as it is. Video stores it as sRGB does, and everything after the decoder expects that.
            av_dict_set(&options, "apply_trc", "iec61966_2_1", 0)
        }
        try check(
            avcodec_open2(context, codec, &options),
            doing: "opening the \(stream.codecName) decoder",
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
                reason: "stream \(stream.index) says that its frames have \(width) by \(height) "
                    + "pixels, and frames of more than \(MediaLimits.pixelCount) are not decoded",
                remedy: "The file is damaged, or another program must scale its frames down")
        }
    }

    /// Whether frames have come from hardware.
    var isOnHardware: Bool { hardware?.isUsed == true }

    var timeBase: AVRational {
        demuxer.stream(streamIndex).pointee.time_base
    }

    /// Makes a frame fit to be used: counts it as damaged if the decoder had to conceal errors in it, and limits its samples.
    /// Called only for frames that are used.
    func admit(_ frame: Frame) throws {
        try frame.limitSamples()
        if frame.isMadeUpInPart {
            damage.addConcealedFrame(at: frame.pointer.pointee.best_effort_timestamp)
        }
    }

    /// Counts sound that is missing.
    func noteHole(at sample: Int64, count: Int64, sampleRate: Int) {
        damage.miss(sample: sample, count: count, sampleRate: sampleRate)
    }

    /// Counts one damaged packet, for a decoded frame that can't be used.
    func noteUnusable() {
        damage.leaveOutPacket(at: lastStamp)
    }

    /// Seeks to the last keyframe at or before a timestamp of the stream.
    ///
    /// - Returns: whether libav could seek.
    func seek(to timestamp: Int64) -> Bool {
        let hasFound = demuxer.seek(to: timestamp, of: streamIndex)
        avcodec_flush_buffers(context)
        inputEnded = false
        ahead = nil
        return hasFound
    }

    /// Calls `body` with the next decoded frame, which is valid only during the call. Returns nil at the end.
    func next<Result>(_ body: (UnsafeMutablePointer<AVFrame>) throws -> Result) throws -> Result? {
        while true {
            let result = avcodec_receive_frame(context, frame)
            switch result {
            case 0...:
                defer { av_frame_unref(frame) }
                try hardware?.download(frame, as: context.pointee.sw_pix_fmt)
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

    /// Reads packets without decoding them until the wanted one is found, which is then decoded next.
    ///
    /// - Parameter verdict: true if a packet is the wanted one, nil to continue, false to give up.
    /// - Returns: whether the packet was found.
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
        // The end is told when the decoder wants more: dav1d loses frames of a packet that it hasn't taken up by then.
        inputEnded = use == .decodeLast
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
            // What was read before is good and is used; the caller reports where reading stopped.
            hasBrokenOff = true
            if let error = error as? MediaError {
                damage.breakOff(error, at: lastStamp == TW_NO_PTS ? nil : lastStamp)
            }
        }
        return nil
    }
}
