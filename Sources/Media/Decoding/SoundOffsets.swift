/// Decides what becomes of sound whose timestamps aren't where the samples before it end.
///
/// Timestamps jitter where a program wrote when a packet came instead of what it holds; a recorder's clock may be off; and
/// sound may be missing. The offsets of frames, timestamp minus the end of the samples before it, tell them apart:
/// ```
///  jitter ·:·.:·.·:   drift  ....:::''''   missing sound       ........
///                                                      ........
/// ```
/// Players do alike: they let small offsets be, follow a drift by resampling, and step where that is too slow.
struct SoundOffsets {
    /// The offset of a frame, in seconds, and when the frame begins, counted from the first of those that are looked at.
    typealias Coming = (offset: Double, seconds: Double)

    enum Correction {
        /// The frame follows the one before it, and is made longer by this share; 0 for the samples as they are.
        case follow(stretch: Double)
        /// The frame begins this many seconds after the end of the one before it; earlier if negative.
        case step(Double)
    }

    /// How much of the coming sound is looked at, in seconds.
    static let horizon = 1.0
    /// Frames that are looked at, at least and at most.
    static let fewest = 3
    static let most = 256

    /// Offsets up to this are a container's rounding.
    private let rounding: Double
    /// Offsets up to this are neither heard nor seen.
    private let slack: Double
    /// The offsets of the last frames.
    private var past: [Double] = []
    /// By how much sound is made longer now, as a share.
    private var stretch = 0.0

    /// Missing sound is at least this long; a lost frame is longer with every codec.
    private static let shortestStep = 0.01
    private static let mostPast = 48
    /// Medians of this many seconds, and of this many frames at least, tell a step from jitter. In a transport stream several
    /// frames share a timestamp.
    private static let groupSeconds = 0.25
    private static let smallestGroup = 5
    /// Half the horizon, so that a steady drift is followed without falling behind.
    private static let settlingSeconds = 0.5
    private static let largestStretch = 0.1
    /// The stretch changes within about this time, so that it isn't heard.
    private static let easingSeconds = 0.2
    /// Larger offsets would take too long to be followed.
    private static let largestOffset = 0.1

    init(rounding: Double) {
        self.rounding = rounding
        slack = max(rounding, 0.005)
    }

    /// Takes the offset of the next frame, and says whether the coming frames have to be looked at.
    mutating func isOff(_ offset: Double) -> Bool {
        past.append(offset)
        if past.count > Self.mostPast {
            past.removeFirst()
        }
        return abs(offset) > rounding || stretch != 0
    }

    /// Decides about the first of some frames, whose offset was taken last.
    ///
    /// - Parameters:
    ///   - coming: it and those after it, as if all of them followed each other; at least one.
    ///   - frameSeconds: how long it lasts.
    ///   - isSecond: whether it is the stream's second. Writers that can't state an encoder's delay stretch the first,
    ///     which holds only that.
    mutating func correction(
        _ coming: [Coming], frameSeconds: Double, isSecond: Bool
    ) -> Correction {
        let raw = coming.map(\.offset)
        let group = Self.group(of: coming)
        let largest = Self.largestStretch * frameSeconds
        let even = Self.nextStep(
            in: raw, least: Self.shortestStep + largest * Double(group), group)
        let drift = max(-largest, min(drift(of: raw[..<even]), largest))
        let offsets = Self.without(drift, raw)
        let (near, all) = (offsets.prefix(group).median, offsets.median)
        let known = past.count > Self.fewest ? past.dropLast() : []
        let before = known.isEmpty ? 0 : known.median
        // Of frames that share a timestamp only the past tells it: three quarters of it are nearer than this.
        let distances = known.map { abs($0 - before) }.sorted()
        let unrest = distances.isEmpty ? 0 : distances[distances.count * 3 / 4]
        let spread = max(Self.spread(of: known + offsets[...]), unrest / 1.5)
        let isSteady = max(spread, unrest) <= rounding
        var step =
            max(rounding, isSteady ? Self.shortestStep : 2 * Self.shortestStep, 3 * spread)
            + abs(drift) * Double(Self.smallestGroup)
        let next = Self.nextStep(in: offsets, least: step, group)
        if isSecond, isSteady {
            step = rounding
        }
        if coming.count < Self.fewest {
            // So few frames may all be late by chance. What is missing is a frame at least.
            step = max(step, 0.75 * frameSeconds)
        }
        let isStep =
            abs(near - before) > step && abs(all - before) > step
            && (near > before) == (all > before)
            // A step that begins later isn't this frame's.
            && abs(offsets[0] - near) < abs(offsets[0] - before)
        if isStep || abs(near) > Self.largestOffset && abs(all) > Self.largestOffset {
            (past, stretch) = ([], 0)
            return .step(isSteady ? offsets[0] : near)
        }
        if coming[coming.count - 1].seconds > Self.horizon / 2 {
            let lasting = raw[..<next].median
            let size = min(max(0, abs(lasting) - slack) / Self.settlingSeconds, Self.largestStretch)
            let wanted = lasting < 0 ? -size : size
            stretch += (wanted - stretch) * min(1, frameSeconds / Self.easingSeconds)
            if wanted == 0, abs(stretch) < 1e-5 {
                stretch = 0
            }
        }
        return .follow(stretch: stretch)
    }

