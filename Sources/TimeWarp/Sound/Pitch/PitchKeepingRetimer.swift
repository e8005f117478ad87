import Foundation
import TimeMaps

/// Retimes sound along a time map and keeps its pitch.
///
/// The output is a sum of grains, an eighth of their length apart. Each is taken from the source at exactly the
/// place that the map gives for its centre, and its phases go on from the grain before (``GrainVocoder``).
///
/// ```
///  speed        what is heard
///  1            the source's own samples
///  else         grains; an attack is cut out and put whole where the map has its peak
///  0            one grain again and again; silenced unless asked for
///  negative     grains of the reversed source
/// ```
struct PitchKeepingRetimer: AudioRetimer {
    private let retiming: AudioRetiming
    private let map: TimeMap
    private let rate: Double
    private let regions: [PitchRegion]
    private var vocoder: GrainVocoder
    private let hop: Int
    /// How long an attack is played as it is, in samples.
    private let attackCount: Int
    /// How long a cut takes, in samples.
    private let fade: Int
    private var source: GrainSource
    private var finder: TransientFinder
    private var sum: GrainSum
    private let fades: CutFades
    /// Nil if sound is held in freezes.
    private var mute: FreezeMute?

    private var region = 0
    /// The output sample up to which grains were made.
    private var time = 0
    private var last: Grain?
    /// Where the present stretch of grains without an attack begins.
    private var begin: (source: Int?, output: Int?) = (nil, nil)
    /// Attacks ahead, with their onset in the output.
    private var attacks: [(output: Int, transient: Transient)] = []
    /// The source position up to which attacks were searched.
    private var searched: Int?
    private var takenCount: Int64 = 0
    private var lastBoundary = 0

    private static let fastestWithAttacks = 8
    /// Where the source moves on by more positions from one grain to the next, phases can't go on: what is between would
    /// have to be in memory.
    private static let longestStep = 1 << 19
    /// Shorter windows can't tell the partials of a chord, longer ones blur a voice. In seconds; the next power of two in
    /// samples is taken, which is 85 and 43 ms at 48 kHz.
    private static func shortestWindow(_ tune: RenderSettings.PitchTune) -> Double {
        switch tune {
        case .music: 0.064
        case .speech: 0.032
        }
    }

    private static let attackSeconds = 0.005
    private static let fadeSeconds = 0.0005
    /// For how long phases are led back to the source's own before its samples are played as they are.
    static let homingSeconds = 0.045
    /// Attacks that come sooner after another are not treated as such.
    private static let leastDistanceSeconds = 0.012
    private var leastDistance: Int { Int(Self.leastDistanceSeconds * rate) }

    /// - Throws: ``MediaError`` when memory has run out.
    init(
        _ retiming: AudioRetiming, tune: RenderSettings.PitchTune = .music,
        freezes: RenderSettings.FreezeSound = .silence, source: SourceSound
    ) throws {
        self.retiming = retiming
        map = retiming.map
        rate = retiming.outputRate
        var count = 512
        while Double(count) < Self.shortestWindow(tune) * rate {
            count *= 2
        }
        hop = count / 8
        attackCount = Int(Self.attackSeconds * rate)
        fade = max(Int(Self.fadeSeconds * rate), 4)
        vocoder = try GrainVocoder(
            channelCount: retiming.channelCount, windowCount: count, fade: fade,
            voice: tune == .speech
                ? VoiceShape(windowCount: count, sampleRate: rate) : nil)
        regions = PitchRegion.regions(
            of: retiming.map, rate: retiming.outputRate, sampleCount: Int(retiming.sampleCount),
            homing: Int(Self.homingSeconds * retiming.outputRate))
        self.source = GrainSource(retiming, source: source, keeping: 4 * count)
        finder = TransientFinder(channelCount: retiming.channelCount, sampleRate: rate)
        sum = GrainSum(
            channelCount: retiming.channelCount, start: 0, sampleRate: retiming.outputRate,
            plain: regions.filter(\.isUnit).map(\.samples))
        fades = CutFades(retiming.map, rate: rate)
        mute = freezes == .silence ? FreezeMute(retiming) : nil
    }

    var samplesIn: Int64 { source.samplesIn }

