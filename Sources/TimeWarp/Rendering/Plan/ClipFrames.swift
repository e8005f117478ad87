import Media
import TimeMaps

/// The frames of one clip, as a track presents them: what is decoded, and what is shown when.
package struct ClipFrames: Sendable {
    package let clip: Clip
    package let stream: Asset.Stream
    /// What its first decoded frame is.
    let format: VideoFormat
    /// When output frames are shown, counted from the start of the clip.
    let timing: RenderPlan.Timing
    let settings: RenderSettings
    /// Where packets lie, so that only those that are shown need be decoded, in any order; nil where all of
    /// them are decoded, from start to end.
    var index: PacketIndex?
    /// Where the grid of output frames lies, in seconds from the clip's start; nil for the usual place.
    package let gridPhase: Double?
}

extension ClipFrames {
    /// The presentations of the clip's frames.
    func presentations(_ times: FrameTimes) -> Presentations {
        Presentations(
            times, map: clip.map, range: clip.range, ticksPerSecond: timing.ticksPerSecond)
    }

    /// Those that it takes to make the output's frames: all, or at a fixed rate without a shutter the
    /// ``NeededPresentations``.
    func neededPresentations(_ times: FrameTimes) -> any IteratorProtocol<Presentation> {
        let presentations = presentations(times)
        guard settings.shutterDegrees == nil, let grid = grid(times) else {
            return presentations
        }
        return NeededPresentations(presentations, settings, ticks: grid.assignment)
    }

    /// The frames of a fixed rate; nil for a variable one.
    func grid(_ times: FrameTimes) -> TickGrid? {
        guard case .fixed(let rate, let count) = timing else {
            return nil
        }
        var presentations = presentations(times)
        let offset = gridOffset(firstPresentation: presentations.next()?.start.seconds ?? 0, rate)
        return TickGrid(
            assignment: TickAssignment(settings, rate: rate, tickCount: count, offset: offset),
            secondsPerTick: rate.frameDuration.seconds, offset: offset,
            mixes: settings.mixesFrames)
    }

    /// How far the grid of output frames lies behind the start of the clip, in seconds.
    func gridOffset(firstPresentation start: Double, _ rate: FrameRate) -> Double {
        gridPhase ?? clip.map.gridOffset(firstPresentation: start, rate)
    }
}

extension TimeMap {
    /// How far the grid of output frames lies behind the start of the output, in seconds.
    ///
    /// Played backwards, a film whose sound goes on a little longer begins between two output frames:
    /// the grid is moved there, by half a frame at the most, so that each frame has its own.
    package func gridOffset(firstPresentation start: Double, _ rate: FrameRate) -> Double {
        let lasts = rate.frameDuration.seconds
        guard !isRising, start > 0, start < lasts else {
            return 0
        }
        return start <= lasts / 2 ? start : start - lasts
    }
}

/// Where the frames of a fixed rate lie.
struct TickGrid {
    var assignment: TickAssignment
    let secondsPerTick: Double
    /// Seconds from the output's start to tick 0.
    let offset: Double
    /// Whether frames are mixed out of several of the source's.
    let mixes: Bool
}
