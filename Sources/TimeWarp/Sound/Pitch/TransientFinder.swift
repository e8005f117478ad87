/// An attack: a click, a drum, a plosive.
struct Transient: Equatable {
    /// The first sample of the attack.
    let onset: Int
    /// Its loudest sample, or the last one at which it still sounds like its beginning: the one that has to come when the
    /// map says.
    let peak: Int
}

/// Finds attacks in the source: where the sound's changes become four times as strong as at any time in the 27 ms
/// before.
///
/// The strength is the sum of squared differences of neighbouring samples, which counts high frequencies more, over
/// 5.3 ms. Whether there is an attack depends on the samples around it alone, not on where the search begins. The
/// vibration of a low voice isn't taken for attacks, because the one before was as strong.
///
/// Loud tones hide a click from that. Third differences, in which a tone of 1 kHz is weaker by 53 dB and a click isn't, show it:
/// where these become sixteen times as strong, and are strong beside the tones, there is an attack as well.
struct TransientFinder {
    /// Sums of squared differences over some time.
    private struct Strength {
        var changes: Float = 0
        /// Of third differences.
        var edges: Float = 0
    }

    /// How many steps a measurement covers.
    private static let width = 4
    /// Steps before a measurement in which the sound must have been weaker, without the latest.
    private static let past = 20
    private static let latest = 3
    /// An attack is the strongest rise within this many steps on both sides.
    private static let reach = 10
    private static let rise: Float = 4
    /// How many times as strong edges must become for what ``rise`` is for changes.
    private static let edgeRise: Float = 4
    /// Edges that are weaker beside the changes aren't heard.
    private static let edgeShare: Float = 0.25
    /// Where changes rise less than this there is other sound beside the attack.
    private static let hidden: Float = 50

    private let channelCount: Int
    /// Samples between two measurements: 1.33 ms.
    private let stepLength: Int
    /// Strengths below this count as silence: −100 dB.
    private let floor: Float
    /// How long it must be quiet before an attack, in samples: 0.5 ms.
    private let quiet: Int
    /// How far before its peak an attack may begin, in samples: 4 ms.
    private let longestAttack: Int
    /// A peak that comes later doesn't tell the attack's time, because noise has it anywhere. In samples: 3 ms.
    private let longestRise: Int
    /// Strengths of steps, from `first` on.
    private var strengths: [Strength] = []
    private var first = 0

    init(channelCount: Int, sampleRate: Double) {
        func samples(_ milliseconds: Double) -> Int {
            max(Int((milliseconds / 1000 * sampleRate).rounded()), 4)
        }
        self.channelCount = channelCount
        stepLength = samples(4.0 / 3)
        quiet = samples(0.5)
        longestAttack = samples(4)
        longestRise = samples(3)
        floor = 1e-7 * Float(stepLength * Self.width)
    }

    /// The samples that must be loaded to search a range.
    func needed(for range: Range<Int>) -> Range<Int> {
        let steps = stepsNeeded(for: range)
        return steps.lowerBound * stepLength - 3..<steps.upperBound * stepLength
    }

    private func stepsNeeded(for range: Range<Int>) -> Range<Int> {
        let (low, high) = (steps(of: range).lowerBound, steps(of: range).upperBound)
        return low - Self.past - Self.reach..<high + Self.reach + Self.width + 1
    }

    private func steps(of range: Range<Int>) -> Range<Int> {
        Self.floorDivided(range.lowerBound, by: stepLength)..<Self.floorDivided(
            range.upperBound - 1, by: stepLength) + 1
    }

    private static func floorDivided(_ value: Int, by divisor: Int) -> Int {
        (value - (value % divisor + divisor) % divisor) / divisor
    }

