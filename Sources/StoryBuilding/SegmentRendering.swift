import Documents
import Foundation
import Media
import Stories
import TimeMaps
import TimeWarp

/// Renders the segments of a story one after another into fragmented MP4 files that share one initialisation
/// segment.
final class SegmentRendering {
    let project: StoryProject
    private let settings: RenderSettings
    let work: WorkFolder
    private let progress: @Sendable (StoryBuilder.Progress) -> Void
    var warnings: [String] = []
    /// The build that is replaced, if there is one.
    private var earlier: EarlierBuild?
    /// A hash that changes when the media does.
    private(set) var digest = MediaDigest()

    init(
        _ project: StoryProject, settings: RenderSettings, in work: WorkFolder,
        replacing earlier: EarlierBuild? = nil,
        progress: @escaping @Sendable (StoryBuilder.Progress) -> Void
    ) throws {
        self.earlier = earlier
        self.project = project
        self.settings = RenderSettings(settings) {
            $0.video.codec = .h264
            $0.audio.codec = settings.audio.codec ?? .aac
            $0.output.existing = .overwrite
            // A file of a story is never cut, but is to have the same bytes on every machine.
            $0.resources.pieces = settings.resources.pieces.map { _ in 1 }
        }
        self.work = work
        self.progress = progress
    }

    /// The files that are to be rendered.
    func layout() throws -> StoryLayout {
        try StoryLayout(of: project, settings, probing: work.path("probe.mp4"))
    }

    /// - Parameter pieces: the media files, if they were rendered before.
    func renderAll(joining pieces: RenderedPieces?) async throws -> (
        media: StoryManifest.Media, rendered: [String: RenderedSegment]
    ) {
        let layout = try layout()
        let (format, parts) = (layout.format, layout.parts)
        try work.makeFolder("media")
        let head: Data
        if let pieces {
            head = try one(unpack(pieces, parts), parts)
        } else {
            head = try await make(layout)
        }
        var files: [StoryMediaPart.Place: StoryManifest.File] = [:]
        for (part, start) in zip(parts, layout.starts) {
            try digest.add(fileAt: work.path(part.file))
            files[part.place] = StoryManifest.File(file: part.file, start: start.seconds)
        }
        try work.write(head, to: "media/init.mp4")
        return (
            StoryManifest.Media(
                type: try MediaType(head: head).text,
                init: "media/init.mp4", width: format.video.width,
                height: format.video.height,
                frameRate: format.rate.framesPerSecond, sampleRate: format.sound?.sampleRate ?? 0),
            try rendered(parts, files)
        )
    }

    /// Makes all files, or takes them over from an earlier build.
    ///
    /// - Returns: the initialisation segment that they share.
    private func make(_ layout: StoryLayout) async throws -> Data {
        let program = try LoadedFFmpeg.codeFiles.map {
            $0 + " " + String(describing: try FileStamp(of: $0))
        }.joined(separator: "\n")
        let leads = [.zero] + (layout.format.sound == nil ? [] : [StoryMediaPart.soundLead])
        var (heads, record): ([Data], [BuildRecord.File]) = ([], [])
        for (index, part) in layout.parts.enumerated() {
            let key = try layout.key(of: part, settings, program: program)
            let start = layout.starts[index]
            let told = warnings.count
            if let earlier,
                let taken = try earlier.take(
                    key, to: work.path(part.file), start: start, leads: leads)
            {
                heads.append(earlier.head)
                warnings += taken.warnings
            } else {
                heads.append(try await render(layout, index))
            }
            record.append(
                BuildRecord.File(
                    file: part.file, key: key,
                    content: try ContentHash.text(ofFile: work.path(part.file)), start: start,
                    warnings: Array(warnings.dropFirst(told))))
        }
        if let earlier, heads.contains(where: { $0 != earlier.head }) {
            // What is new begins otherwise than what was taken over: all is made again.
            self.earlier = nil
            warnings = []
            try work.remove("media")
            try work.makeFolder("media")
            return try await make(layout)
        }
        // The record is of this machine, and a build in pieces is the same on all of them.
        if settings.resources.pieces == nil {
            try work.write(JSONDocument.data(of: BuildRecord(record)), to: BuildRecord.path)
        }
        return try one(heads, layout.parts)
    }

    /// The initialisation segment that files share.
    private func one(_ heads: [Data], _ parts: [StoryMediaPart]) throws -> Data {
        if let odd = heads.firstIndex(where: { $0 != heads[0] }) {
            throw MediaError(
                .library, file: parts[odd].name,
                reason: "it was encoded differently from the first segment")
        }
        return heads.first ?? Data()
    }

