import Exchange
import Foundation
import Media
import TimeMaps
import TimeWarp

/// A retimed clip as a project for an editor.
struct EditorFile: Codable, Sendable, SchemaNamed {
    static let schemaName = "EditorFile"

    /// The file's name.
    let name: String
    let content: String
    /// Sentences on what the format can't hold.
    let notes: [String]
}

extension EditorFile {
    /// - Throws: ``JobError`` if there is no format with that extension.
    static func requireFormat(_ format: String) throws {
        guard ProjectFormats.all.extensions.contains(format) else {
            throw JobError(
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
struct ExportRequest: SentJSON {
    let request: JobRequest
    /// The extension of the format, such as `fcpxml`.
    let format: String

    private enum Key: String, CodingKey {
        case format
    }

    init(from decoder: any Decoder) throws {
        request = try JobRequest(from: decoder)
        format = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .format)
    }

    /// - Throws: ``JobError``.
    init(json: Data) throws {
        try self.init(sent: json, unknownKeys: .refused)
    }
}

extension JobRequest {
    /// The clip on a timeline, for an editor.
    ///
    /// - Parameters:
    ///   - name: the clip's name.
    ///   - format: the extension of the format.
    /// - Throws: ``JobError``.
    func editorFile(of source: MediaSource, name: String, format: String) throws -> EditorFile {
        try EditorFile.requireFormat(format)
        guard source.asset != nil else {
            throw JobError(
                message: "Only a clip can be exported; convert an edit with timewarp compose.",
                field: .media)
        }
        let job = try whole.job(of: source, named: name, to: "")
        // How much the curve may do within a frame is looked at as for a render.
        _ = try clip(of: job, source)
        return try JobError.blaming(.curve) {
            var track = Track(name: "V1")
            try track.append(job.timeline.tracks[0].segments[0])
            let project = CompositionProject(
                Composition(name: name, tracks: [track]), formats: .all)
            let folder = (source.path as NSString).deletingLastPathComponent
            let stem = (self.name as NSString).deletingPathExtension
            let settings = ProjectSettings(
                sound: job.settings.audio.mode, frames: job.settings.video.frames)
            return try EditorFile(
                project, at: folder + "/" + stem + "." + format, settings: settings)
        }
    }
}
