import CLibAV
import Foundation
import TimeMaps

/// Reads compressed packets from a local file.
///
/// Every reader owns a demuxer of its own, so that picture and sound can be read at different
/// places of one file, and none of them waits for another.
final class Demuxer {
    let path: String
    private let context: UnsafeMutablePointer<AVFormatContext>
    private var file: UnsafeMutablePointer<AVIOContext>?

    /// Opens the file and finds out what its streams are.
    ///
    /// - Throws: ``MediaError`` when it isn't there, is empty, or is no media file.
    init(opening path: String) throws {
        self.path = path
        _ = LibAVLog.install
        try Self.requireReadableFile(path)
        _ = LibAVLog.takeLastWords()
        // The prefix keeps a name such as "http:x" or "concat:a|b" a name.
        var file: UnsafeMutablePointer<AVIOContext>?
        let opening = avio_open(&file, "file:" + path, AVIO_FLAG_READ)
        guard opening >= 0, let file else {
            throw Self.notMedia(path, opening)
        }
        self.file = file
        var made = avformat_alloc_context()
        guard let new = made else {
            avio_closep(&self.file)
            throw MediaError(.library, file: path, reason: "there is no memory left")
        }
        new.pointee.pb = file
        // Nothing that the file names is opened on its behalf: no playlist's parts, no references. There
        // is no protocol of that name.
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "protocol_whitelist", "none", 0)
        // Frees what was made where it fails, but for the file.
        let result = avformat_open_input(&made, "file:" + path, nil, &options)
        guard result >= 0, let opened = made else {
            avio_closep(&self.file)
            throw Self.notMedia(path, result)
        }
        context = opened
        let found = avformat_find_stream_info(context, nil)
        guard found >= 0 else {
            throw Self.notMedia(path, found)
        }
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&pointer)
        avio_closep(&file)
    }

    private static func requireReadableFile(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let reason =
                errno == ENOENT ? "there is no such file" : String(cString: strerror(errno))
            throw MediaError(.noInput, file: path, reason: reason)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw MediaError(.noInput, file: path, reason: "it is a folder, not a media file")
        }
        guard access(path, R_OK) == 0 else {
            throw MediaError(.noInput, file: path, reason: String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT != S_IFREG || status.st_size > 0 else {
            throw MediaError(.damaged, file: path, reason: "the file is empty")
        }
    }

    private static func notMedia(_ path: String, _ result: CInt) -> MediaError {
        let error = libAVError(result, doing: "opening", path, as: .damaged)
        guard error.code == .damaged else {
            return error
        }
        return MediaError(
            .damaged, file: path, reason: "not a media file, or damaged: \(error.reason)",
            remedy: "Check that it plays in another program")
    }

    var formatName: String {
        String(cString: context.pointee.iformat.pointee.name)
    }

    var streamCount: Int {
        Int(context.pointee.nb_streams)
    }

    func stream(_ index: Int) -> UnsafeMutablePointer<AVStream> {
        context.pointee.streams[index]!
    }

    /// Calls `body` with libav's context, which must not outlive the call.
    func withContext<Result>(_ body: (UnsafeMutablePointer<AVFormatContext>) -> Result) -> Result {
        body(context)
    }

    /// Reads on in these streams only; the others' packets are passed over, unread where the
    /// container allows it.
    func select(_ wanted: Set<Int>) {
        for index in 0..<streamCount {
            stream(index).pointee.discard =
                wanted.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// The next packet of the selected streams, or nil at the end of the file.
    ///
    /// A damaged stretch is passed over where libav can find its way again.
    func readPacket() throws -> Packet? {
        let packet = try Packet()
        var damagedReads = 0
        while true {
            let result = av_read_frame(context, packet.pointer)
            if result >= 0 {
                return packet
            }
            if result == TW_ERROR_EOF {
                return nil
            }
            damagedReads += 1
            guard result == TW_ERROR_INVALID_DATA, damagedReads < 100 else {
                throw libAVError(result, doing: "reading", path, as: .readFailed)
            }
        }
    }
}
