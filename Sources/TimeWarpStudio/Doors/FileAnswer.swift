import Foundation
import HTTPTypes
import Hummingbird

/// Answers with a file, or the part of it that was asked for.
struct FileAnswer: Sendable {
    private let path: String
    private let type: String
    private let downloadName: String?

    /// - Parameters:
    ///   - path: of the file, which a client never names.
    ///   - downloadName: what to save it as; nil shows it.
    init(_ path: String, type: String? = nil, downloadName: String? = nil) {
        self.path = path
        self.type = type ?? Self.type(of: path)
        self.downloadName = downloadName
    }

    private static func type(of path: String) -> String {
        switch path.split(separator: ".").last?.lowercased() {
        // Browsers refuse names that they don't know and play what they do: it is what is inside that counts.
        case "mp4", "m4v", "mov", "3gp": "video/mp4"
        case "webm", "mkv": "video/webm"
        case "m4a": "audio/mp4"
        case "mp3": "audio/mpeg"
        case "wav": "audio/wav"
        case "flac": "audio/flac"
        case "ogg", "opus": "audio/ogg"
        case "png": "image/png"
        case "json": "application/json"
        default: "application/octet-stream"
        }
    }

    /// - Throws: ``StudioError`` when the file is gone, or hasn't the part that was asked for.
    func response(to request: Request, context: some RequestContext) async throws -> Response {
        guard let stamp = FileStamp(path) else {
            throw StudioError(.notFound, "There is no such file, or not yet.")
        }
        let size = Int(stamp.bytes)
        let tag = "\"\(size)-\(stamp.changed.timeIntervalSince1970)\""
        var headers: HTTPFields = [
            .contentType: type, .acceptRanges: "bytes", .eTag: tag,
            .cacheControl: "private, no-cache",
        ]
        if let downloadName {
            headers[.contentDisposition] = Self.disposition(downloadName)
        }
        guard request.headers[.ifNoneMatch] != tag else {
            return Response(status: .notModified, headers: headers)
        }
        let isSame = request.headers[.ifRange].map { $0 == tag } ?? true
        let wanted = isSame ? request.headers[.range].flatMap { ByteRange($0) } : nil
        guard let wanted else {
            headers[.contentLength] = String(size)
            let body = try await FileIO().loadFile(path: path, context: context)
            return Response(status: .ok, headers: headers, body: body)
        }
        guard let range = wanted.within(size) else {
            headers[.contentRange] = "bytes */\(size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound)/\(size)"
        headers[.contentLength] = String(range.count)
        let body = try await FileIO().loadFile(path: path, range: range, context: context)
        return Response(status: .partialContent, headers: headers, body: body)
    }

    /// The name in ASCII for old programs, and as it is (RFC 6266).
    static func disposition(_ name: String) -> String {
        let plain = String(name.map { $0.isASCII && $0 != "\"" && $0 != "\\" ? $0 : "_" })
        let allowed = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        let encoded = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? plain
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }
}

/// The part of a file that a request asks for (RFC 9110, section 14): one part, as players do.
struct ByteRange: Equatable {
    /// Nil for so many of the last bytes.
    private let first: Int?
    /// Nil for the end; without a first byte how many of the last.
    private let last: Int?

    /// Nil for anything else than `bytes=A-B`, `bytes=A-` and `bytes=-N`, which is answered with all of it.
    init?(_ header: String) {
        guard header.hasPrefix("bytes=") else {
            return nil
        }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy(\.isWholeNumber) }) else {
            return nil
        }
        (first, last) = (Int(ends[0]), Int(ends[1]))
        guard first != nil || last != nil, (first ?? 0) <= (last ?? Int.max) || first == nil else {
            return nil
        }
    }

    /// The bytes of a file of that size; nil when it has none of them.
    func within(_ size: Int) -> ClosedRange<Int>? {
        guard let first else {
            let count = min(last ?? 0, size)
            return count > 0 ? size - count...size - 1 : nil
        }
        guard first < size else {
            return nil
        }
        return first...min(last ?? size - 1, size - 1)
    }
}
