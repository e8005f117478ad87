import Foundation
import Media
import TimeMaps
import TimeWarp

/// The media file of a producer or chain, and its speed.
struct MLTSource {
    /// As written in the project; relative paths start at the project's root folder.
    let path: String
    let name: String?
    /// Frames of the source for each frame; nil at normal speed.
    let speed: Double?
    private let markerText: String?
    private let sampling: Sampling

    /// The speeds that a producer may have.
    private static let speeds = 1e-6...1e4

    /// Nil if the producer is no media file: a colour, a title.
    ///
    /// - Throws: ``CompositionError`` if its speed is impossible.
    init?(_ producer: XMLItem, root: String?) throws {
        let service = producer.property("mlt_service") ?? ""
        var resource = producer.property("resource") ?? ""
        var speed: Double?
        if service == "timewarp" {
            // `2.0:file`; the two parts may be in properties of their own.
            if let colon = resource.firstIndex(of: ":"),
                let number = Double(reading: resource[..<colon])
            {
                speed = number
                resource = String(resource[resource.index(after: colon)...])
            }
            speed = producer.property("warp_speed").flatMap { Double(reading: $0) } ?? speed
            resource = producer.property("warp_resource") ?? resource
        } else if service == "framebuffer" {
            // `file?2.0`
            if let sign = resource.lastIndex(of: "?"),
                let number = Double(reading: resource[resource.index(after: sign)...])
            {
                speed = number
                resource = String(resource[..<sign])
            }
            if producer.isTrue("reverse") {
                speed = -(speed ?? 1)
            }
        }
        let isFile =
            service.isEmpty || service.hasPrefix("avformat")
            || ["timewarp", "framebuffer", "qimage", "pixbuf", "xml", "loader"].contains(service)
        guard isFile, !resource.isEmpty else {
            return nil
        }
        if let speed, !Self.speeds.contains(abs(speed)) {
            throw CompositionError(.unsupported, "a speed of \(speed) is impossible")
        }
        resource = MediaLocation.path(ofURL: resource)
        if let root, !root.isEmpty, root != "$CURRENTPATH", !MediaPath.isAbsolute(resource),
            !resource.contains("://")
        {
            resource = root + (root.hasSuffix("/") ? "" : "/") + resource
        }
        path = resource
        name = producer.property("kdenlive:clipname")
        self.speed = speed == 1 ? nil : speed
        markerText = producer.property("kdenlive:markers")
        sampling = speed == nil ? Sampling() : Sampling(keepsPitch: producer.isTrue("warp_pitch"))
    }

    func markers(on grid: FrameGrid, _ bounds: inout ReaderBounds) throws -> [Marker] {
        try MLTGuides.read(markerText, grid).map {
            try bounds.visit()
            return try Marker($0.name, at: $0.at)
        }
    }

    /// The points of an entry, from output time, which counts from the entry's start, to asset time.
    ///
    /// - Parameters:
    ///   - first: `in` of the entry.
    ///   - bounds: counts the points.
    func runs(
        of producer: XMLItem, _ entry: XMLItem, from first: Int64, lasting frames: Int64,
        _ clock: MLTClock, _ bounds: inout ReaderBounds, mediaEnd: () -> RationalTime?,
        mediaDuration: () throws -> RationalTime
    ) throws -> (runs: [[TimeAnchor]], sampling: Sampling) {
        if producer.name == "chain", MLTFilters.heldFrame(of: [entry, producer], clock) == nil,
            let remap = try MLTTimeRemap(producer, clock)
        {
            let runs = try remap.runs(
                from: first, lasting: frames, on: clock.grid, &bounds, mediaEnd: mediaEnd)
            return (runs, remap.sampling)
        }
        let line = try line(
            of: producer, entry, from: first, lasting: frames, clock, mediaDuration: mediaDuration)
        return ([[line.start, line.end]], sampling)
    }

