import CLibAV

/// FFmpeg's libraries as they were loaded, which may be newer than the headers that were compiled
/// against.
package enum LoadedFFmpeg {
    /// FFmpeg's release as whoever built it named it, such as "7.1.1-1".
    package static var release: String { String(cString: av_version_info()) }

    /// Name and version of each library, such as "libavcodec" and "61.19.101".
    package static var libraries: [(name: String, version: String)] {
        [
            ("libavutil", avutil_version()), ("libavcodec", avcodec_version()),
            ("libavformat", avformat_version()), ("libswscale", swscale_version()),
            ("libswresample", swresample_version()),
        ].map { ($0, "\($1 >> 16).\($1 >> 8 & 0xFF).\($1 & 0xFF)") }
    }

    /// The licences that the libraries say they are under, such as "GPL version 2 or later", each
    /// once: distributions replace single libraries with builds under another licence.
    package static var licences: [String] {
        let texts = [
            avutil_license(), avcodec_license(), avformat_license(), swscale_license(),
            swresample_license(),
        ].compactMap { $0.map { String(cString: $0) } }
        return Array(Set(texts)).sorted()
    }
}