    /// The segments, each with its files.
    private func rendered(
        _ parts: [StoryMediaPart], _ files: [StoryMediaPart.Place: StoryManifest.File]
    ) throws -> [String: RenderedSegment] {
        var rendered: [String: RenderedSegment] = [:]
        for part in parts where part.place.kind == .whole {
            let name = part.place.segment
            guard let file = files[part.place] else {
                continue
            }
            rendered[name] = RenderedSegment(
                file: file.file, start: file.start, frames: part.frames, map: part.planned.map,
                captions: try captions(of: part.planned, stem: part.stem))
        }
        for part in parts {
            guard case .dissolve(let from) = part.place.kind, let file = files[part.place],
                let rest = files[.init(segment: part.place.segment, kind: .rest)]
            else {
                continue
            }
            var dissolve =
                rendered[part.place.segment]?.dissolve
                ?? StoryManifest.Dissolve(frames: part.frames, from: [:], rest: rest)
            dissolve.from[from] = file
            rendered[part.place.segment]?.dissolve = dissolve
        }
        return rendered
    }

    /// Renders one file. Video and audio are rendered separately, because there is more of the audio.
    ///
    /// - Returns: the initialisation segment.
    func render(_ layout: StoryLayout, _ index: Int) async throws -> Data {
        let (part, format, start) = (layout.parts[index], layout.format, layout.starts[index])
        let video = work.path("video.mp4")
        let plan = try RenderPlan(
            project.opened(part.video), to: video,
            settings: RenderSettings(settings) { $0.audio.mode = .mute },
            format: format.video)
        warnings += plan.warnings.map { "\(part.name): \($0)" }
        let report = try await run(Renderer().run(plan)) { [progress] render in
            progress(
                StoryBuilder.Progress(
                    number: index + 1, count: layout.parts.count, name: part.name, render: render)
            )
        }
        guard report.video.first?.framesWritten == Int64(part.frames) else {
            throw MediaError(
                .library, file: part.name,
                reason: "it has \(report.video.first?.framesWritten ?? 0) frames instead of "
                    + "\(part.frames)")
        }
        var streams = [try Self.part(of: Asset(at: video), \.videoStreams, from: start)]
        if let sound = format.sound {
            let heard = work.path("sound.mp4")
            let plan = try part.soundPlan(sound, of: project, to: heard, settings: settings)
            _ = try await run(Renderer().run(plan)) { _ in }
            streams.append(
                try Self.part(
                    of: Asset(at: heard), \.audioStreams,
                    from: start.difference(StoryMediaPart.soundLead)))
        }
        let fragments = try FragmentedFile(
            streams, bodyTo: work.path(part.file), existing: .refuse,
            checkCancelled: { try Task.checkCancellation() })
        try work.remove("video.mp4")
        if streams.count > 1 {
            try work.remove("sound.mp4")
        }
        return fragments.head
    }

    private func run(
        _ events: RenderEvents, _ progress: (RenderProgress) -> Void
    ) async throws -> RenderReport {
        for try await event in events {
            switch event {
            case .progress(let render): progress(render)
            case .finished(let report): return report
            case .preview: break
            }
        }
        throw CancellationError()
    }

    private static func part(
        of asset: Asset, _ streams: KeyPath<Asset, [Asset.Stream]>, from start: RationalTime
    ) throws -> FragmentedFile.Part {
        guard let stream = asset[keyPath: streams].first else {
            throw MediaError(.library, file: asset.path, reason: "the rendered track is missing")
        }
        return FragmentedFile.Part(stream, of: asset, from: start)
    }

    private func captions(
        of planned: PlannedSegment, stem: String
    ) throws -> [StoryCaptions] {
        try planned.segment.captions.enumerated().map { index, captions in
            let text = try WebVTT(contentsOfFile: project.resolve(captions.file))
                .retimed(
                    through: planned.map, from: planned.segment.rangeStart.seconds,
                    until: planned.duration.seconds)
            try work.makeFolder("captions")
            let file = "captions/\(stem)-\(index + 1).vtt"
            try work.write(Data(text.utf8), to: file)
            return StoryCaptions(
                file: file, language: captions.language, label: captions.label)
        }
    }
}

/// A hash (FNV-1a) of files.
struct MediaDigest {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(fileAt path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw MediaError(.readFailed, file: path, reason: "it can't be read again")
        }
        defer { try? file.close() }
        while let block = try file.read(upToCount: 1 << 20), !block.isEmpty {
            for byte in block {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
            }
        }
    }

    var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
    }
}

/// The MIME type of the media, with its codecs as in RFC 6381.
struct MediaType {
    let text: String

    /// - Parameter head: the initialisation segment of the fragmented file.
    init(head: Data) throws {
        guard let box = head.range(of: Data("avcC".utf8)), box.upperBound + 4 <= head.endIndex
        else {
            throw MediaError(
                .library, file: "media/init.mp4", reason: "it has no H.264 configuration")
        }
        // The bytes are version, profile, compatibility and level.
        let bytes = head[box.upperBound + 1..<box.upperBound + 4]
        let video = "avc1." + bytes.map { String(format: "%02x", $0) }.joined()
        let sounds = [
            ("mp4a", "mp4a.40.2"), ("Opus", "opus"),
        ].filter { head.range(of: Data($0.0.utf8)) != nil }.map(\.1)
        text = "video/mp4; codecs=\"\(([video] + sounds.prefix(1)).joined(separator: ", "))\""
    }
}
