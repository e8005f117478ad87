import Media
import TimeMaps

/// Decides which packets of sound are kept where only the rest is encoded.
extension Planner {
    /// Finds what of each track can be kept, if that is asked for. Sound that exists is measured alike, whether it was kept or
    /// encoded.
    ///
    /// - Complexity: a pass over the sound of each file.
    func keep(_ audio: [RenderPlan.AudioTrack]) throws -> [RenderPlan.AudioTrack] {
        guard settings.video.keepsPackets, purpose == .rendering else {
            return audio
        }
        return try audio.map { track in
            var (track, found) = (track, TrackKeeping())
            var search = PlainSoundSearch(track, settings.audio)
            let rate = Double(track.sampleRate)
            let seconds = Double(track.sampleCount) / rate
            if let objection = try objection(to: track) {
                found.encode(seconds, because: objection)
            } else {
                let format = try AudioEncoder(
                    track.codec, format: track.format, bitRate: nil, for: container,
                    path: destination
                ).encodedFormat()
                for segment in track.layers[0] {
                    try search.take(segment, like: format, &found)
                }
                track.splicing = SoundSplicing(search.found, sampleCount: track.sampleCount)
                found.keptSeconds = Double(track.splicing?.keptSampleCount ?? 0) / rate
                found.encode(
                    Double(search.samplesOutOfStep(with: track.splicing)) / rate,
                    because: "packets of sound would be out of step with those that are kept")
                found.encode(
                    seconds - found.keptSeconds - found.encodedSeconds,
                    because: "between a cut or a change of speed and whole packets of sound")
            }
            found.encoded.sort { $0.seconds > $1.seconds }
            track.keeping = found
            return track
        }
    }

    /// Why nothing of a track can be kept; nil if something can.
    private func objection(to track: RenderPlan.AudioTrack) throws -> String? {
        guard track.codec == .aac else {
            return "\(track.codec.rawValue) is encoded as a whole"
        }
        guard container.hasEditLists else {
            return "packets of sound are kept in .mp4, .mov and .m4a files only"
        }
        guard track.layers.count == 1 else {
            return track.layers.isEmpty ? "silence" : "sounds are mixed"
        }
        return nil
    }
}

/// Finds where a track plays sources as they are.
private struct PlainSoundSearch {
    private let track: RenderPlan.AudioTrack
    private let settings: RenderSettings.Audio
    private var known: [String: Result<SoundPackets, SoundPackets.Refusal>] = [:]
    private(set) var found: [PlainSound] = []

    init(_ track: RenderPlan.AudioTrack, _ settings: RenderSettings.Audio) {
        (self.track, self.settings) = (track, settings)
    }

    mutating func take(
        _ segment: AudioSegment, like format: EncodedFormat, _ keeping: inout TrackKeeping
    ) throws {
        let (sound, rate) = (segment.sound, Double(track.sampleRate))
        func encode(_ samples: Int, because reason: String) {
            keeping.encode(
                Double(samples) / rate, because: "\(sound.clip.asset.path): \(reason)")
        }
        guard segment.envelopes.isEmpty, segment.mix.isUnchanged,
            sound.format.sampleRate == track.sampleRate
        else {
            encode(segment.samples.count, because: "its sound is faded, mixed or converted")
            return
        }
        let packets: SoundPackets
        switch try self.packets(of: sound, like: format) {
        case .success(let all): packets = all
        case .failure(let refusal):
            encode(segment.samples.count, because: refusal.reason)
            return
        }
        let homing = settings.mode == .keepPitch ? PitchKeepingRetimer.homingSeconds : 0
        let regions = PitchRegion.regions(
            of: sound.map, rate: rate, sampleCount: Int(sound.sampleCount),
            homing: Int(homing * rate))
        var plain = 0
        // Near a jump sound is faded.
        let margin = Int64((CutFades.seconds * rate).rounded(.up))
        for (number, region) in regions.enumerated() where region.isUnit {
            let first = segment.samples.lowerBound + Int64(region.samples.lowerBound)
            let end = first + Int64(region.samples.count)
            let low = first + (number == 0 ? 0 : margin)
            let high = end - (number == regions.count - 1 ? 0 : margin)
            let samples = segment.fades.middle(of: low..<max(low, high))
            let source =
                sound.map.sourceTime(at: Double(region.samples.lowerBound) / rate)
                + sound.clip.range.start.seconds
            plain += samples.count
            found.append(
                PlainSound(
                    samples: samples, source: packets,
                    start: first + Int64((packets.start - source * rate).rounded())))
        }
        encode(segment.samples.count - plain, because: "its sound is retimed or faded")
    }

    /// How many samples are heard as they are of which no packets can be kept, because they begin at other samples.
    func samplesOutOfStep(with splicing: SoundSplicing?) -> Int {
        found.filter { part in splicing.map { $0.padding != part.padding } ?? false }
            .reduce(0) { $0 + $1.samples.count }
    }

    private mutating func packets(
        of sound: ClipSound, like format: EncodedFormat
    ) throws -> Result<SoundPackets, SoundPackets.Refusal> {
        let (asset, stream) = (sound.clip.asset, sound.stream)
        let key = "\(stream.index) \(asset.path)"
        if let known = known[key] {
            return known
        }
        let result: Result<SoundPackets, SoundPackets.Refusal>
        do {
            result = .success(
                try SoundPackets(of: stream, in: asset, like: format) {
                    try Task.checkCancellation()
                })
        } catch let refusal as SoundPackets.Refusal {
            result = .failure(refusal)
        }
        known[key] = result
        return result
    }
}

extension SegmentFades {
    /// The samples of a range that aren't faded. They lie between the rise and the fall.
    fileprivate func middle(of samples: Range<Int64>) -> Range<Int64> {
        let start = rise.isEmpty ? samples.lowerBound : Int64(rise.upperBound.rounded(.up))
        let end = fall.isEmpty ? samples.upperBound : Int64(fall.lowerBound.rounded(.down))
        let low = min(max(samples.lowerBound, start), samples.upperBound)
        return low..<max(low, min(samples.upperBound, end))
    }
}
