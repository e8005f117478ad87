import CLibAV
import Foundation

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

    /// The processor features that FFmpeg uses, as bits of libavutil's own.
    package static var processorFeatures: Int32 { av_get_cpu_flags() }

    /// Features that say that something is slow, not that it can be used.
    private static let slowness: Int32 = 0x7E00_0000

    /// The kind of processor.
    package static var processor: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "another processor"
        #endif
    }

    /// Makes FFmpeg use exactly these processor features, for the whole process.
    ///
    /// - Returns: false if this processor lacks some of them.
    package static func limitProcessorFeatures(to features: Int32) -> Bool {
        let needed = features & ~slowness
        guard processorFeatures & needed == needed else {
            return false
        }
        av_force_cpu_flags(features)
        return true
    }

    /// The files of code in this process that decode, compute or encode: the program, FFmpeg's libraries, the libraries
    /// of codecs, and the one of mathematical functions. Only the program, where the system doesn't list them.
    package static var codeFiles: [String] {
        let names = [
            "libav", "libswscale", "libswresample", "libx264", "libx265", "libSvtAv1", "libvpx",
            "libopus", "libm.so",
            "libm-",
            "libdav1d", "libaom", "librav1e",
        ]
        let (program, loaded) = loadedFiles
        return Set(loaded).filter { path in
            let name = path.split(separator: "/").last ?? ""
            return path == program || names.contains { name.hasPrefix($0) }
        }.sorted()
    }

    /// The file of the program, and those of all that is loaded into this process.
    private static var loadedFiles: (program: String, all: [String]) {
        #if canImport(Darwin)
            // The first image is the program. Libraries of the system itself are no files, and go with its version.
            let images = (0..<_dyld_image_count()).compactMap { index in
                _dyld_get_image_name(index).map { String(cString: $0) }
            }
            return (images.first ?? "", images)
        #else
            let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
            // A line for each part of the memory, with the file that it comes from.
            let file = FileHandle(forReadingAtPath: "/proc/self/maps")
            let maps = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
            return (
                program,
                maps.split(separator: "\n").compactMap { line in
                    line.firstIndex(of: "/").map { String(line[$0...]) }
                }
            )
        #endif
    }
}
