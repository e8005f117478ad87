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
    /// The files that edits being made will write.
    private var reserved: Set<String> = []
    private var changes = SerialWork()

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
    /// - Throws: ``JobError`` if its clips can't be put together, ``StudioError``.
    func add(_ given: EditRequest) async throws -> MediaRecord {
        let edit = EditRecord(
            id: Secret.make(bytes: 8), name: try given.usableName, clips: given.clips,
            sounds: given.sounds, version: 1)
        let file = workspace.freeFile("\(Self.folder)/\(edit.stem)", isTaken: reserved.contains)
        reserved.insert(file)
        defer { reserved.remove(file) }
        do {
            try await write(edit, to: file)
            try await store.edits.save(edit)
            return try await library.add(
                file, id: edit.id, name: (file as NSString).lastPathComponent, origin: .workspace)
        } catch {
            try? await store.edits.remove(edit.id)
            workspace.remove(file)
            throw error
        }
    }

    /// Changes an edit: its project file is replaced, and what was made from it is made again.
    ///
    /// - Throws: ``JobError``; ``StudioError`` if it isn't the version any more that the change was made from.
    func change(_ id: String, _ given: EditRequest) async throws -> MediaRecord {
        // One change ends before another one begins, so that each sees the version that the other made.
        try await changes.run { try await self.carryOut(given, on: id) }.value
    }

    private func carryOut(_ given: EditRequest, on id: String) async throws -> MediaRecord {
        var edit = try await edit(id)
        let clip = try await library.record(id)
        guard given.basis == nil || given.basis == edit.version ?? 1 else {
            throw StudioError(.conflict, "This edit was changed in another tab.")
        }
        let name = try given.usableName
        let isRenamed = name != edit.name
        (edit.name, edit.clips, edit.sounds) = (name, given.clips, given.sounds)
        edit.version = (edit.version ?? 1) + 1
        try await write(edit, to: clip.file)
        try await store.edits.save(edit)
        return try await library.renew(id, named: isRenamed ? edit.stem + ".json" : clip.name)
    }

    /// The edit as a project of another editor.
    func file(_ id: String, format: String) async throws -> EditorFile {
        let edit = try await edit(id)
        try EditorFile.requireFormat(format)
        let sources = try await sources(of: edit)
        let path = workspace.path(to: "\(Self.folder)/\(edit.stem).\(format)")
        return try await runBlocking { _ in
            try JobError.blamingMedia {
                try EditorFile(try edit.project(sources), at: path)
            }
        }
    }

    private func write(_ edit: EditRecord, to file: String) async throws {
        let sources = try await sources(of: edit)
        let path = workspace.path(to: file)
        try await runBlocking { [workspace] _ in
            let content = try JobError.blamingMedia {
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
    ) async throws -> [(source: MediaSource, name: String)] {
        guard edit.all.count <= Self.mostClips else {
            throw StudioError(.badRequest, "An edit has at most \(Self.mostClips) clips.")
        }
        let own = await store.media.find(edit.id).map { workspace.path(to: $0.file) }
        var sources: [(MediaSource, String)] = []
        for clip in edit.all {
            let (record, source) = try await library.open(clip.segment.media)
            guard own.map({ !source.files.contains($0) }) ?? true else {
                throw JobError(
                    message: "An edit can't contain itself.", field: .media)
            }
            sources.append((source, record.name))
        }
        return sources
    }
}

extension EditRecord {
    /// The edit's name as that of a file, without an extension.
    var stem: String { FileName.usable(name, else: "edit") }
}

/// An edit as the page sends it.
struct EditRequest: SentJSON, SchemaNamed {
    static let schemaName = "Edit"

    let name: String
    let clips: [EditClip]
    let sounds: [EditClip]?
    /// The version that was changed; nil to replace any.
    let basis: Int?

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
