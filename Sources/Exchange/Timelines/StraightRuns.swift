import TimeMaps
import TimeWarp

/// What straight lines must keep to when they stand for a curve.
struct LineRules {
    /// Lines that are nearer are what they stand for, in source seconds.
    static let exact = 1e-9

    /// The largest distance from the curve, in source seconds.
    var tolerance: Double
    /// Whether each line becomes a clip of its own.
    var clipsAreLines = false
    /// Lines end at whole frames of the output, if the format counts in frames.
    var outputs: FrameGrid?
    /// The time on the track that is 0 in the map, for ``outputs``.
    var start = RationalTime.zero
    /// Each line starts at a whole frame of the source, if every line becomes a clip of its own in a format that counts in
    /// frames.
    var sources: FrameGrid?
    /// Where source time 0 of the map lies in the file, for ``sources``.
    var sourceStart = RationalTime.zero
    /// When the first line begins in the format, in the map's output time, for ``sources``: at the nearest frame, and earlier
    /// by what a dissolve needs.
    var firstOutput = RationalTime.zero
    /// Where the cut at the start of the segment lies, in the map's output time: at the nearest frame.
    var cut = RationalTime.zero
}

/// Straight lines that stay close to a time map.
struct StraightRuns {
    /// The points of each run. A run ends where the map jumps.
    private(set) var runs: [[TimeAnchor]] = []
    /// The largest distance from the map, in source seconds.
    private(set) var error = 0.0

    private let map: TimeMap
    private let rules: LineRules

    /// No program could use more points.
    private static let mostPoints = 10_000
    /// In seconds.
    private static let shortestLine = 1e-4

    /// Makes each line as long as the tolerance allows. This gives the fewest lines whose ends lie on the map.
    ///
    /// - Parameter duration: the exact output duration.
    /// - Throws: ``CompositionError`` if more than 10 000 points are needed.
    init(_ map: TimeMap, lasting duration: RationalTime, _ rules: LineRules) throws {
        self.map = map
        self.rules = rules
        var count = 0
        for section in try sections(lasting: duration) {
            var points = [section.start]
            while let last = points.last, last.output < section.end.output {
                count += 1
                guard count < Self.mostPoints else {
                    throw CompositionError(
                        .unsupported,
                        "from \(last.output.secondsText) s of its segment on the speed changes too often "
                            + "for straight lines")
                }
                points.append(try next(after: last, in: section, &points))
            }
            append(points)
        }
        runs = runs.map(\.withoutStraightCorners)
    }

    // MARK: - Sections

    /// A part of the map without a jump. One that is a line stays one.
    private struct Section {
        let start: TimeAnchor
        var end: TimeAnchor
        let isExact: Bool
    }

    private func sections(lasting duration: RationalTime) throws -> [Section] {
        var sections: [Section] = []
        for (index, piece) in map.pieces.enumerated() {
            let isLast = index == map.pieces.count - 1
            let isFirst = index == 0
            if let line = piece.exact, isFirst || canEnd(at: line.outputStart),
                isLast || canEnd(at: line.outputEnd)
            {
                sections.append(
                    Section(
                        start: TimeAnchor(source: line.sourceStart, output: line.outputStart),
                        end: TimeAnchor(source: line.sourceEnd, output: line.outputEnd),
                        isExact: true))
                continue
            }
            let end = TimeAnchor(
                source: try Self.rounded(piece.sourceEnd),
                output: isLast ? duration : try Self.rounded(piece.outputEnd))
            let before = sections.last?.end
            let isContinued =
                before.map { abs($0.source.seconds - piece.sourceStart) < 2e-6 } ?? false
            if isContinued, sections[sections.count - 1].isExact == false {
                sections[sections.count - 1].end = end
            } else {
                let start =
                    isContinued
                    ? before
                    : TimeAnchor(
                        source: try Self.rounded(piece.sourceStart), output: before?.output ?? .zero
                    )
                sections.append(Section(start: start ?? end, end: end, isExact: false))
            }
        }
        return sections.filter { $0.start.output < $0.end.output }
    }

    private func canEnd(at output: RationalTime) -> Bool {
        guard let grid = rules.outputs, let place = try? rules.start.sum(output) else {
            return rules.outputs == nil
        }
        return grid.holds(place)
    }

    // MARK: - Lines

    /// The next point of a section. With whole source frames, the line becomes a run of its own, and the section goes on with
    /// no points before that one.
    private mutating func next(
        after last: TimeAnchor, in section: Section, _ points: inout [TimeAnchor]
    ) throws -> TimeAnchor {
        guard let grid = rules.sources else {
            let (next, distance) = try longestLine(from: last, in: section)
            error = max(error, distance)
            return next
        }
        let (near, shift) = try wholeFrame(for: last, in: section, grid)
        if section.isExact {
            error = max(error, abs(shift.seconds))
            let end = TimeAnchor(
                source: try section.end.source.sum(shift), output: section.end.output)
            points = [near]
            return end
        }
        let (next, distance) = try longestLine(from: near, in: section)
        error = max(error, distance, abs(shift.seconds))
        runs.append([near, next])
        points = []
        return next
    }

