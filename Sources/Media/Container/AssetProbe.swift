import CLibAV
import Foundation
import TimeMaps

extension Asset {
    /// Finds out what a media file holds. Nothing but the first frames of its streams is decoded.
    ///
    /// The times of the streams come from the header if it states them exactly, as in a complete MP4 or MOV. For
    /// other files all packets are read once, because the headers of other containers are rounded, estimated or
    /// wrong.
    ///
    /// - Parameter path: a local file; URLs and pipes are not read.
    /// - Throws: ``MediaError`` when the file can't be read, isn't media, or has no video or audio that can be
    ///   decoded.
    /// - Complexity: for a complete MP4 or MOV, one pass over its index in memory and a few packets; for PCM in WAV and its
    ///   like, a few packets; otherwise one pass over the file.
    public init(at path: String) throws {
        var demuxer = try Demuxer(opening: path)
        var restarts: TimeRestarts?
        var spans = Self.headerSpans(demuxer)
        let isPlainSound = Self.isPlainSound(demuxer, spans)
        if isPlainSound {
            spans[0].start = spans[0].start ?? .zero
        }
        let isExact = isPlainSound || Self.hasExactHeader(demuxer, spans)
        if isExact {
            for index in spans.indices {
                spans[index].coverage = Coverage(ofIndexOf: demuxer.stream(index))
                spans[index].stamps = Self.indexStamps(of: demuxer.stream(index))
                spans[index].hidesPackets = Self.hidesPackets(demuxer.stream(index))
            }
            try Self.notePackets(demuxer, &spans)
        } else {
            spans = try Self.packetSpans(&demuxer, startingFrom: spans, &restarts)
        }
        try self.init(demuxer, spans: spans, restarts, headerIsExact: isExact)
        if isExact, !isPlainSound {
            knownStreams = try KnownStreams(
                of: (0..<demuxer.streamCount).map { demuxer.stream($0).pointee }, path: path)
        }
    }

    /// Makes a film of images, of which the first is looked at.
    ///
    /// - Throws: ``MediaError`` when the first one can't be read, or isn't an image.
    public init(of images: ImageSequence) throws {
        let demuxer = try Demuxer(opening: images)
        let end = RationalTime(
            Int64(images.count) * Int64(images.rate.denominator), over: images.rate.numerator)
        var span = Span(start: .zero, end: end, frameCount: images.count)
        span.stamps = (0..<images.count).map(Int64.init)
        let spans = (0..<demuxer.streamCount).map { _ in span }
        try self.init(demuxer, spans: spans, nil, images, headerIsExact: false)
    }

    private init(
        _ demuxer: Demuxer, spans: [Span], _ restarts: TimeRestarts?,
        _ images: ImageSequence? = nil, headerIsExact: Bool
    ) throws {
        // Streams that libav finds only while reading are missing when the file is opened again.
        let timed = spans.indices.filter {
            Self.isTimed(demuxer.stream($0)) && !spans[$0].isEncrypted
        }
        guard !timed.isEmpty || !spans.contains(where: \.isEncrypted)
        else {
            throw MediaError(
                .unsupported, file: demuxer.path,
                reason: "its video and audio are encrypted, and can't be decoded without a key",
                remedy: "Ask whoever made it for a copy that isn't encrypted")
        }
        guard !timed.isEmpty else {
            throw MediaError(
                .noUsableStream, file: demuxer.path,
                reason: "it has no video or audio that can be decoded")
        }
        let earliest = timed.compactMap { spans[$0].start }.min() ?? .zero
        let origin = Self.endOfPriming(demuxer, timed, spans) ?? earliest
        path = demuxer.path
        // Of other files only the part before is played.
        let isFollowed = demuxer.mayRestart
        (self.restarts, self.images) = (isFollowed ? restarts : nil, images)
        formatName = demuxer.formatName
        self.origin = Self.isWithinATick(origin, timed.map { demuxer.stream($0) }) ? .zero : origin
        streams = spans.indices.map { [zero = self.origin] index in
            Stream(demuxer.stream(index), span: spans[index], origin: zero)
        }
        let ends = timed.compactMap { [streams] in streams[$0].end }
        // A movie duration that exceeds the end of every stream is wrong.
        let latest = streams.compactMap(\.end).max()?.seconds ?? 0
        let movieDuration =
            headerIsExact
            ? Self.movieDuration(demuxer)?.relative(to: self.origin) : nil
        duration = Self.wholeDuration(
            ends: ends, movieDuration: movieDuration.flatMap { $0.seconds < latest + 1 ? $0 : nil })
        try Self.requireSensible(duration, from: self.origin, path)
        guard duration > .zero else {
            throw MediaError(
                .damaged, file: demuxer.path, reason: "all its streams have a duration of zero",
                remedy: "The file is truncated, or its writer never finished it")
        }
        chapters = Self.chapters(demuxer, origin: self.origin, duration: duration)
        tags = demuxer.withContext { Self.dictionary($0.pointee.metadata) }
        let ending = Self.shortfall(demuxer, ofEnds: spans.map(\.end))
        let encrypted = streams.filter { spans[$0.index].isEncrypted }
        let again = restarts?.warning(countedFrom: origin, isFollowed: isFollowed)
        warnings =
            [ending, again, Self.unread(demuxer, spans)].compactMap { $0 }
            + streams.compactMap(\.gapWarning)
            + encrypted.map { "stream \($0.index) (\($0.codecName)) is encrypted and is skipped" }
            + (spans.count..<max(spans.count, demuxer.streamCount)).map {
                "stream \($0) begins too late in the file to be found when it is opened, and is skipped"
            }
    }

