import Foundation
import Media
import TimeMaps
import TimeWarp

/// Writes a timeline as a Premiere file.
///
/// A track that is seen and heard becomes a video track and an audio track for each channel of its files, whose clips are
/// linked.
struct XMEMLWriter {
    private let timeline: ExchangeTimeline
    private let grid: FrameGrid
    private(set) var notes = TimelineNotes()
    private var files: XMEMLWrittenFiles
    private var clipCount = 0

    init(_ timeline: ExchangeTimeline, _ media: ProjectMedia) {
        self.timeline = timeline
        grid = FrameGrid(timeline.format.frameRate ?? FrameGrid.usual.rate)
        files = XMEMLWrittenFiles(timeline, grid, media)
    }

    mutating func root() throws -> XMLItem {
        var (videos, sounds): ([XMLItem], [XMLItem]) = ([], [])
        for track in timeline.tracks {
            let clips = try OverlappingClip.clips(of: track, grid)
            if track.carries != .sound {
                videos.append(try self.track(clips, .video))
            }
            guard track.carries != .video else {
                continue
            }
            let channels = track.clips.map { files.channels(of: $0.clip.media) }.max() ?? 1
            for channel in 1...max(1, channels) {
                let heard = clips.filter { files.channels(of: $0.placed.clip.media) >= channel }
                // The video track has the markers, if there is one.
                sounds.append(
                    try self.track(
                        heard, .audio, channel: channel,
                        hasMarkers: track.carries == .sound && channel == 1))
            }
        }
        let ends = try timeline.tracks.flatMap(\.clips).map { try $0.end }
        let duration = grid.frames(ends.max() ?? .zero)
        let sequence = XMLItem(
            "sequence", ["id": "sequence-1"],
            [
                XMLItem("name", timeline.name.isEmpty ? "TimeWarp" : timeline.name),
                XMLItem("duration", duration), grid.rate.xmeml, timecode,
                XMLItem("media", [:], [video(videos), audio(sounds)]),
            ])
        return XMLItem("xmeml", ["version": "5"], [sequence])
    }

    private var timecode: XMLItem {
        XMLItem(
            "timecode", [:],
            [
                grid.rate.xmeml, XMLItem("string", "00:00:00:00"), XMLItem("frame", 0),
                XMLItem("displayformat", "NDF"),
            ])
    }

    private func video(_ tracks: [XMLItem]) -> XMLItem {
        var settings = [grid.rate.xmeml]
        if let size = timeline.format.size {
            settings += [
                XMLItem("width", size.width), XMLItem("height", size.height),
                XMLItem("pixelaspectratio", "square"),
            ]
        }
        let format = XMLItem("format", [:], [XMLItem("samplecharacteristics", [:], settings)])
        return XMLItem("video", [:], [format] + tracks)
    }

    private func audio(_ tracks: [XMLItem]) -> XMLItem {
        let rate = timeline.format.sampleRate ?? 48_000
        let channels =
            timeline.format.channels.flatMap { ["mono": 1, "stereo": 2, "5.1": 6][$0] } ?? 2
        let format = XMLItem(
            "format", [:],
            [
                XMLItem(
                    "samplecharacteristics", [:],
                    [XMLItem("depth", 16), XMLItem("samplerate", rate)])
            ])
        return XMLItem(
            "audio", [:], [XMLItem("numOutputChannels", channels), format] + tracks)
    }

    // MARK: - Tracks

    private enum Kind: String {
        case video, audio
    }

    private mutating func track(
        _ clips: [OverlappingClip], _ kind: Kind, channel: Int = 1, hasMarkers: Bool = true
    ) throws -> XMLItem {
        var items: [XMLItem] = []
        for clip in clips {
            if let range = clip.before {
                items.append(transition(range, kind, clip.isAfterClip ? "center" : "start-black"))
            }
            items.append(try item(clip, kind, channel, hasMarkers: hasMarkers))
            if let range = clip.fadeOut {
                items.append(transition(range, kind, "end-black"))
            }
        }
        return XMLItem(
            "track", [:], items + [XMLItem("enabled", "TRUE"), XMLItem("locked", "FALSE")])
    }

    private func transition(_ range: Range<Int64>, _ kind: Kind, _ alignment: String) -> XMLItem {
        let name = kind == .video ? "Cross Dissolve" : "Cross Fade (+3dB)"
        let effect = XMLItem(
            "effect", [:],
            [
                XMLItem("name", name),
                XMLItem("effectid", kind == .video ? "Cross Dissolve" : "KGAudioTransCrossFade3dB"),
                XMLItem("effecttype", "transition"), XMLItem("mediatype", kind.rawValue),
                XMLItem("effectcategory", "Dissolve"),
            ])
        return XMLItem(
            "transitionitem", [:],
            [
                XMLItem("start", range.lowerBound), XMLItem("end", range.upperBound),
                XMLItem("alignment", alignment), grid.rate.xmeml, effect,
            ])
    }

