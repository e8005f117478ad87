import CLibAV

/// What describes a file and its tracks: tags, chapters, side data, attachments and covers.
extension Muxer {
    /// Adds an attachment or a cover, before ``start()``.
    ///
    /// - Returns: its track, and the packet with the cover, to be written first. Matroska has covers as attachments, whose
    ///   bytes are in the description: FFmpeg would write a packet as video.
    package func add(
        attached source: Asset.Stream, of reader: PacketReader
    ) throws -> (track: Track, cover: Packet?) {
        let track = try add(reader.encodedFormat(of: source), like: source)
        let cover = try reader.cover(of: source)
        guard let cover, container == .mkv else {
            return (track, cover)
        }
        let stream = context.pointee.streams[track.index]!
        let parameters = stream.pointee.codecpar!
        let size = Int(cover.pointer.pointee.size)
        let memory = av_mallocz(size + Int(AV_INPUT_BUFFER_PADDING_SIZE))
        let bytes = try allocated(memory?.assumingMemoryBound(to: UInt8.self), path)
        bytes.update(from: cover.pointer.pointee.data, count: size)
        av_free(parameters.pointee.extradata)
        parameters.pointee.extradata = bytes
        parameters.pointee.extradata_size = CInt(size)
        parameters.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
        stream.pointee.disposition = 0
        let isPNG = parameters.pointee.codec_id == AV_CODEC_ID_PNG
        for (key, value) in [
            ("filename", isPNG ? "cover.png" : "cover.jpg"),
            ("mimetype", isPNG ? "image/png" : "image/jpeg"),
        ] {
            av_dict_set(&stream.pointee.metadata, key, value, AV_DICT_DONT_OVERWRITE)
        }
        return (track, nil)
    }

    func keep(
        _ source: Asset.Stream?, on stream: UnsafeMutablePointer<AVStream>
    ) throws {
        guard let source else {
            return
        }
        stream.pointee.disposition = source.disposition.bits
        for (key, value) in source.tags.sorted(by: <)
        where !Self.technicalTags.contains(key.lowercased()) && key != "creation_time"
            && (keepsMetadata || key == "language")
        {
            av_dict_set(&stream.pointee.metadata, key, value, 0)
        }
        if ![AV_CODEC_ID_VP8, AV_CODEC_ID_VP9].contains(stream.pointee.codecpar.pointee.codec_id) {
            // It says that packets have transparency beside them.
            av_dict_set(&stream.pointee.metadata, "alpha_mode", nil, 0)
        }
        for data in source.sideData where Self.keptSideData.contains(data.type) {
            let type = AVPacketSideDataType(data.type)
            guard let target = tw_new_side_data(stream, type, data.bytes.count) else {
                throw MediaError(.library, file: path, reason: "out of memory")
            }
            target.update(from: data.bytes, count: data.bytes.count)
        }
    }

    /// Tags that describe how the old file was made, not what it contains.
    private static let technicalTags: Set<String> = [
        "encoder", "duration", "number_of_frames", "number_of_bytes", "bps", "timecode",
        "_statistics_writing_app", "_statistics_writing_date_utc", "_statistics_tags",
        "vendor_id", "major_brand", "minor_version", "compatible_brands",
    ]

    /// What is copied of a stream's side data: what its pictures and its sound need to be shown and played rightly.
    static let keptSideData: Set<UInt32> = Set(
        [
            AV_PKT_DATA_DISPLAYMATRIX, AV_PKT_DATA_STEREO3D, AV_PKT_DATA_SPHERICAL,
            AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
            AV_PKT_DATA_REPLAYGAIN, AV_PKT_DATA_AUDIO_SERVICE_TYPE, AV_PKT_DATA_ICC_PROFILE,
        ].map(\.rawValue))

    /// Sets the file's tags and its chapters, before ``start()``.
    package func describe(tags: [String: String], chapters: [Asset.Chapter]) throws {
        for (key, value) in tags.sorted(by: <)
        where keepsMetadata && !Self.technicalTags.contains(key.lowercased()) {
            av_dict_set(&context.pointee.metadata, key, value, 0)
            hasNamedKeys = hasNamedKeys || key.hasPrefix("com.")
        }
        for (index, chapter) in chapters.enumerated() {
            var metadata: OpaquePointer?
            defer { av_dict_free(&metadata) }
            for (key, value) in chapter.tags.sorted(by: <) {
                av_dict_set(&metadata, key, value, 0)
            }
            let ticks: Int32 = 1_000_000
            let start = try chapter.range.start.converted(to: ticks, rounding: .nearest)
            let end = try chapter.range.end.converted(to: ticks, rounding: .nearest)
            try check(
                tw_add_chapter(
                    context, Int64(index), AVRational(num: 1, den: ticks), start.value, end.value,
                    metadata),
                doing: "adding a chapter", path, as: .library)
        }
    }
}
