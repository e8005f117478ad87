import CLibAV
import Foundation
import TimeMaps

extension Asset {
    /// Finds out what a media file holds.
    ///
    /// Where the header states every stream's times exactly (the MP4 family, when whole) they are
    /// taken from there; else all packets are read once, without decoding, because headers of
    /// other containers round, guess or lie.
    ///
    /// - Throws: ``MediaError`` when the file can't be read, isn't media, or has neither picture
    ///   nor sound.
    /// - Complexity: the index of a whole MP4 or MOV is walked once, in memory, and a few packets are
    ///   read; else one pass over the file.
    public init(at path: String) throws {
        let demuxer = try Demuxer(opening: path)
        var spans = Self.headerSpans(demuxer)
        let isExact = Self.hasExactHeader(demuxer, spans)
        if isExact {
            try Self.noteEncryption(demuxer, &spans)
        } else {
            spans = try Self.packetSpans(demuxer, startingFrom: spans)
        }
        try self.init(demuxer, spans: spans, headerIsExact: isExact)
    }

    private init(_ demuxer: Demuxer, spans: [Span], headerIsExact: Bool) throws {
        let timed = (0..<demuxer.streamCount).filter {
            Self.isTimed(demuxer.stream($0)) && !spans[$0].isEncrypted
        }
        guard !timed.isEmpty || !spans.contains(where: \.isEncrypted)
        else {
            throw MediaError(
                .unsupported, file: demuxer.path,
                reason: "its pictures and sound are encrypted, and can't be decoded without a key",
                remedy: "Ask whoever made it for one that isn't")
        }
        guard !timed.isEmpty else {
            throw MediaError(
                .noUsableStream, file: demuxer.path,
                reason: "it has neither picture nor sound that can be decoded")
        }
        let earliest = timed.compactMap { spans[$0].start }.min() ?? .zero
        let origin = Self.endOfPriming(demuxer, timed, spans) ?? earliest
        path = demuxer.path
        formatName = demuxer.formatName
        self.origin = Self.isWithinATick(origin, timed.map { demuxer.stream($0) }) ? .zero : origin
        streams = (0..<demuxer.streamCount).map { [zero = self.origin] index in
            Stream(demuxer.stream(index), span: spans[index], origin: zero)
        }
        let ends = timed.compactMap { [streams] in streams[$0].end }
        // A movie that outlasts everything in it is not believed.
        let latest = streams.compactMap(\.end).max()?.seconds ?? 0
        let movieDuration =
            headerIsExact
            ? Self.movieDuration(demuxer).flatMap { $0.seconds < latest + 1 ? $0 : nil } : nil
        duration = Self.wholeDuration(ends: ends, movieDuration: movieDuration)
        try Self.requireSensible(duration, from: self.origin, path)
        guard duration > .zero else {
            throw MediaError(
                .damaged, file: demuxer.path, reason: "nothing in it lasts any time",
                remedy: "The file is truncated, or was never finished by its writer")
        }
        chapters = Self.chapters(demuxer, origin: self.origin, duration: duration)
        tags = demuxer.withContext { Self.dictionary($0.pointee.metadata) }
        let ending = Self.shortfall(demuxer, ofEnds: spans.map(\.end))
        let encrypted = streams.filter { spans[$0.index].isEncrypted }
        warnings =
            [ending].compactMap { $0 } + streams.compactMap(\.gapWarning)
            + encrypted.map { "stream \($0.index) (\($0.codecName)) is encrypted and left out" }
    }

    /// Times so far away can't be meant, nor worked with.
    private static func requireSensible(
        _ duration: RationalTime, from origin: RationalTime, _ path: String
    ) throws {
        guard duration.seconds < MediaLimits.durationSeconds,
            abs(origin.seconds) < MediaLimits.originSeconds
        else {
            throw MediaError(
                .damaged, file: path,
                reason:
                    "its times run from \(origin.seconds) s for \(duration.seconds) s, which can't "
                    + "be meant",
                remedy: "Its header or some of its time stamps are damaged; give it new ones with "
                    + "another program")
        }
    }

    /// What is missing at the end of a file whose header says how long it should be.
    ///
    /// - Parameter ends: of all streams, in the container's time.
    private static func shortfall(_ demuxer: Demuxer, ofEnds ends: [RationalTime?]) -> String? {
        let stated = demuxer.withContext { context -> Double? in
            guard context.pointee.duration > 0,
                context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM
            else {
                return nil
            }
            let start = context.pointee.start_time == TW_NO_PTS ? 0 : context.pointee.start_time
            return (Double(start) + Double(context.pointee.duration)) / Double(AV_TIME_BASE)
        }
        guard let stated, let end = ends.compactMap({ $0?.seconds }).max(),
            stated - end > shortfallSeconds, stated < MediaLimits.durationSeconds
        else {
            return nil
        }
        return String(
            format:
                "the file says that it lasts %.3f s, and what can be read of it ends at %.3f s: "
                + "the last %.3f s are missing", stated, end, stated - end)
    }

