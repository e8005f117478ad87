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
            for index in spans.indices {
                spans[index].coverage = Coverage(ofIndexOf: demuxer.stream(index))
            }
            try Self.notePackets(demuxer, &spans)
        } else {
            spans = try Self.packetSpans(demuxer, startingFrom: spans)
        }
        try self.init(demuxer, spans: spans, headerIsExact: isExact)
    }

    private init(_ demuxer: Demuxer, spans: [Span], headerIsExact: Bool) throws {
        // Streams that libav met only while reading aren't there when the file is opened again.
        let timed = spans.indices.filter {
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
        streams = spans.indices.map { [zero = self.origin] index in
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
            + (spans.count..<max(spans.count, demuxer.streamCount)).map {
                "stream \($0) begins too late in the file to be found when it is opened, and is left out"
            }
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
                remedy: """
                    Its header or some of its time stamps are damaged; give it new ones with another \
                    program
                    """)
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
        guard parameters.codec_id == AV_CODEC_ID_AAC, parameters.initial_padding == 0,
            !spans[audio].statesDelay
        else {
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
