import CLibAV
import Foundation
import TimeMaps

extension Asset {
    /// What is known of a stream's start and end, in the container's own time, and of its packets.
    struct Span {
        var start: RationalTime?
        var end: RationalTime?
        var frameCount: Int?
        /// The times at which its packets start.
        var coverage = Coverage()
        /// The times of a video track's frames in ticks, in any order; nil if not every packet states one.
        var stamps: [Int64]? = []
        /// Where in the file its last packet ends, in bytes.
        var lastByte: Int64 = 0
        /// How long its packets last, in ticks.
        var lengths: [Int64] = []
        /// By how many ticks packets are shown later than they are decoded, at least; nil if none states both times.
        var leastDelay: Int64?
        /// Whether packets are encrypted, so that they can't be decoded without a key.
        var isEncrypted = false
        /// Whether an edit list hides some of its packets.
        var hidesPackets = false
        /// Whether the file states the encoder delay of its sound.
        var statesDelay = false
        /// How long the packets without any time last, in seconds: those of raw streams.
        var untimed = 0.0
        var untimedCount = 0
        /// When the encoder delay that packets state is over. It may be longer than the first packet.
        var endOfDelay: RationalTime?
    }

    static func headerSpans(_ demuxer: Demuxer) -> [Span] {
        (0..<demuxer.streamCount).map { index in
            let stream = demuxer.stream(index).pointee
            let start = RationalTime(stream.start_time, in: stream.time_base)
            let lasts = RationalTime(stream.duration, in: stream.time_base)
            let count = stream.nb_frames > 0 ? Int(stream.nb_frames) : nil
            let end = lasts.flatMap { try? (start ?? .zero) + $0 }
            guard [start, end].allSatisfy({ abs($0?.seconds ?? 0) < MediaLimits.originSeconds })
            else {
                return Span()
            }
            return Span(start: start, end: end, frameCount: count)
        }
    }

    /// Reads from packets whether they are encrypted, and how much of them is encoder delay.
    ///
    /// It looks at the first packets of the file and at the first packet of each video and audio track, which
    /// may come seconds after that of another track.
    static func notePackets(_ demuxer: Demuxer, _ spans: inout [Span]) throws {
        var unseen = Set((0..<demuxer.streamCount).filter { isTimed(demuxer.stream($0)) })
        for count in 0..<2000 where count < 64 || !unseen.isEmpty {
            if count >= 64 {
                // The packets in between are skipped without being read.
                demuxer.select(unseen)
            }
            guard let packet = try readOrStop(demuxer) else {
                return
            }
            let index = Int(packet.pointer.pointee.stream_index)
            unseen.remove(index)
            if spans.indices.contains(index) {
                let rate = demuxer.stream(index).pointee.codecpar.pointee.sample_rate
                spans[index].note(packet, trimmedBy: packet.trim(sampleRate: rate).start)
            }
        }
    }

    /// The times of a video track's frames from the file's index, in ticks. The index has decoding times, which are
    /// spaced as presentation times are: encoders take them from those.
    static func indexStamps(of stream: UnsafeMutablePointer<AVStream>) -> [Int64] {
        guard stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO else {
            return []
        }
        return (0..<avformat_index_get_entries_count(stream)).compactMap { index in
            guard let entry = avformat_index_get_entry(stream, index)?.pointee,
                entry.flags & AVINDEX_DISCARD_FRAME == 0
            else {
                return nil
            }
            return entry.timestamp
        }
    }

    /// Whether the file's index has packets that an edit list hides.
    static func hidesPackets(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        (0..<avformat_index_get_entries_count(stream)).contains { index in
            avformat_index_get_entry(stream, index).map {
                $0.pointee.flags & AVINDEX_DISCARD_FRAME != 0
            } ?? false
        }
    }

    static func movieDuration(_ demuxer: Demuxer) -> RationalTime? {
        demuxer.withContext { context in
            guard context.pointee.duration > 0 else {
                return nil
            }
            return RationalTime(context.pointee.duration, over: CInt(AV_TIME_BASE))
        }
    }

