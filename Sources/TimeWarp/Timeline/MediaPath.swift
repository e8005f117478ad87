import Foundation

/// Where the files of a project lie.
package enum MediaPath {
    /// Relative paths start at the project's own folder.
    package static func resolve(_ path: String, in folder: String?) -> String {
        guard let folder, !folder.isEmpty, !path.hasPrefix("/") else {
            return path
        }
        return URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(path)
            .relativePath
    }
}
