/// A speed ramp that editors use often, to begin with.
package struct SpeedRamp: Sendable {
    /// What editors call it.
    package let name: String
    /// What it does, in a few words.
    package let summary: String
    /// Its keyframes, at percentages of the clip.
    package let points: [(percent: Int, speed: Double, easing: Easing)]

    package var keyframes: [Keyframe] {
        points.map { Keyframe(.share(Double($0) / 100), speed: $1, easing: $2) }
    }

    package static let all: [SpeedRamp] = [
        SpeedRamp(
            name: "Bullet time", summary: "Fast, nearly still for a moment, and fast again",
            points: [
                (0, 2, .smooth), (32, 2, .bezier(x1: 0.6, y1: 0, x2: 0.2, y2: 1)),
                (44, 0.15, .linear),
                (56, 0.15, .bezier(x1: 0.8, y1: 0, x2: 0.4, y2: 1)), (68, 2, .smooth),
                (100, 2, .smooth),
            ]),
        SpeedRamp(
            name: "Hero", summary: "Slow while it matters, smoothly in and out",
            points: [
                (0, 1, .smooth), (25, 1, .smooth), (42, 0.35, .linear), (62, 0.35, .smooth),
                (80, 1, .smooth), (100, 1, .smooth),
            ]),
        SpeedRamp(
            name: "Montage", summary: "Three fast passages with a moment after each",
            points: [
                (0, 3, .smooth), (22, 0.6, .smooth), (36, 3, .smooth), (58, 0.6, .smooth),
                (72, 3, .smooth), (100, 0.6, .smooth),
            ]),
        SpeedRamp(
            name: "Punch in", summary: "Races towards a hit, slow from there, and back to normal",
            points: [
                (0, 1, .smooth), (30, 4, .bezier(x1: 0.9, y1: 0, x2: 1, y2: 0.6)),
                (50, 0.3, .smooth), (100, 1, .smooth),
            ]),
        SpeedRamp(
            name: "Jump cut", summary: "Leaps over the dull parts",
            points: [
                (0, 1, .hold), (25, 12, .hold), (45, 1, .hold), (65, 12, .hold),
                (85, 1, .hold), (100, 1, .smooth),
            ]),
        SpeedRamp(
            name: "Freeze the moment", summary: "Stands still in the middle, and goes on",
            points: [
                (0, 1, .smooth), (36, 1, .smooth), (42, 0, .linear), (60, 0, .smooth),
                (66, 1, .smooth), (100, 1, .smooth),
            ]),
        SpeedRamp(
            name: "Ease", summary: "Gently out of slow motion and back into it",
            points: [(0, 0.3, .smooth), (50, 1.3, .smooth), (100, 0.3, .smooth)]),
    ]
}
