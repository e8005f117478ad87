import Media
import TimeMaps

/// The sound of a composition: each part retimed on threads of its own, faded, brought to the common
/// layout, added to the others and encoded.
struct CompositionSound: Sendable {
    let plan: CompositionPlan
    let track: CompositionPlan.SoundTrack
    let trackNumber: Int
    /// Whether there are no pictures to lead the progress.
    let leads: Bool
    let site: RenderSite
    let tally = Tally(AudioTally())

    func start() {
        let encoding = SoundEncoding(
            codec: track.codec, format: track.format, trackNumber: trackNumber,
            interleaver: site.interleaver, progress: leads ? site.progress : nil)
        site.stages.start("encode-sound") {
            var mixing = SoundMixing(track, site: site, tally: tally)
            let written = try encoding.run(for: plan) { try mixing.next() }
            tally.update { $0.samplesOut = written }
        }
    }
}

/// Adds up the tracks, block by block. Lives on the encoding thread.
private struct SoundMixing {
    private let track: CompositionPlan.SoundTrack
    private let site: RenderSite
    private var readers: [TrackReader]
    private var nextSample: Int64 = 0

    init(
        _ track: CompositionPlan.SoundTrack, site: RenderSite, tally: Tally<AudioTally>
    ) {
        self.track = track
        self.site = site
        readers = track.tracks.map { TrackReader($0, site: site, tally: tally) }
    }

    mutating func next() throws -> [[Float]]? {
        let count = min(Int64(SoundSource.blockSize), track.sampleCount - nextSample)
        guard count > 0 else {
            return nil
        }
        try site.stages.checkStopped()
        var sum = [[Float]](
            repeating: [Float](repeating: 0, count: Int(count)), count: track.format.channelCount)
        for index in readers.indices {
            try readers[index].add(to: &sum, at: nextSample)
        }
        nextSample += count
        return sum
    }
}

/// One track's parts, each begun a little before it is heard.
private struct TrackReader {
    private let parts: [CompositionPlan.SoundPart]
    private let site: RenderSite
    private let tally: Tally<AudioTally>
    private var begun: [PartReader] = []
    private var nextPart = 0

    init(
        _ parts: [CompositionPlan.SoundPart], site: RenderSite, tally: Tally<AudioTally>
    ) {
        self.parts = parts
        self.site = site
        self.tally = tally
    }

    mutating func add(to sum: inout [[Float]], at first: Int64) throws {
        let end = first + Int64(sum[0].count)
        // One ahead, so that its decoder is open when it comes.
        while nextPart < parts.count,
            begun.isEmpty || begun.last.map({ $0.samples.lowerBound < end }) == true
        {
            begun.append(PartReader(parts[nextPart], site: site, tally: tally))
            nextPart += 1
        }
        for index in begun.indices {
            try begun[index].add(to: &sum, at: first)
        }
        begun.removeAll { $0.samples.upperBound <= end }
    }
}

/// One part: its blocks cut to those that are asked for.
private struct PartReader {
    let samples: Range<Int64>
    private let part: CompositionPlan.SoundPart
    private let source: SoundSource?
    private var waiting: [[Float]] = []
    private var used = 0

    init(
        _ part: CompositionPlan.SoundPart, site: RenderSite, tally: Tally<AudioTally>
    ) {
        self.part = part
        samples = part.samples
        source = part.plan.audio.first.map {
            SoundSource(
                retiming: $0, of: part.plan, stages: site.stages, progress: nil,
                spill: site.spill, tally: tally)
        }
    }

    mutating func add(to sum: inout [[Float]], at first: Int64) throws {
        var place = max(first, samples.lowerBound)
        let end = min(first + Int64(sum[0].count), samples.upperBound)
        while place < end {
            guard var block = try next(limit: Int(end - place)) else {
                return
            }
            part.fades.apply(to: &block, first: place)
            let offset = Int(place - first)
            for (channel, values) in part.mix.mixed(block).enumerated() {
                for index in values.indices {
                    sum[channel][offset + index] += values[index]
                }
            }
            place += Int64(block[0].count)
        }
    }

    private mutating func next(limit: Int) throws -> [[Float]]? {
        if waiting.first.map({ used == $0.count }) ?? true {
            guard let block = try source?.blocks.receive() else {
                return nil
            }
            waiting = block
            used = 0
        }
        let count = min(limit, waiting[0].count - used)
        defer { used += count }
        return waiting.map { Array($0[used..<used + count]) }
    }
}
