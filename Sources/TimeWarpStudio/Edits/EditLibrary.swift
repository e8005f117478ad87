import Exchange
import Foundation
import LocalServer
import Media
import TimeWarp

/// The edits of a workspace. Each is a project file in its folder `edits`, and a clip of the library.
actor EditLibrary {
    private let workspace: Workspace
    private let store: StudioStore
    private let library: MediaLibrary

    /// The folder of the project files, which the user sees among the workspace's files.
    private static let folder = "edits"
    private static let mostClips = 500

    init(_ workspace: Workspace, _ store: StudioStore, _ library: MediaLibrary) {
        self.workspace = workspace
        self.store = store
        self.library = library
    }

    /// All edits whose clips are in the library.
    func list() async -> [EditRecord] {
        await library.edits()
    }

    /// - Throws: ``StudioError`` if there is no edit with that identity.
    func edit(_ id: String) async throws -> EditRecord {
        guard let edit = await store.edits.find(id), await store.media.find(id) != nil else {
            throw StudioError(.notFound, "This edit no longer exists.")
        }
        return edit
    }

    /// Makes an edit: writes its project file, and adds it to the library as a clip.
    ///
    /// - Throws: ``RenderRequestError`` if its clips can't be put together, ``StudioError``.
    func add(_ given: EditRequest) async throws -> MediaRecord {
        let edit = EditRecord(
            id: Secret.make(bytes: 8), name: try given.usableName, clips: given.clips)
        let file = freeFile(named: edit.name)
        try await write(edit, to: file)
        do {
            let record = try await library.add(
                file, id: edit.id, name: (file as NSString).lastPathComponent, origin: .workspace)
            try await store.edits.save(edit)
            return record
        } catch {
            workspace.remove(file)
            throw error
        }
    }

    /// Changes an edit: its project file is replaced, and what was made from it is made again.
    func change(_ id: String, _ given: EditRequest) async throws -> MediaRecord {
        var edit = try await edit(id)
        (edit.name, edit.clips) = (try given.usableName, given.clips)
        let old = try await library.record(id)
        try await write(edit, to: old.file)
        try await store.edits.save(edit)
        return try await library.renew(id)
    }

    /// The edit as a project of another editor.
    func file(_ id: String, format: String) async throws -> EditorFile {
        let edit = try await edit(id)
        let path = workspace.path(to: try await library.record(id).file)
        try EditorFile.requireFormat(format)
        let sources = try await sources(of: edit)
        let name = (path as NSString).deletingPathExtension + "." + format
        return try await runBlocking { _ in
            try RenderRequest.blamingMedia {
                try EditorFile(try edit.project(sources), at: name)
            }
        }
    }

    private func write(_ edit: EditRecord, to file: String) async throws {
        let sources = try await sources(of: edit)
        let path = workspace.path(to: file)
        try await runBlocking { [workspace] _ in
            let content = try RenderRequest.blamingMedia {
                try edit.project(sources).file(named: path).data
            }
            _ = try workspace.makeFolder(of: file)
            let output = try AtomicFile(at: path, existing: .overwrite)
            try output.write(content)
            try output.publish()
        }
    }

    private func sources(
        of edit: EditRecord
    ) async throws -> [(source: Clip.Source, name: String)] {
        guard edit.clips.count <= Self.mostClips else {
            throw StudioError(.badRequest, "An edit has at most \(Self.mostClips) clips.")
        }
        let own = await store.media.find(edit.id).map { workspace.path(to: $0.file) }
        var sources: [(Clip.Source, String)] = []
        for clip in edit.clips {
            let (record, source) = try await library.open(clip.request.media)
            guard own.map({ !source.files.contains($0) }) ?? true else {
                throw RenderRequestError(
                    message: "An edit can't contain itself.", field: .media)
            }
            sources.append((source, record.name))
        }
        return sources
    }

    /// A file in the folder of edits that doesn't exist.
    private func freeFile(named name: String) -> String {
        let plain = String(name.map { "/\\:\0".contains($0) ? "-" : $0 }.prefix(60))
            .drop { $0 == "." }
        let stem = plain.isEmpty ? "edit" : String(plain)
        for number in 1... {
            let file = "\(Self.folder)/\(stem)\(number == 1 ? "" : " \(number)").json"
            if !FileManager.default.fileExists(atPath: workspace.path(to: file)) {
                return file
            }
        }
        preconditionFailure("there is always a free number")
    }
}

/// An edit as the page sends it.
struct EditRequest: Decodable {
    let name: String
    let clips: [EditClip]

    /// - Throws: ``RenderRequestError``.
    init(json: Data) throws {
        try self.init(sent: json, as: "an edit")
    }

    var usableName: String {
        get throws {
            let name = name.trimmingCharacters(in: .whitespacesAndNewlines).prefix(100)
            guard !name.isEmpty else {
                throw StudioError(.badRequest, "Give the edit a name.")
            }
            return String(name)
        }
    }
}
