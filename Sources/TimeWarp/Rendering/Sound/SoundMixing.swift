import Media
import TimeMaps

/// Mixes the layers of a track, block by block, on the encoding thread.
struct SoundMixing {
    private let track: RenderPlan.AudioTrack
    private let site: RenderSite
    private var readers: [LayerReader]
    /// The samples that are still to come.
    private var left: Range<Int64>

    /// - Parameter samples: the samples of the track that are mixed.
    init(
        _ track: RenderPlan.AudioTrack, samples: Range<Int64>, settings: RenderSettings,
        site: RenderSite, tally: Tally<AudioTally>
    ) throws {
        self.track = track
        self.site = site
        left = samples
        readers = try track.layers.map {
            LayerReader(
                try $0.compactMap { try $0.part(samples) }, settings: settings, site: site,
                tally: tally)
        }
    }

    mutating func next() throws -> [[Float]]? {
        let count = min(SoundSource.blockSize, left.count)
        guard count > 0 else {
            return nil
        }
        try site.stages.checkStopped()
        var sum = [[Float]](
            repeating: [Float](repeating: 0, count: count), count: track.format.channelCount)
        for index in readers.indices {
            try readers[index].add(to: &sum, at: left.lowerBound)
        }
        left.removeFirst(count)
        return sum
    }
}

/// The segments of one layer. Each is started a little before it is heard.
private struct LayerReader {
    private let segments: [AudioSegment]
    private let settings: RenderSettings
    private let site: RenderSite
    private let tally: Tally<AudioTally>
    private var begun: [SegmentReader] = []
    private var nextSegment = 0

    init(
        _ segments: [AudioSegment], settings: RenderSettings, site: RenderSite,
        tally: Tally<AudioTally>
    ) {
        self.segments = segments
        self.settings = settings
        self.site = site
        self.tally = tally
    }

    mutating func add(to sum: inout [[Float]], at first: Int64) throws {
        let end = first + Int64(sum[0].count)
        // Starts one segment ahead, so that its decoder is open when the segment begins.
        while nextSegment < segments.count,
            begun.isEmpty || begun.last.map({ $0.samples.lowerBound < end }) == true
        {
            begun.append(
                SegmentReader(
                    segments[nextSegment], settings: settings, site: site, tally: tally))
            nextSegment += 1
        }
        for index in begun.indices {
            try begun[index].add(to: &sum, at: first)
        }
        begun.removeAll { $0.samples.upperBound <= end }
    }
}

/// One segment, whose blocks are cut to the samples that are asked for.
private struct SegmentReader {
    let samples: Range<Int64>
    private let segment: AudioSegment
    private let source: SoundSource
    private var waiting: [[Float]] = []
    private var used = 0

    init(
        _ segment: AudioSegment, settings: RenderSettings, site: RenderSite,
        tally: Tally<AudioTally>
    ) {
        self.segment = segment
        samples = segment.samples
        source = SoundSource(
            retiming: segment.sound, settings: settings, stages: site.stages, progress: nil,
            spill: site.spill, tally: tally)
    }

    mutating func add(to sum: inout [[Float]], at first: Int64) throws {
        var place = max(first, samples.lowerBound)
        let end = min(first + Int64(sum[0].count), samples.upperBound)
        while place < end {
            guard var block = try next(limit: Int(end - place)) else {
                return
            }
            segment.fades.apply(to: &block, first: place)
            segment.envelopes.apply(
                to: &block, first: place, rate: Double(segment.sound.sampleRate))
            let offset = Int(place - first)
            for (channel, values) in segment.mix.mixed(block).enumerated() {
                for index in values.indices {
                    sum[channel][offset + index] += values[index]
                }
            }
            place += Int64(block[0].count)
        }
    }

    private mutating func next(limit: Int) throws -> [[Float]]? {
        if waiting.first.map({ used == $0.count }) ?? true {
            guard let block = try source.blocks.receive() else {
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
