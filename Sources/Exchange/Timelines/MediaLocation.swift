import Foundation
import TimeWarp

/// Converts between the two ways to name a file: a path and a URL.
///
/// ```
///  /films/a b.mov      file:///films/a%20b.mov
///  C:\films\a.mov     file:///C:/films/a.mov
///  \\server\a.mov     file://server/a.mov
/// ```
enum MediaLocation {
    private static let prefix = "file://"

    /// The path of a file from the path or URL in a timeline. Paths stay as they are, `file:` URLs are
    /// decoded, and other URLs stay as they are.
    static func path(ofURL text: String) -> String {
        let lower = text.lowercased()
        guard lower.hasPrefix(prefix) else {
            guard lower.hasPrefix("file:/") else {
                return text
            }
            return path(decoding: text.dropFirst("file:".count))
        }
        let rest = text.dropFirst(prefix.count)
        guard let slash = rest.firstIndex(of: "/") else {
            return path(decoding: rest)
        }
        // The part before the path names the machine. Windows' drives stand there in some files.
        let machine = rest[..<slash]
        let isThisOne = machine.isEmpty || machine.lowercased() == "localhost"
        if isThisOne || MediaPath.isAbsolute(String(rest)) {
            return path(decoding: isThisOne ? rest[slash...] : rest)
        }
        return "//" + path(decoding: rest)
    }

    /// In a URL there is a slash before a drive.
    private static func path(decoding text: Substring) -> String {
        let path = text.removingPercentEncoding ?? String(text)
        let drive = path.dropFirst()
        return path.hasPrefix("/") && MediaPath.beginsWithDrive(drive) ? String(drive) : path
    }

    /// The `file://` URL of an absolute path. A relative path stays as it is.
    static func url(ofPath path: String) -> String {
        guard MediaPath.isAbsolute(path) else {
            return path
        }
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: ";")
        let isWindows = !path.hasPrefix("/")
        let slashed = isWindows ? path.replacing("\\", with: "/") : path
        let encoded = slashed.addingPercentEncoding(withAllowedCharacters: allowed) ?? slashed
        if encoded.hasPrefix("//") {
            return "file:" + encoded
        }
        return prefix + (encoded.hasPrefix("/") ? "" : "/") + encoded
    }

    /// Whether the text is a URL of something other than a local file.
    static func isForeign(_ text: String) -> Bool {
        text.contains("://") && !text.lowercased().hasPrefix(prefix)
    }
}
