import CLibAV
import Foundation

/// Reads a file with FFmpeg's libraries and nothing of ours, as the program `ffmpeg` does, but in this process:
/// to start that program takes longer than to decode a short clip.
final class Witness {
    private let path: String
    private var input: UnsafeMutablePointer<AVFormatContext>?
    private var decoder: UnsafeMutablePointer<AVCodecContext>?
    private var scaler: OpaquePointer?
    private let packet = av_packet_alloc()
    private let frame = av_frame_alloc()

    /// - Throws: ``WitnessError`` if the file can't be opened.
    init(_ path: String) throws {
        self.path = path
        guard avformat_open_input(&input, path, nil, nil) >= 0,
            avformat_find_stream_info(input, nil) >= 0
        else {
            throw WitnessError(description: "FFmpeg can't open \(path)")
        }
    }

    deinit {
        sws_freeContext(scaler)
        avcodec_free_context(&decoder)
        avformat_close_input(&input)
        var (packet, frame) = (packet, frame)
        av_packet_free(&packet)
        av_frame_free(&frame)
    }

    private var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<Int(input!.pointee.nb_streams)).compactMap { input!.pointee.streams[$0] }
    }

    /// Each packet of the file: its stream, its times, its length and a checksum.
    func packets() -> [String] {
        var packets: [String] = []
        while av_read_frame(input, packet) >= 0 {
            let packet = packet!.pointee
            let bytes = UnsafeRawBufferPointer(start: packet.data, count: Int(packet.size))
            packets.append(
                "\(packet.stream_index) \(packet.dts) \(packet.pts) \(packet.duration) \(packet.size) "
                    + Self.checksum(of: bytes))
            av_packet_unref(self.packet)
        }
        return packets
    }

    /// Decodes a track, and passes over what can't be decoded.
    ///
    /// - Parameters:
    ///   - index: of the track among those of its type.
    ///   - body: takes each frame, and when it is shown or heard in seconds, by the file's clock; not a number if the
    ///     file doesn't say.
    func decode(
        _ type: AVMediaType, _ index: Int = 0,
        _ body: (_ frame: UnsafeMutablePointer<AVFrame>, _ seconds: Double) throws -> Void
    ) throws {
        let tracks = streams.filter { $0.pointee.codecpar.pointee.codec_type == type }
        guard tracks.indices.contains(index),
            let codec = avcodec_find_decoder(tracks[index].pointee.codecpar.pointee.codec_id)
        else {
            throw WitnessError(description: "no decodable track \(index) in \(path)")
        }
        let track = tracks[index].pointee
        decoder = avcodec_alloc_context3(codec)
        avcodec_parameters_to_context(decoder, track.codecpar)
        decoder!.pointee.pkt_timebase = track.time_base
        guard avcodec_open2(decoder, codec, nil) >= 0 else {
            throw WitnessError(description: "FFmpeg can't decode \(path)")
        }
        while av_read_frame(input, packet) >= 0 {
            if packet!.pointee.stream_index == track.index {
                avcodec_send_packet(decoder, packet)
                try take(track.time_base, body)
            }
            av_packet_unref(packet)
        }
        avcodec_send_packet(decoder, nil)
        try take(track.time_base, body)
    }

    private func take(
        _ timeBase: AVRational, _ body: (UnsafeMutablePointer<AVFrame>, Double) throws -> Void
    ) throws {
        while avcodec_receive_frame(decoder, frame) >= 0 {
            let ticks = frame!.pointee.best_effort_timestamp
            let seconds = Double(ticks) * Double(timeBase.num) / Double(timeBase.den)
            try body(frame!, ticks == TW_NO_PTS ? .nan : seconds)
            av_frame_unref(frame)
        }
    }

    /// The degrees that players turn the first video track by.
    var rotation: Double {
        let video = streams.first { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO }
        guard let video,
            let matrix = av_stream_get_side_data(video, AV_PKT_DATA_DISPLAYMATRIX, nil)
        else {
            return 0
        }
        return matrix.withMemoryRebound(to: Int32.self, capacity: 9) { av_display_rotation_get($0) }
    }

    /// Equal only for equal bytes, in one process.
    static func checksum(of bytes: UnsafeRawBufferPointer) -> String {
        var hasher = Hasher()
        hasher.combine(bytes: bytes)
        return "\(hasher.finalize())"
    }

    /// A checksum of the picture's bytes.
    static func checksum(of picture: AVFrame) -> String {
        let format = AVPixelFormat(picture.format)
        let count = av_image_get_buffer_size(format, picture.width, picture.height, 1)
        return withUnsafeTemporaryAllocation(byteCount: Int(count), alignment: 16) { bytes in
            let planes = [
                UnsafePointer(picture.data.0), UnsafePointer(picture.data.1),
                UnsafePointer(picture.data.2), UnsafePointer(picture.data.3),
            ]
            let strides = [
                picture.linesize.0, picture.linesize.1, picture.linesize.2, picture.linesize.3,
            ]
            av_image_copy_to_buffer(
                bytes.assumingMemoryBound(to: UInt8.self).baseAddress, count, planes, strides,
                format, picture.width, picture.height, 1)
            return checksum(of: UnsafeRawBufferPointer(bytes))
        }
    }

    /// Brightness without colour, 0 to 255, row after row.
    func gray(_ picture: UnsafeMutablePointer<AVFrame>) -> [UInt8] {
        let (width, height) = (picture.pointee.width, picture.pointee.height)
        var gray = av_frame_alloc()
        defer { av_frame_free(&gray) }
        scaler = sws_getCachedContext(
            scaler, width, height, AVPixelFormat(picture.pointee.format), width, height,
            AV_PIX_FMT_GRAY8,
            Int32(SWS_BICUBIC), nil, nil, nil)
        sws_scale_frame(scaler, gray, picture)
        let row = Int(gray!.pointee.linesize.0)
        return (0..<Int(height)).flatMap { line in
            UnsafeBufferPointer(start: gray!.pointee.data.0! + line * row, count: Int(width))
        }
    }

    /// The samples of a frame of sound, one array for each channel.
    static func samples(_ sound: UnsafeMutablePointer<AVFrame>) throws -> [[Float]] {
        var floats = av_frame_alloc()
        var resampler = swr_alloc()
        defer {
            swr_free(&resampler)
            av_frame_free(&floats)
        }
        floats!.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        floats!.pointee.sample_rate = sound.pointee.sample_rate
        av_channel_layout_copy(&floats!.pointee.ch_layout, &sound.pointee.ch_layout)
        guard swr_convert_frame(resampler, floats, sound) >= 0 else {
            throw WitnessError(description: "FFmpeg can't convert a frame of sound")
        }
        let count = Int(floats!.pointee.nb_samples)
        return (0..<Int(floats!.pointee.ch_layout.nb_channels)).map { channel in
            floats!.pointee.extended_data[channel]!.withMemoryRebound(
                to: Float.self, capacity: count
            ) { Array(UnsafeBufferPointer(start: $0, count: count)) }
        }
    }
}
