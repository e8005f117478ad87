import CLibAV
import Foundation
import TimeMaps

/// Reads compressed packets from a local file.
///
/// Each reader has its own demuxer, so that video and audio can be read at different places of one file without
/// waiting for each other.
final class Demuxer {
    let path: String
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// The file; nil for a sequence of images, which libav opens one by one.
    private let input: InputFile?
    private var file: UnsafeMutablePointer<AVIOContext>? { input?.context }
    /// Reads times before zero, which libav doesn't; nil if the file isn't Matroska.
    private lazy var blockTimes = formatName.contains("matroska") ? BlockTimes(path) : nil
    /// Where the file's times start again, and what follows from it for the next packets; nil if they don't.
    private var restarts: (known: TimeRestarts, times: RestartedTimes)?
    /// The CPU time budget, which applies only while the file is opened. `file` and `context` check it, so it is
    /// released after them.
    private let bound = CPUTimeBudget()

    /// Opens the file and finds out what its streams are.
    ///
    /// Only this file is opened, and only if its format is one of ``MediaLimits/formats``. Other files that it
    /// refers to are never opened.
    ///
    /// - Parameters:
    ///   - fingerprint: what the file must still hold, as far as it is read; nil for anything.
    ///   - known: what its streams were when it was opened before; nil to look.
    /// - Throws: ``MediaError`` when the file is missing or empty, isn't a media file, is a list of other files,
    ///   or takes too much CPU time to open.
    init(
        opening path: String, holding fingerprint: FileFingerprint? = nil,
        knowing known: KnownStreams? = nil
    ) throws {
        self.path = path
        try Self.requireReadableFile(path)
        _ = LibAVLog.takeLastWords()
        do {
            input = try InputFile(path, holding: fingerprint, bound)
        } catch let failure as InputFile.OpeningFailure {
            try Self.requireUnchanged(failure.code, path)
            throw Self.notMedia(path, failure.code)
        }
        let file = input?.context
        let format = try Self.format(of: file, path)
        try Self.requireModestTables(path, in: file, as: format, bound)
        context = try Self.open(path, in: file, as: format, Self.usualOptions, bound)
        if known?.describe(context) != true {
            try findStreams()
        }
    }

    /// Opens the first of some images, from which the others are told.
    ///
    /// - Throws: ``MediaError`` when it is missing or isn't an image.
    init(opening images: ImageSequence) throws {
        path = images.path
        try Self.requireReadableFile(images.firstFile)
        _ = LibAVLog.takeLastWords()
        input = nil
        guard let format = av_find_input_format("image2") else {
            throw MediaError(.unsupported, file: path, reason: "this FFmpeg reads no images")
        }
        let options = [
            "pattern_type": "sequence", "start_number": "\(images.first)",
            "start_number_range": "1",
            "framerate": "\(images.rate)", "protocol_whitelist": "file",
            "format_whitelist": "image2",
        ]
        context = try Self.open(
            images.pattern, in: nil, as: format,
            Self.usualOptions.merging(options) { $1 }, bound)
        try findStreams()
    }

    /// The demuxer of the file's format.
    private static func format(
        of file: UnsafeMutablePointer<AVIOContext>?, _ path: String
    ) throws -> UnsafePointer<AVInputFormat> {
        var format: UnsafePointer<AVInputFormat>?
        var result = av_probe_input_buffer2(
            file, &format, "file:" + path, nil, 0, UInt32(MediaLimits.probeBytes))
        if result >= 0, let guess = format, String(cString: guess.pointee.name) == "image2" {
            // By its name it may be one of a sequence; only this one is read.
            format = nil
            result = av_probe_input_buffer2(
                file, &format, "", nil, 0, UInt32(MediaLimits.probeBytes))
        }
        guard result >= 0, let format else {
            try requireHealthy(file?.pointee.error ?? 0, path)
            throw notMedia(path, result)
        }
        let name = String(cString: format.pointee.name)
        guard !MediaLimits.lists.contains(name) else {
            throw MediaError(
                .unsupported, file: path,
                reason: "it is a list (\(name)) of other files or addresses, and those are never "
                    + "opened",
                remedy: "Name the media files themselves")
        }
        guard MediaLimits.formats.contains(name) else {
            throw MediaError(
                .unsupported, file: path, reason: "files of this kind (\(name)) are not read",
                remedy: "Convert it to .mp4, .mov, .mkv or .wav first")
        }
        try requirePromised(name, path)
        return format
    }

    private static let usualOptions = [
        // Nothing that the file refers to is opened, such as the parts of a playlist: no protocol is called "none".
        "protocol_whitelist": "none",
        // Files may contain files of other formats; these must be in the list, too.
        "format_whitelist": MediaLimits.formats.sorted().joined(separator: ","),
        "max_streams": "\(MediaLimits.streamCount)", "probesize": "\(MediaLimits.probeBytes)",
        // libav would take a part that begins earlier than the first one for one of 26 hours later.
        "correct_ts_overflow": "0",
    ]

    private static func open(
        _ path: String, in file: UnsafeMutablePointer<AVIOContext>?,
        as format: UnsafePointer<AVInputFormat>, _ settings: [String: String],
        _ bound: CPUTimeBudget
    ) throws -> UnsafeMutablePointer<AVFormatContext> {
        var made = avformat_alloc_context()
        guard let new = made else {
            throw MediaError(.library, file: path, reason: "out of memory")
        }
        new.pointee.pb = file
        new.pointee.interrupt_callback = bound.callback
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        for (name, value) in settings {
            av_dict_set(&options, name, value, 0)
        }
        // If it fails, avformat_open_input frees the context but not the file.
        let (result, excess) = bound.hold(
            to: MediaLimits.openingSeconds(forBytes: file == nil ? 0 : avio_size(file))
        ) {
            avformat_open_input(&made, "file:" + path, format, &options)
        }
        do {
            try requireBounded(excess, path)
            guard result >= 0, let opened = made else {
                try requireHealthy(file?.pointee.error ?? 0, path)
                throw notMedia(path, result)
            }
            return opened
        } catch {
            avformat_close_input(&made)
            throw error
        }
    }