    /// The line of an entry of constant speed.
    private func line(
        of producer: XMLItem, _ entry: XMLItem, from first: Int64, lasting frames: Int64,
        _ clock: MLTClock, mediaDuration: () throws -> RationalTime
    ) throws -> StraightLine {
        let grid = clock.grid
        let lasting = try grid.time(frames)
        let begin = clock.whole(producer["in"]) ?? 0
        func line(from start: RationalTime, to end: RationalTime) -> StraightLine {
            StraightLine(
                TimeAnchor(source: start, output: .zero), TimeAnchor(source: end, output: lasting))
        }
        if let held = MLTFilters.heldFrame(of: [entry, producer], clock) {
            let instant = try grid.time(first + held)
            return line(from: instant, to: instant)
        }
        let start = try grid.time(first + begin)
        guard let speed else {
            return line(from: start, to: try start.sum(lasting))
        }
        let consumed = try lasting.times(speed)
        guard speed < 0 else {
            let source = try start.times(speed)
            return line(from: source, to: try source.sum(consumed))
        }
        // Backwards, the entry counts from the producer's last frame. That frame is shown first, so its end is where time
        // begins.
        let last: Int64
        if let out = clock.whole(producer["out"])
            ?? clock.whole(producer.property("length")).map({ $0 - 1 })
        {
            last = out
        } else {
            let count = try mediaDuration().seconds * grid.rate.framesPerSecond / -speed
            last = Int64(nearest: count.rounded(.down)) - 1
        }
        let frame = grid.rate.frameDuration
        let source = try grid.time(last - first).times(-speed).sum(frame)
        return line(from: source, to: try source.sum(consumed))
    }
}

/// What filters say that a composition has: gain, fades and freeze frames.
enum MLTFilters {
    /// The filters that are read, or that change nothing.
    static let known: Set = [
        "volume", "brightness", "freeze", "audiochannels", "audioconvert", "panner",
    ]

    private static func filters(_ items: [XMLItem], _ service: String) -> [XMLItem] {
        items.flatMap { $0.all("filter") }.filter {
            $0.property("mlt_service") == service && $0.property("disable") != "1"
        }
    }

    /// The frame that a filter holds for the whole entry, counted from the entry's start; nil if none does.
    static func heldFrame(of items: [XMLItem], _ clock: MLTClock) -> Int64? {
        let held = filters(items, "freeze").first {
            $0.property("freeze_after") != "1" && $0.property("freeze_before") != "1"
        }
        return held.flatMap { clock.whole($0.property("frame")) }
    }

    static func gain(of items: [XMLItem], _ clock: MLTClock, from first: Int64) throws -> Gain {
        for filter in filters(items, "volume") where !isFade(filter) {
            if let level = filter.property("level") {
                if !level.contains("="), let constant = Double(reading: level) {
                    return try Gain(decibels: Gain.clamped(constant))
                }
                guard let curve = try MLTKeyframes(level, clock) else {
                    return .unity
                }
                // Keyframes count from where the filter begins.
                let zero = Double((clock.whole(filter["in"]) ?? first) - first)
                let later = curve.keys.filter { $0.frame + zero > 0 }.map {
                    (frame: $0.frame + zero, value: $0.value)
                }
                let keyframes = [(frame: 0, value: curve.value(at: -zero))] + later
                return try Gain(
                    keyframes.map {
                        (at: try clock.grid.time($0.frame), decibels: Gain.clamped($0.value))
                    })
            }
            if let gain = filter.property("gain").flatMap({ Double(reading: $0) }), gain >= 0 {
                return try Gain(decibels: Gain.decibels(ofFactor: gain))
            }
        }
        return .unity
    }

    private static func isFade(_ filter: XMLItem) -> Bool {
        filter.property("shotcut:filter")?.hasPrefix("fade") == true
            || filter.property("kdenlive_id")?.hasPrefix("fade") == true
    }

    /// For how long the entry fades in and out.
    static func fades(
        of items: [XMLItem], _ clock: MLTClock
    ) throws -> (in: RationalTime, out: RationalTime) {
        var (fadeIn, fadeOut): (Double, Double) = (0, 0)
        for filter in filters(items, "brightness") + filters(items, "volume") {
            let name = filter.property("shotcut:filter") ?? ""
            func length(_ property: String) -> Double {
                filter.property(property).flatMap { clock.frames($0) } ?? 0
            }
            if name.hasPrefix("fadeIn") {
                fadeIn = max(fadeIn, length("shotcut:animIn"))
            } else if name.hasPrefix("fadeOut") {
                fadeOut = max(fadeOut, length("shotcut:animOut"))
            }
        }
        let grid = clock.grid
        return (try grid.time(max(0, fadeIn.rounded())), try grid.time(max(0, fadeOut.rounded())))
    }
}
