import Foundation
import Media
import TimeMaps

extension RenderReport {
    /// What a report measures of what was written.
    struct Written {
        struct Track {
            /// When frames are presented, in order; of sound none.
            var times: [Double] = []
            /// When sound is first heard.
            var start: Double?
            var end: Double?
        }
        var duration = RationalTime.zero
        var video: [Track] = []
        var audio: [Track] = []
    }

    init(
        _ plan: RenderPlan, _ tracks: [OutputTrack], of written: Written, usage: ResourceUsage,
        spill: SpillSpace
    ) {
        source = plan.sourceName
        output = plan.destination
        (sourceDuration, expectedDuration) = (plan.exactSourceDuration, plan.exactOutputDuration)
        outputDuration = written.duration
        sourceDurationSeconds = plan.sourceDuration
        expectedDurationSeconds = plan.outputDuration
        outputDurationSeconds = outputDuration.seconds
        durationErrorSeconds = outputDurationSeconds - expectedDurationSeconds
        let videoTracks = tracks.compactMap(\.video)
        video = videoTracks.enumerated().map { number, track in
            Video(
                track.timing, track.offset, track.tally,
                written.video.dropFirst(number).first ?? Written.Track())
        }
        let firstVideo = video.first
        let sound = tracks.compactMap(\.sound)
        audio = sound.enumerated().map { number, track in
            Audio(track, written.audio.dropFirst(number).first ?? Written.Track(), firstVideo)
        }
        wallSeconds = usage.wallSeconds
        cpuSeconds = usage.cpuSeconds
        peakMemoryBytes = ResourceUsage.peakMemoryBytes
        peakSpillBytes = spill.peakBytes
        warnings =
            plan.warnings
            + Self.damage(videoTracks.map(\.tally.decoding) + sound.map(\.tally.decoding))
            + tracks.flatMap(\.copyNotes)
            + videoTracks.flatMap(\.tally.notes)
    }

    private static func damage(_ tracks: [DecodingTally]) -> [String] {
        var all = DecodingTally()
        for track in tracks {
            all.add(track)
        }
        let isOne = Set(all.damage.map(\.file)).count < 2
        return all.damage.flatMap { damage in
            damage.sentences.map { isOne ? $0 : "\(damage.file): \($0)" }
        }
    }
}

extension OutputTrack {
    fileprivate var video: (timing: RenderPlan.Timing, offset: Double, tally: VideoTally)? {
        guard case .video(let timing, let tally) = content else {
            return nil
        }
        return (timing, offset.seconds, tally.current)
    }

    fileprivate var copyNotes: [String] {
        guard case .copied(let stream, let tally) = content else {
            return []
        }
        return tally.current.sentences(of: stream)
    }

    fileprivate typealias Sound = (sampleRate: Int, sampleCount: Int64, tally: AudioTally)

    fileprivate var sound: Sound? {
        guard case .sound(let rate, let count, let tally) = content else {
            return nil
        }
        return (rate, count, tally.current)
    }
}

extension VideoTally {
    /// What to know about the frames.
    fileprivate var notes: [String] {
        var notes: [String] = []
        // Few repeats are as in video of 24 frames a second that became 25 by repeating.
        if repeatsFound > 3, repeatsFound * 30 > framesRead {
            notes.append(
                "\(repeatsFound) source frames repeat the frame before, so motion made between them stutters; skip "
                    + "repeats to make it even")
        }
        if framesCollided > 0 {
            notes.append(
                "\(framesCollided) source frames would be shown at the same instant as the next one, or after it, and are "
                    + "left out")
        }
        if framesFitted > 0 {
            notes.append(
                "the picture's size or shape changes within the stream: \(framesFitted) frames are fitted "
                    + "into that of the first, with bars")
        }
        if captionsDropped > 0 {
            notes.append(
                "the closed captions (CEA-608/708) in \(captionsDropped) frames are dropped: a few letters are in "
                    + "each frame, and frames are repeated or left out")
        }
        return notes
    }
}

extension RenderReport.Video {
    fileprivate init(
        _ timing: RenderPlan.Timing, _ offset: Double, _ tally: VideoTally,
        _ written: RenderReport.Written.Track
    ) {
        let times = written.times
        framesDecoded = tally.decoding.framesDecoded
        framesRead = tally.framesRead + tally.decoding.presentationsDropped
        framesWritten = Int64(times.count)
        framesKept = tally.framesKept
        framesRepeated = tally.framesRepeated
        framesSkipped = tally.framesSkipped + tally.decoding.presentationsDropped
        framesSynthesised = tally.synthesis.synthesised
        framesBlended = tally.synthesis.blended
        framesHeld = tally.synthesis.held
        repeatsSkipped = tally.repeatsSkipped
        repeatsFound = tally.repeatsFound
        let planned = Self.plannedTimes(timing, tally, count: times.count).map { $0 + offset }
        let errors = zip(times, planned).map { abs($0 - $1) }
        largestTimeErrorSeconds = errors.max() ?? 0
        let squares = errors.reduce(0) { $0 + $1 * $1 }
        rmsTimeErrorSeconds = errors.isEmpty ? 0 : (squares / Double(errors.count)).squareRoot()
        startSeconds = times.first ?? 0
        endSeconds = written.end ?? 0
        let lasts = endSeconds - startSeconds
        averageFrameRate = lasts > 0 ? Double(times.count) / lasts : 0
    }

