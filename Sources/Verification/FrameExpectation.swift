import Media
import TimeMaps
import TimeWarp

/// Which source frames may be shown at an instant of the output.
struct FrameExpectation {
    private let times: FrameTimes
    private let clip: AssetClip
    private let frames: RenderSettings.FrameSynthesis
    /// Whether several frames may fall on one tick of the container.
    private let hasCollisions: Bool

    /// Instants closer than this, in seconds, count as one.
    private static let instant = 1e-8
    /// If an instant is closer than this, in seconds, to a source frame's start or end, but not equal to it,
    /// both neighbours are right, because rounding decides.
    private static let doubtful = 2e-5

    init(
        _ times: FrameTimes, clip: AssetClip, frames: RenderSettings.FrameSynthesis,
        hasCollisions: Bool = false
    ) {
        self.times = times
        self.clip = clip
        self.hasCollisions = hasCollisions
        self.frames = frames
    }

    /// The largest number of frames that are accepted for one tick.
    private static let mostCollisions = 16

    /// A source frame, or one made from two consecutive ones.
    struct Content: Hashable {
        let frame: Int
        /// The share of the frame after `frame`, in 1/256.
        var share = 0
        /// Whether it is made from the motion between the two, not mixed.
        var isMoved = false
        var frames: ClosedRange<Int> { frame...(share > 0 ? frame + 1 : frame) }
    }

    /// What an output frame may show that starts at `seconds` and ends at `end`.
    func contents(at seconds: Double, until end: Double) -> [Content] {
        let map = clip.map
        let isBackward = map.speed(at: seconds + Self.instant) < 0
        switch frames {
        case .hold: break
        case .blend:
            let instant = isBackward ? end : seconds
            return [mixture(at: min(instant, map.outputDuration))]
        case .motion:
            let instant = isBackward ? end : seconds
            return moved(at: min(instant, map.outputDuration))
        }
        let on = frame(at: seconds + Self.instant)
        if hasCollisions {
            let early = frame(at: seconds - FrameTimetable.tolerance)
            let late = frame(at: seconds + FrameTimetable.tolerance)
            let near = (min(early, late)...max(early, late)).prefix(Self.mostCollisions)
            return [Content(frame: on)] + near.filter { $0 != on }.map { Content(frame: $0) }
        }
        guard frame(at: seconds - Self.instant) == on else {
            // Where a time scale touches zero, several frames may begin within that instant.
            let shown = frame(at: seconds + Tolerance.instant)
            return turningPoint(from: seconds, to: end, on)
                + (shown == on ? [] : [Content(frame: shown)])
        }
        let near = [
            on, frame(at: seconds + Self.doubtful), frame(at: seconds - Self.doubtful),
        ]
        return turningPoint(from: seconds, to: end, on)
            + Set(near).subtracting([on]).map { Content(frame: $0) }
    }

    /// If the map has a cut or changes direction during the output frame, the source frames on both sides are
    /// right.
    private func turningPoint(from start: Double, to end: Double, _ on: Int) -> [Content] {
        let map = clip.map
        guard !map.isRising || map.pieces.count > 1 else {
            return [Content(frame: on)]
        }
        let piece = map.pieceIndex(atOutput: start + Self.instant)
        guard map.pieces[piece].outputEnd < end - Self.instant, piece + 1 < map.pieces.count,
            abs(map.pieces[piece].sourceEnd - map.pieces[piece + 1].sourceStart) > 1e-6
                || map.pieces[piece + 1].sourceEnd < map.pieces[piece + 1].sourceStart
        else {
            return [Content(frame: on)]
        }
        let edge = map.pieces[piece].outputEnd
        let all = Set([on, frame(at: edge - Self.instant), frame(at: edge + Self.instant)])
        return all.map { Content(frame: $0) }
    }

    /// The source frame at an output time, which is clamped to the output.
    private func frame(at output: Double) -> Int {
        let source = clip.map.sourceTime(at: min(max(output, 0), clip.map.outputDuration))
        return frame(atSource: source)
    }

    /// The last source frame that starts at or before a source time.
    private func frame(atSource seconds: Double) -> Int {
        let start = clip.range.start.seconds
        let place = (0..<times.count).partitionPoint {
            times.start(of: $0).seconds - start > seconds
        }
        return max(0, place - 1)
    }

    /// The frame that is made from the motion between two source frames for an output time. If it lies in the middle
    /// and one of the two is held, rounding decides which one.
    private func moved(at output: Double) -> [Content] {
        let mixture = mixture(at: output)
        let shares = (127...129).contains(mixture.share) ? [127, 129] : [mixture.share]
        return shares.map { Content(frame: mixture.frame, share: $0, isMoved: $0 > 0) }
    }

    /// The mix of two source frames for an output time.
    private func mixture(at output: Double) -> Content {
        let source = clip.map.sourceTime(at: output)
        let frame = frame(atSource: source + Self.instant)
        let start = times.start(of: frame).seconds
        let lasts = times.end(of: frame).seconds - start
        // What begins after the clip's range isn't shown, and nothing is mixed with it.
        guard lasts > 0, frame + 1 < times.count,
            times.start(of: frame + 1) < clip.range.end
        else {
            return Content(frame: frame)
        }
        let share = (source + clip.range.start.seconds - start) / lasts
        let steps = Int((min(max(share, 0), 1) * 256).rounded())
        return steps < 256 ? Content(frame: frame, share: steps) : Content(frame: frame + 1)
    }
}