    /// The whole frame of the source at which a line begins, and how far that is from the map.
    private func wholeFrame(
        for last: TimeAnchor, in section: Section, _ grid: FrameGrid
    ) throws -> (TimeAnchor, shift: RationalTime) {
        // After a jump between frames, the format begins at the nearest frame as well.
        var output = try last.output == .zero ? rules.firstOutput : place(near: last.output)
        if output >= section.end.output {
            output = last.output
        }
        let shown = try source(at: output, in: section, from: last)
        let place = try max(.zero, rules.sourceStart.sum(shown))
        let whole = try grid.time(grid.frames(place)).difference(rules.sourceStart)
        return (TimeAnchor(source: whole, output: output), try whole.difference(shown))
    }

    /// The source time at an output time, which may be before the section: there, the section's beginning goes on.
    private func source(
        at output: RationalTime, in section: Section, from last: TimeAnchor
    ) throws -> RationalTime {
        guard output != last.output else {
            return last.source
        }
        if section.isExact {
            return try StraightLine(section.start, section.end).source(at: output)
        }
        guard output < last.output else {
            return try Self.rounded(map.sourceTime(at: output.seconds))
        }
        let (from, step) = (last.output.seconds, Self.shortestLine)
        let slope = (map.sourceTime(at: from + step) - map.sourceTime(at: from)) / step
        return try Self.rounded(last.source.seconds + slope * (output.seconds - from))
    }

    private mutating func append(_ points: [TimeAnchor]) {
        guard points.count > 1 else {
            return
        }
        if rules.sources == nil, let last = runs.last?.last, last == points[0] {
            runs[runs.count - 1] += points.dropFirst()
        } else {
            runs.append(points)
        }
    }

    /// The longest line from a point whose end lies on the map and which stays close to it.
    private func longestLine(
        from start: TimeAnchor, in section: Section
    ) throws -> (end: TimeAnchor, distance: Double) {
        if section.isExact {
            return (section.end, 0)
        }
        let whole = distance(from: start, to: section.end)
        if whole <= rules.tolerance {
            return (section.end, whole)
        }
        // Half as long until it is close enough, and then longer again, in steps that halve.
        let shortest = rules.outputs?.rate.frameDuration.seconds ?? Self.shortestLine
        var step = section.end.output.seconds - start.output.seconds
        var length = 0.0
        var best: (end: TimeAnchor, distance: Double)?
        while step > shortest / 2 {
            step /= 2
            let output = try place(near: start.output.seconds + length + step)
            guard start.output < output, output < section.end.output else {
                continue
            }
            let end = TimeAnchor(
                source: try Self.rounded(map.sourceTime(at: output.seconds)), output: output)
            let distance = distance(from: start, to: end)
            if distance <= rules.tolerance {
                length += step
                best = (end, distance)
            }
        }
        if let best {
            return best
        }
        // Nothing is shorter than a frame where frames are counted.
        if rules.outputs != nil {
            let output = try place(near: start.output.seconds + shortest)
            guard start.output < output, output < section.end.output else {
                return (section.end, whole)
            }
            let end = TimeAnchor(
                source: try Self.rounded(map.sourceTime(at: output.seconds)), output: output)
            return (end, distance(from: start, to: end))
        }
        throw CompositionError(
            .unsupported,
            "at \(start.output.secondsText) s of its segment the speed changes too fast for straight lines"
        )
    }

    /// A time at which a line may end.
    private func place(near seconds: Double) throws -> RationalTime {
        try place(near: Self.rounded(seconds))
    }

    private func place(near time: RationalTime) throws -> RationalTime {
        guard let grid = rules.outputs else {
            return time
        }
        let place = try rules.start.sum(time)
        return try grid.time(grid.frames(place)).difference(rules.start)
    }

    /// The largest distance of a line from the map, in source seconds, measured at a hundred instants.
    private func distance(from start: TimeAnchor, to end: TimeAnchor) -> Double {
        let (from, length) = (start.output.seconds, end.output.seconds - start.output.seconds)
        let (low, height) = (start.source.seconds, end.source.seconds - start.source.seconds)
        return (1..<100).reduce(0.0) { largest, step in
            let share = Double(step) / 100
            guard from + length * share >= 0 else {
                return largest
            }
            let shown = map.sourceTime(at: from + length * share)
            return max(largest, abs(shown - (low + height * share)))
        }
    }

    /// Rounds to the microsecond, so that numbers stay short. The error of that is part of the distance.
    private static func rounded(_ seconds: Double) throws -> RationalTime {
        try RationalTime(seconds: seconds, timescale: 1_000_000).multiplied(by: 1, over: 1)
    }
}

// MARK: - Corners

extension [TimeAnchor] {
    /// The points without those at which nothing changes.
    var withoutStraightCorners: [TimeAnchor] {
        var kept: [TimeAnchor] = []
        for point in self {
            if kept.count >= 2, Self.isStraight(kept[kept.count - 2], kept[kept.count - 1], point) {
                kept.removeLast()
            }
            kept.append(point)
        }
        return kept
    }

    private static func isStraight(_ a: TimeAnchor, _ b: TimeAnchor, _ c: TimeAnchor) -> Bool {
        func product(_ x: RationalTime, _ y: RationalTime) -> ExactFraction? {
            ExactFraction(x).times(ExactFraction(y))
        }
        guard let run = try? b.output - a.output, let rise = try? b.source - a.source,
            let nextRun = try? c.output - b.output, let nextRise = try? c.source - b.source,
            let one = product(rise, nextRun), let other = product(nextRise, run)
        else {
            return false
        }
        return one.minus(other)?.top == 0
    }
}
