import CLibAV
import TimeMaps

/// A subtitle and its presentation time, half-open and in asset time.
package struct Cue {
    package let start: RationalTime
    package let end: RationalTime
    /// The text or bitmap, in the form that the output stores.
    package let packet: Packet
}

/// Reads the subtitles of one stream in order, in a form that a container can store. Used on one thread.
///
/// If the container can store the stream's own form, the packets are copied. Other text subtitles are decoded
/// and encoded again, with as much of the styling as the new form can express.
package final class CueReader {
    private let demuxer: Demuxer
    private let asset: Asset
    private let stream: Asset.Stream
    private let transcoder: SubtitleTranscoder?

    /// In which form text comes.
    package enum Form: Sendable {
        /// As the file has it, if the container holds that.
        case kept
        /// The container's usual one.
        case usual
    }

    /// - Returns: nil when the container can't store the stream's subtitles in any form.
    /// - Throws: ``MediaError`` when the file can't be read or the linked FFmpeg lacks the codecs.
    package init?(
        of asset: Asset, stream: Asset.Stream, as form: Form = .kept, for container: Container
    ) throws {
        self.asset = asset
        self.stream = stream
        demuxer = try Demuxer.reopening(asset)
        demuxer.select([stream.index])
        guard case .subtitle(let kind) = stream.content else {
            return nil
        }
        let codec = demuxer.stream(stream.index).pointee.codecpar.pointee.codec_id
        switch kind {
        case .bitmap:
            guard container.holds(.bitmap) else {
                return nil
            }
            transcoder = nil
        case .text:
            guard let target = container.textSubtitleCodecs.first else {
                return nil
            }
            let held = form == .kept ? container.textSubtitleCodecs : [target]
            transcoder =
                held.contains { $0.rawValue == codec.rawValue }
                ? nil
                : try SubtitleTranscoder(
                    from: demuxer.stream(stream.index), to: target, path: asset.path)
        }
    }

    /// The description of the stream that the muxer needs.
    package func encodedFormat() throws -> EncodedFormat {
        try transcoder?.encodedFormat()
            ?? EncodedFormat(copying: demuxer.stream(stream.index), path: asset.path)
    }

    /// Returns the next subtitle, or nil after the last. Damaged subtitles are skipped.
    package func next() throws -> Cue? {
        while let packet = try readPacket() {
            let raw = packet.pointer.pointee
            let base = demuxer.stream(stream.index).pointee.time_base
            guard Int(raw.stream_index) == stream.index, raw.size > 2,
                let start = RationalTime(raw.pts, in: base)?.relative(to: asset.origin),
                let lasts = RationalTime(max(0, raw.duration), in: base),
                let end = try? start + lasts,
                let written = try transcoder.map({ try $0.transcode(packet) }) ?? packet
            else {
                continue
            }
            return Cue(start: start, end: end, packet: written)
        }
        return nil
    }

    /// Ends at damage that can't be skipped. The readers of video and audio report where that is.
    private func readPacket() throws -> Packet? {
        do {
            return try demuxer.readPacket()
        } catch let error as MediaError where error.code == .damaged {
            return nil
        }
    }
}

/// Converts text subtitles from one form to another.
final class SubtitleTranscoder {
    private let decoder: UnsafeMutablePointer<AVCodecContext>
    private let encoder: UnsafeMutablePointer<AVCodecContext>
    private let path: String

    init(
        from stream: UnsafeMutablePointer<AVStream>, to target: AVCodecID, path: String
    ) throws {
        self.path = path
        guard let source = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id),
            let codec = avcodec_find_encoder(target)
        else {
            throw MediaError(
                .unsupported, file: path,
                reason: "this FFmpeg can't convert these subtitles")
        }
        decoder = try allocated(avcodec_alloc_context3(source), path)
        encoder = try allocated(avcodec_alloc_context3(codec), path)
        try check(
            avcodec_parameters_to_context(decoder, stream.pointee.codecpar),
            doing: "reading the subtitles", path, as: .damaged)
        decoder.pointee.pkt_timebase = stream.pointee.time_base
        try check(
            avcodec_open2(decoder, source, nil), doing: "opening the subtitles", path,
            as: .unsupported)
        encoder.pointee.time_base = AVRational(num: 1, den: 1000)
        try copyHeader()
        try check(
            avcodec_open2(encoder, codec, nil), doing: "converting the subtitles", path,
            as: .unsupported)
    }

    deinit {
        var decoder: UnsafeMutablePointer<AVCodecContext>? = decoder
        avcodec_free_context(&decoder)
        var encoder: UnsafeMutablePointer<AVCodecContext>? = encoder
        avcodec_free_context(&encoder)
    }

    /// Copies the decoder's header, which holds the styles that the encoder looks up.
    private func copyHeader() throws {
        let size = Int(decoder.pointee.subtitle_header_size)
        guard size > 0, let header = decoder.pointee.subtitle_header else {
            return
        }
        guard let copy = av_mallocz(size + 1) else {
            throw MediaError(.library, file: path, reason: "out of memory")
        }
        copy.copyMemory(from: header, byteCount: size)
        encoder.pointee.subtitle_header = copy.assumingMemoryBound(to: UInt8.self)
        encoder.pointee.subtitle_header_size = CInt(size)
    }

    func encodedFormat() throws -> EncodedFormat {
        try EncodedFormat(of: encoder, path: path)
    }

    /// Returns nil if the packet holds nothing to show.
    func transcode(_ packet: Packet) throws -> Packet? {
        var subtitle = AVSubtitle()
        var isComplete: CInt = 0
        let result = avcodec_decode_subtitle2(decoder, &subtitle, &isComplete, packet.pointer)
        guard result >= 0, isComplete != 0 else {
            return nil
        }
        defer { avsubtitle_free(&subtitle) }
        guard subtitle.num_rects > 0 else {
            return nil
        }
        let capacity = 1 << 16
        let made = try Packet()
        try check(
            av_new_packet(made.pointer, CInt(capacity)), doing: "converting the subtitles", path,
            as: .library)
        subtitle.pts = 0
        subtitle.end_display_time -= min(subtitle.start_display_time, subtitle.end_display_time)
        subtitle.start_display_time = 0
        let size = try check(
            avcodec_encode_subtitle(
                encoder, made.pointer.pointee.data, CInt(capacity), &subtitle),
            doing: "converting the subtitles", path, as: .damaged)
        guard size > 0 else {
            return nil
        }
        av_shrink_packet(made.pointer, size)
        return made
    }
}
