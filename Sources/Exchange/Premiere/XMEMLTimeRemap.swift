import TimeMaps
import TimeWarp

/// The speed of a clip in a Premiere file: its filter with the effect `timeremap`.
///
/// A clip's `in` and `out` count frames of the *retimed* clip, at the rate of the sequence, and so does `when` of a keyframe;
/// `value` counts frames of the media at that rate.
struct XMEMLTimeRemap {
    private enum Speed {
        /// Frames of media for each frame; negative if it plays backwards.
        case constant(Double)
        /// From retimed frames to frames of media; joined by straight lines.
        case graph([(when: Double, value: Double)])
    }

    private let speed: Speed
    /// What is shown between two frames of the media; nil if it isn't said.
    let frames: RenderSettings.FrameSynthesis?

    /// How many points ``points(from:lasting:on:mediaDuration:)`` returns at the most.
    var pointCount: Int {
        switch speed {
        case .constant: 2
        case .graph(let keys): keys.count + 2
        }
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
        let keys = (parameter("graphdict")?.all("keyframe") ?? []).compactMap(Self.key)
        let real = Self.ordered(keys.filter { !$0.isVirtual })
        if isVariable, real.count > 1 {
            speed = .graph(real)
        } else if percent == 0 {
            let held = keys.first?.value ?? 0
            speed = .graph([(0, held), (1, held)])
        } else if percent == 100, !isReversed {
            return nil
        } else {
            speed = .constant(isReversed ? -abs(percent) / 100 : percent / 100)
        }
    }

    private struct Key {
        let when: Double
        let value: Double
        let isVirtual: Bool
    }

    private static func key(_ item: XMLItem) -> Key? {
        guard let when = item.text(of: "when").flatMap({ Double(reading: $0) }),
            let value = item.text(of: "value").flatMap({ Double(reading: $0) })
        else {
            return nil
        }
        let isVirtual = item.text(of: "speedvirtualkf")?.uppercased() == "TRUE"
        return Key(when: when, value: value, isVirtual: isVirtual)
    }

    private static func ordered(_ keys: [Key]) -> [(when: Double, value: Double)] {
        keys.sorted { $0.when < $1.when }.reduce(into: []) { result, key in
            if result.last.map({ $0.when < key.when }) ?? true {
                result.append((key.when, key.value))
            }
        }
    }

    /// The points of a clip: from output time, which counts from the clip's start, to asset time.
    ///
    /// - Parameters:
    ///   - start: `in`, in retimed frames.
    ///   - frames: how long the clip is.
    ///   - mediaDuration: how long the file lasts, which matters only if it plays backwards.
    func points(
        from start: Double, lasting frames: Int64, on grid: FrameGrid,
        mediaDuration: () throws -> RationalTime
    ) throws -> [TimeAnchor] {
        switch speed {
        case .constant(let factor):
            guard abs(factor) < 10_000, factor.isFinite else {
                throw CompositionError(.unsupported, "a speed of \(factor) is impossible")
            }
            let first = try grid.time(start).times(factor)
            let length = try grid.time(frames).times(factor)
            let zero = factor < 0 ? try mediaDuration() : .zero
            let begin = try zero.sum(first)
            return [
                TimeAnchor(source: begin, output: .zero),
                TimeAnchor(source: try begin.sum(length), output: try grid.time(frames)),
            ]
        case .graph(let keys):
            let zero = keys[0].when
            let graph = try TimelineClip(
                "",
                points: try keys.map {
                    TimeAnchor(
                        source: try grid.time($0.value), output: try grid.time($0.when - zero))
                })
            let from = try grid.time(start - zero)
            return try graph.part(from: from, to: from.sum(grid.time(frames))).points
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
