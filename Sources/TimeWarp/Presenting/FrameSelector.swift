import TimeMaps

/// Decides which output ticks present a source frame. A tick is a frame of the fixed output rate.
///
/// Tick k presents the last frame whose retimed time is at or before k / rate:
/// ```
/// frames    A────────B────C──────────────D───
/// ticks     0    1    2    3    4    5    6
/// output    A    A    B    C    C    C    D
/// ```
struct FixedRateSelector {
    /// Two instants closer than this count as one. It is far below what can be seen, and far above rounding errors.
    static let toleranceSeconds = Tolerance.instant

    let framesPerSecond: Double
    /// The number of ticks; the last frame is shown until then.
    let tickCount: Int64
    /// The time of tick 0 from the output's start, in seconds.
    let offset: Double
    private(set) var nextTick: Int64?

    /// - Parameter nextTick: the first tick; nil for the one at which the first frame starts.
    init(
        framesPerSecond: Double, tickCount: Int64, offset: Double = 0, nextTick: Int64? = nil
    ) {
        self.offset = offset
        self.nextTick = nextTick
        self.framesPerSecond = framesPerSecond
        self.tickCount = tickCount
    }

    /// The instant of a tick's duration that decides which frame the tick shows.
    enum Deciding {
        case startsOfTicks, endsOfTicks
    }

    /// The ticks of a frame that is presented from `start` until the next frame starts at `end`, in output
    /// seconds.
    ///
    /// - Parameter end: nil for the last frame.
    mutating func ticks(
        from start: Double, until end: Double?, _ deciding: Deciding = .startsOfTicks
    ) -> Range<Int64> {
        let first = nextTick ?? max(0, min(tick(at: start, deciding), tickCount - 1))
        let last = end.map { min(tick(at: $0, deciding), tickCount) } ?? tickCount
        let range = first..<max(first, last)
        nextTick = range.upperBound
        return range
    }

    private func tick(at seconds: Double, _ deciding: Deciding) -> Int64 {
        switch deciding {
        case .startsOfTicks:
            Int64(((seconds - offset - Self.toleranceSeconds) * framesPerSecond).rounded(.up))
        case .endsOfTicks:
            Int64(((seconds - offset + Self.toleranceSeconds) * framesPerSecond).rounded(.down))
        }
    }
}

/// Presents each source frame at its own time. If two frames fall on one tick, the earlier one is dropped.
struct VariableRateSelector<Content> {
    struct Placed {
        let content: Content
        let tick: Int64
        let duration: Int64
    }
    private var pending: (content: Content, tick: Int64)?
    private(set) var collisions = 0

    /// Returns the previous frame, whose end is known now; nil if there is none yet.
    mutating func place(_ content: Content, at tick: Int64) -> Placed? {
        defer { pending = (content, max(tick, pending?.tick ?? tick)) }
        guard let earlier = pending else {
            return nil
        }
        guard tick > earlier.tick else {
            collisions += 1
            return nil
        }
        return Placed(content: earlier.content, tick: earlier.tick, duration: tick - earlier.tick)
    }

    /// Returns the last frame, which is presented until `end`.
    mutating func finish(at end: Int64) -> Placed? {
        defer { pending = nil }
        return pending.map {
            Placed(content: $0.content, tick: $0.tick, duration: max(1, end - $0.tick))
        }
    }
}
