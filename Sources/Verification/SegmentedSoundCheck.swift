import Media
import TimeMaps
import TimeWarp

/// Compares the sound of a composition's audio track, segment by segment. Used on one thread.
struct SegmentedSoundCheck {
    let track: RenderPlan.AudioTrack
    let settings: RenderSettings
    let written: Asset
    let writtenStream: Asset.Stream
    let stretches: Int?
    let checkCancelled: () throws -> Void

    /// What was measured of each segment.
    private(set) var sound: [Verification.Sound] = []
    private(set) var faults: [Verification.Fault] = []
    private(set) var notes: [String] = []

    mutating func run() throws {
        var mixed = 0
        for (number, layer) in track.layers.enumerated() {
            for segment in layer {
                guard !isMixed(segment, inLayer: number) else {
                    mixed += 1
                    continue
                }
                try check(segment)
            }
        }
        if mixed > 0 {
            notes.append(
                "The sound of \(counted(mixed, "segment")) is mixed with others, so it was not "
                    + "compared.")
        }
    }

    private func isMixed(_ segment: AudioSegment, inLayer number: Int) -> Bool {
        track.layers.enumerated().contains { other, layer in
            other != number && layer.contains { $0.samples.overlaps(segment.samples) }
        }
    }

    private mutating func check(_ segment: AudioSegment) throws {
        let clip = segment.sound.clip
        let check = SoundCheck(
            clip: clip, stream: segment.sound.stream, written: written,
            writtenStream: writtenStream, sound: settings.sound, stretches: stretches,
            segmentStart: Double(segment.samples.lowerBound) / Double(track.sampleRate),
            checkCancelled: checkCancelled)
        let result = try check.run()
        sound.append(result.sound)
        faults += result.faults.map { $0.naming(clip.asset.path) }
        notes += result.notes.map { "\(clip.asset.path): \($0)" }
    }
}
