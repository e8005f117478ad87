import Foundation

/// Paths of a job, which mean the same wherever its folder is mounted.
enum JobPath {
    /// The absolute path of a file, whose folder is as ``physical(_:)`` returns it. The file itself may be a link.
    static func absolute(_ path: String) -> String {
        var folder = whole(path).split(separator: "/")
        guard let name = folder.popLast(), name != "..", name != "." else {
            return physical(path)
        }
        let place = physical("/" + folder.joined(separator: "/"))
        return (place == "/" ? "" : place) + "/" + name
    }

    /// The absolute path of a folder without symbolic links: the system follows `..` to the folder around the one that
    /// a link leads to, and not to the folder that the link is in. What doesn't exist yet stays as it is.
    static func physical(_ path: String) -> String {
        var there = whole(path).split(separator: "/")
        var missing: [Substring] = []
        while !there.isEmpty {
            if let resolved = realpath("/" + there.joined(separator: "/"), nil) {
                defer { free(resolved) }
                there = String(cString: resolved).split(separator: "/")
                break
            }
            missing.append(there.removeLast())
        }
        return "/" + (there + missing.reversed()).joined(separator: "/")
    }

    /// The path of a file as seen from a folder: `../in.mp4`.
    ///
    /// - Parameters:
    ///   - folder: as ``physical(_:)`` returns it.
    ///   - file: as ``absolute(_:)`` or ``physical(_:)`` return it.
    static func relative(from folder: String, to file: String) -> String {
        let start = folder.split(separator: "/")
        let end = file.split(separator: "/")
        let shared = zip(start, end).prefix { $0 == $1 }.count
        let up = Array(repeating: Substring(".."), count: start.count - shared)
        let path = (up + end.dropFirst(shared)).joined(separator: "/")
        return path.isEmpty ? "." : path
    }

    private static func whole(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