    mutating func next(limit: Int) throws -> [[Float]]? {
        let count = Int(min(Int64(limit), retiming.sampleCount - takenCount))
        guard count > 0 else {
            return nil
        }
        let end = Int(takenCount) + count
        while region < regions.count, time - vocoder.windowCount / 2 < end {
            try step()
        }
        sum.reserve(upTo: end)
        var block = sum.take(upTo: end)
        fades.apply(to: &block, first: takenCount)
        mute?.apply(to: &block, from: takenCount)
        takenCount += Int64(count)
        return block
    }

    // MARK: - Steps

    private mutating func step() throws {
        let present = regions[region]
        if present.isUnit {
            try copy(present)
        } else if let last {
            try continueGrains(after: last, in: present)
        } else {
            try beginGrains(in: present)
        }
        if time >= present.samples.upperBound {
            region += 1
            last = nil
        }
    }

    /// The source's samples, as they are.
    private mutating func copy(_ present: PitchRegion) throws {
        let isFirst = time == present.samples.lowerBound
        let start = isFirst && region > 0 ? time - fade : time
        let end = min(time + 4096, present.samples.upperBound)
        let offset = position(at: present.samples.lowerBound) - present.samples.lowerBound
        try source.load(start + offset..<end + offset)
        sum.reserve(upTo: end)
        let isLast = end == present.samples.upperBound && region + 1 < regions.count
        let window = (start..<end).map { index -> Float in
            let rise = start < time ? min(1, Float(index - start) / Float(fade)) : 1
            let fall = isLast ? min(1, Float(end - index) / Float(fade)) : 1
            return rise * fall
        }
        for channel in 0..<retiming.channelCount {
            source.withSamples(channel, start + offset..<end + offset) { samples in
                sum.add(samples, channel: channel, from: start, window: window)
            }
        }
        time = end
    }

    private mutating func beginGrains(in present: PitchRegion) throws {
        let start = present.samples.lowerBound
        begin = (present.isContinuous ? nil : position(at: start), start)
        attacks = []
        searched = nil
        lastBoundary = start - leastDistance - 1
        try search(present, from: start)
        // A first attack is put whole if it comes out of silence. What else is heard before it would be too little to be
        // stretched alone: then it is heard as it is, with the attack.
        let beginning = position(at: start)
        guard let attack = attacks.first, isQuiet(before: attack.transient.onset, from: beginning)
        else {
            let later = attacks.filter { $0.output > start + leastDistance }
            attacks = []
            try make(grain(at: start, present))
            (attacks, lastBoundary) = (later, start)
            return
        }
        try make(grain(at: start, present))
        if attack.output < start + hop / 4 {
            try open(attack, present)
        }
    }

    /// Whether the source is 40 dB quieter before an attack than in it, and isn't cut there.
    private func isQuiet(before onset: Int, from beginning: Int) -> Bool {
        guard onset >= beginning + fade else {
            return false
        }
        func peak(_ range: Range<Int>) -> Float {
            (0..<retiming.channelCount).reduce(0) { peak, channel in
                source.withSamples(channel, range) { samples in
                    (0..<range.count).reduce(peak) { max($0, abs(samples[$1])) }
                }
            }
        }
        return peak(beginning..<onset) < 0.01 * peak(onset..<onset + attackCount)
    }

    /// Puts an attack where the map has its peak. What comes before has been made.
    private mutating func open(
        _ attack: (output: Int, transient: Transient), _ present: PitchRegion
    ) throws {
        attacks.removeFirst()
        lastBoundary = attack.output
        var opening = grain(at: attack.output, present)
        opening.centre = attack.transient.onset
        opening.sourceBegin = attack.transient.onset
        opening.outputBegin = attack.output
        try make(opening)
        begin = (attack.transient.onset + attackCount, attack.output + attackCount)
    }

    private mutating func continueGrains(after last: Grain, in present: PitchRegion) throws {
        try search(present, from: time + hop / 4 + 1)
        let end = present.samples.upperBound
        let attack = attacks.first
        let boundary = min(attack?.output ?? end, end)
        let next = last.time + hop
        guard next + hop / 4 >= boundary else {
            try make(following(last, at: next, present))
            return
        }
        // The last grain of the stretch ends exactly at the boundary.
        var closing = following(last, at: boundary, present)
        let isAttack = attack.map { $0.output == boundary } ?? false
        if let attack, isAttack {
            closing.outputEnd = boundary
            closing.centre = attack.transient.onset
            closing.sourceEnd = attack.transient.onset
        } else {
            // At the end itself the map may have jumped already.
            closing.centre = position(at: end - 1) + present.direction
        }
        try make(closing)
        if let attack, isAttack {
            try open(attack, present)
        }
    }

