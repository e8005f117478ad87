import Foundation

extension Asset {
    /// Finds out what a media file holds; see ``init(at:)-(String)``.
    ///
    /// - Throws: ``MediaError``, also for a URL that isn't a file's.
    public init(at url: URL) throws {
        try self.init(at: try url.filePath())
    }

    /// Finds out what a media file holds, on a thread of its own; see ``load(at:)-(String)``.
    ///
    /// - Throws: ``MediaError``, also for a URL that isn't a file's; `CancellationError`.
    public static func load(at url: URL) async throws -> Asset {
        try await load(at: try url.filePath())
    }
}

extension URL {
    /// The path of a file.
    ///
    /// - Throws: ``MediaError`` for a URL of something else.
    package func filePath() throws -> String {
        guard isFileURL else {
            throw MediaError(
                .noInput, file: absoluteString, reason: "it is no file, and only files are opened",
                remedy: "Download it first")
        }
        return path
    }
}
