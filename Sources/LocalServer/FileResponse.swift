import Foundation

/// A response that sends a file, or the byte range of it that the request asks for (RFC 9110, sections 13 and
/// 14).
public struct FileResponse: Sendable {
    /// The file, kept open so that replacing it on disk doesn't mix two versions.
    private let file: OpenFile
    private let type: String
    private let downloadName: String?

    /// - Parameters:
    ///   - path: of the file. The content type follows from its extension.
    ///   - downloadName: the file name under which the browser saves the file; nil if the browser is to display
    ///     it.
    /// - Returns: nil if there is no regular file at the path, or it can't be opened.
    public init?(_ path: String, downloadName: String? = nil) {
        guard let file = OpenFile(path) else {
            return nil
        }
        self.file = file
        type = Self.type(of: path)
        self.downloadName = downloadName
    }

    private static func type(of path: String) -> String {
        switch (path as NSString).pathExtension.lowercased() {
        // Browsers refuse content types that they don't know, but play what is inside a file if they can. That
        // is why related containers share the type of a well-known one.
        case "mp4", "m4v", "m4s", "mov", "3gp": "video/mp4"
        case "webm", "mkv": "video/webm"
        case "m4a": "audio/mp4"
        case "mp3": "audio/mpeg"
        case "wav": "audio/wav"
        case "flac": "audio/flac"
        case "ogg", "opus": "audio/ogg"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "svg": "image/svg+xml"
        case "ico": "image/x-icon"
        case "json": "application/json"
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "vtt": "text/vtt; charset=utf-8"
        case "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }

    /// The response to a request: 200, 206, 304 or 416.
    public func response(to request: Request) -> Response {
        var headers: Headers = [
            .contentType: type, .acceptRanges: "bytes", .eTag: file.tag,
            .cacheControl: "private, no-cache",
        ]
        if let downloadName {
            headers[.contentDisposition] = Self.disposition(downloadName)
        }
        guard !isKnown(request) else {
            return Response(status: .notModified, headers: headers)
        }
        guard let wanted = wantedRange(request) else {
            return Response(status: .ok, headers: headers, body: .file(file, 0..<file.size))
        }
        guard let range = wanted.within(file.size) else {
            headers[.contentRange] = "bytes */\(file.size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
        return Response(status: .partialContent, headers: headers, body: .file(file, range))
    }

    private func isKnown(_ request: Request) -> Bool {
        request.headers.values(of: .ifNoneMatch).contains { field in
            field.split(separator: ",").contains {
                $0.trimmingCharacters(in: .whitespaces) == file.tag
            }
        }
    }

    /// Nil if the whole file is to be sent: no range is asked for, or the file has changed since the client got
    /// its first bytes (`If-Range`).
    private func wantedRange(_ request: Request) -> ByteRange? {
        guard request.method == .get, request.headers[.ifRange].map({ $0 == file.tag }) ?? true
        else {
            return nil
        }
        return request.headers[.range].flatMap { ByteRange($0) }
    }

    /// The value of a `Content-Disposition` header that makes a browser save the response under `name`. It
    /// holds the name twice: in ASCII for old clients, and in UTF-8 (RFC 6266).
    public static func disposition(_ name: String) -> String {
        let plain = String(
            name.map { $0.isASCII && $0 >= " " && !"\"\\\u{7f}".contains($0) ? $0 : "_" })
        let allowed = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        let encoded = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? plain
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }
}