    private mutating func make(_ grain: Grain) throws {
        try source.load(vocoder.needed(for: grain))
        vocoder.make(grain, of: source, into: &sum)
        last = grain
        time = grain.time
    }

    /// A grain with the source's phases.
    private func grain(at time: Int, _ present: PitchRegion) -> Grain {
        var grain = Grain(time: time, centre: position(at: time), direction: present.direction)
        grain.sourceBegin = begin.source
        grain.outputBegin = begin.output
        if let attack = attacks.first {
            grain.sourceEnd = attack.transient.onset
            grain.outputEnd = attack.output
        } else {
            let end = present.samples.upperBound
            let sourceEnd = position(at: end - 1) + present.direction
            if region + 1 == regions.count {
                // Nothing is heard after the end: so the fade of the cut lies there.
                grain.sourceEnd = sourceEnd + fade * present.direction
            } else {
                grain.outputEnd = end
                grain.sourceEnd = regions[region + 1].isContinuous ? nil : sourceEnd
            }
        }
        return grain
    }

    /// A grain whose phases go on from another one.
    private func following(_ last: Grain, at time: Int, _ present: PitchRegion) -> Grain {
        var grain = grain(at: time, present)
        if abs(grain.centre - last.centre) < Self.longestStep {
            grain.before = (last.time, last.centre)
        }
        let left = present.samples.upperBound - time
        if left < present.homingCount {
            // Each grain turns by the same share of what is left, and the last one by all of it.
            grain.homing = min(1, Float(hop) / Float(max(left, hop / 2)))
        }
        return grain
    }

    // MARK: - Attacks

    /// Searches attacks as far as the next grain and its output reach.
    ///
    /// - Parameter first: the output sample at which one may come at the earliest.
    private mutating func search(_ present: PitchRegion, from first: Int) throws {
        guard present.direction > 0 else {
            return
        }
        let half = vocoder.windowCount / 2
        let here = position(at: time)
        guard position(at: time + hop) - here < Self.fastestWithAttacks * hop else {
            // So much is left out between two grains that no attack would be heard as one.
            searched = nil
            return
        }
        let from = searched ?? here
        let reach = max(position(at: time + hop) + half, position(at: time + half + 2 * hop))
        let until = min(reach, from + 1 << 16)
        guard until > from + hop else {
            return
        }
        let range = from..<until
        let needed = finder.needed(for: range)
        // With what the next grain needs, because a source that is read once can't go back far.
        try source.load(min(needed.lowerBound, here - 2 * vocoder.windowCount)..<needed.upperBound)
        for transient in finder.transients(in: range, of: source) {
            let output =
                outputTime(of: transient.peak, present) - (transient.peak - transient.onset)
            if output > (attacks.last?.output ?? lastBoundary) + leastDistance, output >= first,
                output < present.samples.upperBound - leastDistance
            {
                attacks.append((output, transient))
            }
        }
        searched = reach > until ? reach : until
    }

    /// The output sample at which a position in the source is played, within a region that plays forward.
    private func outputTime(of target: Int, _ present: PitchRegion) -> Int {
        var (low, high) = (present.samples.lowerBound, present.samples.upperBound)
        while high - low > 1 {
            let middle = (low + high) / 2
            if position(at: middle) < target {
                low = middle
            } else {
                high = middle
            }
        }
        return high
    }

    /// The position in the source at an output sample. Past the end the map goes straight on.
    private func position(at output: Int) -> Int {
        let last = map.outputDuration * rate
        let inside = min(Double(output), last)
        let beyond = Double(output) - inside
        let limit = VarispeedResampler.largestSpeed
        let speed = beyond > 0 ? min(max(map.speed(at: map.outputDuration), -limit), limit) : 0
        return Int((map.sourceTime(at: inside / rate) * rate + beyond * speed).rounded())
    }
}
