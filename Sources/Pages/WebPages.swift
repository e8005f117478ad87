import Foundation

/// The files of the web pages that the program serves or writes. They are embedded in the program.
///
/// Whatever style sheet, page or module lies in this target's folders is one of them, by its path, but for tests: the plugin
/// `EmbedPages` finds them.
package enum WebPages {
    /// The name of each page's HTML file.
    package static let first = "index.html"
    /// The studio's page with nothing but a player.
    package static let playerPage = "play.html"
    /// The files of the studio and of its other pages by path. They play by the modules of the stories' player.
    package static let studio = files.filter { path, _ in
        !path.hasPrefix(playerFolder) || path.hasPrefix(playerFolder + "playing/")
    }
    /// The files of the stories' player by path in a built story.
    package static let player = Dictionary(
        uniqueKeysWithValues: files.compactMap { path, content in
            path.hasPrefix(playerFolder)
                ? (String(path.dropFirst(playerFolder.count)), content) : nil
        })

    private static let playerFolder = "player/"
    private static let files: [String: Data] = Dictionary(
        uniqueKeysWithValues: embeddedFiles.map { ($0.path, Data($0.content.utf8)) })
}