    private mutating func item(
        _ written: OverlappingClip, _ kind: Kind, _ channel: Int, hasMarkers: Bool
    ) throws -> XMLItem {
        clipCount += 1
        let clip = written.placed.clip
        let remap = try XMEMLWrittenRemap(clip, grid, files.duration(of: clip.media))
        let name = clip.name ?? PlacedClip.fileName(of: clip.media)
        let frames = written.end - written.start
        var children = [
            XMLItem("name", name), XMLItem("enabled", "TRUE"),
            XMLItem("duration", max(remap.duration, remap.first + frames)), grid.rate.xmeml,
            XMLItem("start", written.before != nil && written.isAfterClip ? -1 : written.start),
            XMLItem("end", written.isBeforeDissolve ? -1 : written.end),
            XMLItem("in", remap.first), XMLItem("out", remap.first + frames),
        ]
        if remap.filter == nil {
            children += [
                XMLItem("pproTicksIn", ticks(clip.ends.first)),
                XMLItem("pproTicksOut", ticks(clip.ends.last)),
            ]
        }
        children.append(files.item(of: clip.media))
        children += [remap.filter(for: kind.rawValue, blends: blends)].compactMap { $0 }
        if kind == .audio, clip.blending.gain != .unity {
            children.append(try levels(clip.blending.gain, from: remap.first))
        }
        if kind == .audio {
            children.append(
                XMLItem(
                    "sourcetrack", [:],
                    [XMLItem("mediatype", "audio"), XMLItem("trackindex", channel)]))
        }
        if hasMarkers {
            children += try markers(of: clip, from: remap.first)
        }
        return XMLItem("clipitem", ["id": "clipitem-\(clipCount)"], children)
    }

    private func ticks(_ time: RationalTime) -> Int64 {
        let count = ExactFraction(time).times(
            ExactFraction(RationalTime(XMEMLTicks.perSecond, over: 1)))
        return count.flatMap {
            Int64(exactly: RoundingRule.nearest.divide($0.top, by: $0.bottom))
        } ?? 0
    }

    private mutating func markers(of clip: TimelineClip, from first: Int64) throws -> [XMLItem] {
        try clip.placesOfMarkers(&notes).map { placed in
            let start = first + grid.frames(placed.start)
            let out = placed.duration > .zero ? start + max(1, grid.frames(placed.duration)) : -1
            return XMLItem(
                "marker", [:],
                [
                    XMLItem("name", placed.marker.name),
                    XMLItem("comment", placed.marker.comment ?? ""),
                    XMLItem("in", start), XMLItem("out", out),
                ])
        }
    }

    /// Whether retimed clips blend frames; nil if it isn't known.
    private var blends: Bool? { timeline.settings.frames.map { $0 != .hold } }

    /// The loudest factor that the format has: +12 dB.
    private static let mostLevel = 3.98109

    private mutating func levels(_ gain: Gain, from first: Int64) throws -> XMLItem {
        var isLouder = false
        func factor(_ decibels: Double) -> Double {
            let factor = decibels <= Gain.limits.lowerBound ? 0 : pow(10, decibels / 20)
            isLouder = isLouder || factor > Self.mostLevel
            return min(factor, Self.mostLevel)
        }
        let keyframes =
            gain.keyframes.count < 2
            ? []
            : gain.keyframes.map {
                XMLItem(
                    "keyframe", [:],
                    [
                        XMLItem("when", first + grid.frames($0.at)),
                        XMLItem("value", factor($0.decibels).shortDecimals),
                    ])
            }
        let constant = factor(gain.keyframes.first?.decibels ?? 0)
        if isLouder {
            notes.add("The file can't make sound louder than by 12 dB.")
        }
        let level = XMLItem(
            "parameter", [:],
            [
                XMLItem("parameterid", "level"), XMLItem("name", "Level"), XMLItem("valuemin", 0),
                XMLItem("valuemax", Self.mostLevel), XMLItem("value", constant.shortDecimals),
            ] + keyframes)
        let effect = XMLItem(
            "effect", [:],
            [
                XMLItem("name", "Audio Levels"), XMLItem("effectid", "audiolevels"),
                XMLItem("effectcategory", "audiolevels"), XMLItem("effecttype", "audiolevels"),
                XMLItem("mediatype", "audio"), level,
            ])
        return XMLItem("filter", [:], [effect])
    }
}
