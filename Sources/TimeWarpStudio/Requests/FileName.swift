/// Names of files, made of names that people and browsers give.
enum FileName {
    /// The longest name in bytes of UTF-8: file systems allow 255, and a temporary name is longer.
    private static let longest = 160

    /// A name without what a file's name can't have, or shouldn't: slashes, colons, control characters, and dots at
    /// its start.
    ///
    /// - Parameter other: the name if nothing is left.
    static func usable(_ name: String, else other: String) -> String {
        let plain = name.filter { character in
            !character.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        var usable = String(plain.map { "/\\:".contains($0) ? "-" : $0 }.drop { $0 == "." })
        while usable.utf8.count > longest {
            usable.removeLast()
        }
        return usable.isEmpty ? other : usable
    }

    /// The name of an uploaded file, which leads to no other folder.
    static func ofUpload(_ given: String) -> String {
        usable(given.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? "", else: "clip")
    }
}