    /// Whether the header's times can be trusted: true for an MP4 or MOV that isn't fragmented and whose packet
    /// data is all in the file.
    static func hasExactHeader(_ demuxer: Demuxer, _ spans: [Span]) -> Bool {
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

    /// Whether it is PCM alone, in a file that has room for as much as its header states.
    static func isPlainSound(_ demuxer: Demuxer, _ spans: [Span]) -> Bool {
        guard ["wav", "w64", "aiff", "au", "caf"].contains(demuxer.formatName), spans.count == 1,
            let end = spans[0].end
        else {
            return false
        }
        let parameters = demuxer.stream(0).pointee.codecpar.pointee
        let bits = Int(av_get_exact_bits_per_sample(parameters.codec_id))
        var status = stat()
        guard bits > 0, end > .zero, stat(demuxer.path, &status) == 0 else {
            return false
        }
        let bitsPerSecond =
            Double(parameters.sample_rate) * Double(parameters.ch_layout.nb_channels) * Double(bits)
        return end.seconds * bitsPerSecond / 8 <= Double(status.st_size)
    }

    /// Reads all packets: twice if their times start again, because only the end tells when each part is played.
    ///
    /// - Parameters:
    ///   - demuxer: becomes one whose packets have the times at which they are played.
    ///   - restarts: becomes where times start again.
    static func packetSpans(
        _ demuxer: inout Demuxer, startingFrom spans: [Span], _ restarts: inout TimeRestarts?
    ) throws -> [Span] {
        let isFollowed = demuxer.mayRestart
        var finder = isFollowed || joinable.contains(demuxer.formatName) ? RestartFinder() : nil
        let stated = try packetSpans(demuxer, startingFrom: spans) { finder?.note($0, of: $1) }
        guard var found = finder?.restarts else {
            return stated
        }
        guard isFollowed else {
            restarts = found
            return stated
        }
        demuxer = try Demuxer(opening: demuxer.path)
        demuxer.follow(found)
        let hasVideo = (0..<demuxer.streamCount).contains {
            demuxer.stream($0).pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        }
        let played = try packetSpans(demuxer, startingFrom: spans) { packet, stream in
            let type = stream.pointee.codecpar.pointee.codec_type
            if packet.isKey, type == (hasVideo ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO),
                let seconds = packet.decodingSeconds(in: stream.pointee.time_base)
            {
                found.noteKeyframe(at: seconds, packet.pointer.pointee.pos)
            }
        }
        restarts = found
        return played
    }

    /// Formats of which libav reads all parts, although their times must not start again.
    private static let joinable: Set<String> = ["matroska,webm", "nut"]

    private static func packetSpans(
        _ demuxer: Demuxer, startingFrom header: [Span],
        _ note: (Packet, UnsafeMutablePointer<AVStream>) -> Void
    ) throws -> [Span] {
        var spans = header.map { _ in Span() }
        var last = spans.map { _ in LastPackets() }
        while let packet = try readOrStop(demuxer) {
            let index = Int(packet.pointer.pointee.stream_index)
            guard index < spans.count else {
                continue
            }
            let stream = demuxer.stream(index)
            note(packet, stream)
            // In Ogg a packet's duration excludes its padding; in all other containers it includes it.
            let padding: Padding = demuxer.formatName == "ogg" ? .isOffDuration : .isInDuration
            extend(&spans[index], by: packet, of: stream, padding)
            last[index].note(packet, in: stream.pointee.time_base)
        }
        for index in spans.indices {
            spans[index].placeUntimed()
            let stream = demuxer.stream(index)
            if let start = last[index].start, let end = statedEnd(of: stream, lastStart: start) {
                spans[index].end = end
            } else if let end = last[index].losslessEnd(
                of: stream, stated: header[index].end, atMost: spans[index].end)
            {
                spans[index].end = end
            } else if let end = last[index].likelyEnd {
                spans[index].end = end
            }
        }
        return spans
    }

    /// When the last frame of a Matroska video track ends, as the tag DURATION states it. Nothing else does: the
    /// duration of a packet is only derived from the track's frame rate.
    ///
    /// - Parameter lastStart: the start of the last packet. An end that doesn't follow within 2 s is ignored.
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

    /// Ends at damage as at the end of the file: what was read until then is used, and the reader will report
    /// where the damage is.
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
        let parameters = stream.pointee.codecpar.pointee
        let trim = packet.trim(sampleRate: parameters.sample_rate)
        span.note(packet, trimmedBy: trim.start)
        span.lastByte = max(span.lastByte, Packet.bounded(raw.pos) + Int64(raw.size))
        let timeBase = stream.pointee.time_base
        if parameters.codec_type == AVMEDIA_TYPE_VIDEO {
            span.lengths.append(raw.duration)
            if raw.pts != TW_NO_PTS, raw.dts != TW_NO_PTS {
                let delay = Packet.bounded(raw.pts) - Packet.bounded(raw.dts)
                span.leastDelay = min(span.leastDelay ?? delay, delay)
            }
            if raw.pts == TW_NO_PTS {
                span.stamps = nil
            } else if raw.flags & AV_PKT_FLAG_DISCARD == 0 {
                span.stamps?.append(raw.pts)
            }
        }
        var pts = raw.pts
        if pts == TW_NO_PTS, raw.dts != TW_NO_PTS {
            pts = Packet.bounded(raw.dts) + max(0, span.leastDelay ?? 0)
        }
        guard let time = RationalTime(pts, in: timeBase) else {
            span.untimed += Double(max(0, raw.duration)) * av_q2d(timeBase)
            span.untimedCount += 1
            return
        }
        var lasts = RationalTime(max(0, raw.duration), in: timeBase) ?? .zero
        if parameters.codec_type == AVMEDIA_TYPE_AUDIO,
            lasts.seconds > MediaLimits.soundPacketSeconds
        {
            lasts = .zero
        }
        var delay = trim.start
        if span.start == nil, delay == .zero {
            delay = parameters.runUp(from: time, firstLasting: lasts, in: timeBase)
        }
        if delay > .zero, let end = try? time + delay {
            span.endOfDelay = max(span.endOfDelay ?? end, end)
        }
        var start = max(time, span.endOfDelay ?? time)
        if padding == .isOffDuration, parameters.codec_type == AVMEDIA_TYPE_AUDIO {
            // What lies before the zero of an Ogg stream isn't played.
            start = max(start, .zero)
        }
        span.start = min(span.start ?? start, start)
        span.frameCount = (span.frameCount ?? 0) + 1
        let trimmed = padding == .isInDuration ? trim.end : .zero
        if let full = try? time + lasts, let end = try? full - trimmed {
            span.coverage.add(start.seconds)
            span.end = max(span.end ?? end, end)
        }
    }
}

extension Asset.Span {
    /// Takes a stream whose packets all have no time to begin at zero: a raw stream (H.264 without a container).
    fileprivate mutating func placeUntimed() {
        guard start == nil, untimed > 0, untimed < MediaLimits.durationSeconds,
            let end = try? RationalTime(seconds: untimed, timescale: 1_000_000)
        else {
            return
        }
        (start, self.end, frameCount) = (.zero, end, untimedCount)
    }

    /// Notes what a packet tells about its stream.
    ///
    /// - Parameter delay: how much encoder delay is skipped at the packet's start.
    fileprivate mutating func note(_ packet: Packet, trimmedBy delay: RationalTime) {
        isEncrypted = isEncrypted || packet.isEncrypted
        hidesPackets = hidesPackets || packet.isDiscarded
        statesDelay = statesDelay || delay > .zero
    }
}

extension Packet {
    fileprivate var isEncrypted: Bool {
        av_packet_get_side_data(pointer, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil
    }

    /// How much of the packet's sound is encoder delay (at the start) or padding (at the end), which players skip.
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