    /// Less than that is how containers round, and what codecs keep to themselves.
    private static let shortfallSeconds = 0.2

    /// Moving picture or sound.
    private static func isTimed(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let parameters = stream.pointee.codecpar.pointee
        let isCover = stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO:
            return !isCover && parameters.width > 0 && parameters.height > 0
        case AVMEDIA_TYPE_AUDIO:
            return parameters.holdsSound
        default:
            return false
        }
    }

    /// A start that is off zero by no more than the container's rounding is zero.
    private static func isWithinATick(
        _ time: RationalTime, _ streams: [UnsafeMutablePointer<AVStream>]
    ) -> Bool {
        let coarsest = streams.map { av_q2d($0.pointee.time_base) }.max() ?? 0
        return abs(time.seconds) <= min(coarsest, 0.002)
    }

    /// Where AAC really begins in a file that doesn't say so.
    ///
    /// Writers that can't state encoder delay let everything else start late by just that much:
    /// sound that begins exactly one such delay before the picture is such a file.
    private static func endOfPriming(
        _ demuxer: Demuxer, _ timed: [Int], _ spans: [Span]
    ) -> RationalTime? {
        func first(_ type: AVMediaType) -> Int? {
            timed.first { demuxer.stream($0).pointee.codecpar.pointee.codec_type == type }
        }
        guard let video = first(AVMEDIA_TYPE_VIDEO), let audio = first(AVMEDIA_TYPE_AUDIO),
            let picture = spans[video].start, let sound = spans[audio].start
        else {
            return nil
        }
        let parameters = demuxer.stream(audio).pointee.codecpar.pointee
        guard parameters.codec_id == AV_CODEC_ID_AAC, parameters.initial_padding == 0 else {
            return nil
        }
        let lead = picture.seconds - sound.seconds
        // libavcodec's delay, Fraunhofer's, Apple's.
        let delays = [1024, 2048, 2112].map { RationalTime($0, over: parameters.sample_rate) }
        return delays.first { abs($0.seconds - lead) < 0.0011 }.flatMap { try? sound + $0 }
    }

    /// The movie header speaks for the presentation, edit lists and all, but may be rounded to
    /// milliseconds: a stream's end that close to it is what was meant.
    private static func wholeDuration(
        ends: [RationalTime], movieDuration: RationalTime?
    ) -> RationalTime {
        let latest = ends.max() ?? .zero
        guard let movieDuration else {
            return latest
        }
        let near = ends.filter { abs($0.seconds - movieDuration.seconds) < 0.002 }
        return near.max() ?? movieDuration
    }

    private static func chapters(
        _ demuxer: Demuxer, origin: RationalTime, duration: RationalTime
    ) -> [Chapter] {
        demuxer.withContext { context in
            (0..<Int(context.pointee.nb_chapters)).compactMap { index in
                guard let chapter = context.pointee.chapters[index]?.pointee,
                    let start = RationalTime(chapter.start, in: chapter.time_base),
                    let end = RationalTime(chapter.end, in: chapter.time_base)
                else {
                    return nil
                }
                let from = max(.zero, start.relative(to: origin))
                let to = min(duration, end.relative(to: origin))
                guard from <= to, let range = try? TimeRange(start: from, end: to) else {
                    return nil
                }
                return Chapter(range: range, tags: dictionary(chapter.metadata))
            }
        }
    }

    static func dictionary(_ metadata: OpaquePointer?) -> [String: String] {
        var tags: [String: String] = [:]
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while true {
            entry = av_dict_get(metadata, "", entry, AV_DICT_IGNORE_SUFFIX)
            guard let found = entry?.pointee else {
                return tags
            }
            tags[String(cString: found.key)] = String(cString: found.value)
        }
    }
}

// MARK: - When streams start and end

extension Asset {
    /// When a stream is presented, in the container's own time.
    struct Span {
        var start: RationalTime?
        var end: RationalTime?
        var frameCount: Int?
        var gap: Gap?
        /// Of the packets met so far.
        var latestStart: RationalTime?
        /// Its packets are of no use without a key.
        var isEncrypted = false
    }

