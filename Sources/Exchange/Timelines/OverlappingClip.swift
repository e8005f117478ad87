import TimeMaps
import TimeWarp

/// A clip in frames, with its dissolves, in which it overlaps its neighbours.
struct OverlappingClip {
    /// The clip over all its frames.
    var placed: ExchangeTrack.Placed
    var start: Int64
    var end: Int64
    /// The dissolve with the clip before it, or its fade in.
    var before: Range<Int64>?
    let isAfterClip: Bool
    var isBeforeDissolve = false
    var fadeOut: Range<Int64>?

    static func clips(of track: ExchangeTrack, _ grid: FrameGrid) throws -> [OverlappingClip] {
        var clips: [OverlappingClip] = []
        for placed in track.clips {
            let (start, end) = (grid.frames(placed.start), try grid.frames(placed.end))
            let isAfterClip = clips.last?.end == start
            let (dissolve, fadeOut) = try TimelineClip.transitions(
                of: placed, afterClip: isAfterClip)
            var clip = OverlappingClip(
                placed: placed, start: start, end: end, isAfterClip: isAfterClip)
            clip.before = dissolve.flatMap { grid.range($0) }
            clip.fadeOut = fadeOut.flatMap { grid.range($0) }
            if let range = clip.before, isAfterClip, let last = clips.indices.last {
                clips[last].end = range.upperBound
                clips[last].isBeforeDissolve = true
                clip.start = range.lowerBound
            }
            clips.append(clip)
        }
        return try clips.map { clip in
            var clip = clip
            clip.placed = try clip.placed.placed(
                from: grid.time(clip.start), to: grid.time(clip.end))
            return clip
        }
    }
}

extension FrameGrid {
    /// A range of whole frames; nil if it is shorter than a frame.
    func range(_ range: TimeRange) -> Range<Int64>? {
        let start = max(0, frames(range.start))
        let end = start + frames(range.duration)
        return start < end ? start..<end : nil
    }
}
