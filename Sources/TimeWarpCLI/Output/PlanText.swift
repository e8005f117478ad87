import Foundation
import Media
import Plotting
import TimeMaps
import TimeWarp

/// The text of a plan that `--dry-run` prints.
struct PlanText {
    let text: String

    init(_ plan: RenderPlan) {
        let lines =
            Self.timeline(plan)
            + plan.video.flatMap { [Self.video($0, plan)] + Self.kept($0.keeping) }
            + plan.copied.map {
                "\($0.stream.kindName)     stream \($0.stream.index) (\($0.stream.codecName)) of "
                    + "\($0.asset.path), copied"
            } + plan.audio.flatMap { [Self.audio($0, plan)] + Self.kept($0.keeping) }
            + plan.subtitles.map {
                "subtitles stream \($0.model.index) (\($0.model.codecName)), retimed"
            }
            + plan.attachments.map {
                "\($0.stream.kindName)     stream \($0.stream.index), passed on"
            }
            + (plan.chapters.isEmpty
                ? [] : ["chapters  \(plan.chapters.count), \(Self.chapterSource(plan))"])
            + Self.chunks(plan) + Self.memory(plan) + Self.advice(plan)
            + plan.warnings.map { "note      \($0)" }
        text = lines.joined(separator: "\n")
    }

    private static func timeline(_ plan: RenderPlan) -> [String] {
        let output = "output    \(plan.destination) (\(plan.container.rawValue))"
        let lasts = NumberText.seconds(plan.outputDuration)
        let input = "input     \(plan.sourceName)"
        if let clip = plan.clip {
            return [
                input, output,
                "duration  \(NumberText.seconds(plan.sourceDuration)) becomes \(lasts)",
                "speed     \(speeds(of: clip.map))",
            ]
        }
        guard let composition = plan.source.composition else {
            return [input, output, "duration  \(lasts)"]
        }
        return [output, "duration  \(lasts)"]
            + composition.tracks.enumerated().flatMap { track($1, number: $0) }
    }

    private static func chapterSource(_ plan: RenderPlan) -> String {
        plan.clip != nil ? "retimed" : plan.source.asset != nil ? "copied" : "from markers"
    }

    private static func memory(_ plan: RenderPlan) -> [String] {
        guard let clip = plan.clip, !clip.map.isRising, !plan.video.isEmpty else {
            return []
        }
        let folder = SpillSpace(in: plan.settings.resources.temporaryFolder).folder
        return [
            "memory    \(plan.settings.resources.memoryBytes >> 20) MiB of decoded frames; more is kept in "
                + folder
        ]
    }

    private static func speeds(of map: TimeMap) -> String {
        let range = map.speedRange
        // An eased freeze comes to 0 only as nearly as numbers do.
        let lowest = abs(range.lowerBound) < 1e-9 ? 0 : range.lowerBound
        let low = String(format: "%.4g×", lowest)
        let high = range.upperBound.isFinite ? String(format: "%.4g×", range.upperBound) : "a jump"
        return low == high ? low : "\(low) to \(high)"
    }

    private static func track(_ track: Track, number: Int) -> [String] {
        let name = track.name.isEmpty ? "\(number + 1)" : track.name
        return ["track     \(name), \(track.carries.rawValue)"]
            + track.placed.map { placed in
                let start = NumberText.seconds(placed.range.start.seconds)
                let end = NumberText.seconds(placed.range.end.seconds)
                return "  \(start) to \(end)  " + shown(of: placed.segment)
            }
    }

    /// What a segment plays, at which speeds, and how it comes and goes.
    private static func shown(of segment: Segment) -> String {
        var parts = [segment.clip?.media ?? "nothing"]
        if let map = try? segment.timeMap(), map.speedRange != 1...1 {
            parts.append(map.speedRange == 0...0 ? "a freeze" : speeds(of: map))
        }
        let (dissolve, fadeOut) = (segment.blending.dissolve, segment.blending.fadeOut)
        parts += over(dissolve, "dissolve") + over(fadeOut, "fade-out")
        return parts.joined(separator: ", ")
    }

    private static func over(_ time: RationalTime, _ change: String) -> [String] {
        time > .zero ? ["\(change) of \(NumberText.seconds(time.seconds))"] : []
    }

