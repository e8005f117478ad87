import Foundation

/// The two ways to name a file: its path, and a URL.
enum MediaLocation {
    private static let prefix = "file://"

    /// The path in what a timeline names: paths as they are, `file://` URLs without their
    /// percent signs, other URLs as they are.
    static func path(ofURL text: String) -> String {
        guard text.lowercased().hasPrefix(prefix) else {
            return text
        }
        let rest = text.dropFirst(prefix.count)
        // What stands before the path names the machine: nothing, or localhost.
        guard let slash = rest.firstIndex(of: "/") else {
            return String(rest).removingPercentEncoding ?? String(rest)
        }
        let path = String(rest[slash...])
        return path.removingPercentEncoding ?? path
    }

    /// A `file://` URL for an absolute path; a relative one as it is.
    static func url(ofPath path: String) -> String {
        guard path.hasPrefix("/") else {
            return path
        }
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: ";")
        return path.addingPercentEncoding(withAllowedCharacters: allowed).map { prefix + $0 }
            ?? path
    }

    /// Whether it names something that is no file.
    static func isForeign(_ text: String) -> Bool {
        text.contains("://") && !text.lowercased().hasPrefix(prefix)
    }
}
