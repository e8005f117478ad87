import Foundation
import Media
import TimeMaps
import TimeWarp

/// Reads a finished file again and measures it against the plan that it was made by.
///
/// A composition is measured segment by segment, each against its own clip and time map.
public struct Verifier: Sendable {
    /// The plan that the file was made by.
    public let plan: RenderPlan
    /// The number of sections of one second in which frames and sound are compared, spread evenly; nil for everything. The
    /// times of all frames are measured in any case.
    public var stretches: Int?

    /// A measurement against a plan.
    public init(_ plan: RenderPlan) {
        self.plan = plan
    }

    /// A measurement of a file that was made of a clip, perhaps by another program.
    ///
    /// - Parameters:
    ///   - output: the path of the file to measure.
    ///   - settings: those that the file was rendered with. Only the frame rate, the way of making frames, the shutter, and
    ///     the treatment of sound and of video tracks matter here.
    /// - Throws: what making the plan throws: ``MediaError`` when the source can't be read, or when the map lasts longer
    ///   than any render may.
    public init(
        _ output: String, madeFrom clip: Clip, settings: RenderSettings = RenderSettings()
    ) throws {
        self.init(try RenderPlan(measuring: output, madeFrom: clip, settings: settings))
    }

    /// A measurement of a file that was made by a job, perhaps by another program.
    ///
    /// - Parameter media: the job's media, which may be open already.
    package init(_ output: String, madeBy job: RenderJob, _ media: MediaCatalogue) throws {
        var measured = job
        measured.destination = output
        self.init(try RenderPlan(measuring: measured, media))
    }

    /// Measures a file. A fault of the output isn't an error: it is listed in the result.
    ///
    /// - Parameter output: the path of the file to measure; nil for the plan's destination.
    /// - Throws: ``MediaError`` when one of the files can't be read; `CancellationError` when the task is cancelled.
    /// - Complexity: decodes both files once, or only ``stretches`` of them. For maps that don't rise, parts of
    ///   the source are decoded repeatedly. The memory is constant except for 100 bytes per frame. A stream
    ///   without timestamps takes 4 KiB per frame, up to 128 MiB per file. Each file of a composition is indexed once per
    ///   track.
    public func verify(_ output: String? = nil) async throws -> VerificationReport {
        try await runBlocking {
            try measure(output ?? plan.destination, checkCancelled: $0)
        }
    }

    func measure(
        _ output: String, checkCancelled: @escaping () throws -> Void
    ) throws -> VerificationReport {
        let written = try Asset(at: output)
        var faults = Self.trackFaults([
            ("video track", videoCount, written.videoStreams.count),
            ("audio track", audioCount, written.audioStreams.count),
        ])
        var notes: [String] = []
        let video = try measuredVideo(of: written, checkCancelled)
        let sound = try measuredSound(of: written, checkCancelled)
        faults += video.flatMap(\.faults) + sound.flatMap(\.faults)
        for note in video.flatMap(\.notes) + sound.flatMap(\.notes) where !notes.contains(note) {
            notes.append(note)
        }
        let error = written.duration.seconds - plan.outputDuration
        faults += Self.durationFaults(error, plan.outputDuration, of: written, frame: usualFrame)
        faults.sort { $0.kind < $1.kind }
        let (firstSound, firstVideo) = (sound.first?.sound, video.first?.video)
        return VerificationReport(
            source: plan.sourceName, output: output, isRight: faults.isEmpty, faults: faults,
            notes: notes, sourceDurationSeconds: plan.sourceDuration,
            expectedDurationSeconds: plan.outputDuration,
            outputDurationSeconds: written.duration.seconds, durationErrorSeconds: error,
            offsetAtStartSeconds: Self.offset(
                firstSound?.lagAtStartSeconds, firstVideo?.lagAtStartSeconds),
            offsetAtEndSeconds: Self.offset(
                firstSound?.lagAtEndSeconds, firstVideo?.lagAtEndSeconds),
            video: video.map(\.video), sound: sound.map(\.sound))
    }

    private static func offset(_ sound: Double?, _ video: Double?) -> Double? {
        guard let sound, let video else {
            return nil
        }
        return sound - video
    }

    // MARK: - Tracks

    /// The file whose packets are all passed on, which plays as it is; nil for every other plan.
    private var copied: AssetClip? {
        get throws {
            guard plan.clip == nil, let asset = plan.source.asset else {
                return nil
            }
            return AssetClip(
                asset: asset, range: try TimeRange(start: .zero, end: asset.duration),
                map: .identity(asset.duration))
        }
    }

    private func copiedStreams(_ isWanted: (Asset.Stream) -> Bool) -> [Asset.Stream] {
        plan.copied.map(\.stream).filter(isWanted)
    }