    private static func headerSpans(_ demuxer: Demuxer) -> [Span] {
        (0..<demuxer.streamCount).map { index in
            let stream = demuxer.stream(index).pointee
            let start = RationalTime(stream.start_time, in: stream.time_base)
            let lasts = RationalTime(stream.duration, in: stream.time_base)
            let count = stream.nb_frames > 0 ? Int(stream.nb_frames) : nil
            let end = lasts.flatMap { try? (start ?? .zero) + $0 }
            return Span(
                start: start, end: end, frameCount: count,
                gap: longestGap(inIndexOf: demuxer.stream(index)))
        }
    }

    /// In the order of decoding, as far as the file has an index of it.
    private static func longestGap(inIndexOf stream: UnsafeMutablePointer<AVStream>) -> Gap? {
        let base = av_q2d(stream.pointee.time_base)
        var gap: Gap?
        var last: Double?
        for index in 0..<avformat_index_get_entries_count(stream) {
            guard let entry = avformat_index_get_entry(stream, index)?.pointee else {
                continue
            }
            let start = Double(entry.timestamp) * base
            gap = Gap.longer(gap, from: last ?? start, to: start)
            last = start
        }
        return gap
    }

    /// Packets say whether they are encrypted: the file's first ones are asked, and the first of each timed
    /// stream, which may come seconds after another's.
    private static func noteEncryption(_ demuxer: Demuxer, _ spans: inout [Span]) throws {
        var unseen = Set((0..<demuxer.streamCount).filter { isTimed(demuxer.stream($0)) })
        for count in 0..<2000 where count < 64 || !unseen.isEmpty {
            if count >= 64 {
                // What lies between is passed over, unread.
                demuxer.select(unseen)
            }
            guard let packet = try readOrStop(demuxer) else {
                return
            }
            let index = Int(packet.pointer.pointee.stream_index)
            unseen.remove(index)
            if spans.indices.contains(index), packet.isEncrypted {
                spans[index].isEncrypted = true
            }
        }
    }

    private static func movieDuration(_ demuxer: Demuxer) -> RationalTime? {
        demuxer.withContext { context in
            guard context.pointee.duration > 0 else {
                return nil
            }
            return RationalTime(context.pointee.duration, over: CInt(AV_TIME_BASE))
        }
    }

    /// Whether the header can be believed: an MP4 or MOV, not in fragments, with all of its
    /// data there.
    private static func hasExactHeader(_ demuxer: Demuxer, _ spans: [Span]) -> Bool {
        guard demuxer.formatName.contains("mp4"), movieDuration(demuxer) != nil else {
            return false
        }
        var status = stat()
        guard stat(demuxer.path, &status) == 0 else {
            return false
        }
        return (0..<demuxer.streamCount).allSatisfy { index in
            let stream = demuxer.stream(index)
            guard isTimed(stream) else {
                return true
            }
            let lastEntry = avformat_index_get_entry(
                stream, avformat_index_get_entries_count(stream) - 1)
            guard let lastEntry = lastEntry?.pointee, spans[index].frameCount != nil else {
                return false
            }
            let (end, overflow) = lastEntry.pos.addingReportingOverflow(Int64(lastEntry.size))
            return !overflow && end <= Int64(status.st_size)
        }
    }

    private static func packetSpans(
        _ demuxer: Demuxer, startingFrom spans: [Span]
    ) throws -> [Span] {
        var spans = spans.map { _ in Span() }
        var lastStarts = spans.map { _ -> RationalTime? in nil }
        while let packet = try readOrStop(demuxer) {
            let index = Int(packet.pointer.pointee.stream_index)
            guard index < spans.count else {
                continue
            }
            // Ogg's packets say how long they are without their padding, all others' with it.
            let padding: Padding = demuxer.formatName == "ogg" ? .isOffDuration : .isInDuration
            extend(&spans[index], by: packet, of: demuxer.stream(index), padding)
            if let time = RationalTime(
                packet.pointer.pointee.pts, in: demuxer.stream(index).pointee.time_base)
            {
                lastStarts[index] = max(lastStarts[index] ?? time, time)
            }
        }
        for index in spans.indices {
            if let start = lastStarts[index],
                let end = statedEnd(of: demuxer.stream(index), lastStart: start)
            {
                spans[index].end = end
            }
        }
        return spans
    }