    /// Refuses times that are so far away that they must be wrong, and that can't be calculated with.
    private static func requireSensible(
        _ duration: RationalTime, from origin: RationalTime, _ path: String
    ) throws {
        guard duration.seconds < MediaLimits.durationSeconds,
            abs(origin.seconds) < MediaLimits.originSeconds
        else {
            throw MediaError(
                .damaged, file: path,
                reason:
                    "its times start at \(origin.secondsText) s and last \(duration.secondsText) s, which must "
                    + "be wrong",
                remedy: """
                    Its header or some of its timestamps are damaged; rewrite the file with another \
                    program
                    """)
        }
    }

    /// A sentence that says how much is missing at the end of a file, if it ends earlier than its header states.
    ///
    /// - Parameter ends: the ends of all streams, in the container's time.
    private static func shortfall(_ demuxer: Demuxer, ofEnds ends: [RationalTime?]) -> String? {
        let stated = demuxer.withContext { context -> Double? in
            guard context.pointee.duration > 0,
                context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM
            else {
                return nil
            }
            // The duration of a movie and of Matroska counts from zero, that of other files from their first packet.
            let countsFromZero = ["mp4", "matroska"].contains(where: demuxer.formatName.contains)
            let start =
                countsFromZero || context.pointee.start_time == TW_NO_PTS
                ? 0 : context.pointee.start_time
            return (Double(start) + Double(context.pointee.duration)) / Double(AV_TIME_BASE)
        }
        guard let stated, let end = ends.compactMap({ $0?.seconds }).max(),
            stated - end > shortfallSeconds, stated < MediaLimits.durationSeconds
        else {
            return nil
        }
        return String(
            format:
                "the file says that it lasts %.3f s, but what can be read of it ends at %.3f s: "
                + "the last %.3f s are missing", stated, end, stated - end)
    }

    /// A sentence that says that the end of a file isn't read, because libav takes the file to end before it: in formats that
    /// aren't made to be joined byte by byte, and have nothing after their packets.
    private static func unread(_ demuxer: Demuxer, _ spans: [Span]) -> String? {
        let last = spans.map(\.lastByte).max() ?? 0
        let unread = demuxer.byteCount - last
        guard ["flv", "asf"].contains(demuxer.formatName), last > 0,
            unread > max(50_000, demuxer.byteCount / 20)
        else {
            return nil
        }
        return
            "the last \(unread) of its \(demuxer.byteCount) bytes can't be read: if files were joined byte by byte "
            + "here, only the first is played"
    }

    /// Smaller differences come from the rounding of containers and from the delay of codecs.
    private static let shortfallSeconds = 0.2

    /// Whether it is a video or audio track, and not cover art.
    static func isTimed(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
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

    /// Whether a start differs from zero by no more than the container's rounding; it then counts as zero.
    private static func isWithinATick(
        _ time: RationalTime, _ streams: [UnsafeMutablePointer<AVStream>]
    ) -> Bool {
        let coarsest = streams.map { av_q2d($0.pointee.time_base) }.max() ?? 0
        return abs(time.seconds) <= min(coarsest, 0.002)
    }

    /// Where the sound really begins in a file that has AAC and doesn't state its encoder delay.
    ///
    /// Writers that can't state the encoder delay start all other streams later by that delay. A file is taken to
    /// be of this kind if its sound begins exactly one known encoder delay before its first frame.
    private static func endOfPriming(
        _ demuxer: Demuxer, _ timed: [Int], _ spans: [Span]
    ) -> RationalTime? {
        func first(_ type: AVMediaType) -> Int? {
            timed.first { demuxer.stream($0).pointee.codecpar.pointee.codec_type == type }
        }
        guard let video = first(AVMEDIA_TYPE_VIDEO), let audio = first(AVMEDIA_TYPE_AUDIO),
            let videoStart = spans[video].start, let sound = spans[audio].start
        else {
            return nil
        }
        let parameters = demuxer.stream(audio).pointee.codecpar.pointee
        guard parameters.codec_id == AV_CODEC_ID_AAC, parameters.initial_padding == 0,
            !spans[audio].statesDelay
        else {
            return nil
        }
        let lead = videoStart.seconds - sound.seconds
        // The encoder delays of libavcodec, Fraunhofer and Apple, in samples.
        let delays = [1024, 2048, 2112].map { RationalTime($0, over: parameters.sample_rate) }
        return delays.first { abs($0.seconds - lead) < 0.0011 }.flatMap { try? sound + $0 }
    }

    /// The duration of the asset. The movie header states that of the presentation, edit lists included, but may
    /// be rounded to milliseconds: the end of a stream that is so close to it is exact and is used instead.
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