    private static func plannedTimes(
        _ timing: RenderPlan.Timing, _ tally: VideoTally, count: Int
    ) -> [Double] {
        guard case .fixed(let rate, let frameCount) = timing else {
            return tally.times
        }
        let first = frameCount - tally.framesWritten
        return (0..<Int64(count)).map { Double(first + $0) / rate.framesPerSecond }
    }
}

extension RenderReport.Audio {
    fileprivate init(
        _ track: OutputTrack.Sound, _ written: RenderReport.Written.Track,
        _ video: RenderReport.Video?
    ) {
        samplesIn = track.tally.samplesIn
        samplesOut = track.tally.samplesOut
        samplesKept = track.tally.samplesKept
        let start = written.start ?? 0
        let end = written.end ?? 0
        samplesPresented = Int64(((end - start) * Double(track.sampleRate)).rounded())
        lengthErrorSamples = samplesPresented - track.sampleCount
        offsetAtStartSeconds = video.map { start - $0.startSeconds } ?? 0
        offsetAtEndSeconds = video.map { end - $0.endSeconds } ?? 0
    }
}

extension RenderReport.Written {
    /// What is in a file.
    init(in file: Asset, of tracks: [OutputTrack]) throws {
        // If the whole file was copied, it isn't read again, because it may be large.
        let isCopied = tracks.allSatisfy { $0.video == nil }
        let times = try PresentationTimes(of: file, streams: isCopied ? [] : nil)
        duration = file.duration
        video = file.videoStreams.enumerated().map {
            Track(times: times.ofVideo($0), end: $1.end?.seconds)
        }
        audio = file.audioStreams.map {
            Track(start: $0.start?.seconds, end: $0.end?.seconds)
        }
    }
}

/// What goes into a pipe, by its packets. Used on one thread.
final class PacketTimes {
    private let tracks: [OutputTrack]
    private var found: [RenderReport.Written.Track]

    init(_ tracks: [OutputTrack]) {
        self.tracks = tracks
        found = tracks.map { _ in RenderReport.Written.Track() }
    }

    func note(_ packet: Packet, of track: Int) {
        guard let shown = packet.presentationSeconds, !packet.isDiscarded else {
            return
        }
        let start = shown + tracks[track].offset.seconds
        let end = start + packet.durationSeconds
        if tracks[track].video != nil {
            found[track].times.append(start)
        }
        // An encoder's delay is before the beginning, and isn't heard.
        found[track].start = min(found[track].start ?? .infinity, max(0, start))
        found[track].end = max(found[track].end ?? 0, end)
    }

    func written() throws -> RenderReport.Written {
        var written = RenderReport.Written()
        written.duration = try AssetClip.microsecond(
            nearest: found.compactMap(\.end).max() ?? 0)
        for (track, times) in zip(tracks, found) {
            if track.video != nil {
                var sorted = times
                sorted.times.sort()
                written.video.append(sorted)
            } else if track.sound != nil {
                written.audio.append(times)
            }
        }
        return written
    }
}

/// The times at which the frames of a written file are presented, from its packets.
private struct PresentationTimes {
    private var tracks: [[Double]]

    /// Reads the file's packets.
    ///
    /// - Parameter streams: the streams to read; nil for all video streams.
    init(of asset: Asset, streams: [Asset.Stream]?) throws {
        let streams = streams ?? asset.videoStreams
        tracks = streams.map { _ in [] }
        let places = Dictionary(
            uniqueKeysWithValues: streams.enumerated().map { ($1.index, $0) })
        guard !streams.isEmpty else {
            return
        }
        let reader = try PacketReader(of: asset, streams: streams)
        while let (packet, index) = try reader.next() {
            if let place = places[index], !packet.isDiscarded,
                let seconds = packet.presentationSeconds
            {
                tracks[place].append(seconds - asset.origin.seconds)
            }
        }
        for index in tracks.indices {
            tracks[index].sort()
        }
    }

    func ofVideo(_ number: Int) -> [Double] {
        number < tracks.count ? tracks[number] : []
    }
}
