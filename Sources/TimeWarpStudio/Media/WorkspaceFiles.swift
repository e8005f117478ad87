import Exchange
import Foundation
import StoryBuilding
import TimeWarp

/// The user's own media files and stories in the workspace. The page refers to them by random identities, so it never sends
/// a path.
actor WorkspaceFiles {
    struct Entry: Encodable, Sendable {
        let id: String
        /// The path relative to the workspace.
        let name: String
        let bytes: Int64
    }

    private let workspace: Workspace
    private var identities: [String: String] = [:]

    private static let mostFiles = 2000
    private static let deepest = 6
    private static let endings = Set([
        "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "m2ts", "mts", "mxf", "wmv",
        "flv", "3gp", "ogv", "wav", "mp3", "m4a", "aac", "flac", "opus", "ogg", "aif", "aiff",
        "ac3",
    ]).union(ProjectFormats.all.extensions).subtracting(["json"])

    init(_ workspace: Workspace) {
        self.workspace = workspace
    }

    /// The media files and projects, sorted by name.
    func list() -> [Entry] {
        list(of: Self.isMedia)
    }

    /// The story files, sorted by name.
    func stories() -> [Entry] {
        list {
            $0.pathExtension.lowercased() == "json" && StoryProject.seemsToBeOne($0.path)
        }
    }

    /// The files of a kind, sorted by name. Symbolic links aren't followed.
    private func list(of isWanted: (URL) -> Bool) -> [Entry] {
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
            guard isWanted(url), let values = try? url.resourceValues(forKeys: Set(keys)),
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

    /// Whether a file may be a clip. A JSON file is one only if it is a composition.
    private static func isMedia(_ url: URL) -> Bool {
        let ending = url.pathExtension.lowercased()
        return endings.contains(ending)
            || ending == "json" && CompositionProject.seemsToBeOne(url.path)
    }

    private func identity(of name: String) -> String {
        if let known = identities.first(where: { $0.value == name }) {
            return known.key
        }
        let id = Secret.make(bytes: 8)
        identities[id] = name
        return id
    }

    /// The file of an identity that ``list()`` has returned before; nil for any other.
    func file(_ id: String) -> String? {
        identities[id]
    }
}
