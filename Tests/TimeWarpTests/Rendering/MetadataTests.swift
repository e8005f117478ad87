import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

/// Dates, places, titles, chapters, covers and what else a file says of itself.
@Suite("Metadata")
struct MetadataTests {
    private static let film = ["-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=2"]
    /// As a phone writes them.
    private static let tags = [
        "creation_time": "2024-05-01T08:00:00.000000Z",
        "com.apple.quicktime.creationdate": "2024-05-01T10:00:00+0200",
        "com.apple.quicktime.location.ISO6709": "+48.1374+011.5755+519.000/",
        "com.apple.quicktime.model": "Phone", "title": "Holiday",
    ]

    private static func write(_ options: [String], to path: String) throws {
        let texts = tags.sorted { $0.key < $1.key }.flatMap {
            ["-metadata", "\($0.key)=\($0.value)"]
        }
        try ReferenceTools.ffmpeg(
            film + options + texts + ["-movflags", "use_metadata_tags", path])
    }

    private static func tags(of path: String) throws -> [String: String] {
        let lines = try ReferenceTools.ffprobe([
            "-show_entries", "format_tags", "-of", "flat", path,
        ])
        return lines.reduce(into: [:]) { tags, line in
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            let name = parts[0].dropFirst("format.tags.".count).replacing("_", with: ".")
                .lowercased()
            tags[name] = parts[1].trimmingCharacters(in: ["\""])
        }
    }

    private static func plan(
        _ verb: String, _ asset: Asset, to output: String, keepsMetadata: Bool = true
    ) throws -> RenderPlan {
        let settings = RenderSettings { $0.output.keepsMetadata = keepsMetadata }
        switch verb {
        case "copy":
            return try RenderPlan(copying: asset, to: output, settings: settings)
        case "compose":
            let placed = Composition(tracks: [
                try Track(segments: [Segment(PlacedClip(MediaSource(asset)))])
            ])
            return try RenderPlan(placed, to: output, settings: settings)
        default:
            return try RenderPlan(
                Clip(of: MediaSource(asset), scaled: .factor(2, over: 1)), to: output,
                settings: settings)
        }
    }

