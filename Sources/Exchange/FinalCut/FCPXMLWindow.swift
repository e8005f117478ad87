import Media
import TimeMaps
import TimeWarp

/// Which part of a clip's content is shown, and how fast.
struct FCPXMLWindow {
    /// In the clip's local time.
    let start: RationalTime
    /// On the track.
    let duration: RationalTime
    /// From time on the track, which counts from the clip's start, to the original's time.
    private(set) var points: [TimeAnchor] = []
    private(set) var notes: [String] = []
    private(set) var sampling = Sampling()
    /// From time on the track, which counts from the clip's start, to local time. Clips whose frame rate is conformed have
    /// another speed.
    private var local: StraightLine

    /// - Parameters:
    ///   - assetRange: the range of the clip's asset in the original's time, for clips that don't say theirs.
    ///   - media: the frame rate of the clip's media.
    ///   - bounds: counts the points of time maps.
    init(
        _ item: XMLItem, assetRange: TimeRange?, media: FrameRate?, sequence: FrameRate?,
        _ bounds: inout ReaderBounds
    ) throws {
        start = try item.time("start") ?? assetRange?.start ?? .zero
        let lasts = try item.time("duration") ?? assetRange?.duration ?? .zero
        duration = lasts
        let begin = TimeAnchor(source: start, output: .zero)
        local = StraightLine(
            begin, TimeAnchor(source: try start.sum(.seconds(1)), output: .seconds(1)))
        guard lasts > .zero else {
            return
        }
        if let map = item.first("timeMap") {
            do {
                try read(map, sequence ?? FrameGrid.usual.rate, &bounds)
            } catch let error as CompositionError {
                throw CompositionError(error.code, "the time map of \(item.title): \(error)")
            }
            sampling = Self.sampling(of: map)
            if map["frameSampling"] == "nearest-neighbor" {
                notes.append("The file asks for the nearest frame; a render shows the one before.")
            }
            return
        }
        let conforming = item.first("conform-rate")
        if let speed = conforming.flatMap({
            Self.conforming($0, media: media, sequence: sequence)
        }) {
            notes.append(
                "Clips whose frame rate is conformed play \(speed.seconds) times as fast, as in the file."
            )
            local = StraightLine(
                begin, TimeAnchor(source: try start.sum(speed), output: .seconds(1)))
        }
        points = [begin, TimeAnchor(source: try local.source(at: lasts), output: lasts)]
    }

    /// The time on the track, counted from the clip's start, of a local time.
    func output(ofLocal time: RationalTime) throws -> RationalTime {
        try local.output(of: time) ?? .zero
    }

    private mutating func read(
        _ map: XMLItem, _ rate: FrameRate, _ bounds: inout ReaderBounds
    ) throws {
        var read: [SmoothTimeMap.Point] = []
        for item in map.all("timept") {
            guard let time = try item.time("time"), let value = item["value"] else {
                throw CompositionError(.malformed, "a timept needs a time and a value")
            }
            // Without handles, every interpolation is straight.
            let isSmooth = item["interp"] != "linear"
            let handles = try ["inTime", "outTime"].map { name in
                isSmooth ? try item.time(name) ?? .zero : .zero
            }
            let point = SmoothTimeMap.Point(
                time: time, value: try RationalTime(truncated: value),
                before: max(.zero, handles[0]), after: max(.zero, handles[1]))
            // Some programs repeat a point.
            if read.last.map({ $0.time < point.time }) ?? true {
                read.append(point)
            }
        }
        guard read.count >= 2 else {
            throw CompositionError(.malformed, "a timeMap needs two points at different times")
        }
        let smooth = try SmoothTimeMap(read, frames: (start, rate.frameDuration), &bounds)
        let first = smooth.lines[0].output
        let whole = try TimelineClip(
            "",
            points: try smooth.lines.map {
                TimeAnchor(source: $0.source, output: try $0.output.difference(first))
            })
        let from = try start.difference(first)
        points = try whole.part(from: from, to: from.sum(duration)).points
    }

    /// What the format's definition says where an attribute is absent: the frame before, and the pitch is kept.
    private static func sampling(of map: XMLItem) -> Sampling {
        let frames: RenderSettings.FrameSynthesis? =
            switch map["frameSampling"] {
            case "frame-blending": .blend
            case "optical-flow", "optical-flow-classic", "optical-flow-frc": .motion
            case "floor", "nearest-neighbor", nil: .hold
            default: nil
            }
        return Sampling(keepsPitch: map["preservesPitch"] != "0", frames: frames)
    }

    /// How fast media plays whose rate is conformed to that of the sequence; nil if it plays at normal speed.
    ///
    /// Where a frame of the sequence is a frame of the media, or two or four are, the rates are made equal: that is the chart
    /// in Apple's reference. For others only the thousandth is made up for that NTSC rates are slower by.
    private static func conforming(
        _ item: XMLItem, media: FrameRate?, sequence: FrameRate?
    ) -> RationalTime? {
        let named = item["srcFrameRate"].flatMap { text in
            FrameRate.rounded.first { $0.text == text }?.rate
                ?? Int32(text).flatMap { (1...1000).contains($0) ? FrameRate(known: $0) : nil }
        }
        guard item["scaleEnabled"] != "0", let media = named ?? media, let sequence,
            media != sequence
        else {
            return nil
        }
        let ratio = media.framesPerSecond / sequence.framesPerSecond
        for multiple in [Int64(1), 2, 4] {
            let rest = ratio / Double(multiple)
            // 24 and 25 are conformed to each other, 25 and 30 are not.
            if abs(rest - 1) < 0.05, abs(rest - 1) > 1e-6 {
                // The media's own frame duration over that of the sequence.
                return ExactFraction(.seconds(multiple)).scaled(
                    by: media.frameDuration, over: sequence.frameDuration)?.time
            }
        }
        let (slower, faster) = (RationalTime(1000, over: 1001), RationalTime(1001, over: 1000))
        switch (media.isNTSC, sequence.isNTSC) {
        case (true, false): return faster
        case (false, true): return media.isPAL ? nil : slower
        case (true, true) where media.isFilm != sequence.isFilm:
            return media.isFilm ? faster : slower
        default: return nil
        }
    }
}

extension FrameRate {
    fileprivate var isNTSC: Bool { denominator == 1001 }

    /// Whether it is 25, 50 or 100.
    fileprivate var isPAL: Bool { Int(framesPerSecond.rounded()) % 25 == 0 }

    /// Whether it is 24, 48 or 96, or these over 1.001.
    fileprivate var isFilm: Bool { Int(framesPerSecond.rounded()) % 24 == 0 }
}
