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
    private(set) var sound: [VerificationReport.Sound] = []
    private(set) var faults: [VerificationReport.Fault] = []
    private(set) var notes: [String] = []

    consuming func run() throws -> SoundCheck.Result {
        try check()
        let merged = VerificationReport.Sound(
            merging: sound, of: writtenStream, lasting: track, in: written)
        return SoundCheck.Result(
            sound: merged,
            faults: faults
                + SoundCheck.lengthFaults(merged.lengthErrorSeconds, of: writtenStream),
            notes: notes)
    }

    private mutating func check() throws {
        var mixed = 0
        var short = 0
        let all = Double(max(1, track.segmentCount))
        for (number, layer) in track.layers.enumerated() {
            let others = track.layers.indices.filter { $0 != number }.flatMap { track.layers[$0] }
            for segment in layer {
                try checkCancelled()
                let mixes = others.map(\.samples)
                let alone = segment.audible(track.sampleRate).flatMap { $0.subtracting(mixes) }
                let check = self.check(of: segment, in: alone, sharing: all)
                let isMixed = segment.own.subtracting(mixes) != [segment.own]
                mixed += isMixed ? 1 : 0
                guard check.hasWindows else {
                    short += isMixed ? 0 : 1
                    continue
                }
                try run(check)
            }
        }
        note(mixed, "mixed with other sound, completely or in part, and isn't compared there")
        note(short, "too short or too soft to be compared")
    }

    private mutating func note(_ count: Int, _ what: String) {
        if count > 0 {
            notes.append("The sound of \(counted(count, "segment", "")) is \(what).")
        }
    }

    /// - Parameter count: the number of segments among which ``stretches`` are shared.
    private func check(
        of segment: AudioSegment, in clear: [Range<Int64>], sharing count: Double
    ) -> SoundCheck {
        let rate = Double(track.sampleRate)
        let first = segment.samples.lowerBound
        return SoundCheck(
            clip: segment.sound.clip, stream: segment.sound.stream, written: written,
            writtenStream: writtenStream, sound: settings.audio.mode,
            stretches: stretches.map { max(1, Int((Double($0) / count).rounded())) },
            place: .init(
                start: Double(first) / rate,
                clear: clear.map {
                    Double($0.lowerBound - first) / rate..<Double($0.upperBound - first) / rate
                }),
            checkCancelled: checkCancelled)
    }

    private mutating func run(_ check: SoundCheck) throws {
        let result = try check.run()
        sound.append(result.sound)
        faults += result.faults.map { $0.naming(check.clip.asset.path) }
        notes += result.notes.map { "\(check.clip.asset.path): \($0)" }
    }
}

extension AudioSegment {
    /// The samples that don't fade.
    fileprivate var own: Range<Int64> {
        let first = max(samples.lowerBound, Int64(fades.rise.upperBound.rounded(.up)))
        let fall = fades.fall.isEmpty ? samples.upperBound : Int64(fades.fall.lowerBound)
        return first..<max(first, min(samples.upperBound, fall))
    }

    /// What of it isn't turned down so far that it seems to be lost, to 20 ms.
    fileprivate func audible(_ sampleRate: Int) -> [Range<Int64>] {
        guard !envelopes.isEmpty else {
            return [own]
        }
        let rate = Double(sampleRate)
        let step = Int64(sampleRate / 50)
        return stride(from: own.lowerBound, to: own.upperBound, by: Int64.Stride(step)).reduce(
            into: []
        ) { ranges, start in
            let end = min(start + step, own.upperBound)
            let softest = [start, end].map { loudness(at: Double($0) / rate) }.min() ?? 0
            guard softest > Self.softest else {
                return
            }
            if let last = ranges.last, last.upperBound == start {
                ranges[ranges.count - 1] = last.lowerBound..<end
            } else {
                ranges.append(start..<end)
            }
        }
    }

    /// A tenth of the amplitude: a hundredth of the power, of which a thousandth counts as silent.
    private static let softest = 0.1
}

extension Range<Int64> {
    /// What of this range lies in none of the others, in order.
    fileprivate func subtracting(_ others: [Range<Int64>]) -> [Range<Int64>] {
        others.reduce([self]) { left, other in
            left.flatMap { range in
                [
                    range.clamped(to: Int64.min..<other.lowerBound),
                    range.clamped(to: other.upperBound..<Int64.max),
                ].filter { !$0.isEmpty }
            }
        }
    }
}
