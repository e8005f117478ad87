import Foundation
import Media
import TimeMaps
import TimeWarp

/// Reads a finished file again and measures it against the map that it was made with.
public struct Verifier: Sendable {
    /// What the output should be: the source, its part, and the map.
    public let clip: Clip
    /// How pictures and sound were to be made; of these count the rate, the frames between frames, the shutter
    /// and the way of the sound.
    public let settings: RenderSettings
    /// How many stretches of a second are compared, spread evenly; nil compares everything. Times are
    /// measured of all frames in any case.
    public var stretches: Int?
    /// The source's streams that the output holds, by index, where it is known; nil for all that a file of
    /// its kind can hold.
    public var streams: Set<Int>?

    /// A measurement against a clip's map and the settings that the file was rendered with.
    public init(_ clip: Clip, settings: RenderSettings = RenderSettings()) {
        self.clip = clip
        self.settings = settings
    }

    /// A measurement of a file to which all packets were copied.
    public init(copyOf asset: Asset) throws {
        self.init(
            try Clip(of: asset) { .identity($0) }, settings: RenderSettings { $0.rate = .any })
    }

    /// Measures a file.
    ///
    /// - Throws: ``MediaError`` when one of the files can't be read, or the map lasts longer than anything
    ///   that is rendered; `CancellationError` when the task is cancelled. What is wrong with the output is no
    ///   error.
    /// - Complexity: decodes both files once, unless ``stretches`` says less; for maps that don't rise
    ///   pieces of the source are decoded anew. Memory doesn't grow with length but for 100 bytes a
    ///   picture; where only decoding tells when pictures are shown, 4 KiB a picture, up to 128 MiB a file.
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
                reason: "by its map it would last \(clip.map.outputDuration) s, which nothing does",
                remedy: "Give the curve or the map that it was made with")
        }
        let container = try? Container(forFileAt: output)
        let expectedPictures = expectedPictures(in: container)
        let expectedSound = expectedSound(in: container)
        var faults = trackFaults(written, pictures: expectedPictures, sound: expectedSound)
        var notes: [String] = []
        var pictures: [Verification.Pictures] = []
        for (stream, other) in zip(expectedPictures, written.videoStreams) {
            let result = try PictureCheck(
                clip: clip, stream: stream, written: written, writtenStream: other,
                settings: settings, stretches: stretches, checkCancelled: checkCancelled
            ).run()
            pictures.append(result.pictures)
            faults += result.faults
            notes += result.notes
        }
        var sound: [Verification.Sound] = []
        for (stream, other) in zip(expectedSound, written.audioStreams) {
            let result = try SoundCheck(
                clip: clip, stream: stream, written: written, writtenStream: other,
                sound: settings.sound, stretches: stretches, checkCancelled: checkCancelled
            ).run()
            sound.append(result.sound)
            faults += result.faults
            notes += result.notes
        }
        let expected = clip.map.outputDuration
        let error = written.duration.seconds - expected
        faults += durationFaults(
            error, expected, of: written, frame: usualFrame(of: expectedPictures))
        faults.sort { $0.kind < $1.kind }
        return Verification(
            source: clip.asset.path, output: output, isRight: faults.isEmpty, faults: faults,
            notes: notes, sourceDurationSeconds: clip.range.duration.seconds,
            expectedDurationSeconds: expected, outputDurationSeconds: written.duration.seconds,
            durationErrorSeconds: error,
            offsetAtStartSeconds: Self.offset(
                sound.first?.lagAtStartSeconds, pictures.first?.lagAtStartSeconds),
            offsetAtEndSeconds: Self.offset(
                sound.first?.lagAtEndSeconds, pictures.first?.lagAtEndSeconds),
            pictures: pictures, sound: sound)
    }

    private static func offset(_ sound: Double?, _ picture: Double?) -> Double? {
        guard let sound, let picture else {
            return nil
        }
        return sound - picture
    }

    // MARK: - The whole

    /// Those that obey the map and fit into the file.
    private func expectedPictures(in container: Container?) -> [Asset.Stream] {
        guard container?.isAudioOnly != true else {
            return []
        }
        switch settings.pictures {
        case .retimed, .moved: return clip.asset.videoStreams.filter(isExpected)
        case .left, .copied: return []
        }
    }

    private func expectedSound(in container: Container?) -> [Asset.Stream] {
        let all = settings.sound == .mute ? [] : clip.asset.audioStreams.filter(isExpected)
        return container?.holdsOneTrack == true ? Array(all.prefix(1)) : all
    }

    private func isExpected(_ stream: Asset.Stream) -> Bool {
        streams?.contains(stream.index) ?? true
    }

    private var copiedCount: Int? {
        guard case .copied(let asset) = settings.pictures else {
            return nil
        }
        return asset.videoStreams.count
    }

    private func trackFaults(
        _ written: Asset, pictures: [Asset.Stream], sound: [Asset.Stream]
    ) -> [Verification.Fault] {
        let kinds = [
            ("picture track", copiedCount ?? pictures.count, written.videoStreams.count),
            ("sound track", sound.count, written.audioStreams.count),
        ]
        return kinds.filter { $1 != $2 }.map { name, wanted, found in
            .init(.tracks, "\(counted(found, name)) there instead of \(wanted).")
        }
    }

    /// How long a frame usually lasts; 0 where there are none.
    private func usualFrame(of pictures: [Asset.Stream]) -> Double {
        switch settings.rate {
        case .fixed(let rate): rate.frameDuration.seconds
        case .source, .any:
            pictures.first?.videoFormat?.usualRate.frameDuration.seconds ?? 0
        }
    }

    /// To within half a frame, or a packet of sound.
    private func durationFaults(
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
                    format: "It lasts %.3f s instead of %.3f s.", expected + error, expected))
        ]
    }
}
