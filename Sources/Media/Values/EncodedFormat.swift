import CLibAV
import Foundation

/// What a file must know of a stream before its packets are written.
///
/// An encoder stays on its own thread; this is what it lets the writer have.
// @unchecked: nothing is written after `init`.
package final class EncodedFormat: @unchecked Sendable {
    let parameters: UnsafeMutablePointer<AVCodecParameters>
    let timeBase: AVRational
    let frameRate: AVRational
    /// The old container's word for the codec; 0 for none.
    let copiedTag: UInt32

    /// What an encoder makes.
    init(of encoder: UnsafeMutablePointer<AVCodecContext>, path: String) throws {
        parameters = try allocated(avcodec_parameters_alloc(), path)
        timeBase = encoder.pointee.time_base
        frameRate = encoder.pointee.framerate
        copiedTag = 0
        try check(
            avcodec_parameters_from_context(parameters, encoder), doing: "describing a stream",
            path, as: .library)
    }

    /// What a file holds.
    ///
    /// - Parameters:
    ///   - ticksPerSecond: of the times that packets will be given; nil where they keep theirs.
    ///   - rate: the average that they will have then.
    init(
        copying stream: UnsafeMutablePointer<AVStream>, path: String, ticksPerSecond: Int32? = nil,
        rate: FrameRate? = nil
    ) throws {
        parameters = try allocated(avcodec_parameters_alloc(), path)
        timeBase =
            ticksPerSecond.map { AVRational(num: 1, den: $0) } ?? stream.pointee.time_base
        frameRate =
            ticksPerSecond == nil
            ? stream.pointee.avg_frame_rate : rate?.rational ?? AVRational(num: 0, den: 1)
        try check(
            avcodec_parameters_copy(parameters, stream.pointee.codecpar),
            doing: "describing a stream", path, as: .library)
        // The tag is the old container's word for the codec, of use only to one of its kind.
        copiedTag = parameters.pointee.codec_tag
        parameters.pointee.codec_tag = 0
    }

    /// How many pictures later than in the order of decoding they are shown, at the most.
    package var reorderingDelay: Int {
        max(0, Int(parameters.pointee.video_delay))
    }

    /// Whether a decoder that was told of one can go on with packets of the other.
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
