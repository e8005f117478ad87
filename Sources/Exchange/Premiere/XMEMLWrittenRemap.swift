import TimeMaps
import TimeWarp

/// How a clip's speed is written: `in`, and the `timeremap` filter.
///
/// At a constant speed, `in` is a whole number of *retimed* frames, which may be far from the right one in frames of the
/// media. Where it would be more than a quarter of a frame off, keyframes say the exact values.
struct XMEMLWrittenRemap {
    /// `in`, in retimed frames.
    let first: Int64
    /// How long the whole file is, in retimed frames.
    let duration: Int64
    /// What the filter says; nil at normal speed.
    let filter: Filter?

    struct Filter {
        let percent: Double
        let isReversed: Bool
        let isVariable: Bool
        let keys: [XMLItem]
    }

    init(_ clip: TimelineClip, _ grid: FrameGrid, _ mediaDuration: RationalTime?) throws {
        let frame = grid.rate.frameDuration.seconds
        let media = mediaDuration.map { grid.frames($0) } ?? 0
        func value(_ time: RationalTime) -> Double { time.seconds / frame }
        let source = value(clip.ends.first)
        let frames = grid.frames(clip.duration)
        if clip.isPlain {
            first = grid.frames(clip.ends.first)
            duration = max(media, first + frames)
            filter = nil
            return
        }
        if clip.isFrozen {
            first = 0
            duration = max(media, frames)
            filter = Filter(
                percent: 0, isReversed: false, isVariable: false,
                keys: Self.virtual(0, frames, of: duration) { _ in source })
            return
        }
        let speed = clip.speed
        if clip.isStraight, let zero = speed > 0 ? RationalTime.zero : mediaDuration {
            let exact = (source - value(zero)) / speed
            let scaled = (Double(media) / abs(speed)).rounded()
            // Slow clips of late places would need more frames than there are numbers.
            if let near = Self.frameCount(exact), let all = Self.frameCount(scaled),
                abs(Double(near) - exact) * abs(speed) <= 0.25
            {
                first = near
                duration = max(all, first + frames)
                filter = Filter(
                    percent: abs(speed) * 100, isReversed: speed < 0, isVariable: false,
                    keys: Self.virtual(first, first + frames, of: duration) {
                        value(zero) + Double($0) * speed
                    })
                return
            }
        }
        first = 0
        duration = frames
        filter = Filter(
            percent: 100, isReversed: false, isVariable: true,
            keys: clip.points.map {
                XMLItem(
                    "keyframe", [:],
                    [
                        XMLItem("when", value($0.output).shortDecimals),
                        XMLItem("value", value($0.source).shortDecimals),
                    ])
            })
    }

    /// The nearest number of frames; nil if a timeline can't have this many.
    private static func frameCount(_ exact: Double) -> Int64? {
        let near = exact.rounded()
        return near >= 0 && near < XMEMLPlace.most ? Int64(near) : nil
    }

    /// The keys that follow from the speed, as editors write them: at the ends of what is shown, and at those of the whole
    /// clip where these are others.
    private static func virtual(
        _ first: Int64, _ last: Int64, of duration: Int64, value: (Int64) -> Double
    ) -> [XMLItem] {
        var keys = [(first, "in"), (last, "out")]
        if first > 0 {
            keys.insert((0, "start"), at: 0)
        }
        if last < duration {
            keys.append((duration, "end"))
        }
        return keys.map { when, kind in
            XMLItem(
                "keyframe", [:],
                [
                    XMLItem("when", when), XMLItem("value", value(when).shortDecimals),
                    XMLItem("speedvirtualkf", "TRUE"), XMLItem("speedkf" + kind, "TRUE"),
                ])
        }
    }

    /// The filter for a video or an audio clip.
    ///
    /// - Parameter blends: whether frames are blended; nil if it isn't known.
    func filter(for kind: String, blends: Bool?) -> XMLItem? {
        guard let filter else {
            return nil
        }
        func parameter(_ name: String, _ values: [XMLItem]) -> XMLItem {
            XMLItem(
                "parameter", [:], [XMLItem("parameterid", name), XMLItem("name", name)] + values)
        }
        func truth(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }
        let effect = XMLItem(
            "effect", [:],
            [
                XMLItem("name", "Time Remap"), XMLItem("effectid", "timeremap"),
                XMLItem("effectcategory", "motion"), XMLItem("effecttype", "motion"),
                XMLItem("mediatype", kind),
                parameter("variablespeed", [XMLItem("value", filter.isVariable ? 1 : 0)]),
                parameter("speed", [XMLItem("value", filter.percent.shortText)]),
                parameter("reverse", [XMLItem("value", truth(filter.isReversed))]),
                parameter("frameblending", [XMLItem("value", truth(blends ?? false))]),
                parameter("graphdict", filter.keys),
            ])
        return XMLItem("filter", [:], [effect])
    }
}
