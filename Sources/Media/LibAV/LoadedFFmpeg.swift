import CLibAV

/// The FFmpeg libraries that were loaded at run time, which may be newer than the headers at compile time.
package enum LoadedFFmpeg {
    /// The name of the FFmpeg release, chosen by those who built it, such as "7.1.1-1".
    package static var release: String { String(cString: av_version_info()) }

    /// The name and version of each library, such as "libavcodec" and "61.19.101".
    package static var libraries: [(name: String, version: String)] {
        [
            ("libavutil", avutil_version()), ("libavcodec", avcodec_version()),
            ("libavformat", avformat_version()), ("libswscale", swscale_version()),
            ("libswresample", swresample_version()),
        ].map { ($0, "\($1 >> 16).\($1 >> 8 & 0xFF).\($1 & 0xFF)") }
    }

    /// The licences that the libraries state, such as "GPL version 2 or later", without duplicates. There may be
    /// several, because distributions replace single libraries with builds under another licence.
    package static var licences: [String] {
        let texts = [
            avutil_license(), avcodec_license(), avformat_license(), swscale_license(),
            swresample_license(),
        ].compactMap { $0.map { String(cString: $0) } }
        return Array(Set(texts)).sorted()
    }
}
