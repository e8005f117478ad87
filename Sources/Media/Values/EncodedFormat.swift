import CLibAV
import Foundation

/// The description of a stream that a muxer needs before packets are written.
///
/// An encoder stays on its own thread; this value may be passed to the thread of the muxer.
// @unchecked: immutable after `init`.
package final class EncodedFormat: @unchecked Sendable {
    let parameters: UnsafeMutablePointer<AVCodecParameters>
    let timeBase: AVRational
    let frameRate: AVRational
    /// The codec tag in the container that the stream is copied from; 0 for none.
    let copiedTag: UInt32
    /// Whether each keyframe brings what a decoder has to know before it, so that it may change in the middle.
    package let hasHeadersInPackets: Bool
    /// Whether all of these are also in front, as the header of the stream.
    let statesAllHeaders: Bool

    /// Describes what an encoder makes.
    init(of encoder: UnsafeMutablePointer<AVCodecContext>, path: String) throws {
        parameters = try allocated(avcodec_parameters_alloc(), path)
        timeBase = encoder.pointee.time_base
        frameRate = encoder.pointee.framerate
        copiedTag = 0
        (hasHeadersInPackets, statesAllHeaders) = (false, true)
        try check(
            avcodec_parameters_from_context(parameters, encoder), doing: "describing a stream",
            path, as: .library)
    }

    /// Describes a stream of a file whose packets are copied.
    ///
    /// - Parameters:
    ///   - retimed: the time base of the packets' new times, and the average frame rate that results; nil if they keep
    ///     their times.
    init(
        copying stream: UnsafeMutablePointer<AVStream>, path: String,
        retimed: (timeBase: AVRational, rate: FrameRate?)? = nil
    ) throws {
        parameters = try allocated(avcodec_parameters_alloc(), path)
        (hasHeadersInPackets, statesAllHeaders) = (false, true)
        timeBase = retimed?.timeBase ?? stream.pointee.time_base
        frameRate =
            retimed.map { $0.rate?.rational ?? AVRational(num: 0, den: 1) }
            ?? stream.pointee.avg_frame_rate
        try check(
            avcodec_parameters_copy(parameters, stream.pointee.codecpar),
            doing: "describing a stream", path, as: .library)
        // The container's aspect ratio counts for players, and not the one in the packets.
        if let aspect = stream.pointee.sample_aspect_ratio.known {
            parameters.pointee.sample_aspect_ratio = aspect
        }
        // A codec tag is valid only in a container of the same kind.
        copiedTag = parameters.pointee.codec_tag
        parameters.pointee.codec_tag = 0
    }

    /// Describes packets that were made of those of a stream, or come beside them.
    private init(
        _ format: EncodedFormat, with parameters: UnsafePointer<AVCodecParameters>,
        hasHeadersInPackets: Bool, statesAllHeaders: Bool, _ path: String
    ) throws {
        self.parameters = try allocated(avcodec_parameters_alloc(), path)
        (timeBase, frameRate, copiedTag) = (format.timeBase, format.frameRate, 0)
        (self.hasHeadersInPackets, self.statesAllHeaders) = (hasHeadersInPackets, statesAllHeaders)
        try check(
            avcodec_parameters_copy(self.parameters, parameters), doing: "describing a stream",
            path, as: .library)
        self.parameters.pointee.codec_tag = 0
    }

    /// Describes packets into which the headers of a stream were put.
    convenience init(
        _ format: EncodedFormat,
        withHeadersInPackets rewritten: UnsafePointer<AVCodecParameters>, _ path: String
    ) throws {
        try self.init(
            format, with: rewritten, hasHeadersInPackets: true, statesAllHeaders: false, path)
    }

    /// Describes sound with this many samples before the first one that is heard.
    package convenience init(_ format: EncodedFormat, padding: Int, path: String) throws {
        try self.init(
            format, with: format.parameters, hasHeadersInPackets: false, statesAllHeaders: true,
            path)
        parameters.pointee.initial_padding = CInt(padding)
    }

    /// Describes packets of two streams of one codec with headers in packets after start codes, whose parameter sets have
    /// different numbers.
    package convenience init(
        _ format: EncodedFormat, besides other: EncodedFormat, path: String
    ) throws {
        try self.init(
            format, with: format.parameters, hasHeadersInPackets: true, statesAllHeaders: true,
            path)
        let (own, its) = (format.parameters.pointee, other.parameters.pointee)
        let count = Int(own.extradata_size + its.extradata_size)
        av_freep(&parameters.pointee.extradata)
        let bytes = try allocated(
            av_mallocz(count + Int(AV_INPUT_BUFFER_PADDING_SIZE))?
                .assumingMemoryBound(to: UInt8.self), path)
        memcpy(bytes, own.extradata, Int(own.extradata_size))
        memcpy(bytes + Int(own.extradata_size), its.extradata, Int(its.extradata_size))
        parameters.pointee.extradata = bytes
        parameters.pointee.extradata_size = CInt(count)
    }

    /// By how many frames presentation lags behind decoding at most, because of reordering.
    package var reorderingDelay: Int {
        let stated = max(0, Int(parameters.pointee.video_delay))
        // FFmpeg doesn't say it of x265, which reorders by up to two frames with its pyramid of B-frames.
        return parameters.pointee.codec_id == AV_CODEC_ID_HEVC ? max(2, stated) : stated
    }

    /// Whether a decoder that was set up for one stream can also decode packets of the other.
    package func hasSameHeader(as other: EncodedFormat) -> Bool {
        let (own, its) = (parameters.pointee, other.parameters.pointee)
        guard own.codec_id == its.codec_id, own.extradata_size == its.extradata_size,
            own.video_delay == its.video_delay
        else {
            return false
        }
        return own.extradata_size == 0
            || memcmp(own.extradata, its.extradata, Int(own.extradata_size)) == 0
    }

    deinit {
        var parameters: UnsafeMutablePointer<AVCodecParameters>? = parameters
        avcodec_parameters_free(&parameters)
    }
}
