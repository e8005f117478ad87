import Exchange
import Foundation
import Media
import StoryBuilding
import TimeWarp

/// The user's own media files and stories in the workspace. The page refers to them by random identities, so it never sends
/// a path.
actor WorkspaceFiles {
    struct Entry: Codable, Sendable, SchemaNamed {
        static let schemaName = "WorkspaceFile"

        let id: String
        /// The path relative to the workspace.
        let name: String
        let bytes: Int64
    }

    /// The files that were found.
    struct Listing: Codable, Sendable {
        let files: [Entry]
        /// Whether the workspace has more files than are looked at.
        let isCut: Bool
    }

    private let workspace: Workspace
    private let mostVisits: Int
    private var names: [String: String] = [:]
    private var identities: [String: String] = [:]

    private static let mostFiles = 2000
    private static let deepest = 6
    private static let endings = Set([
        "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "m2ts", "mts", "mxf", "wmv",
        "flv", "3gp", "ogv", "wav", "mp3", "m4a", "aac", "flac", "opus", "ogg", "aif", "aiff",
        "ac3",
    ]).union(ProjectFormats.all.extensions).subtracting(["json"])

    /// - Parameter mostVisits: how many files and folders are looked at.
    init(_ workspace: Workspace, mostVisits: Int = 50_000) {
        self.workspace = workspace
        self.mostVisits = mostVisits
    }

    /// The media files and projects, sorted by name.
    func list() async throws -> Listing {
        try await list(of: Self.isMedia)
    }

    /// The story files, sorted by name.
    func stories() async throws -> Listing {
        try await list {
            $0.pathExtension.lowercased() == "json" && StoryProject.seemsToBeOne($0.path)
        }
    }

    /// The files of a kind, sorted by name.
    private func list(of isWanted: @escaping @Sendable (URL) -> Bool) async throws -> Listing {
        let root = URL(fileURLWithPath: workspace.path, isDirectory: true)
        let (found, isCut) = try await runBlocking { [mostVisits] checkCancelled in
            try Self.walk(root, most: mostVisits, checkCancelled: checkCancelled, isWanted)
        }
        let files = found.map { Entry(id: identity(of: $0.name), name: $0.name, bytes: $0.bytes) }
        return Listing(files: files.sorted { $0.name < $1.name }, isCut: isCut)
    }

    /// Looks through a folder. Symbolic links aren't followed.
    private static func walk(
        _ root: URL, most: Int, checkCancelled: () throws -> Void, _ isWanted: (URL) -> Bool
    ) throws -> (found: [(name: String, bytes: Int64)], isCut: Bool) {
        let keys: [URLResourceKey] = [.isRegularFileKey, .fileSizeKey]
        let walk = FileManager.default.enumerator(
            at: root, includingPropertiesForKeys: keys, options: [.skipsHiddenFiles])
        let own = Set(Workspace.Folder.allCases.map(\.rawValue))
        var (found, visits): ([(name: String, bytes: Int64)], Int) = ([], 0)
        while let url = walk?.nextObject() as? URL {
            try checkCancelled()
            visits += 1
            guard found.count < mostFiles, visits <= most else {
                return (found, true)
            }
            let level = walk?.level ?? 0
            if level > deepest || level == 1 && own.contains(url.lastPathComponent) {
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
            found.append((name, Int64(values.fileSize ?? 0)))
        }
        return (found, false)
    }

    /// Whether a file may be a clip. A JSON file is one only if it is a composition.
    @Sendable
    private static func isMedia(_ url: URL) -> Bool {
        let ending = url.pathExtension.lowercased()
        return endings.contains(ending)
            || ending == "json" && CompositionProject.seemsToBeOne(url.path)
    }

    /// The identity of a file.
    ///
    /// - Parameter name: its path relative to the workspace.
    func identity(of name: String) -> String {
        if let known = identities[name] {
            return known
        }
        let id = Secret.make(bytes: 8)
        identities[name] = id
        names[id] = name
        return id
    }

    /// The file of an identity that ``list()`` has returned before; nil for any other.
    func file(_ id: String) -> String? {
        names[id]
    }
}
