import CLibAV
import Foundation
import TimeMaps

/// Writes packets to a media file, which appears under its name only when it is complete, or to a stream.
///
/// The file is written under a temporary name in the same folder and renamed by `finish()`. If the muxer is
/// released before, the temporary file is removed. Used on one thread.
package final class Muxer {
    /// The destination, as the caller named it; of a stream a name for errors.
    package let path: String
    package let container: Container
    /// Nil for a stream.
    private let output: AtomicFile?
    /// Nil for a file.
    private let sink: ByteSink?
    let context: UnsafeMutablePointer<AVFormatContext>
    private var isStarted = false
    private var finishedMovie = FinishedMovie()
    /// By how much tracks are moved later, by the tracks' numbers.
    private var offsets: [Int: RationalTime] = [:]
    /// Whether a tag's name is that of a phone's or a camera's maker, such as `com.apple.quicktime.location.ISO6709`.
    var hasNamedKeys = false
    /// The DTS of each track's last packet, in its ticks.
    private var lastTimes: [Track: Int64] = [:]
    /// How many frames of a stream have been written, up to 2.
    private var framesBegun = 0

    /// How an MP4 is organised.
    package enum Layout: Sendable {
        /// One index for all packets.
        case whole
        /// A fragment with its own index for each GOP, so that the file can be played in parts.
        case fragments
        /// Fragments of about 0.2 s, which are played while the next ones are made.
        case stream
        /// Fragments of about two seconds or a GOP, which are never changed.
        case pipe
    }
    private let layout: Layout
    let keepsMetadata: Bool
    private let putsIndexFirst: Bool

    /// - Parameters:
    ///   - keepsMetadata: whether the tags of the file and of its tracks are written; else only languages are.
    ///   - putsIndexFirst: whether the index of an MP4 or MOV comes before its packets, for which these are moved at the end.
    /// - Throws: ``MediaError`` when the file exists, or can't be created.
    package init(
        creating path: String, as container: Container, existing: ExistingOutput,
        layout: Layout = .whole, keepsMetadata: Bool = true, putsIndexFirst: Bool = false
    ) throws {
        self.layout = layout
        self.keepsMetadata = keepsMetadata
        self.putsIndexFirst = putsIndexFirst
        self.path = path
        self.container = container
        let output = try AtomicFile(at: path, existing: existing)
        let url = "file:" + output.temporaryPath
        (self.output, sink) = (output, nil)
        context = try Self.context(for: container, url, path)
        try check(
            avio_open(&context.pointee.pb, url, AVIO_FLAG_WRITE), doing: "creating the file", path,
            as: .cannotCreate)
    }

    /// Writes to a function, by which nothing that was written is changed.
    ///
    /// - Parameters:
    ///   - name: what errors call it.
    ///   - layout: a stream, which is an MP4 and brings each fragment at once, or a pipe.
    ///   - write: takes the bytes, in order, and throws to end the writing.
    package init(
        streaming name: String, as container: Container = .mp4, layout: Layout = .stream,
        keepsMetadata: Bool = false, to write: @escaping (Data) throws -> Void
    ) throws {
        self.layout = layout
        (self.keepsMetadata, putsIndexFirst) = (keepsMetadata, false)
        (path, self.container) = (name, container)
        let sink = try ByteSink(name, write)
        (output, self.sink) = (nil, sink)
        context = try Self.context(for: container, nil, name)
        context.pointee.pb = sink.context
        context.pointee.flags |=
            AVFMT_FLAG_CUSTOM_IO | (layout == .stream ? AVFMT_FLAG_FLUSH_PACKETS : 0)
    }

    private static func context(
        for container: Container, _ url: String?, _ path: String
    ) throws -> UnsafeMutablePointer<AVFormatContext> {
        var made: UnsafeMutablePointer<AVFormatContext>?
        let result = avformat_alloc_output_context2(&made, nil, container.muxerName, url)
        guard result >= 0, let made else {
            throw libAVError(result, doing: "preparing the file", path, as: .cannotCreate)
        }
        // Writing Opus and FLAC to MP4 still counts as experimental in some versions.
        made.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        return made
    }

    deinit {
        if sink == nil, context.pointee.pb != nil {
            avio_closep(&context.pointee.pb)
        }
        avformat_free_context(context)
    }

    /// A stream of the file that is being written.
    package struct Track: Hashable, Comparable, Sendable {
        let index: Int

        package static func < (a: Track, b: Track) -> Bool {
            a.index < b.index
        }
    }

    /// Adds a stream, before ``start()``.
    ///
    /// - Parameters:
    ///   - source: the stream whose rotation, HDR metadata, tags and disposition are copied.
    ///   - offset: by how much all its packets are moved later, to a tick of the container.
    ///   - end: the time from which on nothing of it may be shown; nil for the end of its packets. The container must
    ///     have edit lists.
    package func add(
        _ format: EncodedFormat, like source: Asset.Stream?, movedBy offset: RationalTime = .zero,
        hiddenFrom end: RationalTime? = nil
    ) throws -> Track {
        guard let stream = avformat_new_stream(context, nil) else {
            throw MediaError(.library, file: path, reason: "out of memory")
        }
        try check(
            avcodec_parameters_copy(stream.pointee.codecpar, format.parameters),
            doing: "adding a stream", path, as: .incompatible)
        stream.pointee.time_base =
            offset == .zero ? format.timeBase : Self.fineTimeBase(format.timeBase)
        stream.pointee.avg_frame_rate = format.frameRate
        if layout != .whole, layout != .pipe {
            // The average bit rate differs from part to part, but all parts must have the same head.
            stream.pointee.codecpar.pointee.bit_rate = 0
        }
        stream.pointee.sample_aspect_ratio = format.parameters.pointee.sample_aspect_ratio
        if av_codec_get_id(context.pointee.oformat.pointee.codec_tag, format.copiedTag)
            == format.parameters.pointee.codec_id
        {
            // The tag may say more than the codec does: the kind of ProRes, for example.
            stream.pointee.codecpar.pointee.codec_tag = format.copiedTag
        }
        if container == .mp4 || container == .mov {
            Self.tag(stream.pointee.codecpar, hasAllHeaders: format.statesAllHeaders)
        }
        if format.parameters.pointee.codec_id == AV_CODEC_ID_RAWVIDEO {
            let stored = AVPixelFormat(format.parameters.pointee.format)
            stream.pointee.codecpar.pointee.codec_tag = avcodec_pix_fmt_to_codec_tag(stored)
            if container == .y4m {
                stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_WRAPPED_AVFRAME
            }
        }
        try keep(source, on: stream)
        finishedMovie.ends[Int(stream.pointee.index)] = end
        if container == .mov {
            finishedMovie.languages[Int(stream.pointee.index)] = source?.tags["language"]
        }
        offsets[Int(stream.pointee.index)] = offset == .zero ? nil : offset
        return Track(index: Int(stream.pointee.index))
    }

    /// Says in an MP4 or MOV where the headers of H.264 and HEVC are.
    private static func tag(
        _ parameters: UnsafeMutablePointer<AVCodecParameters>, hasAllHeaders: Bool
    ) {
        let isHEVC = parameters.pointee.codec_id == AV_CODEC_ID_HEVC
        if !hasAllHeaders {
            // "hev1" and "avc3" (ISO/IEC 14496-15).
            parameters.pointee.codec_tag = isHEVC ? 0x3176_6568 : 0x3363_7661
        } else if isHEVC {
            // "hvc1", the tag that Apple's players require.
            parameters.pointee.codec_tag = 0x3163_7668
        }
    }

    /// A time base for a track that doesn't begin on a tick of its own: ticks of at most 1/90 000 s, of which each of its
    /// ticks has a whole number.
    private static func fineTimeBase(_ base: AVRational) -> AVRational {
        let times = max(1, (90_000 + base.den - 1) / base.den)
        let (ticks, overflow) = base.den.multipliedReportingOverflow(by: times)
        return overflow ? base : AVRational(num: 1, den: ticks)
    }

    /// Writes the header. Streams can't be added after.
    package func start() throws {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if container == .wav {
            // A plain WAV can't state its length if it is over 4 GiB.
            av_dict_set(&options, "rf64", "auto", 0)
        }
        setLayout(&options)
        try checkWritten(
            avformat_write_header(context, &options), doing: "writing the header",
            as: .incompatible)
        isStarted = true
    }

    private func setLayout(_ options: inout OpaquePointer?) {
        switch layout {
        case .whole where container.hasEditLists:
            if let ticks = soundTicks {
                // Edit lists state how much of the last audio frame is played; their default precision is 1 ms.
                av_dict_set_int(&options, "movie_timescale", Int64(ticks), 0)
            }
            var flags = putsIndexFirst ? "+faststart" : ""
            // The usual form of tags has a list of names that it can hold, and those aren't in it.
            flags += hasNamedKeys ? "+use_metadata_tags" : ""
            if !flags.isEmpty {
                av_dict_set(&options, "movflags", flags, 0)
            }
        case .fragments, .stream:
            let cuts = layout == .stream ? "frag_discont+" : "frag_keyframe+"
            av_dict_set(&options, "movflags", cuts + "empty_moov+default_base_moof", 0)
            if layout == .stream {
                av_dict_set_int(&options, "frag_duration", 200_000, 0)
            }
            // No edit lists and no shifted times: the fragments state when tracks begin.
            av_dict_set(&options, "use_editlist", "0", 0)
            context.pointee.avoid_negative_ts = 0
        case .pipe where container.hasEditLists:
            // The header waits for the first packets of all tracks, and says when they begin.
            av_dict_set(&options, "movflags", "frag_keyframe+delay_moov+default_base_moof", 0)
            av_dict_set_int(&options, "frag_duration", 2_000_000, 0)
        case .pipe where container == .mkv:
            av_dict_set(&options, "live", "1", 0)
        case .whole, .pipe:
            break
        }
    }

    /// A timescale (ticks per second) in which the ends of all audio tracks are whole ticks; nil without audio, or
    /// if it would be too large.
    private var soundTicks: Int32? {
        var ticks: Int64 = 1
        for index in 0..<Int(context.pointee.nb_streams) {
            let parameters = context.pointee.streams[index]!.pointee.codecpar.pointee
            guard parameters.codec_type == AVMEDIA_TYPE_AUDIO, parameters.sample_rate > 0 else {
                continue
            }
            let rate = Int64(parameters.sample_rate)
            ticks = ticks / av_gcd(ticks, rate) * rate
            guard ticks <= Int32.max else {
                return nil
            }
        }
        return ticks > 1 ? Int32(ticks) : nil
    }

    /// Adds the encoder delay of Opus to the times in Matroska. Before FFmpeg 6.1, libav's muxer states that
    /// delay, and players subtract it, but the muxer doesn't add it to the times.
    private func addStatedDelay(
        _ packet: UnsafeMutablePointer<AVPacket>, of stream: UnsafeMutablePointer<AVStream>
    ) {
        let parameters = stream.pointee.codecpar.pointee
        guard container == .mkv || container == .webm, !MatroskaWriter.statesEncoderDelay,
            parameters.codec_id == AV_CODEC_ID_OPUS, parameters.sample_rate > 0
        else {
            return
        }
        let delay = av_rescale_q(
            Int64(parameters.initial_padding), AVRational(num: 1, den: parameters.sample_rate),
            packet.pointee.time_base)
        packet.pointee.pts = Packet.time(packet.pointee.pts, laterBy: delay)
        packet.pointee.dts = Packet.time(packet.pointee.dts, laterBy: delay)
    }

    /// Writes a packet. The packets of a stream must come in decoding order.
    package func write(_ packet: Packet, to track: Track) throws {
        precondition(isStarted, "start() must be called before packets are written")
        let stream = context.pointee.streams[track.index]!
        packet.pointer.pointee.stream_index = CInt(track.index)
        addStatedDelay(packet.pointer, of: stream)
        av_packet_rescale_ts(
            packet.pointer, packet.pointer.pointee.time_base, stream.pointee.time_base)
        packet.pointer.pointee.time_base = stream.pointee.time_base
        try offsets[track.index].map { packet.move(earlierBy: try RationalTime.zero - $0) }
        keepRising(packet.pointer, of: track, stream)
        if container == .y4m {
            let parameters = stream.pointee.codecpar.pointee
            try check(
                tw_wrap_frame(
                    packet.pointer, AVPixelFormat(parameters.format), parameters.width,
                    parameters.height), doing: "writing a frame", path, as: .library)
        }
        try checkWritten(
            av_interleaved_write_frame(context, packet.pointer), doing: "writing", as: .damaged)
        if layout == .stream, stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO {
            try sendFirstFrames()
        }
    }

    /// Ends a stream's first fragment after two frames: whoever has sought sees one as soon as it is there. The sound of one
    /// is there by then.
    private func sendFirstFrames() throws {
        guard framesBegun < 2 else {
            return
        }
        framesBegun += 1
        if framesBegun == 2 {
            try checkWritten(
                av_interleaved_write_frame(context, nil), doing: "writing", as: .damaged)
            try checkWritten(av_write_frame(context, nil), doing: "writing", as: .damaged)
        }
    }

    /// Moves a packet by ticks where its DTS, as the container rounds it, isn't later than the one before and has to be.
    private func keepRising(
        _ packet: UnsafeMutablePointer<AVPacket>, of track: Track,
        _ stream: UnsafeMutablePointer<AVStream>
    ) {
        let kind = stream.pointee.codecpar.pointee.codec_type
        guard context.pointee.oformat.pointee.flags & AVFMT_TS_NONSTRICT == 0,
            packet.pointee.dts != TW_NO_PTS,
            [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].contains(kind)
        else {
            return
        }
        if let last = lastTimes[track], packet.pointee.dts <= last, last < .max {
            packet.pointee.dts = last + 1
            if packet.pointee.pts != TW_NO_PTS {
                packet.pointee.pts = max(packet.pointee.pts, last + 1)
            }
        }
        lastTimes[track] = packet.pointee.dts
    }

    /// Throws the disk's error, if there is one; otherwise libav's error.
    private func checkWritten(
        _ result: CInt, doing operation: String, as code: MediaError.Code
    ) throws {
        if let failure = sink?.failure {
            throw failure
        }
        guard result < 0 else {
            return
        }
        let diskError = context.pointee.pb.map { $0.pointee.error } ?? 0
        guard diskError < 0 else {
            throw libAVError(result, doing: operation, path, as: code)
        }
        throw systemError(
            tw_errno_from_error(diskError), doing: operation, path, as: .writeFailed)
    }

    /// Completes the file and renames it to its destination.
    ///
    /// - Throws: ``MediaError`` when the disk is full, or another file has got that name in the meantime. The temporary file
    ///   is then removed.
    package func finish() throws {
        try finish { _ in }
    }

    /// The same with a look at the file.
    ///
    /// - Parameter inspect: called with the path of the complete file before it is renamed; returns what was seen.
    /// - Throws: what ``finish()`` and `inspect` throw. The temporary file is then removed.
    package func finish<Seen>(
        inspect: (_ temporaryPath: String) throws -> Seen
    ) throws -> Seen {
        try finishStream()
        guard let output else {
            preconditionFailure("a stream leaves no file")
        }
        try check(
            avio_closep(&context.pointee.pb), doing: "closing", path, as: .writeFailed)
        if !finishedMovie.isFinished {
            try finishedMovie.apply(to: output)
        }
        let seen = try inspect(output.temporaryPath)
        try output.publish()
        return seen
    }

    /// Writes what is left to a stream.
    package func finishStream() throws {
        // If this fails and the disk has no error, the cause is a packet that the muxer had kept back.
        try checkWritten(av_write_trailer(context), doing: "writing the end", as: .damaged)
    }

    /// How many bytes have been written so far.
    package var byteCount: Int64 {
        context.pointee.pb.map { avio_seek($0, 0, SEEK_CUR) } ?? 0
    }
}