    /// The attacks whose measurement begins in a range of positions, in order. The range's ``needed(for:)`` must be
    /// loaded.
    mutating func transients(in range: Range<Int>, of source: GrainSource) -> [Transient] {
        let needed = stepsNeeded(for: range)
        measure(needed, source)
        return steps(of: range).compactMap { step in
            let own = rise(at: step)
            guard own > Self.rise, (1...Self.reach).allSatisfy({ own > rise(at: step - $0) }),
                (1...Self.reach).allSatisfy({ own >= rise(at: step + $0) })
            else {
                return nil
            }
            return transient(at: step, source)
        }
    }

    /// Measures the steps that weren't measured yet.
    private mutating func measure(_ steps: Range<Int>, _ source: GrainSource) {
        if steps.lowerBound < first || steps.lowerBound > first + strengths.count {
            strengths.removeAll(keepingCapacity: true)
            first = steps.lowerBound
        }
        let surplus = steps.lowerBound - first
        if surplus > 1024 {
            strengths.removeFirst(surplus)
            first += surplus
        }
        for step in first + strengths.count..<max(steps.upperBound, first + strengths.count) {
            var sum = Strength()
            for channel in 0..<channelCount {
                let range = step * stepLength - 3..<(step + 1) * stepLength
                source.withSamples(channel, range) { samples in
                    for index in 3..<stepLength + 3 {
                        let change = samples[index] - samples[index - 1]
                        let edge =
                            change - 2 * (samples[index - 1] - samples[index - 2])
                            + (samples[index - 2] - samples[index - 3])
                        sum.changes += change * change
                        sum.edges += edge * edge
                    }
                }
            }
            strengths.append(sum)
        }
    }

    private func strength(at step: Int) -> Strength {
        var sum = Strength()
        for index in step - first..<step - first + Self.width {
            sum.changes += strengths[index].changes
            sum.edges += strengths[index].edges
        }
        return sum
    }

    /// How many times as strong changes and edges are at a step as before it; edges count for nothing where they aren't heard.
    private func rises(at step: Int) -> Strength {
        var before = Strength()
        for index in step - Self.past..<step - Self.latest where index >= first {
            let strength = strength(at: index)
            before.changes = max(before.changes, strength.changes)
            before.edges = max(before.edges, strength.edges)
        }
        let own = strength(at: step)
        let isHeard = own.edges > Self.edgeShare * own.changes
        return Strength(
            changes: own.changes / (before.changes + floor),
            edges: isHeard ? own.edges / (before.edges + floor) / Self.edgeRise : 0)
    }

    private func rise(at step: Int) -> Float {
        let rises = rises(at: step)
        return max(rises.changes, rises.edges)
    }

    private func transient(at step: Int, _ source: GrainSource) -> Transient {
        // Tones that go on are louder than the attack may be; in third differences they aren't.
        let rises = rises(at: step)
        let isHidden = rises.changes < Self.hidden && rises.edges > rises.changes
        let start = step * stepLength
        let range = start..<start + (Self.width + 1) * stepLength
        var peak = start
        var loudest: Float = -1
        var changes = [Float](repeating: 0, count: range.count + longestAttack)
        let first = start - longestAttack
        for channel in 0..<channelCount {
            source.withSamples(channel, first - 3..<range.upperBound) { samples in
                for index in changes.indices {
                    let here = index + 3
                    var change = samples[here] - samples[here - 1]
                    if isHidden {
                        change +=
                            samples[here - 2] - samples[here - 3]
                            - 2 * (samples[here - 1] - samples[here - 2])
                    }
                    changes[index] = max(changes[index], abs(change))
                    let (position, loudness) = (
                        first + index, abs(isHidden ? change : samples[here])
                    )
                    if position >= start, loudness > loudest {
                        loudest = loudness
                        peak = position
                    }
                }
            }
        }
        let limit = 0.03 * (changes[longestAttack...].max() ?? 0)
        var onset = peak
        while onset > peak - longestAttack, onset - quiet >= first,
            changes[onset - quiet - first..<onset - first].contains(where: { $0 > limit })
        {
            onset -= 1
        }
        return Transient(onset: onset, peak: min(peak, onset + longestRise))
    }
}