    /// How much later than by its own timestamp the first frame begins by those after it, in seconds; 0 where they agree
    /// but for rounding.
    func lateness(_ coming: [Coming]) -> Double {
        let offsets = coming.map(\.offset)
        guard offsets.contains(where: { abs($0) > rounding }) else {
            return 0
        }
        return Self.without(drift(of: offsets[...]), offsets).prefix(Self.group(of: coming)).median
    }

    /// How much later than by its own timestamp the first frame begins, in seconds, where all timestamps are those of frames
    /// that follow each other, rounded to a tick; nil if they aren't. All together tell it to half a sample, as no frame
    /// may be rounded by more than half a tick.
    static func lateness(_ coming: [Coming], roundedTo tick: Double) -> Double? {
        let offsets = coming.map(\.offset)
        guard coming.count >= fewest, let least = offsets.min(), let most = offsets.max(),
            most - least < tick * 1.001
        else {
            return nil
        }
        return (least + most) / 2
    }

    /// How many frames are taken together at least.
    private static func group(of coming: [Coming]) -> Int {
        max(smallestGroup, coming.prefix { $0.seconds < groupSeconds }.count)
    }

    /// The offsets as they would be if the clock weren't off.
    private static func without(_ drift: Double, _ offsets: [Double]) -> [Double] {
        offsets.indices.map { offsets[$0] - drift * Double($0) }
    }

    /// By how much offsets grow from one to the next: the median where timestamps are steady, which steps don't change;
    /// otherwise over all that are half of them apart, which jitter changes least.
    private func drift(of offsets: ArraySlice<Double>) -> Double {
        let half = offsets.count / 2
        guard half >= Self.fewest else {
            return 0
        }
        let distance = 3 * Self.spread(of: offsets) <= rounding ? 1 : half
        let grown = zip(offsets, offsets.dropFirst(distance)).map { $1 - $0 }
        return grown.median / Double(distance)
    }

    /// Where the offsets step; their count where they don't.
    private static func nextStep(in offsets: [Double], least: Double, _ group: Int) -> Int {
        let places = offsets.indices.dropFirst().dropLast(fewest)
        let step = places.first {
            let before = offsets[max(0, $0 - group)..<$0]
            return abs(offsets[$0...].prefix(group).median - before.median) > least
        }
        return step ?? offsets.count
    }

    /// The median distance of offsets from their middle, if they are evenly spread, which a step doesn't change.
    private static func spread(of offsets: ArraySlice<Double>) -> Double {
        let steps = zip(offsets, offsets.dropFirst()).map { abs($1 - $0) }
        // Of two numbers between −1 and 1 the median distance is 2 − √2, and the median of each is 1/2 from the middle.
        return steps.isEmpty ? 0 : steps.median / (2 * (2 - 2.0.squareRoot()))
    }
}
