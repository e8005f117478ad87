import Foundation
import Media
import TimeMaps
import TimeWarp

/// Reads a finished file and compares it with its source and the time map that it was made with.
public struct Verifier: Sendable {
    /// What the output should be: the source, the used range of it, and the map.
    public let clip: Clip
    /// The settings of the render. Only the frame rate, the way of making frames, the shutter, and the treatment
    /// of sound and of video tracks matter here.
    public let settings: RenderSettings
    /// The number of sections of one second that are compared, spread evenly; nil compares everything. The
    /// times of all frames are measured in any case.
    public var stretches: Int?
    /// The indices of the source's streams that the output should contain; nil for all streams that a file of
    /// its kind can contain.
    public var streams: Set<Int>?

    /// A verifier for a clip and the settings that its output was rendered with.
    public init(_ clip: Clip, settings: RenderSettings = RenderSettings()) {
        self.clip = clip
        self.settings = settings
    }

    /// A measurement of a file to which all packets were copied.
    public init(copyOf asset: Asset) throws {
        self.init(
            try Clip(of: MediaSource(asset)) { .identity($0) },
            settings: RenderSettings { $0.video.rate = .any }
        )
    }

    /// Measures a file. A fault of the output isn't an error: it is listed in the result.
    ///
    /// - Parameter output: the path of the file to measure.
    /// - Throws: ``MediaError`` when one of the files can't be read, or when the map lasts longer than any
    ///   render may; `CancellationError` when the task is cancelled.
    /// - Complexity: decodes both files once, or only ``stretches`` of them. For maps that don't rise, parts of
    ///   the source are decoded repeatedly. The memory is constant except for 100 bytes per frame. A stream
    ///   without timestamps takes 4 KiB per frame, up to 128 MiB per file.
    public func verify(_ output: String) async throws -> Verification {
        try await runBlocking { try measure(output, checkCancelled: $0) }
    }

    func measure(
        _ output: String, checkCancelled: @escaping () throws -> Void
    ) throws -> Verification {
        let written = try Asset(at: output)
        guard clip.map.outputDuration < RenderPlan.longestSeconds else {
            throw MediaError(
                .unsupported, file: output,
                reason: "according to its map it would last \(clip.map.outputDuration) s, and the "
                    + "longest render lasts less than \(RenderPlan.longestSeconds) s",
                remedy: "Give the curve or the map that it was made with")
        }
        guard let clip = clip.assetClip else {
            return try measureComposition(output, checkCancelled)
        }
        let container = try? Container(forFileAt: output)
        let expectedVideo = expectedVideo(of: clip.asset, in: container)
        let expectedSound = expectedSound(of: clip.asset, in: container)
        var faults = try trackFaults(written, video: expectedVideo, sound: expectedSound)
        var notes: [String] = []
        var video: [Verification.Video] = []
        for (stream, other) in zip(expectedVideo, written.videoStreams) {
            let result = try FrameCheck(
                clip: settings.video.keepsTimes ? clip.unretimed : clip, stream: stream,
                written: written, writtenStream: other,
                settings: settings, stretches: stretches, checkCancelled: checkCancelled
            ).run()
            video.append(result.video)
            faults += result.faults
            notes += result.notes
        }
        var sound: [Verification.Sound] = []
        for (stream, other) in zip(expectedSound, written.audioStreams) {
            let result = try SoundCheck(
                clip: clip, stream: stream, written: written, writtenStream: other,
                sound: settings.audio.mode, stretches: stretches, checkCancelled: checkCancelled
            ).run()
            sound.append(result.sound)
            faults += result.faults
            notes += result.notes
        }
        let expected = clip.map.outputDuration
        let error = written.duration.seconds - expected
        faults += Self.durationFaults(
            error, expected, of: written, frame: usualFrame(of: expectedVideo))
        faults.sort { $0.kind < $1.kind }
        return Verification(
            source: clip.asset.path, output: output, isRight: faults.isEmpty, faults: faults,
            notes: notes, sourceDurationSeconds: clip.range.duration.seconds,
            expectedDurationSeconds: expected, outputDurationSeconds: written.duration.seconds,
            durationErrorSeconds: error,
            offsetAtStartSeconds: Self.offset(
                sound.first?.lagAtStartSeconds, video.first?.lagAtStartSeconds),
            offsetAtEndSeconds: Self.offset(
                sound.first?.lagAtEndSeconds, video.first?.lagAtEndSeconds),
            video: video, sound: sound)
    }

    /// Measures a clip of a composition, segment by segment.
    private func measureComposition(
        _ output: String, _ checkCancelled: @escaping () throws -> Void
    ) throws -> Verification {
        var verifier = PlanVerifier(
            try RenderPlan(
                measuring: output, madeFrom: clip, of: clip.source, settings: settings))
        verifier.stretches = stretches
        return try verifier.measure(output, checkCancelled: checkCancelled)
    }

    static func offset(_ sound: Double?, _ video: Double?) -> Double? {
        guard let sound, let video else {
            return nil
        }
        return sound - video
    }

    // MARK: - The whole file

    /// The source's video tracks that follow the map and that the container can hold.
    private func expectedVideo(of all: Asset, in container: Container?) -> [Asset.Stream] {
        guard container?.isAudioOnly != true else {
            return []
        }
        switch settings.video.mode {
        case .retimed, .unretimed, .restamped: return all.videoStreams.filter(isExpected)
        case .dropped, .copied: return []
        }
    }

    private func expectedSound(of asset: Asset, in container: Container?) -> [Asset.Stream] {
        let all = settings.audio.mode == .mute ? [] : asset.audioStreams.filter(isExpected)
        return container?.holdsOneTrack == true ? Array(all.prefix(1)) : all
    }

    private func isExpected(_ stream: Asset.Stream) -> Bool {
        streams?.contains(stream.index) ?? true
    }

    private var copiedCount: Int? {
        get throws {
            guard case .copied(let path) = settings.video.mode else {
                return nil
            }
            return try Asset(at: path).videoStreams.count
        }
    }

    private func trackFaults(
        _ written: Asset, video: [Asset.Stream], sound: [Asset.Stream]
    ) throws -> [Verification.Fault] {
        Self.trackFaults([
            ("video track", try copiedCount ?? video.count, written.videoStreams.count),
            ("audio track", sound.count, written.audioStreams.count),
        ])
    }

    /// Faults of tracks that are missing, or too many.
    static func trackFaults(
        _ kinds: [(name: String, wanted: Int, found: Int)]
    ) -> [Verification.Fault] {
        kinds.filter { $0.wanted != $0.found }.map { name, wanted, found in
            .init(.tracks, "The output has \(counted(found, name, "")) instead of \(wanted).")
        }
    }

    /// The usual duration of a frame in seconds; 0 if there are no frames.
    private func usualFrame(of video: [Asset.Stream]) -> Double {
        switch settings.video.rate {
        case .fixed(let rate): rate.frameDuration.seconds
        case .source, .any:
            video.first?.videoFormat?.usualRate.frameDuration.seconds ?? 0
        }
    }

    /// A fault if the duration is wrong by more than half a frame or a packet of sound.
    static func durationFaults(
        _ error: Double, _ expected: Double, of written: Asset, frame: Double
    ) -> [Verification.Fault] {
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
