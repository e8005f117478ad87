import Foundation
import LocalServer
import Media
import Overview
import TimeWarp

/// The routes of clips: import, list, inspect and play.
struct MediaRoutes {
    let workspace: Workspace
    let library: MediaLibrary
    let queue: RenderQueue
    let frames: FrameCache
    let files: WorkspaceFiles
    let tiles: MediaTiles
    /// The largest size of an upload, in bytes.
    let largestUpload: Int64

    func add(to router: inout Router) {
        router.get("api/media") { _ in
            let media = try await library.list().map(MediaResponse.init)
            return try Response.json(["media": media])
        }
        router.get("api/media/:id") { request in
            try Response.json(MediaResponse(try await library.record(request.identity)))
        }
        router.delete("api/media/:id") { request in
            let id = request.identity
            guard try await !queue.needs(id) else {
                throw StudioError(.conflict, "A queued or running render needs this clip.")
            }
            try await library.remove(id)
            return Response.done
        }
        router.post("api/media/:id/return") { request in
            try Response.json(MediaResponse(try await library.bringBack(request.identity)))
        }
        router.post("api/media/:id/proxy") { request in
            try Response.json(MediaResponse(try await library.wantProxy(request.identity)))
        }
        router.post("api/uploads") { request in
            try await upload(request)
        }
        // A browser sends a whole file before it looks at the response, so it asks before it sends one.
        router.get("api/uploads/room") { request in
            try refuseTooLarge(request.query["bytes"].flatMap { Int64($0) } ?? 0)
            return try Response.json(["largest": min(largestUpload, room)])
        }
        router.get("api/files") { _ in
            try Response.json(try await files.list())
        }
        router.post("api/media") { request in
            try await pick(request)
        }
        addFiles(to: &router)
    }

    private func addFiles(to router: inout Router) {
        router.get("api/media/:id/content") { request in
            let record = try await library.record(request.identity)
            let path =
                record.playback == .proxy
                ? await library.path(of: .proxy, record.id) : await library.path(of: record)
            return try Response.file(path, for: request)
        }
        for picture in [MediaLibrary.CachedFile.poster, .strip, .waveform] {
            router.get("api/media/:id/\(picture)") { request in
                if picture != .poster, let tile = try request.tile {
                    return try await tiles.response(picture, tile, of: request.identity)
                }
                let record = try await library.record(request.identity)
                let path = await library.path(of: picture, record.id)
                return try Response.file(path, for: request)
            }
        }
        router.get("api/media/:id/frames") { request in
            try await frames.response(
                for: request, in: try await library.playedFile(request.identity))
        }
        router.get("api/media/:id/beats") { request in
            try Response.file(try await library.beats(of: request.identity), for: request)
        }
        router.get("api/media/:id/inspect") { request in
            let source = try await library.open(request.identity).source
            return try source.asset.map { try Response.json(AssetDescription($0)) }
                ?? Response.json(CompositionDescription(source))
        }
    }

    private func pick(_ request: Request) async throws -> Response {
        struct Choice: Decodable {
            let file: String
        }
        guard let choice = try? JSONDecoder().decode(Choice.self, from: await request.json()) else {
            throw StudioError(.badRequest, "The request doesn't name a file.")
        }
        guard let file = await files.file(choice.file) else {
            throw StudioError(.notFound, "There is no such file in the workspace.")
        }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let record = try await library.add(file, name: name, origin: .workspace)
        return try Response.json(MediaResponse(record), status: .created)
    }

    private func upload(_ request: Request) async throws -> Response {
        let name = UploadName(request.query["name"] ?? "")
        let length = request.headers[.contentLength].flatMap { Int64($0) }
        try refuseTooLarge(length ?? 0)
        let id = Secret.make(bytes: 8)
        let part = workspace.file(id, in: .uploads)
        defer { workspace.remove(part) }
        let upload = try UploadFile(at: workspace.path(to: part), most: largestUpload)
        do {
            try await request.body.read { try upload.append($0) }
        } catch is UploadFile.TooLarge {
            throw tooLarge
        } catch let error as POSIXError where Self.noRoomCodes.contains(error.code) {
            throw Self.noRoom
        }
        guard length == nil || length == upload.size else {
            throw StudioError(.badRequest, "The upload of \(name.shown) was interrupted.")
        }
        let file = workspace.file(id + name.ending, in: .media)
        try FileManager.default.moveItem(
            atPath: workspace.path(to: part), toPath: workspace.path(to: file))
        do {
            let record = try await library.add(file, id: id, name: name.shown, origin: .upload)
            return try Response.json(MediaResponse(record), status: .created)
        } catch {
            workspace.remove(file)
            throw error
        }
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

/// The name of an uploaded file. It is displayed, and never used as a path.
struct UploadName {
    let shown: String
    /// The extension with its dot; empty unless it is short and has only ASCII letters and digits.
    let ending: String

    init(_ given: String) {
        let last = given.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        shown = FileName.usable(String(last), else: "clip")
        let parts = shown.split(separator: ".")
        let word = parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
        let isPlain =
            word.count <= 8 && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        ending = isPlain && !word.isEmpty ? "." + word : ""
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
