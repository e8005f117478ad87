import Foundation
import Pages
import Stories

/// The player and a story in one self-contained HTML file.
///
/// Modules inside of one page can't import each other. So the modules that `index.html` preloads, in that
/// order, and `player.js` are joined into one, without their `import` lines and `export` keywords. Their
/// top-level names are unique.
struct SinglePage {
    let data: Data

    /// The content security policy: the page may only run and load what it contains, and send to the author's address.
    private static func policy(sendingTo origin: String?) -> String {
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
            + "connect-src data:\(origin.map { " \($0)" } ?? ""); media-src blob: data:; "
            + "img-src data:; base-uri 'none'; form-action 'none'"
    }

    /// - Parameters:
    ///   - page: the content of `index.html`.
    ///   - manifest: contains data URLs instead of file names.
    init(page: Data, manifest: StoryManifest) throws {
        let page = String(decoding: page, as: UTF8.self)
        let preload = #/<link rel="modulepreload" href="([\w/-]+\.js)">\n/#
        let names = page.matches(of: preload).map { String($0.1) } + ["player.js"]
        let script = names.map(Self.merged).joined(separator: "\n")
        let story = StoryPage.escaped(try manifest.json())
        let origin = manifest.analytics.flatMap { VisitAddress($0)?.origin }
        let whole =
            page
            .replacing(preload, with: "")
            .replacing(#/(http-equiv="Content-Security-Policy" content=")[^"]*/#) {
                $0.1 + Self.policy(sendingTo: origin)
            }
            .replacing(#/<link rel="stylesheet" href="([\w/-]+\.css)">/#) {
                "<style>\n\(String(decoding: Self.file(String($0.1)), as: UTF8.self))</style>"
            }
            .replacing(
                "<script type=\"module\" src=\"player.js\"></script>",
                with: "<script type=\"application/json\" id=\"story\">\(story)</script>\n"
                    + "<script type=\"module\">\n\(script)</script>")
        data = Data(whole.utf8)
    }

    /// A file of the player. It must exist.
    static func file(_ name: String) -> Data {
        guard let file = WebPages.player[name] else {
            preconditionFailure("the player has no \(name)")
        }
        return file
    }

    /// The text of a module, prepared for joining.
    private static func merged(_ name: String) -> String {
        String(decoding: file(name), as: UTF8.self)
            .replacing(#/(?m)^import [^;]*? from "[.\/\w-]+\.js";\n/#, with: "")
            .replacing(#/(?m)^export /#, with: "")
    }
}
