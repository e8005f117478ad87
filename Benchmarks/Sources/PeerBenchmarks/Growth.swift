import Figures
import Foundation
import Launching
import MediaKernels
import TimeWarp

/// What the same work costs while one property of its input grows.
struct Growth: Sendable {
    /// One program doing one kind of work.
    struct Line: Sendable {
        let name: String
        var points: [(x: Double, usage: Launch.Usage)] = []
    }

    /// The base name of the chart's file, such as `growth-length`.
    let name: String
    let title: String
    /// The name of the property that varies.
    let variable: String
    /// The measured quantity, with its unit.
    let quantity: String
    let cost: @Sendable (_ usage: Launch.Usage, _ x: Double) -> Double
    var lines: [Line] = []
    /// What was skipped, and what failed.
    var notes: [String] = []
}

extension Growth {
    /// The cost of each line at each value, with the peak memory.
    var table: MarkdownTable {
        let values = Set(lines.flatMap { $0.points.map(\.x) }).sorted()
        var table = MarkdownTable([variable] + lines.map { "\($0.name): \(quantity) (peak MB)" })
        for value in values {
            let cells = lines.map { line in
                guard let point = line.points.first(where: { $0.x == value }) else { return "–" }
                let cost = cost(point.usage, value)
                return "\(figure(cost)) (\(megabytes(point.usage.peakBytes)))"
            }
            table.add([plain(value)] + cells)
        }
        return table
    }

    /// The costs as lines of a chart, an SVG; nil if nothing was measured.
    func costChart() throws -> String? {
        try chart(title, quantity) { cost($0, $1) }
    }

    /// The peak memory as lines of a chart, an SVG; nil if nothing was measured.
    func memoryChart() throws -> String? {
        try chart("Peak memory: " + title, "MB") { usage, _ in Double(usage.peakBytes) / 1e6 }
    }

    private func chart(
        _ title: String, _ quantity: String, _ height: (Launch.Usage, Double) -> Double
    ) throws -> String? {
        let drawn = lines.filter { !$0.points.isEmpty }.map { line in
            (
                name: line.name,
                points: line.points.map { (x: $0.x, y: max(height($0.usage, $0.x), 1e-9)) }
            )
        }
        guard !drawn.isEmpty else { return nil }
        return try growthChart(title, horizontal: variable, vertical: quantity, lines: drawn)
    }
}

/// Measures growth: each value at least once, the works alternately, with medians.
struct GrowthBenchmarks {
    let workshop: Workshop
    let clips: Clips
    /// The length of the middle clip.
    let seconds: Double
    let rounds: Int

    static let names = ["growth-length", "growth-speed", "growth-size", "growth-alignment"]

    func measure(_ name: String) throws -> Growth {
        switch name {
        case "growth-length": try length()
        case "growth-speed": try speed()
        case "growth-size": try size()
        default: try alignment()
        }
    }

    private func length() throws -> Growth {
        var growth = Growth(
            name: "growth-length", title: "Half speed and reversal of 640x360, by length",
            variable: "source, s", quantity: "wall s", cost: { usage, _ in usage.wallSeconds })
        let works: [(String, Work)] = [
            ("half speed", .half), ("ffmpeg half speed", .ffmpegHalf), ("reverse", .reverse),
            ("ffmpeg reverse", .ffmpegReverse),
        ]
        growth.lines = works.map { Growth.Line(name: $0.0) }
        let middle = try clips.clip(width: 640, height: 360, seconds: seconds)
        let lengths = [
            (seconds / 6, try clips.clip(width: 640, height: 360, seconds: seconds / 6)),
            (seconds, middle), (seconds * 10, try clips.repeated(middle, of: seconds, times: 10)),
        ]
        for (length, clip) in lengths {
            var chosen = works.map(\.1)
            // To reverse a clip, ffmpeg keeps every decoded frame in memory: 345600 bytes each.
            let needed = length * 30 * 345_600
            if needed > 2e9 {
                chosen.removeAll { $0 == .ffmpegReverse }
                growth.notes.append(
                    "ffmpeg's reversal of \(figure(length)) s is skipped: it would hold "
                        + "\(figure(needed / 1e9)) GB of frames in memory")
            }
            let places = chosen.map { work in
                (line: works.firstIndex { $0.1 == work } ?? 0, work: work)
            }
            add(places, of: clip, at: length, to: &growth)
        }
        return growth
    }

    private func speed() throws -> Growth {
        let seconds = seconds
        var growth = Growth(
            name: "growth-speed", title: "A minute of 640x360, by speed", variable: "speed",
            quantity: "wall s a source minute",
            cost: { usage, _ in usage.wallSeconds * 60 / seconds })
        growth.lines = [Growth.Line(name: "timewarp"), Growth.Line(name: "ffmpeg")]
        let clip = try clips.clip(width: 640, height: 360, seconds: seconds)
        for exponent in stride(from: -4, through: 6, by: 2) {
            add(
                [(0, .speed(exponent)), (1, .ffmpegSpeed(exponent))], of: clip,
                at: pow(2, Double(exponent)), to: &growth)
        }
        return growth
    }

