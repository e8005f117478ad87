/// Limits for what a file may claim, and for the resources that it may use.
///
/// A header of a few bytes may claim frames of gigabytes or years of sound. The limits are far above what cameras
/// and editors make.
enum MediaLimits {
    /// The maximum number of streams in a file.
    static let streamCount = 500
    /// How many bytes are read to find out what a file's streams are.
    static let probeBytes = 5_000_000
    /// The CPU time budget, in seconds, for reading the header of a file of `count` bytes. Some headers of a few
    /// bytes keep libav busy for minutes.
    static func openingSeconds(forBytes count: Int64) -> Double {
        2 + Double(count) * 1e-7
    }
    /// The CPU time budget, in seconds, for finding out the parameters of the streams afterwards. It is larger
    /// because libav decodes some frames for that, which may be large.
    static func findingSeconds(forBytes count: Int64) -> Double {
        30 + Double(count) * 1e-7
    }
    /// The maximum number of pixels of a frame: 16384 by 8192.
    static let pixelCount = 1 << 27
    /// The sample rates, in Hz, of sound that is decoded.
    static let sampleRates = 100...6_144_000
    /// The maximum number of samples, summed over all channels, that a decoded packet may be resampled to. The
    /// rates of a packet and of its stream may differ by a factor of 60,000.
    static let convertedSamples = 1 << 24
    /// The maximum duration of an audio packet, in seconds. For chained Ogg streams libav states 2³² samples.
    static let soundPacketSeconds = 3600.0
    /// The maximum duration of a file, in seconds: three years.
    static let durationSeconds = 1e8
    /// The maximum distance of a file's start from the container's zero, in seconds.
    static let originSeconds = 1e10
    /// In frames per second. Above this, a declared frame rate must fit the number of frames, or it is ignored.
    static let plainFrameRate = 240.0
    /// In frames per second. A declared frame rate above this is always ignored.
    static let highestFrameRate = 10_000.0

    /// The file formats that are read, by libav's names of their demuxers.
    ///
    /// Formats that refer to other files or addresses (hls, dash, concat, imf, sdp, rtsp, image2, …), devices
    /// (lavfi, v4l2, …) and text are not among them.
    static let formats = Set([
        // Containers.
        "mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "avi", "mpegts", "mpeg", "flv", "asf", "asf_o",
        "ogg", "mxf", "gxf", "nut", "rm", "dv", "wtv", "ivf", "yuv4mpegpipe", "lxf", "nuv", "pva",
        // Video without a container, with a header of its own.
        "vc1test", "gif", "apng",
        // Sound with a header.
        "wav", "w64", "aiff", "caf", "au", "voc", "sox", "ircam", "iff", "flac", "dtshd", "amr",
        "amrnb", "amrwb", "ape", "tta", "tak", "wv", "mpc", "mpc8", "shn", "dsf", "oma", "act",
        "qcp", "osq",
        // Still images.
        "png_pipe", "jpeg_pipe", "webp_pipe", "bmp_pipe", "tiff_pipe", "jpegxl_pipe", "j2k_pipe",
        "exr_pipe", "dpx_pipe", "qoi_pipe", "ppm_pipe", "pgm_pipe", "pam_pipe", "sgi_pipe",
    ]).union(rawStreams)

    /// Demuxers of streams without a container or a header. They are recognised by a few bits that recur, which
    /// random bytes have, too.
    static let rawStreams: Set<String> = [
        "h264", "hevc", "vvc", "av1", "obu", "m4v", "mpegvideo", "h261", "h263", "vc1", "mjpeg",
        "dnxhd", "dirac", "cavsvideo", "avs2", "avs3", "evc",
        "mp3", "aac", "loas", "ac3", "eac3", "ac4", "dts", "truehd", "mlp", "aptx", "aptx_hd",
        "gsm", "sbc",
    ]

    /// File extensions that promise a container, so that the file can't be a raw stream.
    static let containerEndings: Set<String> = [
        "mkv", "mka", "mks", "mk3d", "webm", "mp4", "m4a", "m4b", "mov", "qt", "3gp", "3g2", "mj2",
        "avi", "wmv", "wma", "asf", "flv", "f4v", "ogg", "ogv", "oga", "opus", "mxf", "nut", "wav",
        "w64", "aiff", "aif", "caf",
    ]

    /// Demuxers whose files refer to other files or addresses.
    static let lists: Set<String> = [
        "hls", "dash", "concat", "imf", "sdp", "rtsp", "rtp", "image2", "ffmetadata",
        "webm_dash_manifest",
        "tedcaptions", "vapoursynth", "avisynth", "sap",
    ]
}
