extension Asset {
    /// Finds out what a media file holds, on a thread of its own: the caller's thread isn't blocked.
    ///
    /// - Parameter path: a local file; URLs and pipes are not read.
    /// - Throws: as ``init(at:)-(String)``; `CancellationError` when the task was cancelled before.
    /// - Complexity: as ``init(at:)-(String)``.
    public static func load(at path: String) async throws -> Asset {
        try await runBlocking { checkCancelled in
            try checkCancelled()
            return try Asset(at: path)
        }
    }
}
