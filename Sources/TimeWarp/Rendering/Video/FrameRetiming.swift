import Media
import TimeMaps

/// Assigns the frames of a clip to the ticks of the output, on the encoding thread.
struct FrameRetiming {
    /// Receives a frame, its tick, and for how many ticks it is shown.
    typealias Emit = (_ frame: Frame, _ tick: Int64, _ duration: Int64) throws -> Void

    let frames: ClipFrames
    let part: RunBounds
    let stages: StageGroup

    /// Retimes the frames that `next` returns, until it returns nil.
    ///
    /// - Parameter tally: counts frames read, repeated, skipped and synthesised.
    func run(
        _ next: () throws -> PresentedFrame?, counting tally: inout VideoTally, _ emit: Emit
    ) throws {
        switch frames.timing {
        case .fixed(let rate, _):
            try retimeFixed(next, rate: rate, &tally, emit)
        case .variable:
            try retimeVariable(next, &tally, emit)
        }
    }

    private func retimeFixed(
        _ next: () throws -> PresentedFrame?, rate: FrameRate, _ tally: inout VideoTally,
        _ emit: Emit
    ) throws {
        var evened = EvenSteps()
        var repeats = RepeatCounter()
        let settings = frames.settings
        func read() throws -> PresentedFrame? {
            guard settings.video.bridgesRepeats else {
                let frame = try next()
                if settings.video.frames.followsMotion, let frame {
                    repeats.add(frame)
                }
                return frame
            }
            return try evened.next(next)
        }
        var previous: PresentedFrame?
        var current = try read()
        // If the presentations are known beforehand, use the first of all of them: a chunk starts with a later one.
        let grid = frames.index.flatMap { frames.grid($0.times) }
        let offset =
            grid?.offset ?? frames.gridOffset(firstPresentation: current?.start.seconds ?? 0, rate)
        var synthesiser = FrameSynthesiser(
            settings, map: frames.clip.map, rate: rate, part: part, offset: offset)
        while let showing = current {
            try stages.checkStopped()
            let following = try read()
            let madeBefore = synthesiser.counts.made
            let shown = try synthesiser.show(showing, after: previous, before: following) {
                try emit($0, $1, 1)
            }
            if part.own.contains(showing.start.seconds) {
                tally.framesRead += 1 + Int64(showing.repeats)
                tally.repeatsSkipped += Int64(showing.repeats)
                tally.framesSkipped += shown == 0 ? 1 : 0
                let made = synthesiser.counts.made - madeBefore
                tally.framesRepeated += max(0, Int64(shown) - 1 - made)
            }
            previous = showing
            current = following
        }
        try synthesiser.finish { try emit($0, $1, 1) }
        tally.synthesis.add(synthesiser.counts)
        tally.repeatsFound += repeats.count
    }

    private func retimeVariable(
        _ next: () throws -> PresentedFrame?, _ tally: inout VideoTally, _ emit: Emit
    ) throws {
        var selector = VariableRateSelector<Frame>()
        var end: Int64 = 0
        while let showing = try next() {
            try stages.checkStopped()
            tally.framesRead += 1
            end = showing.end.tick
            if let placed = selector.place(showing.frame, at: showing.start.tick) {
                try emit(placed.content, placed.tick, placed.duration)
            }
        }
        if let placed = selector.finish(at: part.endTick ?? end) {
            try emit(placed.content, placed.tick, placed.duration)
        }
        tally.framesSkipped += Int64(selector.collisions)
        tally.framesCollided += Int64(selector.collisions)
    }
}
