import TimeMaps
import TimeWarp

/// The speed of a chain in an MLT project: its link `timeremap`.
///
/// Keyframes are at frames of the chain's output, and their values are source times in seconds. Before the first and after the
/// last keyframe the frame is held. An older form has a speed at each frame instead.
struct MLTTimeRemap {
    private let times: MLTKeyframes?
    private let speeds: MLTKeyframes?

    /// Nil if the chain has normal speed.
    init?(_ chain: XMLItem, _ clock: MLTClock) {
        let links = chain.all("link").filter { $0.property("mlt_service") == "timeremap" }
        guard let link = links.first(where: { $0.property("disable") != "1" }) else {
            return nil
        }
        func keys(_ name: String) -> MLTKeyframes? {
            link.property(name).flatMap { MLTKeyframes($0, clock) }
        }
        speeds = keys("speed_map")
        times = speeds == nil ? keys("time_map") ?? keys("map") : nil
        guard speeds != nil || times != nil else {
            return nil
        }
    }

    /// How many frames with a changing speed are followed one by one.
    private static let mostFrames = 200_000
    /// A smooth line is followed in steps of so many frames.
    private static let smoothStep = 0.25

    /// The points of a clip, from output time, which counts from the clip's start, to asset time: several runs where the map
    /// jumps.
    func runs(from first: Int64, lasting frames: Int64, on grid: FrameGrid) throws -> [[TimeAnchor]]
    {
        if let speeds {
            return [try points(speeds, from: first, lasting: frames, grid).withoutStraightCorners]
        }
        return try times.map { try runs($0, from: first, lasting: frames, grid) } ?? []
    }

    private func runs(
        _ times: MLTKeyframes, from first: Int64, lasting frames: Int64, _ grid: FrameGrid
    ) throws -> [[TimeAnchor]] {
        let (start, end) = (Double(first), Double(first + frames))
        var places: [Double] = [start, end]
        var jumps: Set<Double> = []
        for (index, key) in times.keys.enumerated() {
            places.append(key.frame)
            let next = index + 1 < times.keys.count ? times.keys[index + 1] : nil
            guard let next else {
                continue
            }
            if key.interpolation == .hold, next.value != key.value {
                jumps.insert(next.frame)
            } else if key.interpolation == .smooth {
                let low = max(start, key.frame)
                let steps = min(20_000, Int(max(0, min(end, next.frame) - low) / Self.smoothStep))
                places += (0..<max(0, steps)).map { low + Double($0) * Self.smoothStep }
            }
        }
        var runs: [[TimeAnchor]] = [[]]
        for place in Set(places).sorted() where start <= place && place <= end {
            if jumps.contains(place), place > start {
                let before = times.keys.last { $0.frame < place }?.value ?? 0
                runs[runs.count - 1].append(try anchor(place - start, before, grid))
                runs.append([])
            }
            if place < end || !jumps.contains(place) {
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
        _ speeds: MLTKeyframes, from first: Int64, lasting frames: Int64, _ grid: FrameGrid
    ) throws -> [TimeAnchor] {
        guard first + frames <= Self.mostFrames else {
            throw CompositionError(
                .unsupported,
                "a speed that is given for each frame is followed for \(Self.mostFrames) frames")
        }
        let frame = grid.rate.frameDuration.seconds
        var seconds = 0.0
        var points: [TimeAnchor] = []
        for index in 0...max(0, first + frames) {
            if index >= first {
                points.append(try anchor(Double(index - first), seconds, grid))
            }
            seconds += speeds.value(at: Double(index)) * frame
        }
        return points
    }
}
