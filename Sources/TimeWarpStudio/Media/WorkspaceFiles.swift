import Foundation

/// A person's own media files in the workspace, by names that mean nothing: no path comes from a page.
actor WorkspaceFiles {
    struct Entry: Encodable, Sendable {
        let id: String
        /// From the workspace on.
        let name: String
        let bytes: Int64
    }

    private let workspace: Workspace
    private var identities: [String: String] = [:]

    private static let mostFiles = 2000
    private static let deepest = 6
    private static let endings: Set = [
        "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "m2ts", "mts", "mxf", "wmv",
        "flv", "3gp", "ogv", "wav", "mp3", "m4a", "aac", "flac", "opus", "ogg", "aif", "aiff",
        "ac3",
    ]

    init(_ workspace: Workspace) {
        self.workspace = workspace
    }

    /// What there is, by name. What lies behind links that lead out isn't there.
    func list() -> [Entry] {
        let root = URL(fileURLWithPath: workspace.path, isDirectory: true)
        let keys: [URLResourceKey] = [.isRegularFileKey, .fileSizeKey]
        let walk = FileManager.default.enumerator(
            at: root, includingPropertiesForKeys: keys, options: [.skipsHiddenFiles])
        let own = Set(Workspace.Folder.allCases.map(\.rawValue))
        var entries: [Entry] = []
        while let url = walk?.nextObject() as? URL, entries.count < Self.mostFiles {
            let level = walk?.level ?? 0
            if level > Self.deepest || level == 1 && own.contains(url.lastPathComponent) {
                walk?.skipDescendants()
                continue
            }
            guard Self.endings.contains(url.pathExtension.lowercased()),
                let values = try? url.resourceValues(forKeys: Set(keys)),
                values.isRegularFile == true
            else {
                continue
            }
            let components = url.standardizedFileURL.pathComponents
            let name = components.suffix(level).joined(separator: "/")
            entries.append(
                Entry(id: identity(of: name), name: name, bytes: Int64(values.fileSize ?? 0)))
        }
        return entries.sorted { $0.name < $1.name }
    }

    private func identity(of name: String) -> String {
        if let known = identities.first(where: { $0.value == name }) {
            return known.key
        }
        let id = Secret.make(bytes: 8)
        identities[id] = name
        return id
    }

    /// The file of an identity that was listed before; nil for any other.
    func file(_ id: String) -> String? {
        identities[id]
    }
}