    private func findStreams() throws {
        let (found, excess) = bound.hold(
            to: MediaLimits.findingSeconds(forBytes: file == nil ? 0 : avio_size(file))
        ) {
            Self.findStreams(context)
        }
        try Self.requireBounded(excess, path)
        try Self.requireHealthy(file?.pointee.error ?? 0, path)
        guard found >= 0 else {
            throw Self.notMedia(path, found)
        }
    }

    /// Reads packets until the parameters of all streams are known, as far as possible.
    private static func findStreams(_ context: UnsafeMutablePointer<AVFormatContext>) -> CInt {
        let count = Int(context.pointee.nb_streams)
        var options = [OpaquePointer?](repeating: nil, count: count)
        defer {
            for index in options.indices {
                av_dict_free(&options[index])
            }
        }
        for index in options.indices {
            av_dict_set_int(&options[index], "max_pixels", Int64(MediaLimits.pixelCount), 0)
        }
        return avformat_find_stream_info(context, &options)
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&pointer)
    }

    /// Opens the file of an asset again.
    ///
    /// - Throws: ``MediaError`` when the file can't be opened, is gone, or has lost streams.
    static func reopening(_ asset: Asset) throws -> Demuxer {
        let demuxer: Demuxer
        do {
            demuxer =
                try asset.images.map(Demuxer.init(opening:))
                ?? Demuxer(
                    opening: asset.path, holding: asset.fingerprint, knowing: asset.knownStreams)
        } catch let error as MediaError where error.code == .noInput {
            throw MediaError(
                .diskFailed, file: asset.path,
                reason: "it was there before and is gone: \(error.reason)")
        }
        demuxer.follow(asset.restarts)
        guard demuxer.streamCount >= asset.streams.count else {
            throw MediaError(.changed, file: asset.path, reason: "the file changed while in use")
        }
        return demuxer
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

    /// Calls `body` with libav's context, which is valid only during the call.
    func withContext<Result>(_ body: (UnsafeMutablePointer<AVFormatContext>) -> Result) -> Result {
        body(context)
    }

    /// From now on only packets of these streams are read. Those of other streams are discarded, without being
    /// read from the disk if the container allows that.
    func select(_ wanted: Set<Int>) {
        for index in 0..<streamCount {
            stream(index).pointee.discard =
                wanted.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// From now on packets that have only a DTS get a PTS, which libav derives from the packets after them.
    func completeTimes() {
        context.pointee.flags |= AVFMT_FLAG_GENPTS
    }

    /// Whether times may start again in the middle of a file, because files of this format may be joined byte by byte.
    var mayRestart: Bool {
        context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0
    }

    /// How large the file is, in bytes; 0 if that is unknown.
    var byteCount: Int64 { file.map { max(0, avio_size($0)) } ?? 0 }

    /// From now on packets have the times at which they are played. Called before any is read.
    func follow(_ known: TimeRestarts?) {
        restarts = known.map { ($0, RestartedTimes($0)) }
    }

    /// Seeks to a keyframe of a stream at or before a time, or further back.
    ///
    /// - Parameter timestamp: in ticks of the stream's time base.
    /// - Returns: whether libav could seek.
    func seek(to timestamp: Int64, of index: Int) -> Bool {
        guard let known = restarts?.known else {
            return av_seek_frame(context, CInt(index), timestamp, AVSEEK_FLAG_BACKWARD) >= 0
        }
        // libav searches for times that rise throughout the file.
        let seconds = Double(timestamp) * av_q2d(stream(index).pointee.time_base)
        let position = known.position(before: seconds)
        restarts?.times = RestartedTimes(known, from: position)
        return av_seek_frame(context, -1, position, AVSEEK_FLAG_BYTE) >= 0
    }

    /// Corrects what libav says wrongly of a packet.
    private func mended(_ packet: Packet) -> Packet {
        let stream = stream(Int(packet.pointer.pointee.stream_index))
        packet.mendKeyFlag(of: stream.pointee.codecpar.pointee.codec_id)
        if let block = blockTimes?.time(of: packet) {
            packet.pointer.pointee.pts = block
        }
        restarts?.times.move(packet, in: stream.pointee.time_base)
        return packet
    }

    /// Returns the next packet of the selected streams, or nil at the end of the file.
    ///
    /// Damage is skipped if libav finds the next packet after it.
    ///
    /// - Throws: ``MediaError``: `damaged` if it doesn't, `diskFailed` if the disk can't be read.
    func readPacket() throws -> Packet? {
        let packet = try Packet()
        var damagedReads = 0
        while true {
            let result = av_read_frame(context, packet.pointer)
            if result >= 0 {
                return mended(packet)
            }
            // Demuxers may report "end of file" when the disk failed, and "I/O error" when bytes are invalid.
            try Self.requireHealthy(file?.pointee.error ?? 0, path)
            if result == TW_ERROR_EOF {
                return nil
            }
            damagedReads += 1
            guard result == TW_ERROR_INVALID_DATA, damagedReads < 100 else {
                throw libAVError(result, doing: "reading", path, as: .damaged)
            }
        }
    }
}
