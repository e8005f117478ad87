import TimeMaps
import TimeWarp

/// The speed of a clip in a Premiere file: its filter with the effect `timeremap`.
///
/// A clip's `in` and `out` count frames of the *retimed* clip, at the rate of the sequence, and so does `when` of a keyframe;
/// `value` counts frames of the media at that rate.
///
/// ```
///  value        ╱── e     s, e  keyframes that follow from the others: they count before the first and after the last
///           ·╱k           k     set by hand; with handles, a curve leads to it
///  s ────·k               in    what the clip shows first: where a constant speed begins
///     └─ in      when
/// ```
struct XMEMLTimeRemap {
    private enum Speed {
        /// Frames of media for each frame; negative if it plays backwards.
        case constant(Double)
        case held
        case variable
    }

    private let speed: Speed
    private let graph: XMEMLGraph
    /// What is shown between two frames of the media; nil if it isn't said.
    let frames: RenderSettings.FrameSynthesis?

    /// How many points ``points(from:lasting:on:mediaDuration:stated:)`` returns at the most for this many frames.
    func pointCount(lasting frames: Int64) -> Int {
        switch speed {
        case .constant, .held: 2
        case .variable: graph.keys.count + 2 + (graph.isCurved ? Int(frames) : 0)
        }
    }

    /// Whether it has curves that can't be followed, for which straight lines are taken.
    var isStraightened: Bool {
        guard case .variable = speed else {
            return false
        }
        return graph.hasOddHandles
    }

    /// Nil if the clip has normal speed.
    init?(_ clip: XMLItem) {
        let filters = clip.all("filter").filter { $0.text(of: "enabled")?.uppercased() != "FALSE" }
        let effect = filters.compactMap { $0.first("effect") }
            .first { $0.text(of: "effectid")?.lowercased() == "timeremap" }
        guard let effect else {
            return nil
        }
        func parameter(_ name: String) -> XMLItem? {
            effect.all("parameter").first { $0.text(of: "parameterid")?.lowercased() == name }
        }
        let percent = parameter("speed")?.text(of: "value").flatMap { Double(reading: $0) } ?? 100
        let isVariable = ["1", "TRUE"].contains(
            parameter("variablespeed")?.text(of: "value")?.uppercased())
        let isReversed = parameter("reverse")?.text(of: "value")?.uppercased() == "TRUE"
        let blending = parameter("frameblending")?.text(of: "value")?.uppercased()
        frames = blending.map { $0 == "TRUE" ? .blend : .hold }
        graph = XMEMLGraph(parameter("graphdict"))
        if isVariable, graph.keys.count > 1 {
            speed = .variable
        } else if percent == 0 {
            speed = .held
        } else if percent == 100, !isReversed, graph.keys.allSatisfy({ $0.value == $0.when }) {
            return nil
        } else {
            speed = .constant(isReversed ? -abs(percent) / 100 : percent / 100)
        }
    }

    /// The points of a clip: from output time, which counts from the clip's start, to asset time.
    ///
    /// - Parameters:
    ///   - start: `in`, in retimed frames.
    ///   - frames: how long the clip is.
    ///   - stated: how long the file lasts, if the project says so.
    ///   - mediaDuration: the same, for clips that play backwards from the file's end: it may be asked of the file.
    func points(
        from start: Double, lasting frames: Int64, on grid: FrameGrid, stated: RationalTime?,
        mediaDuration: () throws -> RationalTime
    ) throws -> [TimeAnchor] {
        let graph = graph.within(stated.map { Double(grid.frames($0)) })
        func line(from first: RationalTime, to last: RationalTime) throws -> [TimeAnchor] {
            [
                TimeAnchor(source: first, output: .zero),
                TimeAnchor(source: last, output: try grid.time(frames)),
            ]
        }
        switch speed {
        case .held:
            let held = try grid.time(graph.value(at: start, else: 0))
            return try line(from: held, to: held)
        case .constant(let factor):
            guard abs(factor) < 10_000, factor.isFinite else {
                throw CompositionError(.unsupported, "a speed of \(factor) is impossible")
            }
            if let (first, factor) = graph.line(from: start, lasting: frames, stating: factor) {
                let begin = try grid.time(first)
                return try line(from: begin, to: begin.sum(grid.time(frames).times(factor)))
            }
            let zero = factor < 0 ? try mediaDuration() : .zero
            let begin = try zero.sum(grid.time(start).times(factor))
            return try line(from: begin, to: begin.sum(grid.time(frames).times(factor)))
        case .variable:
            let keys = graph.points(from: start, to: start + Double(frames))
            guard keys.count > 1 else {
                throw CompositionError(.malformed, "its keyframes are outside of its file")
            }
            let zero = keys[0].when
            let whole = try TimelineClip(
                "",
                points: try keys.map {
                    TimeAnchor(
                        source: try grid.time($0.value), output: try grid.time($0.when - zero))
                })
            let from = try grid.time(start - zero)
            return try whole.part(from: from, to: from.sum(grid.time(frames))).points
        }
    }
}

extension RationalTime {
    /// The time multiplied by a number that is probably a simple fraction: exact then, and else rounded to half a
    /// nanosecond.
    func times(_ factor: Double) throws -> RationalTime {
        if let factor = RationalTime.simplestFraction(of: factor),
            let product = ExactFraction(self).times(ExactFraction(factor))?.time
        {
            return product
        }
        return try RationalTime(fine: seconds * factor)
    }
}