    private var videoCount: Int {
        plan.video.count + copiedStreams { $0.videoFormat != nil }.count
    }

    private var audioCount: Int {
        plan.audio.count + copiedStreams { $0.audioFormat != nil }.count
    }

    private func measuredVideo(
        of written: Asset, _ checkCancelled: @escaping () throws -> Void
    ) throws -> [FrameCheck.Result] {
        func check(
            _ stream: Asset.Stream, _ other: Asset.Stream, of clip: AssetClip,
            _ settings: RenderSettings, kept: [Range<Double>] = []
        ) throws -> FrameCheck.Result {
            try FrameCheck(
                clip: clip, stream: stream, written: written, writtenStream: other,
                settings: settings, stretches: stretches, kept: kept,
                checkCancelled: checkCancelled
            ).run()
        }
        if let copied = try copied {
            let settings = RenderSettings { $0.video.rate = .any }
            return try zip(copiedStreams { $0.videoFormat != nil }, written.videoStreams).map {
                try check($0, $1, of: copied, settings)
            }
        }
        let file =
            plan.settings.video.keepsTimes
            ? plan.clip?.unretimed?.assetClip : plan.clip?.assetClip
        return try zip(plan.video, written.videoStreams).map { track, stream in
            guard let file, let model = track.model, track.isOneSegment else {
                return try SegmentedFrameCheck(
                    track: track, settings: plan.settings, written: written, writtenStream: stream,
                    stretches: stretches, kept: track.keptTimes, checkCancelled: checkCancelled
                ).run()
            }
            return try check(model, stream, of: file, plan.settings, kept: track.keptTimes)
        }
    }

    private func measuredSound(
        of written: Asset, _ checkCancelled: @escaping () throws -> Void
    ) throws -> [SoundCheck.Result] {
        func check(
            _ stream: Asset.Stream, _ other: Asset.Stream, of clip: AssetClip
        ) throws -> SoundCheck.Result {
            try SoundCheck(
                clip: clip, stream: stream, written: written, writtenStream: other,
                sound: plan.settings.audio.mode, stretches: stretches,
                checkCancelled: checkCancelled
            ).run()
        }
        if let copied = try copied {
            return try zip(copiedStreams { $0.audioFormat != nil }, written.audioStreams).map {
                try check($0, $1, of: copied)
            }
        }
        // Sound that keeps its speed ends with the video.
        let file = plan.clip.flatMap { clip -> AssetClip? in
            guard !clip.isBlended, let file = clip.assetClip else {
                return nil
            }
            let kept = plan.settings.audio.mode == .keep ? clip.unretimed?.range : nil
            return AssetClip(asset: file.asset, range: kept ?? file.range, map: file.map)
        }
        return try zip(plan.audio, written.audioStreams).map { track, stream in
            guard let file, let model = track.model else {
                return try SegmentedSoundCheck(
                    track: track, settings: plan.settings, written: written, writtenStream: stream,
                    stretches: stretches, checkCancelled: checkCancelled
                ).run()
            }
            return try check(model, stream, of: file)
        }
    }

    // MARK: - The whole file

    /// Faults of tracks that are missing, or too many.
    private static func trackFaults(
        _ kinds: [(name: String, wanted: Int, found: Int)]
    ) -> [VerificationReport.Fault] {
        kinds.filter { $0.wanted != $0.found }.map { name, wanted, found in
            .init(.tracks, "The output has \(counted(found, name, "")) instead of \(wanted).")
        }
    }

    /// The usual duration of a frame in seconds; 0 if there are no frames.
    private var usualFrame: Double {
        guard let track = plan.video.first else {
            return copiedStreams { $0.videoFormat != nil }.first?.videoFormat?.usualRate
                .frameDuration.seconds ?? 0
        }
        if case .fixed(let rate, _) = track.timing {
            return rate.frameDuration.seconds
        }
        let own = track.isOneSegment ? track.model?.videoFormat?.usualRate : track.retimedRate
        return own?.frameDuration.seconds ?? 0
    }

    /// A fault if the duration is wrong by more than half a frame or a packet of sound.
    private static func durationFaults(
        _ error: Double, _ expected: Double, of written: Asset, frame: Double
    ) -> [VerificationReport.Fault] {
        let packets = written.audioStreams.map(SoundCheck.packetSeconds)
        guard abs(error) > max(frame / 2, packets.max() ?? 0.03) + FrameTimetable.tolerance else {
            return []
        }
        return [
            .init(
                .duration,
                String(
                    format: "The output lasts %.3f s instead of %.3f s.", expected + error, expected
                ))
        ]
    }
}

extension RenderPlan.VideoTrack {
    /// Whether one segment is the whole track, from its first frame to its last.
    fileprivate var isOneSegment: Bool { segments.count == 1 && segments[0].ticks == nil }
}
