import Media
import TimeMaps

/// Makes the frames of a fixed rate from those of the source: held, blended, made from motion, or averaged over the
/// time that a shutter is open.
///
/// ```
/// source    A────────B────────C────────    blend: a tick a third of the way from A to B consists of two
/// ticks     0     1     2     3     4      thirds of A and one third of B
///
/// source    A─B─C─D─E─F─G─H─I─J─K─L─M─N    shutter, 180°: a tick is the average of the frames
/// ticks     0──┐  1──┐  2──┐  3──┐         in the first half of its time
/// ```
/// Backward playback is forward playback mirrored: the end of a tick decides what it shows, and the shutter is open
/// in the last part of the tick's duration. Used on the encoding thread.
struct FrameSynthesiser {
    /// Receives a frame for a tick of the output.
    typealias Emit = (_ frame: Frame, _ tick: Int64) throws -> Void

    private let map: TimeMap
    private let secondsPerTick: Double
    /// The share of a tick's duration for which the shutter is open; nil for no shutter.
    private let openShare: Double?
    private let offset: Double
    private var assignment: TickAssignment
    private var exposure: Exposure?
    private let mixer = FrameMixer()
    private let interpolation: Interpolation
    private(set) var counts = SynthesisCounts()

    /// How frames between two others are made.
    private enum Interpolation {
        case none
        case mixture
        case motion(MotionSynthesiser)
    }

    /// A tick whose shutter is still open.
    private struct Exposure {
        let tick: Int64
        /// The frame to show if the shutter is open too briefly to average anything.
        let frame: Frame
        /// When the shutter opens and closes: at the start of the tick's duration, or at its end for backward playback.
        let start: Double
        let end: Double
        var pile: FramePile
    }

    init(
        _ settings: RenderSettings, map: TimeMap, rate: FrameRate, part: TrackRun, offset: Double
    ) {
        self.map = map
        self.offset = offset
        interpolation =
            switch settings.frames {
            case .hold: .none
            case .blend: .mixture
            case .motion:
                .motion(
                    MotionSynthesiser(threads: settings.threadsOfCodec(sharedBy: settings.jobs)))
            }
        openShare = settings.shutterDegrees.map { $0 / 360 }
        secondsPerTick = rate.frameDuration.seconds
        assignment = TickAssignment(
            settings, rate: rate, tickCount: part.ticks.upperBound, offset: offset,
            firstTick: part.isFirst ? nil : part.ticks.lowerBound)
    }

    /// Presents a frame, given its neighbours.
    ///
    /// - Returns: how many ticks start while it is presented.
    mutating func show(
        _ showing: PresentedFrame, after previous: PresentedFrame?,
        before following: PresentedFrame?, _ emit: Emit
    ) throws -> Int {
        let end = following?.start.seconds
        let assigned = assignment.assign(
            from: showing.start.seconds, until: end, showing.direction)
        try expose(showing, until: end ?? .infinity, emit)
        for tick in assigned.ticks {
            if assigned.isFast {
                try open(tick, with: showing, until: end ?? .infinity, emit)
            } else {
                try emit(try interpolated(showing, at: tick, previous, following), tick)
            }
        }
        return assigned.ticks.count
    }

    /// Closes the shutter after the last frame.
    mutating func finish(_ emit: Emit) throws {
        try close(emit)
    }

    // MARK: - Between two frames

    private mutating func interpolated(
        _ showing: PresentedFrame, at tick: Int64, _ previous: PresentedFrame?,
        _ following: PresentedFrame?
    ) throws -> Frame {
        if case .none = interpolation {
            return showing.frame
        }
        let isMirrored = showing.direction == .backward
        let later = isMirrored ? previous : following
        guard let later, abs(later.sourceStart - showing.sourceEnd) < Tolerance.stated else {
            return showing.frame
        }
        let y = Double(tick + (isMirrored ? 1 : 0)) * secondsPerTick + offset
        let distance =
            (map.sourceTime(at: y) - showing.sourceStart)
            / (later.sourceStart - showing.sourceStart)
        // A difference below half of an 8-bit step isn't worth a mixed frame.
        guard distance > 1 / 512 else {
            return showing.frame
        }
        guard distance < 1 - 1 / 512 else {
            return later.frame
        }
        return try frame(between: showing.frame, and: later.frame, at: distance)
    }

