import Foundation

/// Paths of the media files of a project.
package enum MediaPath {
    /// Whether a path doesn't start at a folder, here or on Windows: `/films/a.mov`, `C:\films\a.mov`, `\\server\a.mov`.
    package static func isAbsolute(_ path: String) -> Bool {
        path.hasPrefix("/") || path.hasPrefix("\\\\") || beginsWithDrive(path[...])
    }

    /// Whether a path begins as `C:\` or `C:/` does.
    package static func beginsWithDrive(_ path: Substring) -> Bool {
        let head = Array(path.utf8.prefix(3))
        return head.count == 3 && Character(Unicode.Scalar(head[0])).isLetter
            && head[1] == UInt8(ascii: ":") && "/\\".utf8.contains(head[2])
    }

    /// The path of a media file for the working directory. Relative paths start at the project's folder.
    package static func resolve(_ path: String, in folder: String?) -> String {
        guard let folder, !folder.isEmpty, !isAbsolute(path) else {
            return path
        }
        return URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(path)
            .relativePath
    }

    /// Makes a path that is relative to one folder relative to another. Absolute paths stay as they are.
    package static func rebase(_ path: String, from folder: String?, to other: String) -> String {
        guard !isAbsolute(path) else {
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
