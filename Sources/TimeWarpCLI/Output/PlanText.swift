import Foundation
import Media
import TimeWarp

/// A plan as a person reads it: what `--dry-run` prints.
struct PlanText {
    let text: String

    init(_ plan: RenderPlan) {
        let lines =
            [
                "input     \(plan.clip.asset.path)",
                "output    \(plan.destination) (\(plan.container.rawValue))",
                "duration  \(Decimal.seconds(plan.clip.range.duration.seconds)) becomes "
                    + Decimal.seconds(plan.outputDuration),
                "speed     \(Self.speeds(plan))",
            ] + plan.video.map(Self.video)
            + plan.copied.map {
                "\($0.kindName)     stream \($0.index) (\($0.codecName)) of "
                    + "\(plan.pictureAsset.path), copied"
            } + plan.audio.map { Self.audio($0, plan) }
            + plan.subtitles.map { "subtitles stream \($0.index) (\($0.codecName)), retimed" }
            + plan.passedOn.map { "\($0.kindName)     stream \($0.index), passed on" }
            + (plan.chapters.isEmpty ? [] : ["chapters  \(plan.chapters.count), retimed"])
            + Self.pieces(plan) + Self.memory(plan) + Self.advice(plan)
            + plan.warnings.map { "note      \($0)" }
        text = lines.joined(separator: "\n")
    }

    private static func memory(_ plan: RenderPlan) -> [String] {
        guard !plan.clip.map.isRising, !plan.video.isEmpty else {
            return []
        }
        let folder = SpillSpace(in: plan.settings.temporaryFolder).folder
        return [
            "memory    \(plan.settings.memoryBytes >> 20) MiB of decoded pictures; more waits in "
                + folder
        ]
    }

    private static func speeds(_ plan: RenderPlan) -> String {
        let range = plan.clip.map.speedRange
        let low = String(format: "%.4g", range.lowerBound)
        let high = range.upperBound.isFinite ? String(format: "%.4g", range.upperBound) : "any"
        return low == high ? "\(low)×" : "\(low)× to \(high)×"
    }

    init(_ plan: CompositionPlan) {
        let markers = plan.chapters.count
        let lines =
            [
                "output    \(plan.destination) (\(plan.container.rawValue))",
                "duration  \(Decimal.seconds(plan.outputDuration))",
            ] + plan.composition.tracks.enumerated().flatMap { Self.track($1, number: $0) }
            + [plan.pictures.map(Self.pictures), plan.sound.map { Self.sound($0, plan) }]
            .compactMap { $0 } + (markers == 0 ? [] : ["chapters  \(markers), from markers"])
            + plan.warnings.map { "note      \($0)" }
        text = lines.joined(separator: "\n")
    }

    private static func track(_ track: Track, number: Int) -> [String] {
        let name = track.name.isEmpty ? "\(number + 1)" : track.name
        return ["track     \(name), \(track.carries.rawValue)"]
            + track.placed.map { placed in
                let start = Decimal.seconds(placed.range.start.seconds)
                let end = Decimal.seconds(placed.range.end.seconds)
                return "  \(start) to \(end)  \(placed.segment.clip?.media ?? "nothing")"
            }
    }

    private static func pictures(_ track: CompositionPlan.PictureTrack) -> String {
        "video     \(track.partCount) parts to \(track.codec.rawValue) "
            + "\(track.format.pixelFormat) \(track.format.width)×\(track.format.height), "
            + timing(track.timing)
    }

    private static func sound(
        _ track: CompositionPlan.SoundTrack, _ plan: CompositionPlan
    ) -> String {
        "audio     \(track.partCount) parts to \(track.codec.rawValue) \(track.sampleRate) Hz "
            + "\(track.format.layout), \(track.sampleCount) samples, \(sound(plan.settings))"
    }

    private static func video(_ track: RenderPlan.VideoTrack) -> String {
        let source =
            "video     stream \(track.source.index) (\(track.source.codecName) "
            + "\(track.format.width)×\(track.format.height)) "
        switch track.making {
        case .encoded(let codec, let format):
            return source + "to \(codec.rawValue) \(format), \(timing(track.timing))"
        case .moved(let packets):
            return source + "copied, \(timing(track.timing)); "
                + "saves decoding and encoding \(packets.count) pictures"
        }
    }

    private static func timing(_ timing: RenderPlan.Timing) -> String {
        switch timing {
        case .fixed(let rate, let count): "\(rate) frames/s, \(count) frames"
        case .variable(let ticks): "every source frame at its own time, to 1/\(ticks) s"
        }
    }

    private static func pieces(_ plan: RenderPlan) -> [String] {
        plan.video.compactMap { track in
            track.pieceLength.map {
                "pieces    of about \($0) frames, cut where groups of pictures begin, "
                    + "\(plan.settings.jobs) at a time, joined without encoding again"
            }
        }
    }

    /// What could be had for less.
    private static func advice(_ plan: RenderPlan) -> [String] {
        guard plan.couldBeMoved else {
            return []
        }
        let pictures = plan.expectedFrameCount.map { "\($0) pictures" } ?? "any picture"
        return [
            "advice    --video-codec copy gives the same pictures the same times without decoding "
                + "or encoding \(pictures): nearly all of the work"
        ]
    }

    private static func sound(_ settings: RenderSettings) -> String {
        switch settings.sound {
        case .keepPitch: "pitch kept"
        case .keep: "as it was"
        case .varispeed, .mute: settings.interpolation.rawValue
        }
    }

    private static func audio(_ track: RenderPlan.AudioTrack, _ plan: RenderPlan) -> String {
        "audio     stream \(track.source.index) (\(track.source.codecName) "
            + "\(track.format.layout)) to \(track.codec.rawValue) \(track.sampleRate) Hz, "
            + "\(track.sampleCount) samples, "
            + sound(plan.settings)
    }
}

/// Numbers as people read them.
enum Decimal {
    /// To the microsecond, without zeros that say nothing.
    static func seconds(_ seconds: Double) -> String {
        var text = String(format: "%.6f", locale: nil, seconds)
        while text.hasSuffix("0") {
            text.removeLast()
        }
        return (text.hasSuffix(".") ? String(text.dropLast()) : text) + " s"
    }

    static func milliseconds(_ seconds: Double) -> String {
        String(format: "%.3g ms", locale: nil, seconds * 1000)
    }

    static func partsPerMillion(_ value: Double) -> String {
        String(format: "%+.1f ppm", locale: nil, value)
    }
}
