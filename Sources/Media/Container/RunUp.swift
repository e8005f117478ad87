import CLibAV
import TimeMaps

/// What is known of the sound at a stream's start that isn't played and that no packet states.
///
/// | codec | the delay is learned from |
/// | --- | --- |
/// | AAC | the edit list of MP4 and MOV, the delay of Matroska; else from when the video begins (``Asset/endOfPriming``) |
/// | MP3 | LAME's header, the edit list of MP4, the delay of Matroska |
/// | Opus | the codec's header |
/// | Vorbis | the first packet, which only prepares the second |
/// | Windows Media Audio | the first frame, which only prepares the second; its length follows from the sample rate |
///
/// AC-3, MP2, DTS, SBC and others state nowhere what their encoders add (up to 11 ms), nor does MP3 without LAME's header
/// (1105 samples); all players play it.
extension AVCodecParameters {
    /// How long the run-up at the start of a stream is; zero for codecs that have none or whose packets state it.
    ///
    /// - Parameters:
    ///   - start: the time of the stream's first packet.
    ///   - length: how long that packet lasts.
    ///   - timeBase: what times are rounded to.
    func runUp(
        from start: RationalTime, firstLasting length: RationalTime, in timeBase: AVRational
    ) -> RationalTime {
        switch codec_id {
        case AV_CODEC_ID_OPUS where start < .zero && initial_padding > 0:
            return RationalTime(Int64(initial_padding), over: 48_000)
        case AV_CODEC_ID_VORBIS:
            return length
        case AV_CODEC_ID_WMAV1, AV_CODEC_ID_WMAV2:
            let ticks = av_rescale_q(
                windowsMediaFrame, AVRational(num: 1, den: sample_rate), timeBase)
            return RationalTime(ticks, in: timeBase) ?? .zero
        default:
            return .zero
        }
    }

    /// The number of samples in a frame of Windows Media Audio 1 and 2.
    private var windowsMediaFrame: Int64 {
        switch sample_rate {
        case ...16_000: 512
        case ...22_050: 1024
        case ...32_000 where codec_id == AV_CODEC_ID_WMAV1: 1024
        default: 2048
        }
    }
}
