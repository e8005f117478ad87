import Foundation
import Media
import TimeMaps

/// What a render wrote: durations, times and lengths measured by reading the file again, and what the stages
/// counted of their own work.
public struct RenderReport: Sendable, Codable {
    /// The file that was read, and the one that was written.
    public let source: String
    /// The file that was written.
    public let output: String
    /// How long the clip lasts, in seconds.
    public let sourceDurationSeconds: Double
    /// How long the plan lets the output last, in seconds.
    public let expectedDurationSeconds: Double
    /// How long the written file lasts, in seconds.
    public let outputDurationSeconds: Double
    /// Output minus expected, in seconds.
    public let durationErrorSeconds: Double
    /// The video tracks that were made, one entry each.
    public let video: [Video]
    /// The audio tracks that were made, one entry each.
    public let audio: [Audio]
    /// How long the render took, in seconds.
    public let wallSeconds: Double
    /// CPU time of all threads, in seconds.
    public let cpuSeconds: Double
    /// The most memory that the process has held so far, in bytes.
    public let peakMemoryBytes: Int64
    /// The most that waited in temporary files, because it didn't fit into memory.
    public let peakSpillBytes: Int64
    /// What was not kept, and what is remarkable; a sentence each.
    public let warnings: [String]

    /// One picture track.
    public struct Video: Sendable, Codable {
        /// Frames that came out of the decoder, also those that others only refer to.
        public let framesDecoded: Int64
        /// Turns of source frames on the screen, and frames found in the output.
        public let framesRead: Int64
        /// Frames found in the output.
        public let framesWritten: Int64
        /// Extra showings of a frame, and frames that were never shown.
        public let framesRepeated: Int64
        /// Frames that were never shown.
        public let framesSkipped: Int64
        /// Frames mixed from several source frames.
        public let framesSynthesised: Int64
        /// Written frame times against the plan's exact ones, in seconds.
        public let largestTimeErrorSeconds: Double
        /// Root mean square of the same errors, in seconds.
        public let rmsTimeErrorSeconds: Double
        /// Frames a second over the whole track.
        public let averageFrameRate: Double
        /// When the first frame is shown, in output seconds.
        public let startSeconds: Double
        /// When the last frame ends, in output seconds.
        public let endSeconds: Double
    }

    /// One sound track.
    public struct Audio: Sendable, Codable {
        /// Samples a channel decoded, rendered, and presented by the output.
        public let samplesIn: Int64
        /// Samples a channel that were rendered.
        public let samplesOut: Int64
        /// Samples a channel that the output presents.
        public let samplesPresented: Int64
        /// Presented minus what the map asks for, in samples.
        public let lengthErrorSamples: Int64
        /// Against the first picture track; 0 without one.
        public let offsetAtStartSeconds: Double
        /// The track's end minus the first video track's end, in seconds; 0 without one.
        public let offsetAtEndSeconds: Double
    }
}

extension RenderReport {
    init(
        _ plan: RenderPlan, _ tracks: [OutputTrack], usage: ResourceUsage, spill: SpillSpace
    ) throws {
        let written = try Asset(at: plan.destination)
        source = plan.sourceName
        output = plan.destination
        sourceDurationSeconds = plan.sourceDuration
        expectedDurationSeconds = plan.outputDuration
        outputDurationSeconds = written.duration.seconds
        durationErrorSeconds = outputDurationSeconds - expectedDurationSeconds
        let pictures = tracks.compactMap(\.pictures)
        // A file of any size may have been copied: it isn't read again where nothing of it was made.
        let times = try PresentationTimes(of: written, streams: pictures.isEmpty ? [] : nil)
        video = pictures.enumerated().map { number, track in
            Video(
                track.timing, track.tally, times.ofVideo(number),
                written.videoStreams.dropFirst(number).first)
        }
        let picture = video.first
        let sound = tracks.compactMap(\.sound)
        audio = sound.enumerated().map { number, track in
            Audio(track, written.audioStreams.dropFirst(number).first, picture)
        }
        wallSeconds = usage.wallSeconds
        cpuSeconds = usage.cpuSeconds
        peakMemoryBytes = ResourceUsage.peakMemoryBytes
        peakSpillBytes = spill.peakBytes
        warnings =
            plan.warnings
            + Self.damage(pictures.map(\.tally.decoding) + sound.map(\.tally.decoding))
            + tracks.flatMap(\.copyNotes)
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
    fileprivate var pictures: (timing: RenderPlan.Timing, tally: VideoTally)? {
        guard case .pictures(let timing, let tally) = content else {
            return nil
        }
        return (timing, tally.current)
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

extension RenderReport.Video {
    fileprivate init(
        _ timing: RenderPlan.Timing, _ tally: VideoTally, _ times: [Double],
        _ written: Asset.Stream?
    ) {
        framesDecoded = tally.decoding.framesDecoded
        framesRead = tally.framesRead + tally.decoding.turnsLeftOut
        framesWritten = Int64(times.count)
        framesRepeated = tally.framesRepeated
        framesSkipped = tally.framesSkipped + tally.decoding.turnsLeftOut
        framesSynthesised = tally.framesSynthesised
        let planned = Self.plannedTimes(timing, tally, count: times.count)
        let errors = zip(times, planned).map { abs($0 - $1) }
        largestTimeErrorSeconds = errors.max() ?? 0
        let squares = errors.reduce(0) { $0 + $1 * $1 }
        rmsTimeErrorSeconds = errors.isEmpty ? 0 : (squares / Double(errors.count)).squareRoot()
        startSeconds = times.first ?? 0
        endSeconds = written?.end?.seconds ?? 0
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
        _ track: OutputTrack.Sound, _ written: Asset.Stream?, _ picture: RenderReport.Video?
    ) {
        samplesIn = track.tally.samplesIn
        samplesOut = track.tally.samplesOut
        let start = written?.start?.seconds ?? 0
        let end = written?.end?.seconds ?? 0
        samplesPresented = Int64(((end - start) * Double(track.sampleRate)).rounded())
        lengthErrorSamples = samplesPresented - track.sampleCount
        offsetAtStartSeconds = picture.map { start - $0.startSeconds } ?? 0
        offsetAtEndSeconds = picture.map { end - $0.endSeconds } ?? 0
    }
}

/// When the frames of a written file are presented, from its packets.
private struct PresentationTimes {
    private var tracks: [[Double]]

    /// - Parameter streams: nil for all video.
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
            if let place = places[index], !packet.isCutAway,
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
