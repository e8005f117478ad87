import Foundation
import Media
import TimeMaps

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

    public init(_ clip: Clip, settings: RenderSettings = RenderSettings()) {
        self.clip = clip
        self.settings = settings
    }

    /// Measures a file.
    ///
    /// - Throws: ``MediaError`` when one of the files can't be read; `CancellationError` when the task is
    ///   cancelled. What is wrong with the output is no error.
    /// - Complexity: decodes both files once, unless ``stretches`` says less; for maps that don't rise
    ///   pieces of the source are decoded anew. Memory doesn't grow with length but for 100 bytes a
    ///   picture.
    public func verify(_ output: String) async throws -> Verification {
        try await runBlocking { try measure(output, checkCancelled: $0) }
    }

    func measure(
        _ output: String, checkCancelled: @escaping () throws -> Void
    ) throws -> Verification {
        let written = try Asset(at: output)
        var faults = trackFaults(written)
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
        faults += durationFaults(error, expected)
        let order = Verification.Kind.allCases
        faults.sort { order.firstIndex(of: $0.kind)! < order.firstIndex(of: $1.kind)! }
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

    /// Those that obey the map.
    private var expectedPictures: [Asset.Stream] {
        switch settings.pictures {
        case .retimed, .moved: clip.asset.videoStreams
        case .left, .copied: []
        }
    }

    private var copiedCount: Int? {
        guard case .copied(let asset) = settings.pictures else {
            return nil
        }
        return asset.videoStreams.count
    }

    private var expectedSound: [Asset.Stream] {
        settings.sound == .mute ? [] : clip.asset.audioStreams
    }

    private func trackFaults(_ written: Asset) -> [Verification.Fault] {
        let kinds = [
            ("picture track", copiedCount ?? expectedPictures.count, written.videoStreams.count),
            ("sound track", expectedSound.count, written.audioStreams.count),
        ]
        return kinds.filter { $1 != $2 }.map { name, wanted, found in
            .init(.tracks, "\(counted(found, name)) there instead of \(wanted).")
        }
    }

    /// To within half a frame, or a packet of sound.
    private func durationFaults(_ error: Double, _ expected: Double) -> [Verification.Fault] {
        let frame: Double? =
            switch settings.rate {
            case .fixed(let rate): rate.frameDuration.seconds
            case .source, .any:
                expectedPictures.first?.videoFormat?.usualRate.frameDuration.seconds
            }
        guard abs(error) > max((frame ?? 0) / 2, 0.03) + 0.0011 else {
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
