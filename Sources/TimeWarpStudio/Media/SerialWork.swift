import Media

/// Work that is done one piece after another, which leaves cores to renders.
struct SerialWork {
    private var last: Task<Void, Never>?

    /// Begins work as soon as all earlier work has ended.
    mutating func run<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) -> Task<Result, any Error> {
        let before = last
        let task = Task {
            await before?.value
            return try await work()
        }
        last = Task { _ = await task.result }
        return task
    }
}

/// A file as it is now: another one if it is replaced or changed.
struct FileVersion: Hashable, Sendable {
    let path: String
    let stamp: FileStamp?

    init(_ path: String) {
        self.path = path
        stamp = try? FileStamp(of: path)
    }
}

/// What was read of one file, the one that was asked for last, because reading it takes long.
struct LastRead<Content> {
    private var kept: (file: FileVersion, content: Content)?

    subscript(file: FileVersion) -> Content? {
        get { kept?.file == file ? kept?.content : nil }
        set { kept = newValue.map { (file, $0) } }
    }
}
