import CLibAV
import Foundation

/// What libav found out about the streams of a file when it was opened first, so that it needn't look again.
///
/// Looking means to decode the first frames of every stream, which takes longer than all else about opening. It is left out
/// where a file's index has all times: elsewhere libav works out times by what it finds.
// @unchecked: immutable after `init`.
final class KnownStreams: @unchecked Sendable {
    private struct Known {
        let parameters: UnsafeMutablePointer<AVCodecParameters>
        let averageRate: AVRational
        let realRate: AVRational
        let aspect: AVRational
    }

    private var streams: [Known] = []

    /// - Throws: ``MediaError`` if there is no memory.
    init(of found: [AVStream], path: String) throws {
        for stream in found {
            let parameters = try allocated(avcodec_parameters_alloc(), path)
            streams.append(
                Known(
                    parameters: parameters, averageRate: stream.avg_frame_rate,
                    realRate: stream.r_frame_rate, aspect: stream.sample_aspect_ratio))
            try check(
                avcodec_parameters_copy(parameters, stream.codecpar), doing: "describing a stream",
                path, as: .library)
        }
    }

    /// Tells libav what the streams of the file are that it has opened again.
    ///
    /// - Returns: false if they are others.
    func describe(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
        guard context.pointee.nb_streams == streams.count else {
            return false
        }
        let pairs = streams.enumerated().map { ($1, context.pointee.streams[$0]!) }
        guard
            pairs.allSatisfy({
                Self.isStated($0.parameters.pointee, by: $1.pointee.codecpar.pointee)
            })
        else {
            return false
        }
        for (known, stream) in pairs {
            guard avcodec_parameters_copy(stream.pointee.codecpar, known.parameters) >= 0 else {
                return false
            }
            stream.pointee.avg_frame_rate = known.averageRate
            stream.pointee.r_frame_rate = known.realRate
            stream.pointee.sample_aspect_ratio = known.aspect
        }
        return true
    }

    /// Whether a header says the same of a stream.
    private static func isStated(
        _ known: AVCodecParameters, by header: AVCodecParameters
    ) -> Bool {
        known.codec_id == header.codec_id && known.codec_tag == header.codec_tag
            && known.width == header.width && known.height == header.height
            && known.sample_rate == header.sample_rate
            && known.ch_layout.nb_channels == header.ch_layout.nb_channels
            && known.extradata_size == header.extradata_size
            && (known.extradata_size == 0
                || memcmp(known.extradata, header.extradata, Int(known.extradata_size)) == 0)
    }

    deinit {
        for known in streams {
            var parameters: UnsafeMutablePointer<AVCodecParameters>? = known.parameters
            avcodec_parameters_free(&parameters)
        }
    }
}
