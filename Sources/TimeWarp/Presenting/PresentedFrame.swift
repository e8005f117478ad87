import Media
import TimeMaps

/// A decoded frame and its presentation: from when until when it is shown.
struct PresentedFrame: Sendable {
    let frame: Frame
    let direction: PlayDirection
    var start: OutputInstant
    /// When its own duration ends. The next frame may start earlier.
    let end: OutputInstant
    /// Its time in the source, in seconds from the start of the clip's range.
    var sourceStart: Double
    var sourceEnd: Double
    /// How many frames that show the same it stands for, apart from itself.
    var repeats = 0
}

extension PresentedFrame {
    /// Whether this frame goes on in the source where the one presented before it ends, in the same direction.
    func continues(_ before: PresentedFrame) -> Bool {
        guard direction == before.direction, direction != .still else {
            return false
        }
        let (earlier, later) = direction == .backward ? (self, before) : (before, self)
        return abs(later.sourceStart - earlier.sourceEnd) < Tolerance.stated
    }

    /// A frame of a stream that is decoded in presentation order and plays forward.
    init(_ timed: TimedFrame, in clip: AssetClip, ticksPerSecond: Int32?) throws {
        func instant(of assetTime: RationalTime) throws -> OutputInstant {
            let sourceTime = max(.zero, assetTime.relative(to: clip.range.start))
            let tick = try ticksPerSecond.map {
                try clip.map.outputTime(of: sourceTime, timescale: $0, rounding: .nearest).value
            }
            return OutputInstant(
                seconds: clip.map.outputTime(of: sourceTime.seconds), tick: tick ?? 0)
        }
        self.init(
            frame: timed.frame, direction: .forward, start: try instant(of: timed.start),
            end: try instant(of: min(timed.end, clip.range.end)),
            sourceStart: timed.start.relative(to: clip.range.start).seconds,
            sourceEnd: timed.end.relative(to: clip.range.start).seconds)
    }

    /// A frame whose presentation was known before it was decoded.
    init(_ frame: Frame, _ presentation: Presentation, _ times: FrameTimes, in clip: AssetClip)
        throws
    {
        func seconds(_ assetTime: RationalTime) -> Double {
            assetTime.relative(to: clip.range.start).seconds
        }
        self.init(
            // In backward playback the first field comes last.
            frame: presentation.direction == .backward ? try frame.withFieldsSwapped() : frame,
            direction: presentation.direction, start: presentation.start, end: presentation.end,
            sourceStart: seconds(times.start(of: presentation.frame)),
            sourceEnd: seconds(times.end(of: presentation.frame)))
    }
}
