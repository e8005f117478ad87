import Media
import TimeMaps

/// The frames of one clip for a track: which are decoded, and when each is presented.
package struct ClipFrames: Sendable {
    package let clip: AssetClip
    package let stream: Asset.Stream
    /// The format of the first decoded frame.
    let format: VideoFormat
    /// When output frames are presented, counted from the start of the clip.
    let timing: RenderPlan.Timing
    let settings: RenderSettings
    /// The packet index, with which only the needed frames are decoded, in any order. It is nil if all frames
    /// are decoded from start to end.
    var index: PacketIndex?
    /// What decodes the frames.
    var hardware = HardwareDecoding.off
    /// The position of the grid of output frames, in seconds from the clip's start; nil for the default
    /// position.
    package let gridPhase: Double?
    /// The shapes (width divided by height) into which the frames are fitted one after another before they are fitted
    /// into the output's, from the outermost: those of nested compositions.
    package let shapes: [Double]
    /// The stretches whose packets are kept, in output order. Their presentations are counted among those that are needed.
    var kept: [KeptStretch] = []
}

extension ClipFrames {
    /// Whether each source frame is there once and in order, so that what goes on from frame to frame stays readable.
    var keepsEachFrame: Bool {
        let (map, rate) = (clip.map, format.usualRate)
        guard map.isRising else {
            return false
        }
        switch timing {
        case .variable(let ticks):
            return map.speedRange.upperBound * rate.framesPerSecond < Double(ticks)
        case .fixed(let fixed, _):
            return fixed == rate && map.speedRange == 1...1 && !settings.video.mixesFrames
        }
    }

    /// The presentations of the clip's frames.
    func presentations(_ times: FrameTimes) -> Presentations {
        Presentations(
            times, map: clip.map, range: clip.range, ticksPerSecond: timing.ticksPerSecond)
    }

    /// The presentations that are needed for the output's frames: with a variable rate, a shutter or repeated frames all of
    /// them.
    func neededPresentations(_ times: FrameTimes) -> NeededPresentations {
        let needsAll = settings.video.shutterDegrees != nil || settings.video.bridgesRepeats
        return NeededPresentations(
            presentations(times), settings, ticks: needsAll ? nil : grid(times)?.assignment)
    }

    /// The grid of output frames of a fixed rate; nil for a variable one.
    func grid(_ times: FrameTimes) -> TickGrid? {
        guard case .fixed(let rate, let count) = timing else {
            return nil
        }
        var presentations = presentations(times)
        let offset = gridOffset(firstPresentation: presentations.next()?.start.seconds ?? 0, rate)
        return TickGrid(
            assignment: TickAssignment(settings, rate: rate, tickCount: count, offset: offset),
            secondsPerTick: rate.frameDuration.seconds, offset: offset,
            neighbourCount: settings.video.neighbourCount)
    }

    /// The time from the start of the clip to the grid of output frames, in seconds.
    func gridOffset(firstPresentation start: Double, _ rate: FrameRate) -> Double {
        gridPhase ?? clip.map.gridOffset(firstPresentation: start, rate)
    }
}

extension TimeMap {
    /// The time from the start of the output to the grid of output frames, in seconds.
    ///
    /// If the sound begins before the video, or ends after a video that is played backwards, the first frame falls between
    /// two output frames. The grid is moved there, by at most half a frame. So each source frame has its own output frame,
    /// and none comes a whole frame later than its sound.
    package func gridOffset(firstPresentation start: Double, _ rate: FrameRate) -> Double {
        let lasts = rate.frameDuration.seconds
        return start > 0 ? start - (start / lasts).rounded() * lasts : 0
    }
}

/// The grid of the output frames of a fixed rate.
struct TickGrid {
    var assignment: TickAssignment
    let secondsPerTick: Double
    /// The time of tick 0 from the output's start, in seconds.
    let offset: Double
    /// See ``RenderSettings/Video-swift.struct/neighbourCount``.
    let neighbourCount: Int
}
