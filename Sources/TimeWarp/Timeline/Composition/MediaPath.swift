import Foundation

/// Paths of the media files of a project.
package enum MediaPath {
    /// The path of a media file for the working directory. Relative paths start at the project's folder.
    package static func resolve(_ path: String, in folder: String?) -> String {
        guard let folder, !folder.isEmpty, !path.hasPrefix("/") else {
            return path
        }
        return URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(path)
            .relativePath
    }

    /// Makes a path that is relative to one folder relative to another. Absolute paths stay as they are.
    package static func rebase(_ path: String, from folder: String?, to other: String) -> String {
        guard !path.hasPrefix("/") else {
            return path
        }
        func components(_ folder: String) -> [String] {
            URL(fileURLWithPath: folder.isEmpty ? "." : folder, isDirectory: true)
                .standardizedFileURL.pathComponents
        }
        let file = components((folder ?? ".") + "/" + path)
        let base = components(other)
        let common = zip(file, base).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: base.count - common)
        return (up + file[common...]).joined(separator: "/")
    }
}