    /// - Parameter distance: above 0, where the earlier frame is, and below 1, where the later one is.
    private mutating func frame(
        between earlier: Frame, and later: Frame, at distance: Double
    ) throws -> Frame {
        if case .motion(let synthesiser) = interpolation,
            MotionSynthesiser.canSynthesise(earlier, later)
        {
            switch try synthesiser.frame(at: distance, from: earlier, to: later) {
            case .made(let frame):
                counts.synthesised += 1
                return frame
            case .earlier:
                counts.held += 1
                return earlier
            case .later:
                counts.held += 1
                return later
            }
        }
        guard earlier.canMix(with: later) else {
            counts.held += 1
            return earlier
        }
        counts.blended += 1
        return try mixer.mix([(earlier, 1 - distance), (later, distance)])
    }

    // MARK: - Shutter

    private mutating func open(
        _ tick: Int64, with showing: PresentedFrame, until end: Double, _ emit: Emit
    ) throws {
        let seconds = secondsPerTick * (openShare ?? 0)
        let late = showing.direction == .backward ? secondsPerTick - seconds : 0
        let start = Double(tick) * secondsPerTick + offset + late
        exposure = Exposure(
            tick: tick, frame: showing.frame, start: start, end: start + seconds,
            pile: FramePile())
        try expose(showing, until: end, emit)
    }

    /// Adds a frame to the average of an open shutter, and closes the shutter when its time is over.
    private mutating func expose(
        _ showing: PresentedFrame, until end: Double, _ emit: Emit
    ) throws {
        guard let open = exposure else {
            return
        }
        let seen = min(end, open.end) - max(showing.start.seconds, open.start)
        if seen > secondsPerTick * 1e-6 {
            try exposure?.pile.add(showing.frame, weight: seen, mixer)
        }
        if end >= open.end {
            try close(emit)
        }
    }

    private mutating func close(_ emit: Emit) throws {
        guard var open = exposure else {
            return
        }
        exposure = nil
        let mixed = try open.pile.mixed(mixer)
        counts.blended += mixed?.isMixed == true ? 1 : 0
        try emit(mixed?.frame ?? open.frame, open.tick)
    }
}

/// How many frames of the output were made, and how.
struct SynthesisCounts {
    /// Made from the motion between two source frames.
    var synthesised: Int64 = 0
    /// Mixed from several source frames.
    var blended: Int64 = 0
    /// Source frames shown at instants between two, because nothing could be made.
    var held: Int64 = 0

    /// How many differ from all source frames.
    var made: Int64 { synthesised + blended }

    mutating func add(_ other: SynthesisCounts) {
        synthesised += other.synthesised
        blended += other.blended
        held += other.held
    }
}

/// Averages frames, a few at a time so that little memory is needed.
///
/// Sixteen frames become one, and sixteen of those become one again. Rounding adds less than a step per level.
private struct FramePile {
    private var levels: [[(frame: Frame, weight: Double)]] = [[]]
    private var count = 0

    private static let most = 16

    mutating func add(_ frame: Frame, weight: Double, _ mixer: FrameMixer) throws {
        if let first = levels.lazy.compactMap(\.first).first, !first.frame.canMix(with: frame) {
            return
        }
        count += 1
        var carried = (frame: frame, weight: weight)
        for level in levels.indices {
            levels[level].append(carried)
            guard levels[level].count == Self.most else {
                return
            }
            carried = try Self.mix(levels[level], mixer)
            levels[level].removeAll()
        }
        levels.append([carried])
    }

    /// The average; nil if no frame was added.
    mutating func mixed(_ mixer: FrameMixer) throws -> (frame: Frame, isMixed: Bool)? {
        let all = levels.flatMap { $0 }
        guard all.count > 1 else {
            return all.first.map { ($0.frame, count > 1) }
        }
        return (try Self.mix(all, mixer).frame, true)
    }

    private static func mix(
        _ frames: [(frame: Frame, weight: Double)], _ mixer: FrameMixer
    ) throws -> (frame: Frame, weight: Double) {
        (try mixer.mix(frames), frames.reduce(0) { $0 + $1.weight })
    }
}

extension Frame {
    /// Whether two frames have the same format, and one that can be mixed.
    fileprivate func canMix(with other: Frame) -> Bool {
        pixelFormat == other.pixelFormat && width == other.width && height == other.height
            && FrameMixer.canMix(pixelFormat)
    }
}
