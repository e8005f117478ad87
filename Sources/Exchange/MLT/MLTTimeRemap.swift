import TimeMaps
import TimeWarp

/// The speed of a chain in an MLT project: its link `timeremap`.
///
/// Keyframes are at frames of the chain's output, and their values are source times in seconds. Before the first and after the
/// last keyframe the frame is held. An older form has a speed at each frame instead.
///
/// MLT shows the frame that a source time lies in, also where time falls: at the very beginning of a frame that frame, where
/// others show the one before. Maps that were written here are made so that this makes no difference.
struct MLTTimeRemap {
    private let times: MLTKeyframes?
    private let speeds: MLTKeyframes?
    /// Whether its values were chosen so that falling time shows what is meant.
    private let isOurs: Bool

    let sampling: Sampling

    /// Nil if the chain has normal speed.
    ///
    /// - Throws: ``CompositionError`` if it has too many keyframes.
    init?(_ chain: XMLItem, _ clock: MLTClock) throws {
        let links = chain.all("link").filter { $0.property("mlt_service") == "timeremap" }
        guard let link = links.first(where: { $0.property("disable") != "1" }) else {
            return nil
        }
        isOurs = link.property(Self.mark) != nil
        func keys(_ name: String) throws -> MLTKeyframes? {
            try link.property(name).flatMap { try MLTKeyframes($0, clock) }
        }
        speeds = try keys("speed_map")
        times = speeds == nil ? try keys("time_map") ?? keys("map") : nil
        sampling = Sampling(
            keepsPitch: link.isTrue("pitch"),
            frames: link.property("image_mode") == "blend" ? .blend : .hold)
        guard speeds != nil || times != nil else {
            return nil
        }
    }

    /// The property of links that were written here.
    static let mark = "timewarp:exact"

    /// Where time falls, so much later it is within the frame that begins there, in seconds.
    private static let falling = RationalTime(1, over: 100_000)
    /// How many frames with a changing speed are followed one by one.
    private static let mostFrames: Int64 = 200_000
    /// A smooth line is followed in steps of this many frames.
    private static let smoothStep = 0.25

    /// The points of a clip, from output time, which counts from the clip's start, to asset time: several runs where the map
    /// jumps.
    ///
    /// - Parameters:
    ///   - bounds: counts the points.
    ///   - mediaEnd: the end of the file, if it is known.
    func runs(
        from first: Int64, lasting frames: Int64, on grid: FrameGrid, _ bounds: inout ReaderBounds,
        mediaEnd: () -> RationalTime?
    ) throws -> [[TimeAnchor]] {
        let runs: [[TimeAnchor]]
        if let speeds {
            let points = try points(speeds, from: first, lasting: frames, grid, &bounds)
            runs = [points.withoutStraightCorners]
        } else {
            runs =
                try times.map { try self.runs($0, from: first, lasting: frames, grid, &bounds) }
                ?? []
        }
        let falls = runs.contains { run in
            zip(run, run.dropFirst()).contains { $0.source > $1.source }
        }
        guard falls, !isOurs else {
            return runs
        }
        let end = mediaEnd()
        return try runs.map { try Self.falling($0, before: end) }
    }

    /// Points whose falling lines are a little later, and so are the level ones beside them.
    private static func falling(
        _ points: [TimeAnchor], before end: RationalTime?
    ) throws -> [TimeAnchor] {
        var isMoved = Array(repeating: false, count: points.count)
        for next in points.indices.dropFirst() where points[next].source < points[next - 1].source {
            (isMoved[next - 1], isMoved[next]) = (true, true)
        }
        let pairs = points.indices.dropFirst().map { ($0 - 1, $0) }
        for (from, to) in pairs + pairs.reversed().map({ ($0.1, $0.0) })
        where points[from].source == points[to].source {
            isMoved[to] = isMoved[to] || isMoved[from]
        }
        return try zip(points, isMoved).map { point, isMoved in
            let later = try point.source.sum(falling)
            guard isMoved, later <= end ?? later else {
                return point
            }
            return TimeAnchor(source: later, output: point.output)
        }
    }

    private func runs(
        _ times: MLTKeyframes, from first: Int64, lasting frames: Int64, _ grid: FrameGrid,
        _ bounds: inout ReaderBounds
    ) throws -> [[TimeAnchor]] {
        let (start, end) = (Double(first), Double(first + frames))
        let indices = times.indices(from: start, to: end)
        try bounds.add(points: indices.count)
        var places: Set<Double> = [start, end]
        /// The values before jumps, by the frames of these.
        var jumps: [Double: Double] = [:]
        for (key, next) in zip(times.keys[indices], times.keys[indices].dropFirst()) {
            places.insert(key.frame)
            places.insert(next.frame)
            if key.interpolation == .hold, next.value != key.value {
                jumps[next.frame] = key.value
            } else if key.interpolation == .smooth {
                let low = max(start, key.frame)
                let steps = ((min(end, next.frame) - low) / Self.smoothStep).rounded(.up)
                try bounds.add(points: Int(min(max(0, steps), 1e9)))
                places.formUnion(stride(from: low, to: min(end, next.frame), by: Self.smoothStep))
            }
        }
        var runs: [[TimeAnchor]] = [[]]
        for place in places.sorted() where start <= place && place <= end {
            if let before = jumps[place], place > start {
                runs[runs.count - 1].append(try anchor(place - start, before, grid))
                runs.append([])
            }
            if place < end || jumps[place] == nil {
                runs[runs.count - 1].append(try anchor(place - start, times.value(at: place), grid))
            }
        }
        return runs.filter { $0.count > 1 }.map(Self.withHeldFrames)
    }

    /// Points that differ by less than what values are rounded to are level.
    private static func withHeldFrames(_ points: [TimeAnchor]) -> [TimeAnchor] {
        points.reduce(into: []) { kept, point in
            let last = kept.last?.source ?? point.source
            let isLevel = abs(last.seconds - point.source.seconds) < 1.5 / Double(valueTicks)
            kept.append(TimeAnchor(source: isLevel ? last : point.source, output: point.output))
        }
    }

    /// Values are written with a little more or less than the exact time, so that rounding doesn't choose a neighbouring frame.
    private static let valueTicks: Int32 = 10_000_000

    private func anchor(_ frames: Double, _ seconds: Double, _ grid: FrameGrid) throws -> TimeAnchor
    {
        guard abs(seconds) < 1e8 else {
            throw CompositionError(.unsupported, "a source time of \(seconds) s is impossible")
        }
        let source = try RationalTime(seconds: max(0, seconds), timescale: Self.valueTicks)
            .multiplied(by: 1, over: 1)
        return TimeAnchor(source: source, output: try grid.time(frames))
    }

    /// The source time is the sum of the speeds of all frames before.
    private func points(
        _ speeds: MLTKeyframes, from first: Int64, lasting frames: Int64, _ grid: FrameGrid,
        _ bounds: inout ReaderBounds
    ) throws -> [TimeAnchor] {
        guard first >= 0, first + frames < Self.mostFrames else {
            throw CompositionError(
                .unsupported,
                "a speed for each frame is followed from frame 0 to \(Self.mostFrames)")
        }
        try bounds.add(points: Int(first + frames) + 1)
        let frame = grid.rate.frameDuration.seconds
        var seconds = 0.0
        var points: [TimeAnchor] = []
        for index in 0...first + frames {
            if index >= first {
                points.append(try anchor(Double(index - first), seconds, grid))
            }
            seconds += speeds.value(at: Double(index)) * frame
        }
        return points
    }
}
