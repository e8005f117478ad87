import TimeMaps
import TimeWarp

/// A clip as an event: it begins where its dissolve begins, and ends where that of the next begins.
struct EDLWrittenClip {
    var clip: TimelineClip
    /// On the record, in frames.
    var start: Int64
    var end: Int64
    /// How many frames it dissolves with the clip before it, or fades in.
    var dissolve: Int64 = 0
    /// How many frames it fades out after its end.
    var fadeOut: Int64 = 0
    let isAfterClip: Bool

    static func clips(of track: ExchangeTrack, _ grid: FrameGrid) throws -> [EDLWrittenClip] {
        var clips: [EDLWrittenClip] = []
        var placed: [ExchangeTrack.Placed] = []
        for each in track.clips {
            let (start, end) = (grid.frames(each.start), try grid.frames(each.end))
            let isAfterClip = try placed.last.map { try $0.end == each.start } ?? false
            let (dissolve, fadeOut) = try TimelineClip.transitions(of: each, afterClip: isAfterClip)
            var clip = EDLWrittenClip(
                clip: each.clip, start: start, end: end, isAfterClip: isAfterClip)
            if let range = dissolve.flatMap({ grid.range($0) }) {
                clip.start = range.lowerBound
                clip.dissolve = Int64(range.count)
                if isAfterClip, let last = clips.indices.last {
                    clips[last].end = max(clips[last].start + 1, range.lowerBound)
                    clip.start = clips[last].end
                }
            }
            if let range = fadeOut.flatMap({ grid.range($0) }) {
                clip.fadeOut = Int64(range.count)
                clip.end = max(clip.start + 1, end - clip.fadeOut)
            }
            clips.append(clip)
            placed.append(each)
        }
        return try zip(clips, placed).map { clip, placed in
            var clip = clip
            clip.clip = try placed.placed(from: grid.time(clip.start), to: grid.time(clip.end)).clip
            return clip
        }
    }

    // MARK: - In frames of the file

    private func frames(_ time: RationalTime, _ grid: FrameGrid) -> Int64 {
        max(0, grid.frames(time))
    }

    /// Source in and out. A frame that is held has one frame, and backwards the in is the frame that is shown first, as in
    /// Avid's lists.
    func sourceRange(_ grid: FrameGrid) -> Range<Int64> {
        let (first, last) = (frames(clip.ends.first, grid), frames(clip.ends.last, grid))
        if clip.isFrozen {
            return first..<first + 1
        }
        if clip.isPlain {
            return first..<first + (end - start)
        }
        guard clip.ends.last < clip.ends.first else {
            return first..<max(last, first + 1)
        }
        let shown = max(0, first - 1)
        return shown..<shown + max(1, first - last)
    }

    func sourceEnd(_ grid: FrameGrid) -> Int64 { frames(clip.ends.last, grid) }

    /// Source frames a second, with as few decimals as keep the clip's end within a thousandth of a frame.
    func speedText(_ grid: FrameGrid) -> String {
        let nominal = Double(grid.timecodeRate)
        let exact = clip.speed * nominal
        let seconds = clip.duration.seconds
        for decimals in 1...9 {
            let unit = pow10(decimals)
            let rounded = (exact * unit).rounded() / unit
            if abs(rounded - exact) / nominal * seconds * grid.rate.framesPerSecond < 0.001 {
                return Self.text(rounded, decimals: decimals)
            }
        }
        return Self.text(exact, decimals: 9)
    }

    private func pow10(_ power: Int) -> Double {
        (0..<power).reduce(1.0) { unit, _ in unit * 10 }
    }

    /// `047.6`, `-024.0`.
    private static func text(_ number: Double, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(Int64(1)) { unit, _ in unit * 10 }
        let whole = Int64((abs(number) * Double(scale)).rounded())
        let digits = String(String(whole % scale + scale).dropFirst())
        let integer = "\(whole / scale)"
        let padded = String(repeating: "0", count: max(0, 3 - integer.count)) + integer
        return (number < 0 ? "-" : "") + padded + "." + digits
    }
}
