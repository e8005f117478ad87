import CLibAV
import TimeMaps

/// The last packets of a stream, which tell when it ends.
struct LastPackets {
    private(set) var start: RationalTime?
    private var before: RationalTime?
    private var packet: Packet?
    private var hasDurations = false

    mutating func note(_ packet: Packet, in timeBase: AVRational) {
        let raw = packet.pointer.pointee
        hasDurations = hasDurations || raw.duration > 0
        guard let time = RationalTime(raw.pts, in: timeBase), start.map({ time > $0 }) ?? true
        else {
            return
        }
        (before, start) = (start, time)
        self.packet = packet
    }

    /// When the last packet of lossless sound ends. libav takes it to be as long as all others, or not to last at all (APE,
    /// ALAC, TTA, WMA Lossless); the header may say it, and decoding it does. Lossy sound always has whole packets,
    /// and says apart how much of the last is played.
    func losslessEnd(
        of stream: UnsafeMutablePointer<AVStream>, stated: RationalTime?,
        atMost end: RationalTime?
    ) -> RationalTime? {
        let parameters = stream.pointee.codecpar!
        guard let start, let packet, parameters.pointee.isPackedLosslessly, let end else {
            return nil
        }
        let stated = stated.flatMap { $0 > start ? $0 : nil }
        if let stated, stated < end {
            return stated
        }
        let rate = parameters.pointee.sample_rate
        let decoded = packet.sampleCount(as: parameters).flatMap {
            try? start + RationalTime(Int64($0), over: rate)
        }
        // Without durations of packets, what the header says may count the last one as whole.
        return decoded ?? (end == start ? stated : nil)
    }

    /// The end of the last packet if no packet states a duration (WavPack in Matroska): it then is as long as the one
    /// before it.
    var likelyEnd: RationalTime? {
        guard !hasDurations, let start, let before else {
            return nil
        }
        return try? start + start.relative(to: before)
    }
}

extension Packet {
    /// How many samples of sound it decodes to without those before it; nil if it can't be decoded so.
    fileprivate func sampleCount(as parameters: UnsafePointer<AVCodecParameters>) -> Int? {
        let codec = avcodec_find_decoder(parameters.pointee.codec_id)
        var context = avcodec_alloc_context3(codec)
        var frame = av_frame_alloc()
        defer {
            av_frame_free(&frame)
            avcodec_free_context(&context)
        }
        guard let codec, let context, let frame,
            avcodec_parameters_to_context(context, parameters) >= 0,
            avcodec_open2(context, codec, nil) >= 0, avcodec_send_packet(context, pointer) >= 0
        else {
            return nil
        }
        avcodec_send_packet(context, nil)
        var count = 0
        while avcodec_receive_frame(context, frame) >= 0 {
            count += Int(frame.pointee.nb_samples)
        }
        return count > 0 ? count : nil
    }
}

extension AVCodecParameters {
    /// Whether it is lossless sound in packets of equal length, and no PCM.
    fileprivate var isPackedLosslessly: Bool {
        let properties = avcodec_descriptor_get(codec_id)?.pointee.props ?? 0
        return codec_type == AVMEDIA_TYPE_AUDIO && av_get_exact_bits_per_sample(codec_id) == 0
            && properties & (AV_CODEC_PROP_LOSSLESS | AV_CODEC_PROP_LOSSY) == AV_CODEC_PROP_LOSSLESS
    }
}