    private func size() throws -> Growth {
        let seconds = min(5, seconds)
        var growth = Growth(
            name: "growth-size", title: "Unit speed, by picture size",
            variable: "megapixels a picture", quantity: "wall ms a megapixel",
            cost: { usage, x in usage.wallSeconds * 1000 / (seconds * 30 * x) })
        growth.lines = [Growth.Line(name: "timewarp"), Growth.Line(name: "ffmpeg")]
        for (width, height) in [(640, 360), (1280, 720), (1920, 1080), (3840, 2160)] {
            let clip = try clips.clip(width: width, height: height, seconds: seconds)
            add(
                [(0, .speed(0)), (1, .ffmpegSpeed(0))], of: clip,
                at: Double(width * height) / 1e6, to: &growth)
        }
        return growth
    }

    private func alignment() throws -> Growth {
        var growth = Growth(
            name: "growth-alignment", title: "The place of one recording in another, by length",
            variable: "recording, s", quantity: "wall s", cost: { usage, _ in usage.wallSeconds })
        growth.lines = [
            Growth.Line(name: "timewarp, offset and drift"), Growth.Line(name: "audalign, offset"),
        ]
        for length in [60.0, 600, 3600] {
            let (first, second) = try clips.recordings(seconds: length)
            add(
                [(0, .match(first)), (1, .audalign(first))], of: second, at: length,
                to: &growth)
        }
        return growth
    }

    /// Measures the works alternately, and adds the medians to their lines.
    private func add(
        _ works: [(line: Int, work: Work)], of clip: String, at x: Double, to growth: inout Growth
    ) {
        let output = workshop.path("growth.mp4")
        var runs = works.map { _ in [Launch.Usage]() }
        for _ in 0..<rounds {
            for (index, (line, work)) in works.enumerated() {
                do {
                    runs[index].append(
                        try workshop.measure(work.arguments(workshop, clip, output)))
                } catch {
                    growth.notes.append(
                        "\(growth.lines[line].name) failed at \(figure(x)): \(error)")
                }
                try? FileManager.default.removeItem(atPath: output)
            }
        }
        for (index, (line, _)) in works.enumerated() where !runs[index].isEmpty {
            var usage = Launch.Usage()
            usage.wallSeconds = median(runs[index].map(\.wallSeconds)) ?? 0
            usage.peakBytes = Int(median(runs[index].map { Double($0.peakBytes) }) ?? 0)
            growth.lines[line].points.append((x, usage))
        }
    }
}

/// A task to perform on a clip.
private enum Work: Equatable {
    case half, ffmpegHalf, reverse, ffmpegReverse
    /// The speed is two to the power of this number.
    case speed(Int)
    case ffmpegSpeed(Int)
    /// Finds the place of the clip in this recording.
    case match(String)
    case audalign(String)

    func arguments(_ workshop: Workshop, _ clip: String, _ output: String) -> [String] {
        switch self {
        case .half: timewarp("scale", ["--factor", "2"], workshop, clip, output)
        case .reverse: timewarp("reverse", [], workshop, clip, output)
        case .speed(let exponent):
            timewarp("scale", ["--speed", Self.fraction(exponent)], workshop, clip, output)
        case .ffmpegHalf: ffmpeg(["-vf", "setpts=2*PTS,fps=30", "-af", "atempo=0.5"], clip, output)
        case .ffmpegReverse: ffmpeg(["-vf", "reverse", "-af", "areverse"], clip, output)
        case .ffmpegSpeed(let exponent):
            ffmpeg(Self.filters(exponent), clip, output)
        case .match(let reference): [workshop.timewarp, "stretch", clip, "--match", reference]
        case .audalign(let reference):
            [workshop.python, workshop.scripts + "/align.py", reference, clip]
        }
    }

    private func timewarp(
        _ command: String, _ options: [String], _ workshop: Workshop, _ clip: String,
        _ output: String
    ) -> [String] {
        [workshop.timewarp, command, clip, "-o", output] + options + VideoRows.timewarpEncoding
    }

    private func ffmpeg(_ options: [String], _ clip: String, _ output: String) -> [String] {
        ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", clip] + options + Clips.encoding
            + [output]
    }

    private static func fraction(_ exponent: Int) -> String {
        exponent < 0 ? "1/\(1 << -exponent)" : "\(1 << exponent)"
    }

    private static func filters(_ exponent: Int) -> [String] {
        guard exponent != 0 else { return [] }
        let tempo = exponent < 0 ? "atempo=0.5" : "atempo=2"
        let tempos = Array(repeating: tempo, count: abs(exponent)).joined(separator: ",")
        let times = exponent < 0 ? "setpts=PTS*\(1 << -exponent)" : "setpts=PTS/\(1 << exponent)"
        return ["-vf", times + ",fps=30:round=up", "-af", tempos]
    }
}
