import Media
import TimeMaps

/// What a plan shows when.
extension RenderPlan {
    /// The turns of a track's pictures.
    func visits(of track: VideoTrack, _ times: PictureTimes) -> FrameVisits {
        FrameVisits(
            times, map: clip.map, range: clip.range, ticksPerSecond: track.timing.ticksPerSecond)
    }

    /// Those that it takes to make the track's frames: all, or at a fixed rate without a shutter the
    /// ``ShownVisits``.
    func neededVisits(
        of track: VideoTrack, _ times: PictureTimes
    ) -> any IteratorProtocol<FrameVisit> {
        let visits = visits(of: track, times)
        guard settings.shutterDegrees == nil, let grid = grid(of: track, times) else {
            return visits
        }
        return ShownVisits(visits, settings, ticks: grid.assignment)
    }

    /// The frames of a fixed rate; nil for a variable one.
    func grid(of track: VideoTrack, _ times: PictureTimes) -> TickGrid? {
        guard case .fixed(let rate, let count) = track.timing else {
            return nil
        }
        var visits = visits(of: track, times)
        let offset = gridOffset(firstTurn: visits.next()?.start.seconds ?? 0, rate)
        return TickGrid(
            assignment: TickAssignment(settings, rate: rate, tickCount: count, offset: offset),
            secondsPerTick: rate.frameDuration.seconds, offset: offset,
            mixes: settings.mixesFrames)
    }

    /// How far the grid of output frames lies behind the start of the output, in seconds.
    package func gridOffset(firstTurn start: Double, _ rate: FrameRate) -> Double {
        gridPhase ?? clip.map.gridOffset(firstTurn: start, rate)
    }
}

extension TimeMap {
    /// How far the grid of output frames lies behind the start of the output, in seconds.
    ///
    /// Played backwards, a film whose sound goes on a little longer begins between two output frames:
    /// the grid is moved there, by half a frame at the most, so that each picture has its own.
    package func gridOffset(firstTurn start: Double, _ rate: FrameRate) -> Double {
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
    /// Whether frames are mixed out of several pictures.
    let mixes: Bool
}