    private static func video(_ track: RenderPlan.VideoTrack, _ plan: RenderPlan) -> String {
        let size = "\(track.format.width)×\(track.format.height)"
        let source =
            stream(track.model, plan).map { "stream \($0.index) (\($0.codecName) \(size))" }
            ?? "\(track.segmentCount) segments"
        switch track.making {
        case .encoded(let codec, let format):
            let stored = plan.clip == nil ? " \(size)" : ""
            let by = track.encoder.map { " by \($0.name)" } ?? ""
            return "video     \(source) to \(codec.rawValue) \(format)\(stored)\(by), "
                + timing(of: track, plan)
        case .restamped(let count):
            return "video     \(source) copied, \(timing(of: track, plan)); "
                + "saves decoding and encoding \(count) frames"
        }
    }

    /// What is kept of a track, and why the rest is encoded.
    private static func kept(_ keeping: TrackKeeping?) -> [String] {
        guard let keeping else {
            return []
        }
        let (kept, encoded) = (keeping.keptSeconds, keeping.encodedSeconds)
        let share = Int((100 * keeping.share).rounded())
        return [
            "kept      \(NumberText.seconds(kept)) as it is stored (\(share) %); "
                + "\(NumberText.seconds(encoded)) is encoded"
        ] + keeping.encoded.map { "  \(NumberText.seconds($0.seconds))  \($0.reason)" }
    }

    /// The stream that a track is made of; nil if there are several.
    private static func stream(
        _ model: Asset.Stream?, _ plan: RenderPlan
    ) -> Asset.Stream? {
        plan.clip?.asset == nil ? nil : model
    }

    private static func timing(of track: RenderPlan.VideoTrack, _ plan: RenderPlan) -> String {
        let average = track.retimedRate.map {
            PlotText.fixed($0.framesPerSecond, decimals: 3, keepingZeros: .no)
        }
        switch track.timing {
        case .fixed(let rate, let count):
            let own = average.map { " (the source's come at about \($0) a second)" } ?? ""
            return "\(rate) frames/s, \(count) frames\(own)"
        case .variable(let ticks):
            let why =
                plan.settings.video.rate == .source ? "the source's frames are uneven: " : ""
            let own = average.map { ", about \($0) frames/s on average" } ?? ""
            return "\(why)every source frame at its own time, to 1/\(ticks) s\(own)"
        }
    }

    private static func chunks(_ plan: RenderPlan) -> [String] {
        plan.video.compactMap(\.cutting).filter { $0.count > 1 }.map {
            "pieces    \($0.count) of the video, each from the start of a GOP if one is near, "
                + "\(plan.settings.resources.jobs) at a time, joined without encoding again"
        }
    }

    /// Advice for plans that could give the same result with less work.
    private static func advice(_ plan: RenderPlan) -> [String] {
        guard plan.couldBeRestamped else {
            return smartAdvice(plan)
        }
        let frames = plan.expectedFrameCount.map { "\($0) frames" } ?? "any frame"
        return [
            "advice    --video-codec copy gives the same frames at the same times, and saves "
                + "decoding and encoding \(frames): nearly all of the work"
        ]
    }

    /// Says if more than half of the video could be kept.
    private static func smartAdvice(_ plan: RenderPlan) -> [String] {
        guard !plan.settings.video.keepsPackets, let share = try? plan.shareThatCouldBeKept(),
            share > 0.5
        else {
            return []
        }
        return [
            "advice    --smart keeps \(Int((share * 100).rounded(.down))) % of the video as it is stored, and encodes the rest"
        ]
    }

    private static func sound(_ settings: RenderSettings) -> String {
        switch settings.audio.mode {
        case .keepPitch: "pitch kept"
        case .keep: "speed kept"
        case .varispeed, .mute: settings.audio.interpolation.rawValue
        }
    }

    private static func audio(_ track: RenderPlan.AudioTrack, _ plan: RenderPlan) -> String {
        let source =
            stream(track.model, plan).map {
                "stream \($0.index) (\($0.codecName) \(track.format.layout))"
            }
            ?? "\(track.segmentCount) segments"
        let channels = plan.clip == nil ? " \(track.format.layout)" : ""
        return "audio     \(source) to \(track.codec.rawValue) \(track.sampleRate) Hz\(channels), "
            + "\(track.sampleCount) samples, \(sound(plan.settings))"
    }
}

/// Numbers formatted for people.
enum NumberText {
    /// Seconds, rounded to microseconds, without trailing zeros.
    static func seconds(_ seconds: Double) -> String {
        PlotText.fixed(seconds, decimals: 6, keepingZeros: .no) + " s"
    }

    static func milliseconds(_ seconds: Double) -> String {
        String(format: "%.3g ms", locale: nil, seconds * 1000)
    }

    static func partsPerMillion(_ value: Double) -> String {
        String(format: "%+.1f ppm", locale: nil, value)
    }
}