    @Test(
        "dates, places and devices are kept by every verb, and left out if asked",
        arguments: ["copy", "scale", "compose"], ["mp4", "mov", "mkv"])
    func phone(verb: String, ending: String) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mov")
        try Self.write(["-c:v", "libx264", "-metadata:s:v", "language=eng"], to: input)
        let asset = try Asset(at: input)
        for isKept in [true, false] {
            let output = folder.path("\(isKept).\(ending)")
            try await Renderer().render(
                try Self.plan(verb, asset, to: output, keepsMetadata: isKept))
            let tags = try Self.tags(of: output)
            for (name, value) in Self.tags {
                let found = tags[name.lowercased().replacing("_", with: ".")]
                let isSame = found == value || found == value.replacing(".000000Z", with: "Z")
                #expect(isKept ? isSame : found == nil, "\(name): \(found ?? "nothing")")
            }
            #expect(try Asset(at: output).videoStreams[0].tags["language"] == "eng")
        }
    }

    @Test("a composition of several files has no tags of one of them")
    func several() throws {
        let folder = try TemporaryFolder()
        let paths = ["a.mov", "b.mov"].map { folder.path($0) }
        for path in paths {
            try Self.write(["-c:v", "libx264"], to: path)
        }
        let clips = try paths.map { try Segment(PlacedClip(MediaSource(at: $0))) }
        let composition = Composition(name: "Both", tracks: [try Track(segments: clips)])
        let plan = try RenderPlan(composition, to: folder.path("out.mp4"))
        #expect(plan.tags == ["title": "Both"])
    }

    // MARK: - What else compositions keep

    /// A film of two chapters with a cover, a font and English sound.
    private static func writeFilm(to path: String, in folder: TemporaryFolder) throws {
        let chapters = folder.path("chapters.txt")
        try Data(
            """
            ;FFMETADATA1
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=1200
            title=One
            [CHAPTER]
            TIMEBASE=1/1000
            START=1200
            END=2000
            title=Two
            """.utf8
        ).write(to: URL(fileURLWithPath: chapters))
        let (cover, font) = (folder.path("cover.png"), folder.path("font.ttf"))
        try ReferenceTools.ffmpeg(
            ["-f", "lavfi", "-i", "color=red:s=32x32", "-frames:v", "1", cover])
        try Data("a font".utf8).write(to: URL(fileURLWithPath: font))
        let isMatroska = path.hasSuffix("mkv")
        try ReferenceTools.ffmpeg(
            film + ["-f", "lavfi", "-i", "sine=r=48000:d=2", "-i", chapters, "-i", cover]
                + [
                    "-map", "0", "-map", "1", "-map_chapters", "2", "-c:v:0", "libx264", "-c:a",
                    "aac",
                ]
                + (isMatroska
                    ? ["-attach", font, "-metadata:s:t", "mimetype=application/x-truetype-font"]
                    : ["-map", "3", "-c:v:1", "copy", "-disposition:v:1", "attached_pic"])
                + ["-metadata:s:a", "language=eng", path])
    }

    private static func range(
        _ start: Int64, _ end: Int64, over timescale: Int32
    ) throws -> TimeRange {
        try TimeRange(
            start: RationalTime(start, over: timescale), end: RationalTime(end, over: timescale))
    }

    @Test("a composition places the chapters of its files, and keeps cover and fonts")
    func composed() async throws {
        let folder = try TemporaryFolder()
        for ending in ["mp4", "mkv"] {
            let input = folder.path("in.\(ending)")
            try Self.writeFilm(to: input, in: folder)
            let asset = try Asset(at: input)
            let ranges: [(Int64, Int64)] = [(0, 2), (1, 2)]
            // A second of chapter one and the rest of the film; then its second half once more.
            let clips = try ranges.map {
                try Segment(PlacedClip(MediaSource(asset), range: Self.range($0.0, $0.1, over: 1)))
            }
            let composition = Composition(tracks: [try Track(segments: clips)])
            let output = folder.path("out.\(ending)")
            let plan = try RenderPlan(composition, to: output)
            #expect(plan.chapters.map { $0.tags["title"] } == ["One", "Two", "One", "Two"])
            let starts = plan.chapters.map(\.range.start.seconds)
            for (start, expected) in zip(starts, [0, 1.2, 2, 2.2]) {
                // FFmpeg before 6.1 states what an encoder adds before the sound as the file's start.
                #expect(abs(start - expected) < (ending == "mkv" ? 0.022 : 1e-5))
            }
            try await Renderer().render(plan)
            let written = try Asset(at: output)
            #expect(written.chapters.count == 4)
            let kinds = written.streams.map(\.kindName)
            #expect(kinds.contains(ending == "mkv" ? "attachment" : "cover"), "\(kinds)")
        }
    }

    @Test("a cut within a chapter doesn't repeat it")
    func cutWithinChapter() throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try Self.writeFilm(to: input, in: folder)
        let asset = try Asset(at: input)
        let ranges: [(Int64, Int64)] = [(0, 1), (1, 4)]
        let clips = try ranges.map {
            try Segment(PlacedClip(MediaSource(asset), range: Self.range($0.0, $0.1, over: 2)))
        }
        let composition = Composition(tracks: [try Track(segments: clips)])
        let plan = try RenderPlan(composition, to: folder.path("out.mp4"))
        #expect(plan.chapters.map { $0.tags["title"] } == ["One", "Two"])
    }

    @Test("of a track's languages those that are said count")
    func languages() throws {
        let folder = try TemporaryFolder()
        func write(_ name: String, _ language: String) throws -> Segment {
            let path = folder.path(name)
            try ReferenceTools.ffmpeg([
                "-f", "lavfi", "-i", "sine=r=48000:d=1", "-c:a", "aac", "-metadata:s:a",
                "language=\(language)", path,
            ])
            return try Segment(PlacedClip(MediaSource(at: path)))
        }
        let german = try write("a.mka", "deu")
        let silent = try write("b.mka", "und")
        let french = try write("c.mka", "fra")
        func language(_ segments: [Segment]) throws -> String? {
            let composition = Composition(tracks: [try Track(segments: segments)])
            return try RenderPlan(composition, to: folder.path("out.mka")).audio[0].model?
                .tags["language"]
        }
        #expect(try language([silent, german]) == "deu")
        #expect(try language([german, silent]) == "deu")
        #expect(try language([german, french]) == nil)
    }

    @Test(
        "every language is kept in every container", arguments: ["mov", "mp4", "mkv"])
    func language(ending: String) async throws {
        let folder = try TemporaryFolder()
        let codes = ["deu", "fra", "hrv", "swe", "eng", "zho", "vie"]
        let input = folder.path("in.mkv")
        try ReferenceTools.ffmpeg(
            Self.film + [
                "-f", "lavfi", "-i", "sine=r=48000:d=2", "-c:v", "libx264", "-c:a", "aac", "-map",
                "0",
            ]
                + codes.enumerated().flatMap { number, code in
                    ["-map", "1", "-metadata:s:a:\(number)", "language=\(code)"]
                } + [input])
        let asset = try Asset(at: input)
        for verb in ["scale", "copy"] {
            let output = folder.path("\(verb).\(ending)")
            try await Renderer().render(try Self.plan(verb, asset, to: output))
            let found = try ReferenceTools.ffprobe([
                "-select_streams", "a", "-show_entries", "stream_tags=language", output,
            ])
            #expect(found == codes)
        }
    }

    @Test("HDR metadata and 360° are those of the first clip, and a note names what differs")
    func projections() async throws {
        let folder = try TemporaryFolder()
        let hdr = folder.path("hdr.mkv")
        let light =
            "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"
        try ReferenceTools.ffmpeg(
            Self.film + [
                "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params",
                "log-level=error:hdr10=1:max-cll=1000,400:master-display=\(light)", "-color_trc",
                "smpte2084", "-color_primaries", "bt2020", "-colorspace", "bt2020nc", hdr,
            ])
        let plain = folder.path("plain.mp4")
        try ReferenceTools.ffmpeg(Self.film + ["-c:v", "libx264", plain])
        let clips = try [hdr, plain].map { try Segment(PlacedClip(MediaSource(at: $0))) }
        let output = folder.path("out.mp4")
        let settings = RenderSettings { $0.video.codec = .hevc }
        let plan = try RenderPlan(
            Composition(tracks: [try Track(segments: clips)]), to: output, settings: settings)
        #expect(plan.warnings.contains { $0.contains(plain) && $0.contains("HDR") })
        try await Renderer().render(plan)
        let shown = try ReferenceTools.ffprobe(["-show_entries", "stream_side_data_list", output])
        #expect(shown.joined().contains("Mastering display metadata"))
        #expect(shown.joined().contains("Content light level metadata"))
        // The other way round nothing of the kind is kept.
        let reversed = try RenderPlan(
            Composition(tracks: [try Track(segments: clips.reversed())]), to: folder.path("b.mp4"))
        #expect(reversed.warnings.contains { $0.contains(hdr) && $0.contains("HDR") })
    }

    @Test("data tracks are named by their four letters where they are dropped")
    func data() throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mov")
        try ReferenceTools.ffmpeg(
            Self.film + ["-c:v", "libx264", "-timecode", "01:00:00:00", input])
        for verb in ["scale", "compose", "copy"] {
            let plan = try Self.plan(verb, Asset(at: input), to: folder.path("out.mp4"))
            #expect(
                plan.warnings.contains { $0.contains("(data, tmcd)") }, "\(verb): \(plan.warnings)")
        }
    }
}