    /// When the last picture of a Matroska track ends, which only a tag says: packets have a length that
    /// the track's rate makes up.
    ///
    /// - Parameter lastStart: of the last packet; what doesn't follow closely is not believed.
    private static func statedEnd(
        of stream: UnsafeMutablePointer<AVStream>, lastStart: RationalTime
    ) -> RationalTime? {
        guard stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO,
            let text = dictionary(stream.pointee.metadata)["DURATION"],
            let end = try? RationalTime(parsing: text),
            end > lastStart, end.seconds < lastStart.seconds + 2
        else {
            return nil
        }
        return end
    }

    /// What can be read of a damaged file counts; the reader will say where it broke off.
    private static func readOrStop(_ demuxer: Demuxer) throws -> Packet? {
        do {
            return try demuxer.readPacket()
        } catch let error as MediaError where error.code == .damaged {
            return nil
        }
    }

    private enum Padding {
        case isInDuration, isOffDuration
    }

    private static func extend(
        _ span: inout Span, by packet: Packet, of stream: UnsafeMutablePointer<AVStream>,
        _ padding: Padding
    ) {
        let raw = packet.pointer.pointee
        span.isEncrypted = span.isEncrypted || packet.isEncrypted
        let timeBase = stream.pointee.time_base
        let pts = raw.pts != TW_NO_PTS ? raw.pts : raw.dts
        guard let time = RationalTime(pts, in: timeBase) else {
            return
        }
        let lasts = RationalTime(max(0, raw.duration), in: timeBase) ?? .zero
        let parameters = stream.pointee.codecpar.pointee
        let trim = packet.trim(sampleRate: parameters.sample_rate)
        var delay = trim.start
        if span.start == nil, delay == .zero, parameters.codec_id == AV_CODEC_ID_OPUS,
            time < .zero, parameters.initial_padding > 0
        {
            // The decoder knows Opus's delay by itself, so no packet mentions it.
            delay = RationalTime(Int64(parameters.initial_padding), over: 48_000)
        }
        let start = (try? time + delay) ?? time
        span.start = min(span.start ?? start, start)
        span.frameCount = (span.frameCount ?? 0) + 1
        let trimmed = padding == .isInDuration ? trim.end : .zero
        if let full = try? time + lasts, let end = try? full - trimmed {
            let before = span.latestStart ?? start
            span.gap = Gap.longer(span.gap, from: before.seconds, to: start.seconds)
            span.latestStart = max(before, start)
            span.end = max(span.end ?? end, end)
        }
    }
}

extension Asset.Gap {
    /// The longer one of a gap and what lies between two instants.
    fileprivate static func longer(
        _ gap: Asset.Gap?, from start: Double, to end: Double
    ) -> Asset.Gap? {
        end - start > (gap?.seconds ?? 0) ? Asset.Gap(startSeconds: start, endSeconds: end) : gap
    }

    func counted(from origin: RationalTime) -> Asset.Gap {
        Asset.Gap(
            startSeconds: startSeconds - origin.seconds, endSeconds: endSeconds - origin.seconds)
    }
}

extension Asset.Stream {
    /// Of a stream whose times jump so far ahead that it is worth a word.
    fileprivate var gapWarning: String? {
        guard videoFormat != nil || audioFormat != nil, let gap = longestGap, gap.seconds > 600
        else {
            return nil
        }
        return String(
            format: "stream \(index) (\(codecName)): nothing comes from %.3f s to %.3f s",
            gap.startSeconds, gap.endSeconds)
    }
}

extension Packet {
    fileprivate var isEncrypted: Bool {
        av_packet_get_side_data(pointer, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil
    }

    /// How much of the packet's sound is encoder delay or padding, and is never heard.
    fileprivate func trim(sampleRate: CInt) -> (start: RationalTime, end: RationalTime) {
        var size = 0
        guard let data = av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, &size),
            size >= 8, sampleRate > 0
        else {
            return (.zero, .zero)
        }
        let bytes = UnsafeRawPointer(data)
        let start = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
        let end = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        return (
            RationalTime(Int64(start), over: sampleRate), RationalTime(Int64(end), over: sampleRate)
        )
    }
}

extension RationalTime {
    /// This time counted from another; exact where 64 bits allow, else to the nanosecond.
    public func relative(to origin: RationalTime) -> RationalTime {
        guard origin != .zero else {
            return self
        }
        if let exact = try? self - origin {
            return exact
        }
        let difference = seconds - origin.seconds
        // Beyond 290 years, which no recording lasts, a second is near enough.
        guard let nanoseconds = Int64(exactly: (difference * 1e9).rounded()) else {
            return RationalTime(Int64(exactly: difference.rounded()) ?? .max, over: 1)
        }
        return RationalTime(nanoseconds, over: 1_000_000_000)
    }
}
