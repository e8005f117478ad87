import Exchange
import Foundation
import Media
import TimeMaps
import TimeWarp

/// A retimed clip as a project for an editor.
struct EditorFile: Encodable, Sendable {
    /// The file's name.
    let name: String
    let content: String
    /// Sentences on what the format can't hold.
    let notes: [String]
}

extension EditorFile {
    /// - Throws: ``RenderRequestError`` if there is no format with that extension.
    static func requireFormat(_ format: String) throws {
        guard ProjectFormats.all.extensions.contains(format) else {
            throw RenderRequestError(
                message: "No format is called \(format).", field: .container)
        }
    }

    /// - Parameters:
    ///   - path: where the file will be, which decides the format and how it names its media.
    ///   - settings: how it is rendered; nil if its clips are rendered in different ways.
    init(
        _ project: CompositionProject, at path: String, settings: ProjectSettings? = nil
    ) throws {
        let file = try project.file(named: path, settings: settings)
        self.init(
            name: (path as NSString).lastPathComponent,
            content: String(decoding: file.data, as: UTF8.self), notes: file.notes)
    }
}

/// What the page asks to be exported.
struct ExportRequest: Decodable {
    let request: RenderRequest
    /// The extension of the format, such as `fcpxml`.
    let format: String

    /// - Throws: ``RenderRequestError``.
    init(json: Data) throws {
        try self.init(sent: json)
    }
}

extension RenderRequest {
    /// The clip on a timeline, for an editor.
    ///
    /// - Parameters:
    ///   - name: the clip's name.
    ///   - format: the extension of the format.
    /// - Throws: ``RenderRequestError``.
    func editorFile(of source: Clip.Source, name: String, format: String) throws -> EditorFile {
        try EditorFile.requireFormat(format)
        guard case .asset = source else {
            throw RenderRequestError(
                message: "Only a clip can be exported; convert an edit with timewarp compose.",
                field: .media)
        }
        var whole = self
        whole.sample = nil
        let clip = try whole.clip(of: source)
        return try blaming(.curve) {
            var project = try CompositionProject(clips: [source.path], formats: .all)
            var track = Track(name: "V1")
            try track.append(try whole.segment(clip, of: source, name: name))
            project.composition = Composition(name: name, tracks: [track])
            let folder = (source.path as NSString).deletingLastPathComponent
            let stem = (outputName(for: name, ending: "x") as NSString).deletingPathExtension
            let usual = RenderSettings()
            let settings = ProjectSettings(
                sound: sound?.mode ?? usual.sound, frames: video?.frames ?? usual.frames)
            return try EditorFile(
                project, at: folder + "/" + stem + "." + format, settings: settings)
        }
    }

    /// The retimed clip as a segment of a track.
    func segment(
        _ clip: Clip, of source: Clip.Source, name: String
    ) throws -> Segment {
        let retiming: Retiming =
            if boomerang == true {
                .timeMap(try Self.points(of: clip))
            } else {
                switch task {
                case .warp: .curve(usedCurve)
                case .reverse: .reversed
                case .scale, .stretch: .uniform
                }
            }
        let placed = try PlacedClip(
            source.path, range: clip.range, retiming: retiming, name: name)
        let exact = try clip.map.exactOutputDuration ?? RationalTime(fine: clip.map.outputDuration)
        return try Segment(placed, lasting: boomerang == true ? placed.window.duration : exact)
    }

    /// A clip that plays there and back, frame by frame.
    private static func points(of clip: Clip) throws -> TimeMapDocument {
        let frames = 60.0
        let length = clip.map.outputDuration
        let count = Int((length * frames).rounded(.up))
        guard count <= 10_000 else {
            throw RenderRequestError(
                message:
                    "Only the first minutes of a boomerang could be exported; choose a shorter range.",
                field: .range)
        }
        return TimeMapDocument(
            points: try (0...count).map { index in
                let output = min(Double(index) / frames, length)
                let shown = min(
                    max(0, clip.map.sourceTime(at: output)), clip.range.duration.seconds)
                return TimeAnchor(
                    source: min(try RationalTime(fine: shown), clip.range.duration),
                    output: try RationalTime(fine: output))
            })
    }
}
