import Media
import TimeMaps
import TimeWarp

/// Reads a finished file again and measures it against the plan that it was made by: of a clip, a composition or a
/// copy.
///
/// A composition is measured segment by segment, each against its own clip and time map.
public struct PlanVerifier: Sendable {
    /// The plan that the file was made by.
    public let plan: RenderPlan
    /// The number of sections of one second in which frames and sound are compared; nil for everything. The times
    /// of all frames are measured in any case.
    public var stretches: Int?

    /// A measurement against a plan.
    public init(_ plan: RenderPlan) {
        self.plan = plan
    }

    /// Measures a file. A fault of the output isn't an error: it is listed in the result.
    ///
    /// - Parameter output: the path of the file to measure; nil for the plan's destination.
    /// - Throws: as ``Verifier/verify(_:)``.
    /// - Complexity: as ``Verifier/verify(_:)`` for each segment; each source file is indexed once per track.
    public func verify(_ output: String? = nil) async throws -> Verification {
        let output = output ?? plan.destination
        var verifier: Verifier
        switch plan.timeline {
        case .clip(let clip) where clip.asset != nil:
            verifier = Verifier(clip, settings: plan.settings)
            verifier.streams = Set(
                (plan.video.compactMap(\.model) + plan.audio.compactMap(\.model)).map(\.index))
        case .copy(let asset):
            verifier = try Verifier(copyOf: asset)
            verifier.streams = Set(plan.copied.map(\.stream.index))
        case .clip, .composition:
            return try await runBlocking { try measure(output, checkCancelled: $0) }
        }
        verifier.stretches = stretches
        return try await verifier.verify(output)
    }

    /// Measures a file that was made by a job, perhaps by another program.
    ///
    /// - Parameters:
    ///   - media: the job's media, which may be open already.
    ///   - stretches: see ``stretches``.
    /// - Throws: as ``Verifier/verify(_:)``, and what making the job's plan throws.
    package static func verify(
        _ output: String, madeBy job: RenderJob, _ media: MediaCatalogue, stretches: Int? = nil
    ) async throws -> Verification {
        guard job.timeline.format != .asSource else {
            var verifier = Verifier(
                try job.clip(media), settings: try job.carriedSettings)
            verifier.stretches = stretches
            return try await verifier.verify(output)
        }
        var measured = job
        measured.destination = output
        var verifier = PlanVerifier(try RenderPlan(measuring: measured, media))
        verifier.stretches = stretches
        return try await verifier.verify(output)
    }

    func measure(
        _ output: String, checkCancelled: @escaping () throws -> Void
    ) throws -> Verification {
        let written = try Asset(at: output)
        var faults = trackFaults(written)
        var notes: [String] = []
        var video: [Verification.Video] = []
        for (track, stream) in zip(plan.video, written.videoStreams) {
            var check = SegmentedFrameCheck(
                track: track, settings: plan.settings, written: written, writtenStream: stream,
                stretches: stretches, checkCancelled: checkCancelled)
            try check.run()
            video.append(Verification.Video(merging: check.video))
            faults += check.faults
            notes += check.notes
        }
        var sound: [Verification.Sound] = []
        for (track, stream) in zip(plan.audio, written.audioStreams) {
            var check = SegmentedSoundCheck(
                track: track, settings: plan.settings, written: written, writtenStream: stream,
                stretches: stretches, checkCancelled: checkCancelled)
            try check.run()
            let merged = Verification.Sound(
                merging: check.sound, of: stream, lasting: track, in: written)
            sound.append(merged)
            faults +=
                check.faults + SoundCheck.lengthFaults(merged.lengthErrorSeconds, of: stream)
            notes += check.notes
        }
        return verification(written, video, sound, faults, notes)
    }

    private func verification(
        _ written: Asset, _ video: [Verification.Video], _ sound: [Verification.Sound],
        _ faults: [Verification.Fault], _ notes: [String]
    ) -> Verification {
        let error = written.duration.seconds - plan.outputDuration
        let frame = plan.video.first?.frameRate?.frameDuration.seconds ?? 0
        let all =
            (faults
            + Verifier.durationFaults(error, plan.outputDuration, of: written, frame: frame))
            .sorted { $0.kind < $1.kind }
        var told: Set<String> = []
        return Verification(
            source: plan.sourceName, output: written.path, isRight: all.isEmpty, faults: all,
            notes: notes.filter { told.insert($0).inserted },
            sourceDurationSeconds: plan.sourceDuration,
            expectedDurationSeconds: plan.outputDuration,
            outputDurationSeconds: written.duration.seconds, durationErrorSeconds: error,
            offsetAtStartSeconds: Verifier.offset(
                sound.first?.lagAtStartSeconds, video.first?.lagAtStartSeconds),
            offsetAtEndSeconds: Verifier.offset(
                sound.first?.lagAtEndSeconds, video.first?.lagAtEndSeconds),
            video: video, sound: sound)
    }

    private func trackFaults(_ written: Asset) -> [Verification.Fault] {
        Verifier.trackFaults([
            ("video track", plan.video.count, written.videoStreams.count),
            ("audio track", plan.audio.count, written.audioStreams.count),
        ])
    }
}
