import Media
import TimeMaps

/// What a plan shows when.
extension RenderPlan {
    /// The turns of a track's pictures.
    func visits(of track: VideoTrack, _ times: PictureTimes) -> FrameVisits {
        FrameVisits(
            times, map: clip.map, range: clip.range, ticksPerSecond: track.timing.ticksPerSecond)
    }

    /// Those that any frame of a fixed rate shows; nil where all of them are needed.
    func shownVisits(of track: VideoTrack, _ times: PictureTimes) -> ShownVisits? {
        guard case .fixed(let rate, let count) = track.timing, settings.shutterDegrees == nil else {
            return nil
        }
        var visits = visits(of: track, times)
        let offset = gridOffset(firstTurn: visits.next()?.start.seconds ?? 0, rate)
        return ShownVisits(
            self.visits(of: track, times), settings,
            ticks: TickAssignment(settings, rate: rate, tickCount: count, offset: offset))
    }

    /// How far the grid of output frames lies behind the start of the output, in seconds.
    ///
    /// Played backwards, a film whose sound goes on a little longer begins between two output frames:
    /// the grid is moved there, by half a frame at the most, so that each picture has its own.
    func gridOffset(firstTurn start: Double, _ rate: FrameRate) -> Double {
        let lasts = rate.frameDuration.seconds
        guard !clip.map.isRising, start > 0, start < lasts else {
            return 0
        }
        return start <= lasts / 2 ? start : start - lasts
    }
}
