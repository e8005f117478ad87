import Foundation

/// Converts between the two ways to name a file: a path and a URL.
enum MediaLocation {
    private static let prefix = "file://"

    /// The path of a file from the path or URL in a timeline. Paths stay as they are, `file://` URLs are
    /// decoded, and other URLs stay as they are.
    static func path(ofURL text: String) -> String {
        guard text.lowercased().hasPrefix(prefix) else {
            return text
        }
        let rest = text.dropFirst(prefix.count)
        // The part before the path names the machine: it is empty or `localhost`.
        guard let slash = rest.firstIndex(of: "/") else {
            return String(rest).removingPercentEncoding ?? String(rest)
        }
        let path = String(rest[slash...])
        return path.removingPercentEncoding ?? path
    }

    /// The `file://` URL of an absolute path. A relative path stays as it is.
    static func url(ofPath path: String) -> String {
        guard path.hasPrefix("/") else {
            return path
        }
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: ";")
        return path.addingPercentEncoding(withAllowedCharacters: allowed).map { prefix + $0 }
            ?? path
    }

    /// Whether the text is a URL of something other than a local file.
    static func isForeign(_ text: String) -> Bool {
        text.contains("://") && !text.lowercased().hasPrefix(prefix)
    }
}
