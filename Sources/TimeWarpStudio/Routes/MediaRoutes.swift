import Foundation
import LocalServer
import Media
import Overview
import TimeWarp

/// The part of the API about clips: import, list, inspect and play.
struct MediaRoutes {
    let workspace: Workspace
    let library: MediaLibrary
    let queue: RenderQueue
    let files: WorkspaceFiles
    let tiles: MediaTiles
    /// The largest size of an upload, in bytes.
    let largestUpload: Int64

    private struct MediaList: Codable {
        let media: [MediaResponse]
    }

    /// The largest file that there is room for, in bytes.
    private struct Room: Codable {
        let largest: Int64
    }

    func add(to api: inout API) {
        api.get("api/media", "List the clips, the newest first.") { _ in
            MediaList(media: try await library.list().map(MediaResponse.init))
        }
        api.get("api/media/:id", "Get a clip.") {
            MediaResponse(try await library.record($0.identity))
        }
        api.act(.delete, "api/media/:id", "Remove a clip.") { request in
            guard try await !queue.needs(request.identity) else {
                throw StudioError(.conflict, "A queued or running render needs this clip.")
            }
            try await library.remove(request.identity)
        }
        api.post("api/media/:id/return", "Bring back a clip that was removed.") {
            MediaResponse(try await library.bringBack($0.identity))
        }
        api.on(
            .post, "api/uploads", "Upload a clip.", queries: [.text("name").needed],
            takes: .other("application/octet-stream"), status: .created,
            gives: .json(MediaResponse.self), upload)
        // A browser sends a whole file before it looks at the response, so it asks before it sends one.
        api.get(
            "api/uploads/room", "Say how large an upload can be.", queries: [.integer("bytes")]
        ) { request in
            try refuseTooLarge(request.query["bytes"].flatMap { Int64($0) } ?? 0)
            return Room(largest: min(largestUpload, room))
        }
        api.get("api/files", "List the media files of the workspace.") { _ in
            try await files.list()
        }
        api.send("api/media", "Import a file of the workspace.", status: .created, pick)
        addFiles(to: &api)
    }

    private func addFiles(to api: inout API) {
        for picture in [MediaLibrary.CachedFile.poster, .strip, .waveform] {
            api.get(
                "api/media/:id/\(picture)", "Get the \(picture) of a clip, or of a part of it.",
                queries: picture == .poster ? [] : [.integer("level"), .integer("tile")],
                gives: picture == .waveform ? .json(Waveform.self) : .other("image/png")
            ) { request in
                if picture != .poster, let tile = try request.tile {
                    return try await tiles.response(picture, tile, of: request.identity)
                }
                let record = try await library.record(request.identity)
                let path = await library.path(of: picture, record.id)
                return try Response.file(path, for: request)
            }
        }
        api.get(
            "api/media/:id/beats", "Find the beats of a clip's sound.", gives: .json(Beats.self)
        ) { request in
            try Response.file(try await library.beats(of: request.identity), for: request)
        }
        api.get(
            "api/media/:id/inspect", "Describe a clip's file, as timewarp inspect does.",
            gives: .other("application/json")
        ) { request in
            let source = try await library.open(request.identity).source
            return try source.asset.map { try Response.json(AssetDescription($0)) }
                ?? Response.json(CompositionDescription(source))
        }
    }

    /// A file of the workspace, by its identity in the list.
    private struct ImportRequest: SentJSON {
        let file: String

        init(json: Data) throws {
            guard let choice = try? JSONDecoder().decode(Self.self, from: json) else {
                throw StudioError(.badRequest, "The request doesn't name a file.")
            }
            self = choice
        }
    }

    private func pick(_: Request, _ choice: ImportRequest) async throws -> MediaResponse {
        guard let file = await files.file(choice.file) else {
            throw StudioError(.notFound, "There is no such file in the workspace.")
        }
        return MediaResponse(try await library.pick(file))
    }

    private func upload(_ request: Request) async throws -> Response {
        let name = FileName.ofUpload(request.query["name"] ?? "")
        let length = request.headers[.contentLength].flatMap { Int64($0) }
        try refuseTooLarge(length ?? 0)
        let part = workspace.file(Secret.make(bytes: 8), in: .uploads)
        defer { workspace.remove(part) }
        let received = workspace.path(to: part)
        let upload = try UploadFile(at: received, most: largestUpload)
        do {
            try await request.body.read { try upload.append($0) }
        } catch is UploadFile.TooLarge {
            throw tooLarge
        } catch let error as POSIXError where Self.noRoomCodes.contains(error.code) {
            throw Self.noRoom
        }
        guard length == nil || length == upload.size else {
            throw StudioError(.badRequest, "The upload of \(name) was interrupted.")
        }
        let record = try await library.add(named: name, origin: .upload) { path in
            try FileManager.default.moveItem(atPath: received, toPath: path)
        }
        return try Response.json(MediaResponse(record), status: .created)
    }

    /// The space on the disk that uploads leave free, in bytes.
    private static let reserve: Int64 = 64 << 20
    /// The disk or the user's share of it is full, or its file system has no files of that size.
    private static let noRoomCodes: [POSIXErrorCode] = [.ENOSPC, .EDQUOT, .EFBIG]
    private static let noRoom = StudioError(
        .insufficientStorage, "There isn't enough space on the disk for this file.")

    /// How many bytes the disk has for uploads.
    private var room: Int64 { (workspace.freeBytes ?? .max) - Self.reserve }

    private var tooLarge: StudioError {
        StudioError(
            .contentTooLarge, "Files of up to \(largestUpload >> 20) MiB can be uploaded.")
    }

    private func refuseTooLarge(_ length: Int64) throws {
        guard length <= largestUpload else {
            throw tooLarge
        }
        guard length <= room else {
            throw Self.noRoom
        }
    }
}

extension Request {
    /// The part of the clip that the query names by `level` and `tile`; nil for all of it.
    fileprivate var tile: MediaTiles.Tile? {
        get throws {
            guard let level = query["level"], let number = query["tile"] else {
                return nil
            }
            guard let level = Int(level), let number = Int(number),
                let tile = MediaTiles.Tile(level: level, number: number)
            else {
                throw StudioError(.badRequest, "There is no such part of a clip.")
            }
            return tile
        }
    }

    /// The identity in the request's path.
    var identity: String { parameters["id"] ?? "" }
}

extension Response {
    /// A response with a file, or with the byte range that the request asks for.
    ///
    /// - Throws: ``StudioError`` if there is no such file.
    static func file(
        _ path: String, downloadName: String? = nil, for request: Request
    ) throws -> Response {
        guard let file = FileResponse(path, downloadName: downloadName) else {
            throw StudioError(.notFound, "This file doesn't exist, or isn't ready yet.")
        }
        return file.response(to: request)
    }
}
