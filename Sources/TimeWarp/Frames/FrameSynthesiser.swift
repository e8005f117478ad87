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
        var average: FrameAverage
        /// Whether a frame in the average was made from motion.
        var isSynthesised = false
    }

    /// The share of the way to another frame up to which a frame stays as it is: half of an 8-bit step isn't worth a mixed
    /// frame.
    static let leastDistance = 1.0 / 512

    /// At how many instants an open shutter sees frames made from motion: things that move by 16 pixels while it is
    /// open leave a trace without gaps.
    private static let instantsPerExposure = 16

    init(
        _ settings: RenderSettings, map: TimeMap, rate: FrameRate, part: RunBounds, offset: Double
    ) {
        self.map = map
        self.offset = offset
        interpolation =
            switch settings.video.frames {
            case .hold: .none
            case .blend: .mixture
            case .motion:
                .motion(
                    MotionSynthesiser(
                        threads: settings.resources.threadsOfCodec(
                            sharedBy: settings.resources.jobs)))
            }
        openShare = settings.video.shutterDegrees.map { $0 / 360 }
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
        let later = neighbour(of: showing, previous, following)
        try expose(showing, later, until: end ?? .infinity, emit)
        for tick in assigned.ticks {
            if assigned.isFast {
                try open(tick, with: showing, later, until: end ?? .infinity, emit)
            } else {
                try emit(try frame(of: showing, later, at: tick), tick)
            }
        }
        return assigned.ticks.count
    }

    /// Closes the shutter after the last frame.
    mutating func finish(_ emit: Emit) throws {
        try close(emit)
    }

    // MARK: - Between two frames

    /// A source frame, or one made from two of them.
    private enum Interpolated {
        case source(Frame)
        case synthesised(Frame)
        case blended(Frame)
        /// A source frame shown where nothing could be made.
        case held(Frame)

        var frame: Frame {
            switch self {
            case .source(let frame), .synthesised(let frame), .blended(let frame),
                .held(let frame):
                frame
            }
        }
    }

    /// The frame that follows in the source, if the two are neighbours there and frames between them are wanted.
    private func neighbour(
        of showing: PresentedFrame, _ previous: PresentedFrame?, _ following: PresentedFrame?
    ) -> PresentedFrame? {
        if case .none = interpolation {
            return nil
        }
        let later = showing.direction == .backward ? previous : following
        return later.flatMap {
            abs($0.sourceStart - showing.sourceEnd) < Tolerance.stated ? $0 : nil
        }
    }

    /// The frame at an output time, between a source frame and the one that follows in the source.
    private func interpolated(
        _ showing: PresentedFrame, _ later: PresentedFrame, at y: Double
    ) throws -> Interpolated {
        let distance =
            (map.sourceTime(at: y) - showing.sourceStart)
            / (later.sourceStart - showing.sourceStart)
        guard distance > Self.leastDistance else {
            return .source(showing.frame)
        }
        guard distance < 1 - Self.leastDistance else {
            return .source(later.frame)
        }
        if case .motion(let synthesiser) = interpolation,
            MotionSynthesiser.canSynthesise(showing.frame, later.frame)
        {
            switch try synthesiser.frame(at: distance, from: showing.frame, to: later.frame) {
            case .made(let frame): return .synthesised(frame)
            case .earlier: return .held(showing.frame)
            case .later: return .held(later.frame)
            }
        }
        guard showing.frame.canMix(with: later.frame) else {
            return .held(showing.frame)
        }
        return .blended(
            try mixer.mix([(showing.frame, 1 - distance), (later.frame, distance)]))
    }

    private mutating func frame(
        of showing: PresentedFrame, _ later: PresentedFrame?, at tick: Int64
    ) throws -> Frame {
        guard let later else {
            return showing.frame
        }
        let isMirrored = showing.direction == .backward
        let y = Double(tick + (isMirrored ? 1 : 0)) * secondsPerTick + offset
        let result = try interpolated(showing, later, at: y)
        switch result {
        case .source: break
        case .synthesised: counts.synthesised += 1
        case .blended: counts.blended += 1
        case .held: counts.held += 1
        }
        return result.frame
    }

    // MARK: - Shutter

    private mutating func open(
        _ tick: Int64, with showing: PresentedFrame, _ later: PresentedFrame?,
        until end: Double, _ emit: Emit
    ) throws {
        let seconds = secondsPerTick * (openShare ?? 0)
        let late = showing.direction == .backward ? secondsPerTick - seconds : 0
        let start = Double(tick) * secondsPerTick + offset + late
        exposure = Exposure(
            tick: tick, frame: showing.frame, start: start, end: start + seconds,
            average: FrameAverage())
        try expose(showing, later, until: end, emit)
    }

    /// Adds a frame to the average of an open shutter, and closes the shutter when its time is over.
    private mutating func expose(
        _ showing: PresentedFrame, _ later: PresentedFrame?, until end: Double, _ emit: Emit
    ) throws {
        guard let open = exposure else {
            return
        }
        let start = max(showing.start.seconds, open.start)
        let seen = min(end, open.end) - start
        if seen > secondsPerTick * 1e-6 {
            for (frame, weight) in try exposed(showing, later, from: start, for: seen, open) {
                try exposure?.average.add(frame, weight: weight, mixer)
            }
        }
        if end >= open.end {
            try close(emit)
        }
    }

    /// What the shutter sees while a source frame is presented: that frame; with motion, also frames between it and
    /// the next one, so that few source frames smear as many would.
    private mutating func exposed(
        _ showing: PresentedFrame, _ later: PresentedFrame?, from start: Double,
        for seen: Double, _ open: Exposure
    ) throws -> [(frame: Frame, weight: Double)] {
        let share = seen / (open.end - open.start)
        let count = Int((share * Double(Self.instantsPerExposure)).rounded())
        guard case .motion = interpolation, let later, count > 1 else {
            return [(showing.frame, seen)]
        }
        return try (0..<count).map { number in
            let y = start + (Double(number) + 0.5) / Double(count) * seen
            let result = try interpolated(showing, later, at: y)
            if case .synthesised = result {
                exposure?.isSynthesised = true
            }
            return (result.frame, seen / Double(count))
        }
    }

    private mutating func close(_ emit: Emit) throws {
        guard var open = exposure else {
            return
        }
        exposure = nil
        let mixed = try open.average.mixed(mixer)
        if open.isSynthesised {
            counts.synthesised += 1
        } else if mixed?.isMixed == true {
            counts.blended += 1
        }
        try emit(mixed?.frame ?? open.frame, open.tick)
    }
}

/// How many frames of the output were made, and how.
struct SynthesisCounts: Codable {
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
