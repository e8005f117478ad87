/// How much of a file is believed, and how much it may ask for, before anything is known of it.
///
/// A header of a few bytes may promise pictures of gigabytes or years of sound. These bounds lie far
/// beyond what cameras and editors make.
enum MediaLimits {
    /// The most streams that a file may have.
    static let streamCount = 500
    /// Bytes that are read to find out what a file's streams are.
    static let probeBytes = 5_000_000
    /// Seconds of computing in which the header of a file of so many bytes must be read. Some of a few bytes
    /// keep libav busy for minutes.
    static func openingSeconds(forBytes count: Int64) -> Double {
        2 + Double(count) * 1e-7
    }
    /// Seconds of computing in which a file's streams must be known then: libav decodes some large pictures to
    /// learn of them.
    static func findingSeconds(forBytes count: Int64) -> Double {
        30 + Double(count) * 1e-7
    }
    /// The most pixels of a picture that is decoded: 16384 by 8192.
    static let pixelCount = 1 << 27
    /// Samples a second of sound that is decoded.
    static let sampleRates = 100...6_144_000
    /// The most samples that one decoded packet becomes, of all channels: its own rate and the stream's may
    /// lie 60 000 times apart.
    static let convertedSamples = 1 << 24
    /// Seconds that a packet of sound may last. Where Ogg streams are chained, libav states 2³² samples.
    static let soundPacketSeconds = 3600.0
    /// Seconds that a file may last: three years.
    static let durationSeconds = 1e8
    /// Seconds from the container's zero at which a file may start.
    static let originSeconds = 1e10
    /// A rate that the pictures themselves don't bear out is not believed above so many a second.
    static let plainFrameRate = 240.0
    /// No rate above so many a second is believed.
    static let highestFrameRate = 10_000.0

    /// Kinds of files that are read, by libav's names of their demuxers.
    ///
    /// Not among them is whatever names other files or addresses (hls, dash, concat, imf, sdp, rtsp,
    /// image2, …), whatever is a device (lavfi, v4l2, …), and text.
    static let formats: Set<String> = [
        // Containers.
        "mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "avi", "mpegts", "mpeg", "flv", "asf", "asf_o",
        "ogg", "mxf", "gxf", "nut", "rm", "dv", "wtv", "ivf", "yuv4mpegpipe", "lxf", "nuv", "pva",
        // Pictures without a container.
        "h264", "hevc", "vvc", "av1", "obu", "m4v", "mpegvideo", "h261", "h263", "vc1", "vc1test",
        "mjpeg", "dnxhd", "dirac", "cavsvideo", "avs2", "avs3", "gif", "apng", "evc",
        // Sound.
        "wav", "w64", "aiff", "caf", "au", "voc", "sox", "ircam", "iff", "flac", "mp3", "aac",
        "loas",
        "ac3", "eac3", "ac4", "dts", "dtshd", "truehd", "mlp", "amr", "amrnb", "amrwb", "ape",
        "tta", "tak",
        "wv", "mpc", "mpc8", "shn", "dsf", "oma", "aptx", "aptx_hd", "gsm", "act", "qcp", "sbc",
        "osq",
        // Still pictures.
        "png_pipe", "jpeg_pipe", "webp_pipe", "bmp_pipe", "tiff_pipe", "jpegxl_pipe", "j2k_pipe",
        "exr_pipe", "dpx_pipe", "qoi_pipe", "ppm_pipe", "pgm_pipe", "pam_pipe", "sgi_pipe",
    ]

    /// Demuxers whose files name other files or addresses.
    static let lists: Set<String> = [
        "hls", "dash", "concat", "imf", "sdp", "rtsp", "rtp", "image2", "ffmetadata",
        "webm_dash_manifest",
        "tedcaptions", "vapoursynth", "avisynth", "sap",
    ]
}
